// Plasticity of a batch of particles, stage by stage. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_MPM_PLASTICITY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_MPM_PLASTICITY_INL_H_
#undef REPOSE_OPTIMIZED_MPM_PLASTICITY_INL_H_
#else
#define REPOSE_OPTIMIZED_MPM_PLASTICITY_INL_H_
#endif

#include "optimized/mpm/law-inl.h"
#include "optimized/mpm/update-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// ε of the trial strains.
template <class T, int dim>
HWY_NOINLINE void SetLogStrains(Batch<T, dim>& batch) {
  for (std::size_t k = 0; k < batch.count; k += lanes<T>)
    batch.set_tensor(Batch<T, dim>::eps, k, HalfLog1p<T, dim>(batch.tensor(Record<dim>::strain, k)));
}

/// α of every particle, from its hardening.
template <class T, int dim>
HWY_NOINLINE void SetConeSlopes(const FromTile<T>& a, Batch<T, dim>& batch) {
  using R = Record<dim>;
  for (std::size_t k = 0; k < batch.count; k += lanes<T>) {
    LaneLaw<T> law;
    SetLaw<T>(a.laws, a.materials, batch.get(R::flags, k), law);
    batch.set(Batch<T, dim>::alpha, k, a.hardening ? ConeSlope<T>(batch.get(R::q, k), law) : law.alpha);
  }
}

/// Return mapping of the logarithmic strains, and the cases it met.
template <class T, int dim>
HWY_NOINLINE void ReturnLogStrains(const FromTile<T>& a, Batch<T, dim>& batch) {
  using B = Batch<T, dim>;
  using R = Record<dim>;
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  std::size_t met[4] = {};  // by plastic case
  for (std::size_t k = 0; k < batch.count; k += lanes<T>) {
    const V flags = batch.get(R::flags, k);
    const V volume = batch.get(R::volume, k);
    LaneLaw<T> law;
    SetLaw<T>(a.laws, a.materials, flags, law);
    PlasticState<T, dim> state;
    state.q = batch.get(R::q, k);
    state.v_c = batch.get(R::v_c, k);
    Symmetric<T, dim> eps = batch.tensor(B::eps, k);
    const auto changed = ReturnLogStrain<T, dim>(law, batch.get(B::alpha, k), volume, eps, state);
    batch.set_tensor(B::eps, k, eps);
    batch.set(B::changed, k, hn::VecFromMask(d, changed));
    batch.set(R::q, k, state.q);
    batch.set(R::v_c, k, state.v_c);
    const V residue = AddAll<T, dim>(hn::Add(state.q, state.v_c), state.stress);
    BlameIf<T, dim>(a, batch, NotFinite<T>(residue), k, Fault::plasticity_not_finite);

    const auto valid = hn::FirstN(d, batch.real(k));
    for (std::size_t c = 1; c < 4; ++c)
      met[c] += hn::CountTrue(d, hn::And(valid, hn::Eq(state.plastic_case, hn::Set(d, static_cast<T>(c)))));
    const V material = hn::Floor(hn::Mul(flags, hn::Set(d, T{0.25})));
    V field[R::flags + 1 - R::stress];  // stress, in 3D V⁰, flags
    std::copy_n(state.stress.s, R::symmetric, field);
    if constexpr (dim == 3) field[R::volume - R::stress] = volume;
    field[R::flags - R::stress] = hn::MulAdd(material, hn::Set(d, T{4}), state.plastic_case);
    StoreFields<T, dim, R::stress, R::flags + 1>(batch, k, field);
  }
  a.tally->inside += met[1];
  a.tally->tip += met[2];
  a.tally->surface += met[3];
}

/// b − 1 from the logarithmic strains.
template <class T, int dim>
HWY_NOINLINE void SetStrains(const FromTile<T>& a, Batch<T, dim>& batch) {
  using B = Batch<T, dim>;
  using R = Record<dim>;
  const Tag<T> d;
  for (std::size_t k = 0; k < batch.count; k += lanes<T>) {
    const auto changed = hn::MaskFromVec(batch.get(B::changed, k));
    const Symmetric<T, dim> strain =
        StrainOf<T, dim>(batch.tensor(B::eps, k), changed, batch.tensor(R::strain, k));
    StoreStrain<T, dim>(batch, k, strain);
    const auto residue = AddAll<T, dim>(hn::Zero(d), strain);
    BlameIf<T, dim>(a, batch, NotFinite<T>(residue), k, Fault::plasticity_not_finite);
  }
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
