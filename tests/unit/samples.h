#pragma once

#include "reference/interface/base/types.h"

#include <boost/mpl/list.hpp>

#include <random>

/// Dimensions and drawn numbers, for tests of both solvers' parts.
namespace repose::test {

template <int dimension>
struct Dim {
  static constexpr int d = dimension;
};
using Dims = boost::mpl::list<Dim<2>, Dim<3>>;

inline constexpr double u = 0x1p-53;  ///< unit roundoff of double

/// A number in [low, high): own transform, so that every standard library draws the same.
inline double draw(std::mt19937_64& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
}

template <int d>
Vec<d> draw_vector(std::mt19937_64& random, double low, double high) {
  Vec<d> v;
  for (int a = 0; a < d; ++a) v[a] = draw(random, low, high);
  return v;
}

template <int d>
Mat<d> draw_matrix(std::mt19937_64& random, double low, double high) {
  Mat<d> M;
  for (int a = 0; a < d; ++a)
    for (int b = 0; b < d; ++b) M(a, b) = draw(random, low, high);
  return M;
}

}  // namespace repose::test
