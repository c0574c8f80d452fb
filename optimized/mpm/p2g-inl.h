// Particles to grid for one block. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_MPM_P2G_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_MPM_P2G_INL_H_
#undef REPOSE_OPTIMIZED_MPM_P2G_INL_H_
#else
#define REPOSE_OPTIMIZED_MPM_P2G_INL_H_
#endif

#include "optimized/law/law-inl.h"
#include "optimized/law/water-inl.h"
#include "optimized/layout/block.h"
#include "optimized/layout/record.h"
#include "optimized/mpm/groups-inl.h"
#include "optimized/mpm/kernels.h"
#include "optimized/simd/bspline-inl.h"
#include "optimized/simd/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

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

/// Fills the factors of one vector of particles.
template <class T, int dim, int K, Law energy>
HWY_INLINE void SetFactors(const ToTile<T>& a, const T* const* record, T* out) {
  using R = Record<dim>;
  using F = Factors<T, dim, K>;
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  V field[R::size];
  static_assert(chunk_start<dim>(R::transfer_chunks - 1) == 4 * (R::transfer_chunks - 1));
  for (std::size_t c = 0; c < R::transfer_chunks; ++c) LoadFour<T>(record, 4 * c, field + 4 * c);
  if constexpr (energy == Law::unilateral && R::transfer_chunks < R::chunks) {  // q
    constexpr std::size_t last = chunk_start<dim>(R::chunks - 1);
    LoadFour<T>(record, last, field + last);
  }
  Weights<T, K> weight[extent<dim>];
  for (int axis = 0; axis < dim; ++axis)
    SetWeights<T, K>(field[R::offset + static_cast<std::size_t>(axis)], weight[axis]);
  const V mass = hn::Mul(field[R::mass], hn::Set(d, a.momentum_scale));
  const V mass_h = hn::Mul(mass, hn::Set(d, a.h));
  const V zero = hn::Zero(d);
  Symmetric<T, dim> stress;  // −(Δt/h) V⁰ τ
  if constexpr (energy == Law::water) {
    const LaneWater<T> water = WaterOf<T>(a.waters, a.materials, field[R::flags]);
    const V pressure = PressureTimesVolume<T>(field[R::strain], water);
    const V push = hn::Mul(hn::Mul(hn::Set(d, a.dt_over_h), field[R::volume]), pressure);
    for (std::size_t s = 0; s < R::symmetric; ++s) stress.s[s] = s < extent<dim> ? push : zero;
  } else {
    LaneLaw<T> law;
    SetLaw<T>(a.laws, a.materials, field[R::flags], law);
    for (std::size_t s = 0; s < R::symmetric; ++s) stress.s[s] = field[R::strain + s];
    const V scaled_volume = hn::Mul(hn::Set(d, -a.dt_over_h), field[R::volume]);
    if constexpr (energy == Law::unilateral) {
      const Cone<T> cone = ConeAt<T>(field[R::q], law, a.hardening);
      stress = ScaledUnilateralStress<T, dim>(stress, law, cone.tip, scaled_volume);
    } else {
      stress = ScaledStress<T, dim>(stress, law, scaled_volume);
    }
  }

  // Node i of axis b: per component c what d_i h m C_cb − (Δt/h) g_i V⁰ τ_cb adds up to; the first axis takes the mass and
  // w_i m v_c as well.
  V force[extent<dim>], slope[extent<dim>], momentum[extent<dim>];
  const auto chunk = [&](std::size_t b, std::size_t i, V* out4) HWY_ATTR {
    out4[0] = b == 0 ? hn::Mul(mass, weight[0].w[i]) : zero;
    out4[3] = zero;
    REPOSE_UNROLL
    for (std::size_t c = 0; c < extent<dim>; ++c) {
      const V sum = hn::MulAdd(weight[b].d[i], slope[c], hn::Mul(weight[b].g[i], force[c]));
      out4[1 + c] = b == 0 ? hn::MulAdd(weight[b].w[i], momentum[c], sum) : sum;
    }
  };
  constexpr std::size_t k = static_cast<std::size_t>(K);
  constexpr std::size_t stride = F::stride;
  REPOSE_UNROLL
  for (std::size_t b = 0; b < extent<dim>; ++b) {
    REPOSE_UNROLL
    for (std::size_t c = 0; c < extent<dim>; ++c) {
      force[c] = stress(static_cast<int>(c), static_cast<int>(b));
      slope[c] = hn::Mul(mass_h, field[R::C + extent<dim> * c + b]);
      if (b == 0) momentum[c] = hn::Mul(mass, field[R::v + c]);
    }
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

/// Fills the factors of the particles [begin, end) of a block's list.
template <class T, int dim, int K, Law energy>
HWY_INLINE void SetAllFactors(const ToTile<T>& a, std::size_t begin, std::size_t end, T* factors) {
  using R = Record<dim>;
  constexpr std::size_t n = lanes<T>;
  for (std::size_t k = begin; k < end; k += n) {
    const T* record[n];
    if (k + n <= end) {
      REPOSE_UNROLL
      for (std::size_t lane = 0; lane < n; ++lane) record[lane] = a.records + R::size * a.order[k + lane];
    } else {  // repeat the last particle; its factors beyond the end are not used
      for (std::size_t lane = 0; lane < n; ++lane)
        record[lane] = a.records + R::size * a.order[k + lane < end ? k + lane : end - 1];
    }
    SetFactors<T, dim, K, energy>(a, record, factors + (k - begin) * Factors<T, dim, K>::stride);
  }
}

/// Apart, so that each other law's code has the registers to itself.
template <class T, int dim, int K, Law energy>
HWY_NOINLINE void SetFactorsOf(const ToTile<T>& a, std::size_t begin, std::size_t end, T* factors) {
  SetAllFactors<T, dim, K, energy>(a, begin, end, factors);
}

/// Asks for the records of entries [first, last) and for a share of the next block's tile. This goes on between the sums
/// of cells: memory has nothing else to do then, and of many requests at once the processor drops most.
/// @param asked numbers of that tile asked for so far
template <class T, int dim>
HWY_INLINE void AskAhead(const ToTile<T>& a, std::size_t first, std::size_t last, std::size_t& asked) {
  using R = Record<dim>;
  constexpr std::size_t line = 64 / sizeof(T);
  const T* const records = a.records;
  const std::uint32_t* const order = a.order;
  const std::size_t end = last < a.known ? last : a.known;
  for (std::size_t k = first; k < end; ++k)
    PrefetchRecord<T, R::size, 4 * R::transfer_chunks>(records + R::size * order[k]);
  // All of the tile once three of four cells of a block hold particles.
  constexpr std::size_t values = Block<dim>::tile_values, share = values / (Block<dim>::nodes * 3 / 4);
  const std::size_t until = asked + share < values ? asked + share : values;
  for (; asked < until; asked += line) hwy::Prefetch(a.next_tile + asked);
}

/// m_i = Σ w m, p_i + Δt f_i = Σ w m (v + C (x_i − x_p)) − Δt V⁰ τ ∇w [Klar16 Eq.9, 23], into the block's tile,
/// in the order of the list: the sum depends on nothing else.
template <class T, int dim, int K>
HWY_NOINLINE void BlockToTile(const ToTile<T>& a) {
  using F = Factors<T, dim, K>;
  const Tag<T> d;
  constexpr std::size_t n = lanes<T>;
  constexpr std::size_t batch =
      sizeof(T) == 4 ? 32 : 16;  // particles whose factors stay in the first-level cache
  HWY_ALIGN T factors[batch * F::stride];
  static_assert(batch % n == 0 && batch <= 32);
  // Rows that no stencil reaches are never read: they keep what they held.
  constexpr std::size_t reached = static_cast<std::size_t>(Block<dim>::edge + K - 1);
  for (std::size_t i = 0; i < (dim == 3 ? reached : 1); ++i) {
    T* const plane = a.tile + i * Block<dim>::tile_edge * Block<dim>::row_values;
    for (std::size_t v = 0; v < reached * Block<dim>::row_values; v += n)
      hn::Store(hn::Zero(d), d, plane + v);
  }

  std::size_t asked = 0;  // numbers of the next tile
  for (std::size_t begin = 0; begin < a.count; begin += batch) {
    const std::size_t end = begin + batch < a.count ? begin + batch : a.count;
    if (a.law == Law::hencky)
      SetAllFactors<T, dim, K, Law::hencky>(a, begin, end, factors);
    else if (a.law == Law::unilateral)
      SetFactorsOf<T, dim, K, Law::unilateral>(a, begin, end, factors);
    else
      SetFactorsOf<T, dim, K, Law::water>(a, begin, end, factors);
    for (std::uint32_t cells = CellStarts(a.code + begin, end - begin); cells != 0;) {
      const std::size_t first = begin + hwy::Num0BitsBelowLS1Bit_Nonzero32(cells);
      cells &= cells - 1;
      const std::size_t last = cells != 0 ? begin + hwy::Num0BitsBelowLS1Bit_Nonzero32(cells) : end;
      AskAhead<T, dim>(a, first + batch, last + batch, asked);
      AddCell<T, dim, K>(factors, first - begin, last - begin,
                         a.tile + Block<dim>::tile_offset(a.code[first]));
    }
  }
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
