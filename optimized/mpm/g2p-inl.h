// Grid to particles, update and plasticity for one block. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_MPM_G2P_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_MPM_G2P_INL_H_
#undef REPOSE_OPTIMIZED_MPM_G2P_INL_H_
#else
#define REPOSE_OPTIMIZED_MPM_G2P_INL_H_
#endif

#include "optimized/mpm/gather-inl.h"
#include "optimized/mpm/law-inl.h"
#include "optimized/mpm/row_gather-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// Notes the real lanes of `bad` as a fault.
template <class T>
HWY_NOINLINE void Blame(const FromTile<T>& a, hn::Mask<Tag<T>> bad, std::size_t first, std::size_t real,
                        Fault::Kind kind) {
  const Tag<T> d;
  constexpr std::size_t n = lanes<T>;
  HWY_ALIGN T flag[n];
  hn::Store(hn::IfThenElse(bad, hn::Set(d, T{1}), hn::Zero(d)), d, flag);
  for (std::size_t lane = 0; lane < real; ++lane)
    if (flag[lane] != T{0}) a.tally->fault.see(kind, a.id[a.order[first + lane]]);
}

/// Where a sum of values shows that one of them is not finite. A sum of finite ones overflows only where its parts do
/// next.
template <class T>
HWY_INLINE hn::Mask<Tag<T>> NotFinite(hn::Vec<Tag<T>> sum) {
  const Tag<T> d;
  // Not Ne: it is false for what is not a number.
  return hn::Not(hn::Eq(hn::Sub(sum, sum), hn::Zero(d)));
}

/// b̂ − 1 = B (b − 1) Bᵀ + A + Aᵀ + A Aᵀ with A = Δt ∇v, B = 1 + A: no digit of a small strain is lost to the 1.
/// Returns det B.
template <class T, int dim>
HWY_INLINE hn::Vec<Tag<T>> TrialStrain(const hn::Vec<Tag<T>> (&A)[extent<dim>][extent<dim>],
                                       Symmetric<T, dim>& strain) {
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  const V one = hn::Set(d, T{1});
  V B[extent<dim>][extent<dim>], M[extent<dim>][extent<dim>];
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j) B[i][j] = i == j ? hn::Add(A[i][j], one) : A[i][j];
  // M = B (b − 1) + A/…: the products that meet Bᵀ, then the symmetric rest.
  for (int i = 0; i < dim; ++i) {
    for (int j = 0; j < dim; ++j) {
      V sum = hn::Mul(B[i][0], strain(0, j));
      for (int k = 1; k < dim; ++k) sum = hn::MulAdd(B[i][k], strain(k, j), sum);
      M[i][j] = sum;
    }
  }
  for (int i = 0; i < dim; ++i) {
    for (int j = i; j < dim; ++j) {
      V sum = hn::Add(A[i][j], A[j][i]);
      for (int k = 0; k < dim; ++k) sum = hn::MulAdd(A[i][k], A[j][k], sum);
      V stretched = hn::Mul(M[i][0], B[j][0]);
      for (int k = 1; k < dim; ++k) stretched = hn::MulAdd(M[i][k], B[j][k], stretched);
      strain.s[symmetric_index<dim>(i, j)] = hn::Add(stretched, sum);
    }
  }
  if constexpr (dim == 2) return hn::NegMulAdd(B[0][1], B[1][0], hn::Mul(B[0][0], B[1][1]));
  const int last = dim - 1;
  const V cofactor0 = hn::NegMulAdd(B[1][last], B[last][1], hn::Mul(B[1][1], B[last][last]));
  const V cofactor1 = hn::NegMulAdd(B[1][0], B[last][last], hn::Mul(B[1][last], B[last][0]));
  const V cofactor2 = hn::NegMulAdd(B[1][1], B[last][0], hn::Mul(B[1][0], B[last][1]));
  return hn::MulAdd(B[0][0], cofactor0, hn::MulAdd(B[0][1], cofactor1, hn::Mul(B[0][last], cofactor2)));
}

