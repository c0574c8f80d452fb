#include "optimized/implicit/newton_method.h"
#include "optimized/implicit/told_in_order.h"
#include "optimized/mixture/mixture_twin.h"
#include "optimized/mpm/counting.h"
#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_probes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace repose::optimized {

using mixture::Phase;

/// Which nodes both phases have, and what gives momentum from one to the other there. @param of_water is moved about
template <class T, int dim>
Coupling MixtureTwin<T, dim>::coupling(const Balance<T, dim>& of_sand, Balance<T, dim>& of_water,
                                       double dt) const {
  Coupling pairs;
  pairs.partner.assign(of_sand.nodes(), Coupling::none);
  pairs.drag.assign(of_sand.nodes(), 0.0);
  std::vector<std::uint32_t> number(water_.nodes_.before.size() / 4, Coupling::none);
  for (std::size_t k = 0; k < of_water.nodes(); ++k) number[of_water.node(k)] = static_cast<std::uint32_t>(k);
  const double of_volume = options_.kappa * std::pow(scene_.grid.h, dim);
  for (std::size_t k = 0; k < of_sand.nodes(); ++k) {
    const std::uint32_t block = partner_[of_sand.node(k) / B::nodes];
    if (block == no_block) continue;
    const std::uint32_t other = number[block * B::nodes + of_sand.node(k) % B::nodes];
    pairs.partner[k] = other;
    if (other == Coupling::none) continue;
    if (options_.drag == Drag::printed)
      pairs.drag[k] = dt * options_.c_E * of_sand.mass(k) * of_water.mass(other);  // [Tam17 Eq.20]
    if (options_.drag == Drag::mesh_consistent) pairs.drag[k] = dt * of_volume;    // [ERRATA T11]
  }
  pairs.reversible = lagged_reversible(pairs, of_sand, of_water);
  return pairs;
}

/// The impulse of the reversible term on sand: of the pressures before the step, those of a water that does not move.
template <class T, int dim>
NodeVector MixtureTwin<T, dim>::lagged_reversible(const Coupling& pairs, const Balance<T, dim>& of_sand,
                                                  Balance<T, dim>& of_water) const {
  NodeVector impulse(dim * of_sand.nodes(), 0.0);
  if (options_.reversible == ReversibleTerm::none) return impulse;
  if (of_water.move_to(of_water.algebra().zero()))
    throw solid_.stopped("the pressure of a particle is not finite", -1, boundary::collisions);
  Buffer<T> V_s, V_w;
  if (options_.reversible == ReversibleTerm::volume) {
    solid_.sum_volumes(V_s);
    water_.sum_volumes(V_w);
  }
  const Vec<dim> fall = of_water.dt() * scene_.gravity.head<dim>();
  for (std::size_t k = 0; k < of_sand.nodes(); ++k) {
    const std::uint32_t other = pairs.partner[k];
    if (other == Coupling::none) continue;
    const T share =
        options_.reversible == ReversibleTerm::volume
            ? share_of_sand(V_s[of_sand.node(k)], V_w[of_water.node(other)])
            : share_of_sand(static_cast<T>(of_sand.mass(k)), static_cast<T>(of_water.mass(other)));
    of_node<dim>(impulse, k) =
        static_cast<double>(share) * (of_node<dim>(of_water.impulse(), other) - of_water.mass(other) * fall);
  }
  return impulse;
}

/// The balance of both phases from p2g.
template <class T, int dim>
CoupledBalance<T, dim> MixtureTwin<T, dim>::balance(double dt) const {
  Balance<T, dim> of_sand = solid_.balance(dt);
  Balance<T, dim> of_water = water_.balance(dt);
  Coupling pairs = coupling(of_sand, of_water, dt);
  return {std::move(of_sand), std::move(of_water),
          std::move(pairs),   {std::span(solid_.among()), std::span(water_.among())},
          solid_.team_,       solid_.implicit_kernels_};
}

template <class T, int dim>
ImplicitVelocities MixtureTwin<T, dim>::solved(CoupledBalance<T, dim>& system, SolveHistory* history) const {
  return Newton<CoupledBalance<T, dim>>(system,
                                        {solid_.held_nodes(system.sand()), water_.held_nodes(system.water())},
                                        step_.time, solid_.team_)
      .solve(history);
}

template <class T, int dim>
SimulationError MixtureTwin<T, dim>::no_solution(const std::string& what, const NoSolution& failure) const {
  const std::int64_t id = failure.particle < 0 ? -1 : ids_.of(static_cast<std::size_t>(failure.particle));
  return {what, id, step_.done, boundary::collisions};
}

