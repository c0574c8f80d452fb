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
#include "optimized/mpm/kernels.h"
#include "optimized/simd/bspline-inl.h"
#include "optimized/simd/cell_sums-inl.h"
#include "optimized/simd/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// c_C of each lane's grain [Pa].
template <class T, int dim>
HWY_INLINE hn::Vec<Tag<T>> CohesionOf(const ToTile<T>& a, const T* const* record) {
  constexpr std::size_t n = lanes<T>;
  HWY_ALIGN T own[n];
  for (std::size_t lane = 0; lane < n; ++lane)
    own[lane] = a.wetness[static_cast<std::size_t>(record[lane] - a.records) / Record<dim>::size].c_C;
  return hn::Load(Tag<T>(), own);
}

/// Fills the factors of one vector of particles.
template <class T, int dim, int K, Law energy>
HWY_INLINE void SetFactors(const ToTile<T>& a, const T* const* record, T* out) {
  using R = Record<dim>;
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
      Cone<T> cone = ConeAt<T>(field[R::q], law, a.hardening);
      if (a.wetness != nullptr) Cohere<T>(CohesionOf<T, dim>(a, record), law, cone);
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
  const auto set_axis = [&](std::size_t b) HWY_ATTR {
    REPOSE_UNROLL
    for (std::size_t c = 0; c < extent<dim>; ++c) {
      force[c] = stress(static_cast<int>(c), static_cast<int>(b));
      slope[c] = hn::Mul(mass_h, field[R::C + extent<dim> * c + b]);
      if (b == 0) momentum[c] = hn::Mul(mass, field[R::v + c]);
    }
  };
  StoreFactors<T, dim, K>(weight, set_axis, chunk, out);
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
  constexpr std::size_t n = lanes<T>;
  constexpr std::size_t batch =
      sizeof(T) == 4 ? 32 : 16;  // particles whose factors stay in the first-level cache
  HWY_ALIGN T factors[batch * F::stride];
  static_assert(batch % n == 0 && batch <= 32);
  ClearTile<T, dim, K>(a.tile);

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