/// Moves the particles; those that leave their cells are listed.
template <class T, int dim>
HWY_INLINE void Move(const FromTile<T>& a, std::size_t first, std::size_t real, const hn::Vec<Tag<T>>* v_bar,
                     hn::Vec<Tag<T>>* offset) {
  const Tag<T> d;
  constexpr std::size_t n = lanes<T>;
  using V = hn::Vec<Tag<T>>;
  const V scale = hn::Set(d, a.dt_over_h);
  V shift[extent<dim>];
  V any = hn::Zero(d);
  for (int c = 0; c < dim; ++c) {
    const V moved = hn::MulAdd(scale, v_bar[c], offset[c]);
    shift[c] = hn::Round(moved);
    offset[c] = hn::Sub(moved, shift[c]);
    any = hn::Max(any, hn::Abs(shift[c]));
  }
  const auto leaves = hn::Gt(any, hn::Zero(d));
  if (hn::AllFalse(d, leaves)) return;
  HWY_ALIGN T cells[extent<dim>][n];
  for (int c = 0; c < dim; ++c) hn::Store(shift[c], d, cells[c]);
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(d, leaves, bits);
  unsigned rest = (bits[0] | static_cast<unsigned>(bits[1]) << 8) & ((1U << real) - 1U);
  for (; rest != 0; rest &= rest - 1) {
    const std::size_t lane = hwy::Num0BitsBelowLS1Bit_Nonzero32(rest);
    Moved& entry = a.moved[(*a.moved_count)++];
    entry.entry = static_cast<std::uint32_t>(first + lane);
    entry.shift[2] = 0;
    for (int c = 0; c < dim; ++c) {
      // Beyond this a particle has left any domain; the caller says so.
      constexpr T far = T{1e9};
      const T s = cells[c][lane];
      entry.shift[c] = static_cast<std::int32_t>(s > far ? far : (s < -far ? -far : s));
    }
  }
}

template <class T>
HWY_INLINE T MaxOfLanes(hn::Vec<Tag<T>> v) {
  const Tag<T> d;
  return hn::GetLane(hn::MaxOfLanes(d, v));
}

