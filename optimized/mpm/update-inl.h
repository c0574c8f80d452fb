// Velocities, places and trial strains of a batch of particles. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_MPM_UPDATE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_MPM_UPDATE_INL_H_
#undef REPOSE_OPTIMIZED_MPM_UPDATE_INL_H_
#else
#define REPOSE_OPTIMIZED_MPM_UPDATE_INL_H_
#endif

#include "optimized/mpm/batch-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// Notes the real lanes of `bad`, of the vector at k, as a fault.
template <class T, int dim>
HWY_NOINLINE void Blame(const FromTile<T>& a, const Batch<T, dim>& batch, hn::Mask<Tag<T>> bad, std::size_t k,
                        Fault::Kind kind) {
  const Tag<T> d;
  constexpr std::size_t n = lanes<T>;
  HWY_ALIGN T flag[n];
  hn::Store(hn::IfThenElse(bad, hn::Set(d, T{1}), hn::Zero(d)), d, flag);
  for (std::size_t lane = 0; lane < batch.real(k); ++lane)
    if (flag[lane] != T{0}) a.tally->fault.see(kind, a.id[a.order[batch.first + k + lane]]);
}

/// Where a sum of values shows that one of them is not finite. A sum of finite ones overflows only where its parts do
/// next.
template <class T>
HWY_INLINE hn::Mask<Tag<T>> NotFinite(hn::Vec<Tag<T>> sum) {
  const Tag<T> d;
  // Not Ne: it is false for what is not a number.
  return hn::Not(hn::Eq(hn::Sub(sum, sum), hn::Zero(d)));
}

/// Notes the particles of the vector at k where `bad`, if there are any.
template <class T, int dim>
HWY_INLINE void BlameIf(const FromTile<T>& a, const Batch<T, dim>& batch, hn::Mask<Tag<T>> bad, std::size_t k,
                        Fault::Kind kind) {
  if (HWY_UNLIKELY(!hn::AllFalse(Tag<T>(), bad))) Blame<T, dim>(a, batch, bad, k, kind);
}

/// Adds a tensor's components to a sum that is only looked at for NotFinite.
template <class T, int dim>
HWY_INLINE hn::Vec<Tag<T>> AddAll(hn::Vec<Tag<T>> sum, const Symmetric<T, dim>& x) {
  for (std::size_t c = 0; c < Symmetric<T, dim>::size; ++c) sum = hn::Add(sum, x.s[c]);
  return sum;
}

