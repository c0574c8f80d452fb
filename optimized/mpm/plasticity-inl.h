// Plasticity of a batch of particles, stage by stage. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_MPM_PLASTICITY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_MPM_PLASTICITY_INL_H_
#undef REPOSE_OPTIMIZED_MPM_PLASTICITY_INL_H_
#else
#define REPOSE_OPTIMIZED_MPM_PLASTICITY_INL_H_
#endif

#include "optimized/law/law-inl.h"
#include "optimized/mpm/update-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// The cone of every particle, from its hardening.
template <class T, int dim>
HWY_NOINLINE void SetCones(const FromTile<T>& a, Batch<T, dim>& batch) {
  using R = Record<dim>;
  for (std::size_t k = 0; k < batch.count; k += lanes<T>) {
    LaneLaw<T> law;
    SetLaw<T>(a.laws, a.materials, batch.get(R::flags, k), law);
    const Cone<T> cone = ConeAt<T>(batch.get(R::q, k), law, a.hardening);
    batch.set(Batch<T, dim>::alpha, k, cone.alpha);
    batch.set(Batch<T, dim>::tip, k, cone.tip);
  }
}

/// c_C of the grains of the vector at k [Pa].
template <class T, int dim>
HWY_INLINE hn::Vec<Tag<T>> CohesionOf(const FromTile<T>& a, const Batch<T, dim>& batch, std::size_t k) {
  constexpr std::size_t n = lanes<T>;
  HWY_ALIGN T own[n];
  for (std::size_t lane = 0; lane < n; ++lane)
    own[lane] = a.wetness[a.order[batch.first + std::min(k + lane, batch.count - 1)]].c_C;
  return hn::Load(Tag<T>(), own);
}

/// Return mapping of the strains, and the cases it met.
template <class T, int dim>
HWY_NOINLINE void ReturnStrains(const FromTile<T>& a, Batch<T, dim>& batch) {
  using B = Batch<T, dim>;
  using R = Record<dim>;
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  std::size_t met[4] = {};  // by plastic case
  for (std::size_t k = 0; k < batch.count; k += lanes<T>) {
    const V flags = batch.get(R::flags, k);
    LaneLaw<T> law;
    SetLaw<T>(a.laws, a.materials, flags, law);
    PlasticState<T, dim> state;
    state.strain = batch.tensor(R::strain, k);
    state.q = batch.get(R::q, k);
    state.v_c = batch.get(R::v_c, k);
    Cone<T> cone{batch.get(B::alpha, k), batch.get(B::tip, k)};
    if (a.wetness != nullptr) Cohere<T>(CohesionOf<T, dim>(a, batch, k), law, cone);
    ReturnStrain<T, dim>(law, cone, state);
    const V residue = AddAll<T, dim>(hn::Add(state.q, state.v_c), state.strain);
    BlameIf<T, dim>(a, batch, NotFinite<T>(residue), k, Fault::plasticity_not_finite);

    const auto valid = hn::FirstN(d, batch.real(k));
    for (std::size_t c = 1; c < 4; ++c)
      met[c] += hn::CountTrue(d, hn::And(valid, hn::Eq(state.plastic_case, hn::Set(d, static_cast<T>(c)))));
    const V material = hn::Floor(hn::Mul(flags, hn::Set(d, T{0.25})));
    V field[R::v_c + 1 - R::strain];  // strain, in 3D V⁰, flags, q, v_c
    std::copy_n(state.strain.s, R::symmetric, field);
    if constexpr (dim == 3) field[R::volume - R::strain] = batch.get(R::volume, k);
    field[R::flags - R::strain] = hn::MulAdd(material, hn::Set(d, T{4}), state.plastic_case);
    field[R::q - R::strain] = state.q;
    field[R::v_c - R::strain] = state.v_c;
    StoreFields<T, dim, R::strain, R::v_c + 1>(batch, k, field);
  }
  a.tally->inside += met[1];
  a.tally->tip += met[2];
  a.tally->surface += met[3];
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
