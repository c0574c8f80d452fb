#include "reference/mpm/plasticity.h"

#include "reference/interface/methods/mpm.h"
#include "reference/mpm/cohesion.h"
#include "reference/physics/hencky.h"

#include <cmath>

namespace repose {

namespace {

/// One particle of a plastic material.
template <int d>
void return_particle(Particle<d>& p, const Material& material, std::size_t n) {
  const Svd<d> svd = decompose<d>(p.F);
  const Vec<d> eps_trial = hencky_strain<d>(svd);
  if (!eps_trial.allFinite()) throw StageFailure("the trial strain of a particle is not finite", n);

  const PlasticUpdate<d> update = return_with_memory<d>(eps_trial, p.v_c, material, cone_of<d>(material, p));

  p.part = update.part;
  p.q += update.delta_q;  // [Klar16 Eq.29]
  p.v_c = update.v_c;
  // An unchanged strain keeps F̂ itself: exp(ln Σ̂) would only add rounding.
  if (update.eps != eps_trial) {
    p.F = svd.U * update.eps.array().exp().matrix().asDiagonal() * svd.V.transpose();  // [Klar16 Eq.17]
  }
}

}  // namespace

template <int d>
void apply_plasticity(State<d>& state, const StepContext& step, StepReport& report) {
  for (std::size_t n = 0; n < state.particles.size(); ++n) {
    Particle<d>& p = state.particles[n];
    const Material& material = step.scene.materials[static_cast<std::size_t>(p.material)];
    p.part = Part::elastic;
    if (material.kind != MaterialKind::sand) continue;

    return_particle<d>(p, material, n);
    if (!p.F.allFinite() || !std::isfinite(p.q) || !std::isfinite(p.v_c)) {
      throw StageFailure("the state of a particle is not finite", n);
    }
    if (p.part == Part::inside) ++report.counts[counter::inside];
    if (p.part == Part::tip) ++report.counts[counter::tip];
    if (p.part == Part::surface) ++report.counts[counter::surface];
  }
}

template void apply_plasticity<2>(State<2>&, const StepContext&, StepReport&);
template void apply_plasticity<3>(State<3>&, const StepContext&, StepReport&);

}  // namespace repose