/// One vector of particles from what the grid told them to the end of the step; `whole`: nobody looks between the stages.
/// @param at place of the first in the batch
template <class T, int dim, bool whole>
HWY_INLINE void FinishLanes(const FromTile<T>& a, std::size_t first, std::size_t real,
                            const GridBatch<T, dim>& batch, std::size_t at, hn::Vec<Tag<T>>& speed2) {
  using R = Record<dim>;
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  constexpr std::size_t n = lanes<T>;
  const V zero = hn::Zero(d);
  T* const* const record = batch.record + at;
  T* tail[n];
  HWY_ALIGN T surplus[R::size];
  T* const* out = record;
  if (HWY_UNLIKELY(real != n)) {  // drop what becomes of the last particle's repetitions
    for (std::size_t lane = 0; lane < n; ++lane) tail[lane] = lane < real ? record[lane] : surplus;
    out = tail;
  }
  const auto valid = hn::FirstN(d, real);
  V field[4 * R::chunks];
  const auto load = [&](std::size_t from, std::size_t to) HWY_ATTR {
    REPOSE_UNROLL
    for (std::size_t c = from; c < to; ++c) LoadFour<T>(record, 4 * c, field + 4 * c);
  };
  REPOSE_UNROLL
  for (std::size_t k = 0; k < 4; ++k) field[k] = hn::LoadU(d, batch.head[k] + at);
  if constexpr (whole) {
    // The rest is written without being read.
    if (a.keep != T{0}) load(1, 2);
    load(R::law_chunk, R::chunks);
  } else {
    load(1, R::chunks);
  }

  LaneLaw<T> law;
  SetLaw<T>(a.laws, a.materials, field[R::flags], law);
  const V alpha = a.hardening ? ConeSlope<T>(field[R::q], law) : law.alpha;

  V v_bar[extent<dim>];
  V grad[extent<dim>][extent<dim>];
  constexpr std::size_t between_size = dim + dim * dim;
  if (whole || a.parts.g2p) {
    using G = GridBatch<T, dim>;
    const auto told = [&](std::size_t k) HWY_ATTR { return hn::LoadU(d, batch.field[k] + at); };
    const V per_h = hn::Set(d, a.per_h);
    const V per_D = hn::Set(d, a.per_D);
    const V keep = hn::Set(d, a.keep);
    V residue = zero;
    V squared = zero;
    for (int c = 0; c < dim; ++c) {
      const auto component = static_cast<std::size_t>(c);
      V& v = field[R::v + component];
      v_bar[c] = told(G::v_bar + component);
      const V kept = a.two == nullptr ? v_bar[c] : told(G::kept + component);
      v = a.keep == T{0} ? kept : hn::MulAdd(keep, v, kept);
      squared =
          hn::Add(squared, hn::Mul(v, v));  // rounded as in measure_speed(): a loaded state finds the same Δt
      residue = hn::Add(residue, hn::Add(v, v_bar[c]));
      for (int b = 0; b < dim; ++b) {
        const auto entry = static_cast<std::size_t>(dim * c + b);
        V& C = field[R::C + entry];
        C = hn::MulAdd(told(G::moment + entry), per_D,
                       zero);  // never −0, so that 0 is 0 where C is not carried
        grad[c][b] = hn::Mul(told(G::slope + entry), per_h);
        residue = hn::Add(residue, hn::Add(C, grad[c][b]));
      }
    }
    speed2 = hn::Max(speed2, squared);
    const auto bad = NotFinite<T>(residue);
    if (HWY_UNLIKELY(!hn::AllFalse(d, bad))) Blame<T>(a, bad, first, real, Fault::g2p_not_finite);
    if (!whole && a.between != nullptr) {
      for (std::size_t lane = 0; lane < real; ++lane) {
        // Rarely used: a stop between stages.
        HWY_ALIGN T value[n];
        T* to = a.between + between_size * a.order[first + lane];
        for (int c = 0; c < dim; ++c) {
          hn::Store(v_bar[c], d, value);
          to[c] = value[lane];
          for (int b = 0; b < dim; ++b) {
            hn::Store(grad[c][b], d, value);
            to[dim + dim * c + b] = value[lane];
          }
        }
      }
    }
  } else if (a.parts.update) {
    for (std::size_t k = 0; k < between_size; ++k) {
      HWY_ALIGN T value[n];
      for (std::size_t lane = 0; lane < n; ++lane)
        value[lane] = a.between[between_size * a.order[first + (lane < real ? lane : real - 1)] + k];
      const V v = hn::Load(d, value);
      if (k < extent<dim>)
        v_bar[k] = v;
      else
        grad[(k - dim) / dim][(k - dim) % dim] = v;
    }
  }

  PlasticState<T, dim> state;
  for (std::size_t k = 0; k < Symmetric<T, dim>::size; ++k) state.strain.s[k] = field[R::strain + k];
  if (whole || a.parts.update) {
    const V dt = hn::Set(d, a.dt);
    for (int c = 0; c < dim; ++c)
      for (int b = 0; b < dim; ++b) grad[c][b] = hn::Mul(dt, grad[c][b]);
    const V det = TrialStrain<T, dim>(grad, state.strain);
    const auto inverted = hn::Le(det, zero);
    if (HWY_UNLIKELY(!hn::AllFalse(d, inverted))) Blame<T>(a, inverted, first, real, Fault::inverted);
    Move<T, dim>(a, first, real, v_bar, field + R::offset);
    V residue = zero;
    for (std::size_t k = 0; k < Symmetric<T, dim>::size; ++k) residue = hn::Add(residue, state.strain.s[k]);
    for (int c = 0; c < dim; ++c) residue = hn::Add(residue, field[R::offset + static_cast<std::size_t>(c)]);
    const auto bad = NotFinite<T>(residue);
    if (HWY_UNLIKELY(!hn::AllFalse(d, bad))) Blame<T>(a, bad, first, real, Fault::update_not_finite);
  }
  if (whole || a.parts.plasticity) {
    state.q = field[R::q];
    state.v_c = field[R::v_c];
    ReturnToCone<T, dim>(law, alpha, field[R::volume], state);
    V residue = hn::Add(state.q, state.v_c);
    for (std::size_t k = 0; k < Symmetric<T, dim>::size; ++k) {
      residue = hn::Add(residue, hn::Add(state.strain.s[k], state.stress.s[k]));
      field[R::stress + k] = state.stress.s[k];
    }
    const auto bad = NotFinite<T>(residue);
    if (HWY_UNLIKELY(!hn::AllFalse(d, bad))) Blame<T>(a, bad, first, real, Fault::plasticity_not_finite);
    field[R::q] = state.q;
    field[R::v_c] = state.v_c;
    const auto is = [&](T which) HWY_ATTR {
      return hn::CountTrue(d, hn::And(valid, hn::Eq(state.plastic_case, hn::Set(d, which))));
    };
    a.tally->inside += is(T{1});
    a.tally->tip += is(T{2});
    a.tally->surface += is(T{3});
    const V quarter = hn::Set(d, T{0.25});
    const V material = hn::Floor(hn::Mul(field[R::flags], quarter));
    field[R::flags] = hn::MulAdd(material, hn::Set(d, T{4}), state.plastic_case);
  }
  for (std::size_t k = 0; k < Symmetric<T, dim>::size; ++k) field[R::strain + k] = state.strain.s[k];
  for (std::size_t c = 0; c < R::chunks; ++c) StoreFour<T>(field + 4 * c, out, 4 * c);
}

