#include "optimized/attendance.h"
#include "optimized/implicit/told_in_order.h"
#include "optimized/mpm/counting.h"
#include "optimized/mpm/twin.h"
#include "reference/interface/methods/mpm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace repose::optimized {

/// The balance of the implicit step from p2g.
template <class T, int dim>
Balance<T, dim> Twin<T, dim>::balance(double dt) const {
  if (!(dt > 0.0))
    throw std::invalid_argument(fmt::format("time step {} s is not > 0: an implicit step needs one", dt));
  return {scene_,
          {particles_.records.data(), particles_.place.data(), &particles_.order,
           particles_.wetness.size() > 0 ? particles_.wetness.data() : nullptr},
          nodes_.before.data(),
          dt,
          team_,
          implicit_kernels_};
}

/// Where its unknowns are.
template <class T, int dim>
HeldNodes Twin<T, dim>::held_nodes(const Balance<T, dim>& system) const {
  HeldNodes nodes{.scene = &scene_, .x = std::vector<Point>(system.nodes())};
  for (std::size_t k = 0; k < system.nodes(); ++k) {
    const std::uint64_t key = particles_.order.grid().node_key(system.node(k) / B::nodes);
    nodes.x[k] = scene_.grid.node_position(places_.node_id(key, system.node(k) % B::nodes));
  }
  return nodes;
}

/// Forces and collisions in one. A solve that fails leaves the state as it was: it is tried again with half of Δt,
/// `cuts` times in a step.
template <class T, int dim>
void Twin<T, dim>::solve_implicit_step(int cuts, StepReport& report) {
  const Stopwatch watch(clocks_.seconds[grid_clock]);
  for (;;) {
    try {
      Balance<T, dim> system = balance(step_.dt);
      const ImplicitVelocities found = solve_balance<T, dim>(system, held_nodes(system), step_.time, team_);
      clocks_.solving_threads = std::max(clocks_.solving_threads, system.threads_moving());
      keep_solution(system, found);
      count_solve(found, report);
      report.counts[counter::active_nodes] += system.nodes();
      break;
    } catch (const NoSolution& failure) {
      if (report.counts[counter::step_cuts] == static_cast<std::uint64_t>(cuts)) {
        throw stopped(
            fmt::format("no implicit step of {} s, after {} cuts: {}", step_.dt, cuts, failure.what()),
            failure.particle, boundary::collisions);
      }
      ++report.counts[counter::step_cuts];
      step_.dt *= 0.5;
      report.dt = step_.dt;
    }
  }
}

/// v̄ and p* = p + Δt f(v̄) as node records.
template <class T, int dim>
void Twin<T, dim>::keep_solution(const Balance<T, dim>& system, const ImplicitVelocities& found) {
  nodes_.make_room(particles_.order.grid().node_blocks(), true, has_friction_);
  for (std::size_t v = 0; v < nodes_.star.size(); v += 4) {
    nodes_.star[v] = nodes_.before[v];
    nodes_.bar[v] = T{0};
    for (std::size_t c = 1; c < 4; ++c) nodes_.star[v + c] = nodes_.bar[v + c] = T{0};
  }
  for (std::size_t k = 0; k < system.nodes(); ++k) {
    const std::size_t v = 4 * system.node(k) + 1;
    for (std::size_t c = 0; c < dim; ++c) {
      nodes_.star[v + c] =
          static_cast<T>(static_cast<double>(nodes_.before[v + c]) + found.impulse[dim * k + c]);
      nodes_.bar[v + c] = static_cast<T>(found.v_bar[dim * k + c]);
      if (!std::isfinite(nodes_.star[v + c]) || !std::isfinite(nodes_.bar[v + c]))
        throw stopped("the momentum of a node is not finite", -1, boundary::collisions);
    }
  }
}

/// ṽ from v̄. Collisions repeated on v* tell how hard each body pushes; the velocity that is slowed is v̄, and its
/// normals are those at x_i + Δt v̄: at a curved body v* meets others.              [Klar16 §8.1; ERRATA K12]
template <class T, int dim>
void Twin<T, dim>::implicit_friction(StepReport& report) {
  const Stopwatch watch(clocks_.seconds[grid_clock]);
  nodes_.split.assign(particles_.order.grid().node_blocks(), 0);
  if (!has_friction_) return;
  const Contacts contacts(scene_, step_.time, step_.dt);
  const std::size_t blocks = particles_.order.grid().node_blocks();
  const int threads = team_.of(node_block_ns * static_cast<double>(blocks));
  const int chunk = team_.chunk(blocks, 16);
  Attendance attendance(team_, portions(blocks, chunk));
#pragma omp parallel num_threads(threads)
  {
    bool any = false;
    ContactCounts counts;
    Contacts::Near near;
    std::vector<Touch> touches;
#pragma omp for schedule(dynamic, chunk)
    for (std::size_t n = 0; n < blocks; ++n) {
      attendance.take(any);
      const std::uint64_t key = particles_.order.grid().node_key(n);
      for (std::size_t local = 0; local < B::nodes; ++local) {
        const std::size_t v = n * B::node_values + 4 * local;
        for (std::size_t c = 0; c < 4; ++c) nodes_.tilde[v + c] = nodes_.bar[v + c];
        if (!(nodes_.star[v] > T{0})) continue;
        Point star = Point::Zero(), bar = Point::Zero();
        for (int c = 0; c < dim; ++c) {
          const std::size_t at = v + 1 + static_cast<std::size_t>(c);
          star[c] = static_cast<double>(nodes_.star[at]) / static_cast<double>(nodes_.star[v]);
          bar[c] = static_cast<double>(nodes_.bar[at]);
        }
        const Point x = scene_.grid.node_position(places_.node_id(key, local));
        contacts.near(x, 0.0, star.norm(), near);
        contacts.collide(near, x, star, touches);
        for (Touch& touch : touches)
          if (scene_.colliders[touch.collider].contact != Contact::sticky)
            touch.normal = signed_distance(scene_.colliders[touch.collider], x + step_.dt * bar,
                                           step_.time + step_.dt, scene_.grid)
                               .normal;
        const Point rubbed = contacts.rub(touches, bar, counts);
        if (rubbed == bar) continue;
        for (std::size_t c = 0; c < dim; ++c)
          nodes_.tilde[v + 1 + c] = static_cast<T>(rubbed[static_cast<int>(c)]);
        nodes_.split[n] = 1;
      }
    }
#pragma omp critical
    {
      report.counts[counter::sticking] += counts.sticking;
      report.counts[counter::sliding] += counts.sliding;
    }
  }
}

