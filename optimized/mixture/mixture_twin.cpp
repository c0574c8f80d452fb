#include "optimized/mixture/mixture_twin.h"

#include "optimized/mpm/counting.h"
#include "reference/interface/methods/mixture.h"

#include <algorithm>
#include <stdexcept>

namespace repose::optimized {

using mixture::Phase;

template <class T, int dim>
MixtureTwin<T, dim>::MixtureTwin(const Scene& scene, const SolverOptions& options)
    : scene_(scene),
      options_(mixture_options(scene)),
      stops_(method::boundaries(method::mixture, Integrator::explicit_)),
      boundaries_(method::boundaries(method::mixture, options_.integrator)),
      solid_(mixture::scene_of_part(scene, Phase::solid), options, ids_, false, true),
      // The reversible term asks for the force of water alone.
      water_(mixture::scene_of_part(scene, Phase::water), options, ids_,
             mixture_options(scene).reversible != ReversibleTerm::none, false) {}

template <class T, int dim>
void MixtureTwin<T, dim>::begin_step() {
  if (step_.at != At::plasticity) return;
  step_.time += step_.dt;
  ++step_.done;
  step_.at = At::step_start;
}

/// @throws std::invalid_argument if a step has no such boundary
template <class T, int dim>
int MixtureTwin<T, dim>::place_of(Boundary boundary) const {
  if (std::find(boundaries_.begin(), boundaries_.end(), boundary) == boundaries_.end())
    throw std::invalid_argument("no boundary '" + std::string(boundary) + "'");
  return static_cast<int>(std::find(stops_.begin(), stops_.end(), boundary) - stops_.begin());
}

/// Both phases share their loops among the threads that all particles are worth: teams of two sizes would cost more.
template <class T, int dim>
void MixtureTwin<T, dim>::share_team() {
  for (const Phase phase : mixture::phases)
    part(phase).team_ = part(phase).asked_.part_for(
        Part::particle_ns * static_cast<double>(solid_.particles() + water_.particles()));
}

/// Stages 1 and, of explicit steps, 2 with the reversible term.                        [Tam17 §4.1, §4.2, §5.3]
template <class T, int dim>
void MixtureTwin<T, dim>::momenta(int from, int to, StepReport& report) {
  const int last = std::min<int>(to, implicit() ? At::p2g : At::forces);
  const Pause pause = to <= At::friction ? Pause::looked_at : Pause::passing;
  std::uint64_t active = 0;
  for (const Phase phase : mixture::phases) {
    const StepReport own =
        part(phase).run_stages(at_of_parts[static_cast<std::size_t>(from)],
                               at_of_parts[static_cast<std::size_t>(last)], step_.dt, 0, pause);
    active += own.counts[counter::active_nodes];
    report.counts[counter::massless] += own.counts[counter::massless];
  }
  report.counts[counter::active_nodes] = active - nodes_of_both(last);
  const bool seen = to < At::plasticity;
  if (last == At::forces) add_reversible(seen);
  if (seen) list_nodes();
}

/// Stages 4 to 9, behind the solve where there is one. What particles see of the nodes is found before they move.
template <class T, int dim>
void MixtureTwin<T, dim>::move_particles(int from, int to, StepReport& report) {
  const auto does = [&](int stage) { return from < stage && stage <= to; };
  if (does(At::update)) {
    const Stopwatch watch(coupling_seconds_);
    if (from <= At::friction) {
      saturate_by_blocks();
    } else {
      const auto bases = solid_.bases();
      std::vector<T> offsets(dim * solid_.particles());
      for (std::uint32_t slot = 0; slot < solid_.particles(); ++slot)
        std::copy_n(solid_.particles_.record(slot) + R::offset, dim, offsets.begin() + dim * slot);
      saturate_by_list(bases, offsets);
    }
    if (to == At::update)
      for (const Phase phase : mixture::phases) x_n_[static_cast<std::size_t>(phase)] = places(part(phase));
  }
  if (does(At::saturation)) {
    const Stopwatch watch(coupling_seconds_);
    report.counts[counter::wet_nodes] = wet_nodes(from > At::friction);
    soften();
  }
  const int behind = implicit() ? At::collisions : At::drag;
  const int first = at_of_parts[static_cast<std::size_t>(std::max<int>(from, behind))];
  const int last = at_of_parts[static_cast<std::size_t>(to)];
  if (first == last) return;
  for (const Phase phase : mixture::phases) {
    const StepReport own = part(phase).run_stages(first, last, step_.dt, 0);
    for (std::size_t row = counter::active_nodes + 1; row <= counter::massless; ++row)
      report.counts[row] += own.counts[row];
  }
}

/// The stages `from` + 1 … `to`.
template <class T, int dim>
StepReport MixtureTwin<T, dim>::run_stages(int from, int to, double dt, int cuts) {
  if (from == At::step_start) begin_step();
  step_.dt = dt;
  StepReport report;
  report.dt = dt;
  report.max_speed = std::max(solid_.step_.max_speed, water_.step_.max_speed);
  report.particles = particles();
  if (to >= At::collisions && from < At::friction && !(dt > 0.0))
    throw std::invalid_argument("a time step > 0 is needed beyond the forces");
  if (from < At::g2p && to > At::step_start) pair_blocks();
  if (from < (implicit() ? At::p2g : At::forces) && to > At::step_start) momenta(from, to, report);
  if (implicit()) {
    if (from < At::collisions && At::collisions <= to) solve_step(cuts, to < At::plasticity, report);
  } else if (from < At::drag && At::drag <= to) {
    apply_drag(report);
  }
  if (to > At::drag) move_particles(from, to, report);
  step_.at = to;
  return report;
}

template <class T, int dim>
StepReport MixtureTwin<T, dim>::run(Boundary from, Boundary to, double dt) {
  const int first = place_of(from);
  const int last = place_of(to);
  const bool stands = step_.at == first || (first == At::step_start && step_.at == At::plasticity);
  if (!stands || last < first)
    throw std::invalid_argument("the solver does not stand where it can run from " + std::string(from) +
                                " to " + std::string(to));
  // The caller's Δt is not this solver's to cut.
  return run_stages(first, last, dt, 0);
}

template <class T, int dim>
StepReport MixtureTwin<T, dim>::advance(const std::function<double(double max_speed)>& next_dt) {
  if (step_.at != At::step_start && step_.at != At::plasticity)
    throw std::invalid_argument("advance() needs the start of a step");
  begin_step();
  return run_stages(At::step_start, At::plasticity,
                    next_dt(std::max(solid_.step_.max_speed, water_.step_.max_speed)),
                    options_.implicit.step_cuts);
}

template <class T, int dim>
std::vector<std::pair<std::string, double>> MixtureTwin<T, dim>::stage_seconds() {
  std::vector<std::pair<std::string, double>> all = solid_.stage_seconds();
  const auto others = water_.stage_seconds();
  for (std::size_t n = 0; n < all.size(); ++n) all[n].second += others[n].second;
  all.emplace_back("coupling", coupling_seconds_);
  coupling_seconds_ = 0.0;
  return all;
}

template <class T, int dim>
std::vector<std::pair<std::string, int>> MixtureTwin<T, dim>::stage_threads() {
  std::vector<std::pair<std::string, int>> all = solid_.stage_threads();
  const auto others = water_.stage_threads();
  for (std::size_t n = 0; n < all.size(); ++n) all[n].second = std::max(all[n].second, others[n].second);
  return all;
}

template <class T, int dim>
Solver::Storage MixtureTwin<T, dim>::storage() const {
  const Storage one = solid_.storage();
  const Storage other = water_.storage();
  return {.particle_bytes = one.particle_bytes + other.particle_bytes,
          .grid_bytes = one.grid_bytes + other.grid_bytes + partner_.capacity() * sizeof(std::uint32_t) +
                        wet_.capacity() * sizeof(std::uint64_t) + reversible_.bytes() +
                        listed_.capacity() * sizeof(MixedNode)};
}

template class MixtureTwin<float, 2>;
template class MixtureTwin<float, 3>;
template class MixtureTwin<double, 2>;
template class MixtureTwin<double, 3>;

}  // namespace repose::optimized
