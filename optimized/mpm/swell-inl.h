// Places and volumes of a batch of particles of water. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_MPM_SWELL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_MPM_SWELL_INL_H_
#undef REPOSE_OPTIMIZED_MPM_SWELL_INL_H_
#else
#define REPOSE_OPTIMIZED_MPM_SWELL_INL_H_
#endif

#include "optimized/mpm/update-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// Places and ln J ← ln J + ln(1 + Δt tr ∇v), which is J ← (1 + Δt tr ∇v) J             [Tam17 §4.3.1] [ERRATA T4]
/// No plasticity follows: the case is 0.
template <class T, int dim>
HWY_NOINLINE void MoveAndSwell(const FromTile<T>& a, Batch<T, dim>& batch) {
  using B = Batch<T, dim>;
  using R = Record<dim>;
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  const V zero = hn::Zero(d);
  const V four = hn::Set(d, T{4});
  for (std::size_t k = 0; k < batch.count; k += lanes<T>) {
    V trace = batch.get(B::slope, k);
    REPOSE_UNROLL
    for (std::size_t c = 1; c < extent<dim>; ++c)
      trace = hn::Add(trace, batch.get(B::slope + (extent<dim> + 1) * c, k));
    const V growth = hn::Mul(hn::Set(d, a.dt), trace);
    const auto vanished = hn::Le(growth, hn::Set(d, T{-1}));
    BlameIf<T, dim>(a, batch, vanished, k, Fault::inverted);
    const V log_J = hn::Add(batch.get(R::strain, k), Log1p<T>(growth));

    V field[R::flags + 1 - R::strain];  // ln J in the place of ε, in 3D V⁰, flags
    std::fill_n(field, R::symmetric, zero);
    field[0] = log_J;
    if constexpr (dim == 3) field[R::volume - R::strain] = batch.get(R::volume, k);
    const V material = hn::Floor(hn::Mul(batch.get(R::flags, k), hn::Set(d, T{0.25})));
    field[R::flags - R::strain] = hn::Mul(material, four);
    StoreFields<T, dim, R::strain, R::flags + 1>(batch, k, field);
    const V residue = hn::Add(Move<T, dim>(a, batch, k), log_J);
    BlameIf<T, dim>(a, batch, NotFinite<T>(residue), k, Fault::update_not_finite);
  }
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
