// Sums over a particle's stencil. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_MPM_GATHER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_MPM_GATHER_INL_H_
#undef REPOSE_OPTIMIZED_MPM_GATHER_INL_H_
#else
#define REPOSE_OPTIMIZED_MPM_GATHER_INL_H_
#endif

#include "optimized/layout/block.h"
#include "optimized/simd/bspline-inl.h"
#include "optimized/simd/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// Places of the weights of one particle in memory: [axis][w, d, g][4], the fourth node of the quadratic kernel zero.
template <int dim>
struct WeightTable {
  static constexpr std::size_t size = 12 * dim;
  static constexpr std::size_t at(int axis, int kind) { return static_cast<std::size_t>(12 * axis + 4 * kind); }
};

/// What a gather returns per particle, records of four numbers (·, x, y, z): Σ w v, then Σ w v Δ_a per axis a if
/// `moments`, then Σ v g_a per axis if `gradient` (Δ and g in units of h).
template <int dim, bool moments, bool gradient>
struct Gathered {
  static constexpr int moment = 1;
  static constexpr int slope = 1 + (moments ? dim : 0);
  static constexpr int count = slope + (gradient ? dim : 0);
};

/// The sum over the groups of four numbers of a vector, to memory.
template <class T>
HWY_INLINE void StoreChunkSum(hn::Vec<Tag<T>> v, T* out) {
  const Tag<T> d;
  constexpr std::size_t n = lanes<T>;
  if constexpr (n <= 4) {
    hn::StoreU(v, d, out);
  } else {
    const hn::Half<Tag<T>> half;
    const auto pair = hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v));
    if constexpr (n == 8) {
      hn::StoreU(pair, half, out);
    } else {
      const hn::Half<decltype(half)> quarter;
      hn::StoreU(hn::Add(hn::LowerHalf(quarter, pair), hn::UpperHalf(quarter, pair)), quarter, out);
    }
  }
}

/// Contracts the tile rows of one particle, the leading axes first, then the nodes of the rows.
/// @param base first number of the stencil's first row
/// @param out  Gathered::count records of four numbers
template <class T, int dim, int K, bool moments, bool gradient>
HWY_INLINE void Gather(const T* HWY_RESTRICT base, const T* HWY_RESTRICT weight, T* HWY_RESTRICT out) {
  using G = Gathered<dim, moments, gradient>;
  using W = WeightTable<dim>;
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  constexpr std::size_t n = lanes<T>;
  constexpr std::size_t regs = (4 * K + n - 1) / n;
  constexpr std::size_t parts = n < 4 ? 4 / n : 1;  // vectors per record of four
  constexpr std::size_t row_step = Block<dim>::row_values;
  const V zero = hn::Zero(d);
  V result[G::count][parts];
  for (int c = 0; c < G::count; ++c)
    for (std::size_t part = 0; part < parts; ++part) result[c][part] = zero;

  for (std::size_t g = 0; g < regs; ++g) {
    // Over the leading axes: w w, and with one factor w replaced by d or g.
    V value = zero;
    V moved[2] = {zero, zero};
    V sloped[2] = {zero, zero};
    for (int i = 0; i < K; ++i) {
      V row = zero, row_moved = zero, row_sloped = zero;
      if constexpr (dim == 3) {
        for (int j = 0; j < K; ++j) {
          const V node = hn::LoadU(
              d, base + static_cast<std::size_t>(i * Block<dim>::tile_edge + j) * row_step + g * n);
          row = hn::MulAdd(node, hn::Set(d, weight[W::at(1, 0) + static_cast<std::size_t>(j)]), row);
          if constexpr (moments)
            row_moved = hn::MulAdd(node, hn::Set(d, weight[W::at(1, 1) + static_cast<std::size_t>(j)]), row_moved);
          if constexpr (gradient)
            row_sloped = hn::MulAdd(node, hn::Set(d, weight[W::at(1, 2) + static_cast<std::size_t>(j)]), row_sloped);
        }
      } else {
        row = hn::LoadU(d, base + static_cast<std::size_t>(i) * row_step + g * n);
      }
      const V w = hn::Set(d, weight[W::at(0, 0) + static_cast<std::size_t>(i)]);
      value = hn::MulAdd(row, w, value);
      if constexpr (moments) {
        moved[0] = hn::MulAdd(row, hn::Set(d, weight[W::at(0, 1) + static_cast<std::size_t>(i)]), moved[0]);
        if constexpr (dim == 3) moved[1] = hn::MulAdd(row_moved, w, moved[1]);
      }
      if constexpr (gradient) {
        sloped[0] = hn::MulAdd(row, hn::Set(d, weight[W::at(0, 2) + static_cast<std::size_t>(i)]), sloped[0]);
        if constexpr (dim == 3) sloped[1] = hn::MulAdd(row_sloped, w, sloped[1]);
      }
    }
    // Over the nodes of the row.
    const std::size_t part = g % parts;
    const V w = SpreadWeights<T>(weight + W::at(dim - 1, 0), g);
    result[0][part] = hn::MulAdd(value, w, result[0][part]);
    if constexpr (moments) {
      for (int a = 0; a + 1 < dim; ++a)
        result[G::moment + a][part] = hn::MulAdd(moved[a], w, result[G::moment + a][part]);
      const V last = SpreadWeights<T>(weight + W::at(dim - 1, 1), g);
      result[G::moment + dim - 1][part] = hn::MulAdd(value, last, result[G::moment + dim - 1][part]);
    }
    if constexpr (gradient) {
      for (int a = 0; a + 1 < dim; ++a)
        result[G::slope + a][part] = hn::MulAdd(sloped[a], w, result[G::slope + a][part]);
      const V last = SpreadWeights<T>(weight + W::at(dim - 1, 2), g);
      result[G::slope + dim - 1][part] = hn::MulAdd(value, last, result[G::slope + dim - 1][part]);
    }
  }
  for (int c = 0; c < G::count; ++c)
    for (std::size_t part = 0; part < parts; ++part) StoreChunkSum<T>(result[c][part], out + 4 * c + part * n);
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