/// b̂ − 1 = B (b − 1) Bᵀ + A + Aᵀ + A Aᵀ with A = Δt ∇v, B = 1 + A: no digit of a small strain is lost to the 1.
/// Returns det B.
template <class T, int dim>
HWY_INLINE hn::Vec<Tag<T>> TrialStretch(const hn::Vec<Tag<T>> (&A)[extent<dim>][extent<dim>],
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

/// Moves the particles of the vector at k; those that leave their cells are listed. Returns the sum of their offsets.
template <class T, int dim>
HWY_INLINE hn::Vec<Tag<T>> Move(const FromTile<T>& a, Batch<T, dim>& batch, std::size_t k) {
  const Tag<T> d;
  constexpr std::size_t n = lanes<T>;
  using V = hn::Vec<Tag<T>>;
  const V scale = hn::Set(d, a.dt_over_h);
  V shift[extent<dim>];
  V offset[extent<dim>];
  V any = hn::Zero(d);
  V sum = hn::Zero(d);
  for (std::size_t c = 0; c < extent<dim>; ++c) {
    const V moved =
        hn::MulAdd(scale, batch.get(Batch<T, dim>::v_bar + c, k), batch.get(Record<dim>::offset + c, k));
    shift[c] = hn::Round(moved);
    offset[c] = hn::Sub(moved, shift[c]);
    sum = hn::Add(sum, offset[c]);
    any = hn::Max(any, hn::Abs(shift[c]));
  }
  StoreFields<T, dim, Record<dim>::offset, Record<dim>::offset + extent<dim>>(batch, k, offset);
  const auto leaves = hn::Gt(any, hn::Zero(d));
  if (hn::AllFalse(d, leaves)) return sum;
  HWY_ALIGN T cells[extent<dim>][n];
  for (int c = 0; c < dim; ++c) hn::Store(shift[c], d, cells[c]);
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(d, leaves, bits);
  unsigned rest = (bits[0] | static_cast<unsigned>(bits[1]) << 8) & ((1U << batch.real(k)) - 1U);
  for (; rest != 0; rest &= rest - 1) {
    const std::size_t lane = hwy::Num0BitsBelowLS1Bit_Nonzero32(rest);
    Moved& entry = a.moved[(*a.moved_count)++];
    entry.entry = static_cast<std::uint32_t>(batch.first + k + lane);
    entry.shift[2] = 0;
    for (int c = 0; c < dim; ++c) {
      // Beyond this a particle has left any domain, as has one whose shift is not a number; the caller says so.
      constexpr T far = T{1e9};
      const T s = cells[c][lane];
      const T beyond = s < T{0} ? -far : far;
      entry.shift[c] = static_cast<std::int32_t>(s >= -far && s <= far ? s : beyond);
    }
  }
  return sum;
}

/// v = s v + Σ w u: the particles' own share in their new velocities.
template <class T, int dim>
HWY_NOINLINE void KeepVelocities(const FromTile<T>& a, Batch<T, dim>& batch) {
  using B = Batch<T, dim>;
  const Tag<T> d;
  const std::size_t gained = a.two == nullptr ? B::v_bar : B::kept;
  for (std::size_t k = 0; k < batch.count; k += lanes<T>) {
    hn::Vec<Tag<T>> old[4];
    LoadFour<T>(batch.record + k, Record<dim>::v, old);
    REPOSE_UNROLL
    for (std::size_t c = 0; c < extent<dim>; ++c)
      batch.set(B::kept + c, k, hn::MulAdd(hn::Set(d, a.keep), old[c], batch.get(gained + c, k)));
  }
}

/// v, C and ∇v from what the grid told.
/// @param speed2 largest ‖v‖² so far, per lane
template <class T, int dim>
HWY_NOINLINE void SetVelocities(const FromTile<T>& a, Batch<T, dim>& batch, hn::Vec<Tag<T>>& speed2) {
  using B = Batch<T, dim>;
  using R = Record<dim>;
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  const V zero = hn::Zero(d);
  const V per_h = hn::Set(d, a.per_h);
  const V per_D = hn::Set(d, a.per_D);
  const std::size_t v_from = a.two == nullptr && a.keep == T{0} ? B::v_bar : B::kept;
  V fastest = speed2;
  for (std::size_t k = 0; k < batch.count; k += lanes<T>) {
    V field[extent<dim> + extent<dim> * extent<dim>];  // v, then C
    V residue = zero;
    V squared = zero;
    REPOSE_UNROLL
    for (std::size_t c = 0; c < extent<dim>; ++c) {
      const V v_bar = batch.get(B::v_bar + c, k);
      const V v = batch.get(v_from + c, k);
      field[c] = v;
      squared = hn::Add(
          squared, hn::Mul(v, v));  // rounded as in particles_changed(): a loaded state finds the same Δt
      residue = hn::Add(residue, hn::Add(v, v_bar));
      REPOSE_UNROLL
      for (std::size_t b = 0; b < extent<dim>; ++b) {
        const std::size_t entry = extent<dim> * c + b;
        // Never −0, so that 0 is 0 where C is not carried.
        const V C = hn::MulAdd(batch.get(B::moment + entry, k), per_D, zero);
        const V grad = hn::Mul(batch.get(B::slope + entry, k), per_h);
        field[extent<dim> + entry] = C;
        batch.set(B::slope + entry, k, grad);
        residue = hn::Add(residue, hn::Add(C, grad));
      }
    }
    StoreFields<T, dim, R::v, R::C + extent<dim> * extent<dim>>(batch, k, field);
    fastest = hn::Max(fastest, squared);
    BlameIf<T, dim>(a, batch, NotFinite<T>(residue), k, Fault::g2p_not_finite);
  }
  speed2 = fastest;
}

/// Numbers per record in FromTile::between: v̄, then ∇v by rows. They lie as in the batch.
template <int dim>
inline constexpr std::size_t between_size = extent<dim> + extent<dim>* extent<dim>;

template <class T, int dim>
HWY_NOINLINE void StoreBetween(const FromTile<T>& a, const Batch<T, dim>& batch) {
  for (std::size_t k = 0; k < batch.count; ++k)
    for (std::size_t f = 0; f < between_size<dim>; ++f)
      a.between[between_size<dim> * a.order[batch.first + k] + f] = batch.field[Batch<T, dim>::v_bar + f][k];
}
template <class T, int dim>
HWY_NOINLINE void LoadBetween(const FromTile<T>& a, Batch<T, dim>& batch) {
  for (std::size_t k = 0; k < batch.count; ++k)
    for (std::size_t f = 0; f < between_size<dim>; ++f)
      batch.field[Batch<T, dim>::v_bar + f][k] = a.between[between_size<dim> * a.order[batch.first + k] + f];
  RepeatLast<T, dim>(batch);
}

/// b − 1 in the place of ε.
template <class T, int dim>
HWY_NOINLINE void SetStretches(Batch<T, dim>& batch) {
  for (std::size_t k = 0; k < batch.count; k += lanes<T>)
    batch.set_tensor(Record<dim>::strain, k, StretchOf<T, dim>(batch.tensor(Record<dim>::strain, k)));
}

/// Places, and b̂ − 1 in the place of b − 1.
template <class T, int dim>
HWY_NOINLINE void MoveAndStretch(const FromTile<T>& a, Batch<T, dim>& batch) {
  using B = Batch<T, dim>;
  using R = Record<dim>;
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  const V zero = hn::Zero(d);
  const V dt = hn::Set(d, a.dt);
  for (std::size_t k = 0; k < batch.count; k += lanes<T>) {
    V A[extent<dim>][extent<dim>];
    for (std::size_t c = 0; c < extent<dim>; ++c)
      for (std::size_t b = 0; b < extent<dim>; ++b)
        A[c][b] = hn::Mul(dt, batch.get(B::slope + extent<dim> * c + b, k));
    Symmetric<T, dim> stretch = batch.tensor(R::strain, k);
    const auto inverted = hn::Le(TrialStretch<T, dim>(A, stretch), zero);
    BlameIf<T, dim>(a, batch, inverted, k, Fault::inverted);
    batch.set_tensor(R::strain, k, stretch);
    BlameIf<T, dim>(a, batch, NotFinite<T>(Move<T, dim>(a, batch, k)), k, Fault::update_not_finite);
  }
}

/// Trial ε in the place of b̂ − 1.
template <class T, int dim>
HWY_NOINLINE void SetTrialStrains(const FromTile<T>& a, Batch<T, dim>& batch) {
  using R = Record<dim>;
  for (std::size_t k = 0; k < batch.count; k += lanes<T>) {
    const Symmetric<T, dim> strain = HalfLog1p<T, dim>(batch.tensor(R::strain, k));
    batch.set_tensor(R::strain, k, strain);
    const auto residue = AddAll<T, dim>(hn::Zero(Tag<T>()), strain);
    BlameIf<T, dim>(a, batch, NotFinite<T>(residue), k, Fault::update_not_finite);
    if (HWY_UNLIKELY(!a.parts.plasticity))
      StoreFields<T, dim, R::strain, R::strain + R::symmetric>(batch, k, strain.s);
  }
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
