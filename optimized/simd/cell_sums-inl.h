// Sums over the particles of a cell, lanes being (node of a row, component). Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_SIMD_CELL_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_SIMD_CELL_SUMS_INL_H_
#undef REPOSE_OPTIMIZED_SIMD_CELL_SUMS_INL_H_
#else
#define REPOSE_OPTIMIZED_SIMD_CELL_SUMS_INL_H_
#endif

#include "optimized/layout/block.h"
#include "optimized/simd/bspline-inl.h"
#include "optimized/simd/lanes-inl.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// Bits of the particles of a batch whose cell is not that of the one before; the first is one of them.
/// @param code of `count` particles
HWY_INLINE std::uint32_t CellStarts(const std::uint8_t* code, std::size_t count) {
  const hn::FixedTag<std::uint8_t, 16> d;
  std::uint32_t bits = 1;
  std::size_t k = 0;
  for (; k + 16 <= count; k += 16) {
    const auto here = hn::LoadU(d, code + k);
    const auto before = k == 0 ? hn::ShiftLeftBytes<1>(d, here) : hn::LoadU(d, code + k - 1);
    std::uint8_t differ[8];
    hn::StoreMaskBits(d, hn::Ne(here, before), differ);
    bits |= (differ[0] | static_cast<std::uint32_t>(differ[1]) << 8) << k;
  }
  for (k = std::max<std::size_t>(k, 1); k < count; ++k)
    bits |= static_cast<std::uint32_t>(code[k] != code[k - 1]) << k;
  return bits;
}

/// The factors of one particle's contribution, in memory so that rows of node records can be formed by broadcasts.
/// With w, u and the records (m, p) of the three axes (x: first, y: second, z: along the row; 2D has no x),
///     record (i, j, k) += w_y[j] (X[i] w_z[k] + w_x[i] U[k]) + Y[j] (w_x[i] w_z[k])
/// X, Y, U: what v, C and τ contribute with the weights of their axis; the mass and v go with X (2D: Y).
template <class T, int dim, int K>
struct Factors {
  // Eight numbers are stored at once: w_x and w_y fill up X and Y of three nodes, or lie side by side.
  static constexpr std::size_t X = 0, Y = dim == 3 ? 16 : 0;
  static constexpr std::size_t w_x = K == 3 ? 12 : Y + 16, w_y = K == 3 ? Y + 12 : Y + (dim == 3 ? 20 : 16);
  static constexpr std::size_t W = K == 3 ? Y + 16 : Y + 32, U = W + 16, stride = U + 16;
  static constexpr std::size_t row_regs = (4 * K + lanes<T> - 1) / lanes<T>;
};

/// Adds the particles [first, last) of one cell to the K rows of plane `plane`: `count` vectors of each, from `from` on.
template <class T, int dim, int K, std::size_t plane, std::size_t from, std::size_t count>
HWY_INLINE void AddPlane(const T* HWY_RESTRICT factors, std::size_t first, std::size_t last,
                         T* HWY_RESTRICT base) {
  using F = Factors<T, dim, K>;
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  constexpr std::size_t n = lanes<T>;
  T* HWY_RESTRICT at = base + plane * Block<dim>::tile_edge * Block<dim>::row_values + from * n;
  constexpr std::size_t step = Block<dim>::row_values;
  V sum[static_cast<std::size_t>(K)][count];
  REPOSE_UNROLL
  for (std::size_t j = 0; j < K; ++j) {
    REPOSE_UNROLL
    for (std::size_t g = 0; g < count; ++g) sum[j][g] = hn::LoadU(d, at + j * step + g * n);
  }
  const T* HWY_RESTRICT f = factors + first * F::stride;
  const T* const end = factors + last * F::stride;
  for (; f != end; f += F::stride) {
    V across[count], along[count];  // what w_y[j] and Y[j] are multiplied by
    REPOSE_UNROLL
    for (std::size_t g = 0; g < count; ++g) {
      const V w = hn::Load(d, f + F::W + (from + g) * n);
      const V u = hn::Load(d, f + F::U + (from + g) * n);
      if constexpr (dim == 3) {
        const V w_x = hn::Set(d, f[F::w_x + plane]);
        across[g] = hn::MulAdd(RepeatChunk<T>(f + F::X + 4 * plane, from + g), w, hn::Mul(w_x, u));
        along[g] = hn::Mul(w_x, w);
      } else {
        across[g] = u;
        along[g] = w;
      }
    }
    REPOSE_UNROLL
    for (std::size_t j = 0; j < K; ++j) {
      const V w_y = hn::Set(d, f[F::w_y + j]);
      REPOSE_UNROLL
      for (std::size_t g = 0; g < count; ++g) {
        const V y = RepeatChunk<T>(f + F::Y + 4 * j, from + g);
        sum[j][g] = hn::MulAdd(w_y, across[g], hn::MulAdd(y, along[g], sum[j][g]));
      }
    }
  }
  REPOSE_UNROLL
  for (std::size_t j = 0; j < K; ++j) {
    REPOSE_UNROLL
    for (std::size_t g = 0; g < count; ++g) hn::StoreU(sum[j][g], d, at + j * step + g * n);
  }
}

