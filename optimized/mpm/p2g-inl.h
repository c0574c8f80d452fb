// Particles to grid for one block. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_MPM_P2G_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_MPM_P2G_INL_H_
#undef REPOSE_OPTIMIZED_MPM_P2G_INL_H_
#else
#define REPOSE_OPTIMIZED_MPM_P2G_INL_H_
#endif

#include "optimized/layout/block.h"
#include "optimized/layout/record.h"
#include "optimized/mpm/kernels.h"
#include "optimized/simd/bspline-inl.h"
#include "optimized/simd/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// The factors of one particle's contribution, in memory so that its rows can be formed by broadcasts:
///     node record (r, k) += P[r] w_k + S[r] u[k]
/// with r the rows of the stencil (i, j), k the node in the row; P[r] = (m, p) S-weighted along the leading axes,
/// S[r] the product of the leading weights, u[k] what C and τ contribute along the last axis.
template <class T, int dim, int K>
struct Factors {
  static constexpr std::size_t rows = dim == 3 ? K * K : K;
  static constexpr std::size_t rows4 = (rows + 3) / 4 * 4;
  static constexpr std::size_t P = 0, S = 4 * rows, W = S + rows4, U = W + 16, size = U + 16;
  static constexpr std::size_t stride = (size + 15) / 16 * 16;
  static constexpr std::size_t row_regs = (4 * K + lanes<T> - 1) / lanes<T>;
};

/// Adds the particles [first, last) of one cell to `rows_at_once` rows of the tile from row `row` on.
template <class T, int dim, int K, std::size_t rows_at_once>
HWY_INLINE void AddRows(const T* HWY_RESTRICT factors, std::size_t first, std::size_t last, T* HWY_RESTRICT base,
                        std::size_t row) {
  using F = Factors<T, dim, K>;
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  constexpr std::size_t regs = F::row_regs;
  constexpr std::size_t n = lanes<T>;
  T* at[rows_at_once];
  V sum[rows_at_once][regs];
  for (std::size_t r = 0; r < rows_at_once; ++r) {
    const std::size_t i = (row + r) / K;
    const std::size_t j = (row + r) % K;
    const std::size_t tile_row = dim == 3 ? i * Block<dim>::tile_edge + j : row + r;
    at[r] = base + tile_row * Block<dim>::row_values;
    for (std::size_t g = 0; g < regs; ++g) sum[r][g] = hn::LoadU(d, at[r] + g * n);
  }
  for (std::size_t p = first; p < last; ++p) {
    const T* HWY_RESTRICT f = factors + p * F::stride;
    V w[regs], u[regs];
    for (std::size_t g = 0; g < regs; ++g) {
      w[g] = hn::Load(d, f + F::W + g * n);
      u[g] = hn::Load(d, f + F::U + g * n);
    }
    for (std::size_t r = 0; r < rows_at_once; ++r) {
      const V s = hn::Set(d, f[F::S + row + r]);
      for (std::size_t g = 0; g < regs; ++g) {
        const V chunk = RepeatChunk<T>(f + F::P + 4 * (row + r), g);
        sum[r][g] = hn::MulAdd(chunk, w[g], hn::MulAdd(s, u[g], sum[r][g]));
      }
    }
  }
  for (std::size_t r = 0; r < rows_at_once; ++r)
    for (std::size_t g = 0; g < regs; ++g) hn::StoreU(sum[r][g], d, at[r] + g * n);
}

template <class T, int dim, int K>
HWY_INLINE void AddCell(const T* HWY_RESTRICT factors, std::size_t first, std::size_t last, T* HWY_RESTRICT base) {
  using F = Factors<T, dim, K>;
  // As many rows at once as sums fit into registers.
  constexpr std::size_t wanted = 8 / F::row_regs > 0 ? 8 / F::row_regs : 1;
  constexpr std::size_t at_once = K == 3 ? (wanted >= 2 ? 3 : 1) : (wanted < F::rows ? wanted : F::rows);
  static_assert(F::rows % at_once == 0);
  for (std::size_t row = 0; row < F::rows; row += at_once)
    AddRows<T, dim, K, at_once>(factors, first, last, base, row);
}

