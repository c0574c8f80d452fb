#pragma once

#include <array>
#include <cstdint>

namespace repose::optimized {

/// B-spline weights of one particle along one axis, for the K nodes of its stencil.
/// @param f offset from the cell's centre in units of h, in [−½, ½]
template <class T>
std::array<T, 4> stencil_weights(int K, T f) {
  const T half = static_cast<T>(0.5);
  const T t = half + f;
  const T u = half - f;
  if (K == 3) return {half * u * u, static_cast<T>(0.75) - f * f, half * t * t, T{0}};
  const T sixth = static_cast<T>(1.0 / 6.0);
  const T two_thirds = static_cast<T>(2.0 / 3.0);
  return {sixth * u * u * u, two_thirds + t * t * (half * t - T{1}), two_thirds + u * u * (half * u - T{1}),
          sixth * t * t * t};
}

/// Which nodes of a stencil are wet: bit k of row K i + j is that of node (i, j, k), in 2D bit k of row i that of (i, k).
struct WetStencil {
  std::array<std::uint8_t, 16> row{};
  bool any = false, all = true;

  void set(std::size_t at, unsigned bits, int K) {
    row[at] = static_cast<std::uint8_t>(bits);
    any = any || bits != 0;
    all = all && bits == (1U << K) - 1U;
  }
};

/// φ_p = Σ w φ_i within [0, 1]; of weights that add up to 1 exactly, where all nodes are wet.      [Tam17 Eq.24; ERRATA T21]
/// @param offset d numbers
template <class T, int dim>
T wet_share(const WetStencil& stencil, int K, const T* offset) {
  if (!stencil.any) return T{0};
  if (stencil.all) return T{1};
  std::array<std::array<T, 4>, 3> w{};
  for (std::size_t a = 0; a < dim; ++a) w[a] = stencil_weights<T>(K, offset[a]);
  const auto n = static_cast<std::size_t>(K);
  const auto& last = w[dim - 1];
  T sum{0};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < (dim == 3 ? n : 1); ++j) {
      const unsigned bits = stencil.row[dim == 3 ? n * i + j : i];
      T line{0};
      for (std::size_t k = 0; k < n; ++k) line += ((bits >> k) & 1U) != 0 ? last[k] : T{0};
      sum += (dim == 3 ? w[0][i] * w[1][j] : w[0][i]) * line;
    }
  }
  return sum < T{1} ? sum : T{1};
}

}  // namespace repose::optimized
