#include "validation/faults/mixture/model_solve.h"

#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_options.h"
#include "reference/interface/methods/mixture_parts.h"
#include "reference/interface/methods/mixture_probes.h"
#include "validation/crosscheck/mixture/part_stage.h"
#include "validation/faults/mpm/model.h"

#include <cmath>
#include <stdexcept>
#include <string>

namespace repose::faults {

namespace {

using mixture::Phase;

/// What the mistake is in steps of one phase.
Mistake of_one_phase(MixtureMistake mistake) {
  switch (mistake) {
    case MixtureMistake::v_c_missing_in_solve:
      return Mistake::v_c_missing_in_lagged_force;
    case MixtureMistake::outer_product_missing:
      return Mistake::multiplier_outer_product_missing;
    case MixtureMistake::solved_volume_determinant:
      return Mistake::solved_by_determinant;
    case MixtureMistake::gamma_missing_in_solve:
      return Mistake::softened_water;
    default:
      return Mistake::none;
  }
}

/// What one phase gives its nodes at velocities v, or its change for dv, at the nodes of both.
std::vector<double> given(const Scene& whole, MixtureMistake mistake, double dt, const Snapshot& state,
                          Phase phase, std::span<const double> v, std::span<const double> dv) {
  const mixture::Members own = members(state, whole, phase);
  Scene scene = mixture::scene_of_part(whole, phase);
  Snapshot part = part_of(state, own, phase);
  if (phase == Phase::solid && mistake != MixtureMistake::dry_cohesion_in_solve)
    crosscheck::give_each_its_cohesion(scene, part,
                                       mixture::picked(state.get(field::c_C).value, 1, own.particles));
  const auto at_own = [&](std::span<const double> of_all) {
    return mixture::picked({of_all.begin(), of_all.end()}, of_all.empty() ? 0 : whole.dim(), own.nodes);
  };
  const std::vector<double> of_nodes =
      model_impulses(scene, of_one_phase(mistake), dt, part, at_own(v), at_own(dv));
  const auto d = static_cast<std::size_t>(whole.dim());
  std::vector<double> all(state.count(Place::node) * d, 0.0);
  for (std::size_t n = 0; n < own.nodes.size(); ++n)
    for (std::size_t a = 0; a < d; ++a) all[own.nodes[n] * d + a] = of_nodes[n * d + a];
  return all;
}

/// Δt d_i (v_s − v_w).                                                                    [Tam17 Eq.20, Eq.21]
std::vector<double> dragged(const Scene& scene, MixtureMistake mistake, double dt, const Snapshot& state,
                            const PhaseVelocities& v) {
  const MixtureOptions& options = mixture_options(scene);
  const auto d = static_cast<std::size_t>(scene.dim());
  std::vector<double> all(v.sand.size(), 0.0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double m_s = state.get(field::m_i).value[i / d], m_w = state.get(field::m_i_w).value[i / d];
    if (!(m_s > 0.0 && m_w > 0.0) || options.drag == Drag::none) continue;
    double D = options.c_E * m_s * m_w;
    if (mistake == MixtureMistake::drag_by_one_mass) D = options.c_E * m_w * m_w;
    if (options.drag == Drag::mesh_consistent) {
      D = options.kappa;
      if (mistake != MixtureMistake::drag_without_volume) D *= std::pow(scene.grid.h, scene.dim());
    }
    all[i] = dt * D * (v.sand[i] - v.water[i]);
    if (mistake == MixtureMistake::drag_sign) all[i] = -all[i];
  }
  return all;
}

Field& answer_named(std::vector<Field>& answers, const std::string& name) {
  for (Field& field : answers)
    if (field.name == name) return field;
  throw std::logic_error("a probe did not answer with the field '" + name + "'");
}

}  // namespace

std::vector<Field> probe_mixture(const Scene& scene, MixtureMistake mistake, double dt, const Snapshot& state,
                                 std::string_view name, std::span<const Field> asked,
                                 std::vector<Field> correct) {
  if (name == probes::reversible) return correct;
  const PhaseVelocities v = asked_velocities(asked);
  if (name == probes::drag_impulse) {
    correct.front().value = dragged(scene, mistake, dt, state, v);
    return correct;
  }
  const bool change = name == probes::impulse_change;
  const PhaseVelocities dv = change ? asked_changes(asked) : PhaseVelocities{};
  const std::string answer(change ? probes::impulse_change : probes::impulse);
  answer_named(correct, answer).value = given(scene, mistake, dt, state, Phase::solid, v.sand, dv.sand);
  answer_named(correct, answer + "_w").value =
      given(scene, mistake, dt, state, Phase::water, v.water, dv.water);
  return correct;
}

}  // namespace repose::faults