/// Fills the factors of one vector of particles.
template <class T, int dim, int K, bool affine>
HWY_INLINE void SetFactors(const ToTile<T>& a, const T* const* record, T* const* out) {
  using R = Record<dim>;
  using F = Factors<T, dim, K>;
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  V field[R::size];
  for (std::size_t c = 0; c < R::transfer_chunks; ++c) LoadFour<T>(record, 4 * c, field + 4 * c);
  Weights<T, K> weight[extent<dim>];
  for (int axis = 0; axis < dim; ++axis) SetWeights<T, K>(field[R::offset + static_cast<std::size_t>(axis)], weight[axis]);
  const V mass = hn::Mul(field[R::mass], hn::Set(d, a.momentum_scale));
  const V mass_h = hn::Mul(mass, hn::Set(d, a.h));
  const V minus_dt_over_h = hn::Set(d, -a.dt_over_h);

  // Per axis b and component c: u_c[i] = d_i h m C_cb − (Δt/h) g_i V⁰ τ_cb, and along the first axis also w_i m v_c.
  V u[extent<dim>][3][4];
  for (int c = 0; c < 3; ++c) {
    if (c >= dim) continue;
    for (int b = 0; b < dim; ++b) {
      const V force = hn::Mul(minus_dt_over_h, field[R::stress + symmetric_index<dim>(c < b ? c : b, c < b ? b : c)]);
      const V slope = affine ? hn::Mul(mass_h, field[R::C + static_cast<std::size_t>(dim * c + b)]) : hn::Zero(d);
      const V momentum = hn::Mul(mass, field[R::v + static_cast<std::size_t>(c)]);
      for (int i = 0; i < K; ++i) {
        V sum = hn::Mul(weight[b].g[i], force);
        if constexpr (affine) sum = hn::MulAdd(weight[b].d[i], slope, sum);
        if (b == 0) sum = hn::MulAdd(weight[b].w[i], momentum, sum);
        u[b][c][i] = sum;
      }
    }
  }
  const V zero = hn::Zero(d);
  V chunk[4] = {zero, zero, zero, zero};
  if constexpr (dim == 3) {
    V s4[4] = {zero, zero, zero, zero};
    for (int i = 0; i < K; ++i) {
      const V mass_x = hn::Mul(mass, weight[0].w[i]);
      for (int j = 0; j < K; ++j) {
        const std::size_t r = static_cast<std::size_t>(i * K + j);
        chunk[0] = hn::Mul(mass_x, weight[1].w[j]);
        for (int c = 0; c < 3; ++c)
          chunk[1 + c] = hn::MulAdd(u[0][c][i], weight[1].w[j], hn::Mul(weight[0].w[i], u[1][c][j]));
        StoreFour<T>(chunk, out, F::P + 4 * r);
        s4[r % 4] = hn::Mul(weight[0].w[i], weight[1].w[j]);
        if (r % 4 == 3 || r + 1 == F::rows) StoreFour<T>(s4, out, F::S + r / 4 * 4);
      }
    }
  } else {
    V s4[4] = {zero, zero, zero, zero};
    for (int i = 0; i < K; ++i) {
      chunk[0] = hn::Mul(mass, weight[0].w[i]);
      chunk[1] = u[0][0][i];
      chunk[2] = u[0][1][i];
      StoreFour<T>(chunk, out, F::P + 4 * static_cast<std::size_t>(i));
      s4[i] = weight[0].w[i];
    }
    StoreFour<T>(s4, out, F::S);
  }
  for (int k = 0; k < K; ++k) {
    const V w = weight[dim - 1].w[k];
    const V spread[4] = {w, w, w, w};
    StoreFour<T>(spread, out, F::W + 4 * static_cast<std::size_t>(k));
    V last[4] = {zero, zero, zero, zero};
    for (int c = 0; c < dim; ++c) last[1 + c] = u[dim - 1][c][k];
    StoreFour<T>(last, out, F::U + 4 * static_cast<std::size_t>(k));
  }
}

/// m_i = Σ w m, p_i + Δt f_i = Σ w m (v + C (x_i − x_p)) − Δt V⁰ τ ∇w [Klar16 Eq.9, 23], into the block's tile,
/// in the order of the list: the sum depends on nothing else.
template <class T, int dim, int K, bool affine>
HWY_NOINLINE void BlockToTile(const ToTile<T>& a) {
  using R = Record<dim>;
  using F = Factors<T, dim, K>;
  const Tag<T> d;
  constexpr std::size_t n = lanes<T>;
  constexpr std::size_t batch = 32;  // particles whose factors stay in the first-level cache
  HWY_ALIGN T factors[batch * F::stride];
  HWY_ALIGN T surplus[F::stride];
  if constexpr (K == 3) {  // the fourth node of a padded row receives nothing
    for (std::size_t p = 0; p < batch; ++p) {
      for (std::size_t v = 12; v < 16; ++v) factors[p * F::stride + F::W + v] = factors[p * F::stride + F::U + v] = T{0};
    }
  }
  for (std::size_t v = 0; v < Block<dim>::tile_values; v += n) hn::Store(hn::Zero(d), d, a.tile + v);

  for (std::size_t begin = 0; begin < a.count; begin += batch) {
    const std::size_t end = begin + batch < a.count ? begin + batch : a.count;
    for (std::size_t k = begin; k < end; k += n) {
      const T* record[n];
      T* out[n];
      for (std::size_t lane = 0; lane < n; ++lane) {
        const bool real = k + lane < end;
        record[lane] = a.records + R::size * a.order[real ? k + lane : end - 1];
        out[lane] = real ? factors + (k + lane - begin) * F::stride : surplus;
      }
      SetFactors<T, dim, K, affine>(a, record, out);
    }
    for (std::size_t first = begin; first < end;) {
      const std::uint8_t code = a.code[first];
      std::size_t last = first + 1;
      while (last < end && a.code[last] == code) ++last;
      AddCell<T, dim, K>(factors, first - begin, last - begin, a.tile + Block<dim>::tile_offset(code));
      first = last;
    }
  }
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