template <class T, int dim>
std::vector<std::pair<std::int64_t, std::size_t>> Twin<T, dim>::active_nodes(const Buffer<T>& masses) const {
  const auto& grid = particles_.order.grid();
  std::vector<std::pair<std::int64_t, std::size_t>> active;
  for (std::size_t n = 0; n < grid.node_blocks(); ++n) {
    for (std::size_t local = 0; local < B::nodes; ++local) {
      const std::size_t v = n * B::node_values + 4 * local;
      if (masses[v] > T{0}) active.emplace_back(places_.node_id(grid.node_key(n), local), v);
    }
  }
  std::sort(active.begin(), active.end());
  return active;
}

/// For each active node by ascending id, its number among a balance's unknowns.
template <class T, int dim>
std::vector<std::size_t> Twin<T, dim>::unknowns_by_id(const Balance<T, dim>& system) const {
  std::vector<std::size_t> number(nodes_.before.size() / 4);
  for (std::size_t k = 0; k < system.nodes(); ++k) number[system.node(k)] = k;
  std::vector<std::size_t> result;
  for (const auto& [id, at] : active_nodes(nodes_.before)) result.push_back(number[at / 4]);
  return result;
}

template <class T, int dim>
NodeVector Twin<T, dim>::on_nodes(const Balance<T, dim>& system, std::span<const double> values) const {
  const std::vector<std::size_t> order = unknowns_by_id(system);
  if (values.size() != dim * order.size()) {
    throw std::invalid_argument(
        fmt::format("{} velocity components for {} nodes", values.size(), order.size()));
  }
  NodeVector result(values.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    for (std::size_t c = 0; c < dim; ++c) result[dim * order[k] + c] = values[dim * k + c];
  return result;
}

template <class T, int dim>
Balance<T, dim> Twin<T, dim>::balance_at(std::span<const double> v, double dt) const {
  if (!implicit() || step_.at != p2g)
    throw std::logic_error("impulses are known at p2g of an implicit scene");
  Balance<T, dim> system = balance(dt);
  if (const auto bad = system.move_to(on_nodes(system, v)))
    throw stopped("the velocities invert a particle", *bad, boundary::collisions);
  return system;
}

template <class T, int dim>
std::vector<Field> Twin<T, dim>::probe(std::string_view asked, std::span<const Field> fields,
                                       double dt) const {
  if (asked == probes::impulses_at) return as_fields(impulses_at(asked_with(fields, field::v), dt), dim);
  if (asked == probes::impulse_change)
    return as_fields(impulse_change(asked_with(fields, field::v), asked_with(fields, probes::dv), dt), dim);
  return Solver::probe(asked, fields, dt);
}

template <class T, int dim>
NodeImpulses Twin<T, dim>::impulses_at(std::span<const double> v, double dt) const {
  const Balance<T, dim> system = balance_at(v, dt);
  NodeImpulses result;
  for (const std::size_t k : unknowns_by_id(system)) {
    for (std::size_t c = 0; c < dim; ++c) result.impulse.push_back(system.impulse()[dim * k + c]);
    result.magnitude.push_back(system.magnitude(k));
  }
  return result;
}

template <class T, int dim>
std::vector<double> Twin<T, dim>::impulse_change(std::span<const double> v, std::span<const double> dv,
                                                 double dt) const {
  const Balance<T, dim> system = balance_at(v, dt);
  const NodeVector change = on_nodes(system, dv);
  std::vector<Vec<dim>> lost(system.nodes());
  system.stress_change([&](std::size_t k) { return Vec<dim>(of_node<dim>(change, k)); },
                       [&](std::size_t k, const Vec<dim>& sum) { lost[k] = sum; });
  std::vector<double> result;
  for (const std::size_t k : unknowns_by_id(system))
    for (int c = 0; c < dim; ++c) result.push_back(-lost[k][c]);
  return result;
}

template <class T, int dim>
SolveHistory Twin<T, dim>::solve_history(double dt) const {
  if (!implicit() || step_.at != p2g) throw std::logic_error("a solve is known at p2g of an implicit scene");
  Balance<T, dim> system = balance(dt);
  SolveHistory history;
  try {
    solve_balance<T, dim>(system, held_nodes(system), step_.time, team_, &history);
  } catch (const NoSolution& failure) {
    throw stopped(failure.what(), failure.particle, boundary::collisions);
  }
  put_in_order(history, unknowns_by_id(system), system.nodes(), dim);
  return history;
}

template class Twin<float, 2>;
template class Twin<float, 3>;
template class Twin<double, 2>;
template class Twin<double, 3>;

}  // namespace repose::optimized