/// Forces, drag and collisions of both phases in one, cut as a step of mpm is. @param seen momenta are looked at
template <class T, int dim>
void MixtureTwin<T, dim>::solve_step(int cuts, bool seen, StepReport& report) {
  const Stopwatch watch(coupling_seconds_);
  for (;;) {
    try {
      CoupledBalance<T, dim> system = balance(step_.dt);
      const ImplicitVelocities found = solved(system, nullptr);
      solid_.clocks_.solving_threads = std::max(solid_.clocks_.solving_threads, system.threads_moving());
      keep_solution(system, found, seen);
      std::uint64_t both = 0;
      for (std::size_t k = 0; k < system.sand().nodes(); ++k)
        both += system.partner(k) < system.nodes() ? 1U : 0U;
      report.counts[counter::active_nodes] = system.nodes() - both;
      count_solve(found, report);
      report.counts[counter::dragged_nodes] = system.dragged_nodes();
      return;
    } catch (const NoSolution& failure) {
      if (report.counts[counter::step_cuts] == static_cast<std::uint64_t>(cuts)) {
        throw no_solution(
            fmt::format("no semi-implicit step of {} s, after {} cuts: {}", step_.dt, cuts, failure.what()),
            failure);
      }
      ++report.counts[counter::step_cuts];
      step_.dt *= 0.5;
      report.dt = step_.dt;
    }
  }
}

/// v̄, p* before drag, the reversible term, and p* behind drag, by which friction is judged.
template <class T, int dim>
void MixtureTwin<T, dim>::keep_solution(const CoupledBalance<T, dim>& system, const ImplicitVelocities& found,
                                        bool seen) {
  NodeVector undragged = found.impulse;
  for (std::size_t k = 0; k < system.sand().nodes(); ++k) {
    if (!(system.drag(k) > 0.0)) continue;
    of_node<dim>(undragged, k) += system.dragged(k);
    of_node<dim>(undragged, system.partner(k)) -= system.dragged(k);
  }
  const auto keep = [&](const NodeVector& impulse) {
    ImplicitVelocities part;
    for (const Phase phase : mixture::phases) {
      const bool is_sand = phase == Phase::solid;
      part.v_bar = is_sand ? system.of_sand(found.v_bar) : system.of_water(found.v_bar);
      part.impulse = is_sand ? system.of_sand(impulse) : system.of_water(impulse);
      this->part(phase).keep_solution(is_sand ? system.sand() : system.water(), part);
      this->part(phase).step_.dt = step_.dt;
      this->part(phase).step_.at = optimized::collisions;
    }
  };
  if (seen) {
    reversible_.resize(solid_.node_values());
    std::fill(reversible_.begin(), reversible_.end(), T{0});
    for (std::size_t k = 0; k < system.sand().nodes(); ++k)
      for (std::size_t c = 0; c < dim; ++c)
        reversible_[4 * system.sand().node(k) + 1 + c] =
            static_cast<T>(system.reversible(k)[static_cast<int>(c)]);
    keep(undragged);
    list_nodes();
  }
  keep(found.impulse);
}

/// Of each listed node its number among the unknowns as sand and as water, beyond all of them where the phase is not.
template <class T, int dim>
std::vector<std::array<std::size_t, 2>> MixtureTwin<T, dim>::unknowns_by_id(
    const CoupledBalance<T, dim>& system) const {
  std::vector<std::array<std::size_t, 2>> result(listed_.size(), {system.nodes(), system.nodes()});
  const std::array of_phase{solid_.unknowns_by_id(system.sand()), water_.unknowns_by_id(system.water())};
  std::array<std::size_t, 2> next{};
  for (std::size_t n = 0; n < listed_.size(); ++n)
    for (const std::size_t phase : {sand, water})
      if (listed_[n].m[phase] > 0.0)
        result[n][phase] = of_phase[phase].at(next[phase]++) + (phase == water ? system.sand().nodes() : 0);
  return result;
}

template <class T, int dim>
NodeVector MixtureTwin<T, dim>::on_nodes(const CoupledBalance<T, dim>& system,
                                         std::span<const double> of_sand,
                                         std::span<const double> of_water) const {
  NodeVector result = system.algebra().zero();
  for (const std::span<const double> given : {of_sand, of_water})
    if (given.size() != dim * listed_.size())
      throw std::invalid_argument(
          fmt::format("{} velocity components for {} nodes", given.size(), listed_.size()));
  const auto order = unknowns_by_id(system);
  for (std::size_t n = 0; n < order.size(); ++n)
    for (const std::size_t phase : {sand, water})
      for (std::size_t c = 0; c < dim && order[n][phase] < system.nodes(); ++c)
        result[dim * order[n][phase] + c] = (phase == sand ? of_sand : of_water)[dim * n + c];
  return result;
}