template <class T, int dim, int K, std::size_t plane = 0, std::size_t from = 0>
HWY_INLINE void AddCell(const T* HWY_RESTRICT factors, std::size_t first, std::size_t last,
                        T* HWY_RESTRICT base) {
  // As many vectors at once as sums fit into registers.
  constexpr std::size_t left = Factors<T, dim, K>::row_regs - from;
  constexpr std::size_t count = left < 2 ? left : 2;
  AddPlane<T, dim, K, plane, from, count>(factors, first, last, base);
  if constexpr (count < left)
    AddCell<T, dim, K, plane, from + count>(factors, first, last, base);
  else if constexpr (dim == 3 && plane + 1 < K)
    AddCell<T, dim, K, plane + 1, 0>(factors, first, last, base);
}

/// Zeros in all rows that stencils of K nodes per axis reach.
template <class T, int dim, int K>
HWY_INLINE void ClearTile(T* tile) {
  const Tag<T> d;
  constexpr std::size_t n = lanes<T>;
  // Rows that no stencil reaches are never read: they keep what they held.
  constexpr std::size_t reached = static_cast<std::size_t>(Block<dim>::edge + K - 1);
  for (std::size_t i = 0; i < (dim == 3 ? reached : 1); ++i) {
    T* const plane = tile + i * Block<dim>::tile_edge * Block<dim>::row_values;
    for (std::size_t v = 0; v < reached * Block<dim>::row_values; v += n)
      hn::Store(hn::Zero(d), d, plane + v);
  }
}

/// Stores the factors of one vector of particles, lanes `Factors::stride` apart.
/// @param set_axis (b): what follows is of axis b
/// @param chunk    (b, i, four): X, Y or U of node i of axis b
template <class T, int dim, int K, class SetAxis, class Chunk>
HWY_INLINE void StoreFactors(const Weights<T, K>* weight, SetAxis&& set_axis, Chunk&& chunk, T* out) {
  using F = Factors<T, dim, K>;
  using V = hn::Vec<Tag<T>>;
  const V zero = hn::Zero(Tag<T>());
  constexpr std::size_t k = static_cast<std::size_t>(K);
  constexpr std::size_t stride = F::stride;
  REPOSE_UNROLL
  for (std::size_t b = 0; b < extent<dim>; ++b) {
    set_axis(b);
    V eight[8];
    const bool row = b + 1 == extent<dim>;
    const std::size_t at = row ? F::U : (b == 0 && dim == 3 ? F::X : F::Y);
    REPOSE_UNROLL
    for (std::size_t i = 0; i < 4; i += 2) {
      chunk(b, i, eight);
      if (i + 1 < k) {
        chunk(b, i + 1, eight + 4);
      } else {
        REPOSE_UNROLL
        for (std::size_t v = 0; v < 4; ++v) eight[4 + v] = row ? zero : weight[b].w[v];
      }
      StoreEightApart<T, stride>(eight, out, at + 4 * i);
    }
    if (!row) continue;
    REPOSE_UNROLL
    for (std::size_t i = 0; i < 4; i += 2) {
      REPOSE_UNROLL
      for (std::size_t v = 0; v < 8; ++v) eight[v] = weight[b].w[i + v / 4];
      StoreEightApart<T, stride>(eight, out, F::W + 4 * i);
    }
  }
  if constexpr (K == 4) {
    V eight[8];
    REPOSE_UNROLL
    for (std::size_t v = 0; v < 4; ++v) {
      eight[v] = weight[0].w[v];
      eight[4 + v] = dim == 3 ? weight[1].w[v] : zero;
    }
    StoreEightApart<T, stride>(eight, out, dim == 3 ? F::w_x : F::w_y);
  }
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
