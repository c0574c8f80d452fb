#include "reference/mixture/sums.h"

#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_options.h"
#include "reference/mixture/explicit_step.h"
#include "reference/mixture/reversible.h"
#include "reference/mixture/state_snapshot.h"
#include "reference/mpm/stress.h"
#include "reference/mpm/sums.h"
#include "reference/mpm/sums_of_nodes.h"
#include "reference/physics/saturation.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace repose {

namespace {

using mixture::Phase;

/// A field of mpm that a field of the mixture is, of one phase or, of particles, of both.
struct Known {
  std::string_view name;
  std::optional<Phase> phase;
};

/// Nothing for fields that mpm does not have.
std::optional<Known> known_to_mpm(std::string_view field) {
  if (const method::FieldRow* row = find_field(method::mpm, field))
    return Known{row->name, row->place == Place::node ? std::optional(Phase::solid) : std::nullopt};
  for (const method::FieldRow& row : method::mpm.fields)
    if (row.place == Place::node && field == std::string(row.name) + "_w")
      return Known{row.name, Phase::water};
  return {};
}

/// Puts the sums of some elements in their places among all.
void place(Sums& whole, const Sums& part, const std::vector<std::size_t>& elements) {
  if (elements.empty()) return;
  const std::size_t k = part.magnitude.size() / elements.size();
  for (std::size_t n = 0; n < elements.size(); ++n) {
    whole.terms.at(elements[n]) = part.terms.at(n);
    for (std::size_t a = 0; a < k; ++a) {
      whole.magnitude.at(elements[n] * k + a) = part.magnitude.at(n * k + a);
      whole.slope.at(elements[n] * k + a) = part.slope.at(n * k + a);
    }
  }
}

template <int d>
Sums sums_of_mpm(const MixtureState<d>& before, const MixtureState<d>& with_nodes, const StepContext& step,
                 const Known& known) {
  const method::FieldRow& row = field_row(method::mpm, known.name);
  const bool of_node = row.place == Place::node;
  Sums whole =
      SumsBuilder(of_node ? with_nodes.nodes.size() : before.particles(), components(row, d)).result();
  for (const Phase phase : mixture::phases) {
    if (known.phase && *known.phase != phase) continue;
    const Sums part = field_sums<d>(before.of(phase), {before.scene(phase), step.time, step.dt}, known.name);
    const mixture::Members members = members_of<d>(with_nodes, phase);
    place(whole, part, members.of(row.place));
  }
  return whole;
}

template <int d>
std::size_t place_of(const MixtureState<d>& state, std::int64_t id) {
  const auto node =
      std::lower_bound(state.nodes.begin(), state.nodes.end(), id,
                       [](const MixedNode<d>& one, std::int64_t other) { return one.id < other; });
  return node != state.nodes.end() && node->id == id ? static_cast<std::size_t>(node - state.nodes.begin())
                                                     : state.nodes.size();
}

template <int d>
Sums sums_of_reversible(const MixtureState<d>& state, const StepContext& step) {
  const ReversibleTerm term = mixture_options(step.scene).reversible;
  const NodeVolumes volume = node_volumes<d>(state);
  SumsBuilder sums(state.nodes.size(), d);
  for (const Particle<d>& p : state.water.particles) {
    const ElasticStress<d> stress = elastic_stress<d>(p, state.scenes->water);
    for (const StencilNode<d>& i : Stencil<d>(step.scene.grid, mixture_options(step.scene).kernel, p.x)) {
      const std::size_t n = place_of<d>(state, i.id);
      if (n == state.nodes.size()) continue;
      const MixedNode<d>& node = state.nodes[n];
      const double factor =
          step.dt * p.V0 * reversible_share(term, node.m_s, node.m_w, volume.sand[n], volume.water[n]);
      const Mat<d> hessian = weight_hessian<d>(state.scenes->water, i).cwiseAbs();
      const Vec<d> along = (stress.tau.cwiseAbs() * hessian).rowwise().sum();
      for (int a = 0; a < d; ++a)
        sums.add(n, a, factor * stress.products * i.grad_w.cwiseAbs().sum(), factor * along[a]);
      sums.count(n);
    }
  }
  return std::move(sums).result();
}

template <int d>
Sums sums_of_saturation(const MixtureState<d>& before, const StepContext& step) {
  const MixtureOptions& options = mixture_options(step.scene);
  SumsBuilder sums(before.particles(), 1);
  const mixture::Members solid = members_of<d>(before, Phase::solid);
  for (std::size_t n = 0; n < solid.particles.size(); ++n)
    for (const StencilNode<d>& i : Stencil<d>(step.scene.grid, options.kernel, before.x_n_s.at(n))) {
      const std::size_t at = place_of<d>(before, i.id);
      if (at == before.nodes.size()) continue;
      if (!is_wet(before.nodes[at].m_s, before.nodes[at].m_w, options.wet_mass)) continue;
      sums.add(solid.particles[n], 0, i.w, i.grad_w.cwiseAbs().sum());
      sums.count(solid.particles[n]);
    }
  return std::move(sums).result();
}

}  // namespace

Boundary mixture_boundary_of(std::string_view field, bool solved) {
  const auto known = known_to_mpm(field);
  if (known) {
    if (solved && (known->name == field::p_star || known->name == field::p_bar))
      throw std::logic_error(fmt::format("the field '{}' of such a step is solved for: it is no sum", field));
    return boundary_of(known->name);
  }
  if (field == field::reversible) return solved ? boundary::collisions : boundary::forces;
  if (field == field::phi_p) return boundary::saturation;
  throw std::logic_error(fmt::format("the field '{}' is not computed as a sum", field));
}

template <int d>
Sums mixture_sums(const MixtureState<d>& before, const StepContext& step, std::string_view field) {
  if (field == field::reversible) return sums_of_reversible<d>(before, step);
  if (field == field::phi_p) return sums_of_saturation<d>(before, step);
  const auto known = known_to_mpm(field);
  if (!known) throw std::logic_error(fmt::format("the field '{}' is not computed as a sum", field));
  // In front of the first stage there are no nodes yet.
  if (boundary_of(known->name) != boundary::p2g) return sums_of_mpm<d>(before, before, step, *known);
  MixtureState<d> after = before;
  StepReport unused;
  transfer_both_to_grids<d>(after, step, unused);
  return sums_of_mpm<d>(before, after, step, *known);
}

template Sums mixture_sums<2>(const MixtureState<2>&, const StepContext&, std::string_view);
template Sums mixture_sums<3>(const MixtureState<3>&, const StepContext&, std::string_view);

}  // namespace repose