template <class T, int dim>
CoupledBalance<T, dim> MixtureTwin<T, dim>::balance_at(std::span<const Field> fields, double dt) const {
  CoupledBalance<T, dim> system = balance(dt);
  const PhaseVelocities v = asked_velocities(fields);
  if (const auto bad = system.move_to(on_nodes(system, v.sand, v.water)))
    throw SimulationError("the velocities invert a particle", ids_.of(static_cast<std::size_t>(*bad)),
                          step_.done, boundary::collisions);
  return system;
}

template <class T, int dim>
std::vector<Field> MixtureTwin<T, dim>::probe(std::string_view asked, std::span<const Field> fields,
                                              double dt) const {
  if (!implicit() || step_.at != At::p2g) return Solver::probe(asked, fields, dt);
  // Values of each phase at the listed nodes, from what (number of an unknown, component) has.
  const auto by_id = [&](const CoupledBalance<T, dim>& system, std::size_t phase, std::size_t components,
                         auto&& value) {
    std::vector<double> result;
    for (const auto& numbers : unknowns_by_id(system))
      for (std::size_t c = 0; c < components; ++c)
        result.push_back(numbers[phase] < system.nodes() ? value(numbers[phase], c) : 0.0);
    return result;
  };
  if (asked == probes::impulses_at) {
    const CoupledBalance<T, dim> system = balance_at(fields, dt);
    const auto of_phase = [&](std::size_t phase) {
      const Balance<T, dim>& part = phase == sand ? system.sand() : system.water();
      const std::size_t first = phase == sand ? 0 : system.sand().nodes();
      return NodeImpulses{
          by_id(system, phase, dim,
                [&](std::size_t k, std::size_t c) { return part.impulse()[dim * (k - first) + c]; }),
          by_id(system, phase, 1, [&](std::size_t k, std::size_t) { return part.magnitude(k - first); })};
    };
    return as_fields(PhaseImpulses{of_phase(sand), of_phase(water)}, dim);
  }
  if (asked == probes::impulse_change) {
    const CoupledBalance<T, dim> system = balance_at(fields, dt);
    const PhaseVelocities dv = asked_changes(fields);
    const NodeVector change = on_nodes(system, dv.sand, dv.water);
    NodeVector lost = system.algebra().zero();
    system.stress_change([&](std::size_t k) { return Vec<dim>(of_node<dim>(change, k)); },
                         [&](std::size_t k, const Vec<dim>& sum) { of_node<dim>(lost, k) = sum; });
    const auto minus = [&](std::size_t k, std::size_t c) { return -lost[dim * k + c]; };
    return as_fields(PhaseChanges{by_id(system, sand, dim, minus), by_id(system, water, dim, minus)}, dim);
  }
  if (asked == probes::drag_impulse) {
    const CoupledBalance<T, dim> system = balance_at(fields, dt);
    return as_fields(
        asked,
        by_id(system, sand, dim,
              [&](std::size_t k, std::size_t c) { return system.dragged(k)[static_cast<int>(c)]; }),
        dim);
  }
  if (asked == probes::reversible) {
    const CoupledBalance<T, dim> system = balance(dt);
    return as_fields(
        asked,
        by_id(system, sand, dim,
              [&](std::size_t k, std::size_t c) { return system.reversible(k)[static_cast<int>(c)]; }),
        dim);
  }
  return Solver::probe(asked, fields, dt);
}

template <class T, int dim>
SolveHistory MixtureTwin<T, dim>::solve_history(double dt) const {
  if (!implicit() || step_.at != At::p2g)
    throw std::logic_error("a solve is known at p2g of a semi-implicit scene");
  CoupledBalance<T, dim> system = balance(dt);
  SolveHistory history;
  try {
    solved(system, &history);
  } catch (const NoSolution& failure) {
    throw no_solution(failure.what(), failure);
  }
  const auto by_id = unknowns_by_id(system);
  std::vector<std::size_t> order;
  for (const std::size_t phase : {sand, water})
    for (const auto& numbers : by_id) order.push_back(numbers[phase]);
  put_in_order(history, order, system.nodes(), dim);
  return history;
}

template class MixtureTwin<float, 2>;
template class MixtureTwin<float, 3>;
template class MixtureTwin<double, 2>;
template class MixtureTwin<double, 3>;

}  // namespace repose::optimized