/// Where the records of a batch of particles lie, and their first chunks, field by field.
template <class T, int dim>
HWY_INLINE void LoadHeads(const FromTile<T>& a, std::size_t first, std::size_t count, GridBatch<T, dim>& batch) {
  using R = Record<dim>;
  static_assert(R::offset == 0);
  const Tag<T> d;
  constexpr std::size_t n = lanes<T>;
  for (std::size_t k = 0; k < count; k += n) {
    REPOSE_UNROLL
    for (std::size_t lane = 0; lane < n; ++lane)
      batch.record[k + lane] = a.records + R::size * a.order[first + (k + lane < count ? k + lane : count - 1)];
    hn::Vec<Tag<T>> chunk[4];
    LoadFour<T>(batch.record + k, 0, chunk);
    REPOSE_UNROLL
    for (std::size_t c = 0; c < 4; ++c) hn::StoreU(chunk[c], d, batch.head[c] + k);
  }
}

template <class T, int dim, int K>
HWY_NOINLINE void BlockFromTile(const FromTile<T>& a) {
  using G = GridBatch<T, dim>;
  constexpr std::size_t n = lanes<T>;
  static_assert(G::batch % n == 0);
  const Tag<T> d;
  hn::Vec<Tag<T>> speed2 = hn::Zero(d);
  const bool whole = a.parts.g2p && a.parts.update && a.parts.plasticity && a.between == nullptr;
  for (std::size_t k = 0; k < G::batch; k += n)
    PrefetchRecords<T, Record<dim>::size, Record<dim>::size>(a.records, a.order, k, a.count);
  G batch;
  for (auto& field : batch.head) std::fill_n(field, G::room, T{0});
  for (std::size_t begin = 0; begin < a.count; begin += G::batch) {
    const std::size_t count = a.count - begin < G::batch ? a.count - begin : G::batch;
    LoadHeads<T, dim>(a, begin, count, batch);
    if (a.parts.g2p) {
      // Where a vector holds one node record or less, rows of nodes fill it better than particles of a cell do.
      if constexpr (lanes < T >> 4) {
        GatherBatch<T, dim, K>(a, begin, count, batch);
      } else {
        GatherBatchByRows<T, dim, K>(a, begin, count, batch);
      }
      // Lanes beyond the last particle repeat it.
      if (count % n != 0) {
        for (auto& field : batch.field) std::fill_n(field + count, n - count % n, field[count - 1]);
      }
    }
    for (std::size_t k = 0; k < count; k += n) {
      const std::size_t real = count - k < n ? count - k : n;
      PrefetchRecords<T, Record<dim>::size, Record<dim>::size>(a.records, a.order, begin + k + G::batch,
                                                               a.count);
      if (dim == 3 && whole)
        FinishLanes<T, dim, dim == 3>(a, begin + k, real, batch, k, speed2);
      else
        FinishLanes<T, dim, false>(a, begin + k, real, batch, k, speed2);
    }
  }
  const T fastest = MaxOfLanes<T>(speed2);
  if (fastest > a.tally->max_speed2) a.tally->max_speed2 = fastest;
}

/// V⁰ τ of `count` records in storage order, from their strains.
template <class T, int dim>
HWY_NOINLINE void StressFromStrain(T* records, std::size_t count, const LawRow<T>* laws,
                                   std::size_t materials) {
  using R = Record<dim>;
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  constexpr std::size_t n = lanes<T>;
  for (std::size_t first = 0; first < count; first += n) {
    const std::size_t real = count - first < n ? count - first : n;
    const T* in[n];
    T* out[n];
    HWY_ALIGN T surplus[R::size];
    for (std::size_t lane = 0; lane < n; ++lane) {
      in[lane] = records + R::size * (first + (lane < real ? lane : real - 1));
      out[lane] = lane < real ? records + R::size * (first + lane) : surplus;
    }
    V field[4 * R::chunks];
    for (std::size_t c = 0; c < R::chunks; ++c) LoadFour<T>(in, 4 * c, field + 4 * c);
    LaneLaw<T> law;
    SetLaw<T>(laws, materials, field[R::flags], law);
    Symmetric<T, dim> strain;
    for (std::size_t k = 0; k < Symmetric<T, dim>::size; ++k) strain.s[k] = field[R::strain + k];
    Symmetric<T, dim> deviator = HalfLog1p<T, dim>(strain);
    const V mean = hn::Mul(Trace(deviator), hn::Set(d, static_cast<T>(1.0 / dim)));
    for (int k = 0; k < dim; ++k) deviator.s[k] = hn::Sub(deviator.s[k], mean);
    const Symmetric<T, dim> stress = StressOf<T, dim>(deviator, mean, law, field[R::volume]);
    for (std::size_t k = 0; k < Symmetric<T, dim>::size; ++k) field[R::stress + k] = stress.s[k];
    for (std::size_t c = 0; c < R::chunks; ++c) StoreFour<T>(field + 4 * c, out, 4 * c);
  }
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
