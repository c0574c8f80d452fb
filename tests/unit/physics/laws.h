#pragma once

#include "reference/interface/materials.h"
#include "reference/interface/types.h"

#include <random>

namespace repose::test {

inline constexpr double u = 0x1p-53;  ///< unit roundoff of double

/// E = 3.537·10⁵ Pa, ν = 0.3: the sand of [Klar16 Table 3].
inline Lame sand_lame() {
  Material material;
  material.youngs_modulus = 3.537e5;
  material.poisson_ratio = 0.3;
  return lame(material);
}

/// A number in [low, high): own transform, so that every standard library draws the same.
inline double draw(std::mt19937_64& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
}

template <int d>
Mat<d> draw_matrix(std::mt19937_64& random, double low, double high) {
  Mat<d> M;
  for (int a = 0; a < d; ++a)
    for (int b = 0; b < d; ++b) M(a, b) = draw(random, low, high);
  return M;
}

template <int d>
Vec<d> draw_vector(std::mt19937_64& random, double low, double high) {
  Vec<d> v;
  for (int a = 0; a < d; ++a) v[a] = draw(random, low, high);
  return v;
}

}  // namespace repose::test
