#include "reference/mixture/mixture_solver.h"

#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_options.h"
#include "reference/interface/methods/mixture_probes.h"
#include "reference/interface/snapshot_check.h"
#include "reference/mixture/coupled_step.h"
#include "reference/mixture/explicit_step.h"
#include "reference/mixture/state_snapshot.h"
#include "reference/mixture/sums.h"
#include "reference/mpm/reference_solver.h"
#include "reference/solver/stage_machine.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace repose {

namespace {

template <int d>
std::span<const Stage<MixtureState<d>>> stages_of(const Scene& scene) {
  if (solves(mixture_options(scene).integrator)) return coupled_step<d>;
  return mixture_step<d>;
}

template <int d>
class MixtureSolver final : public Solver {
 public:
  explicit MixtureSolver(const Scene& scene)
      : scene_(scene), state_(scene_), machine_(scene_, stages_of<d>(scene_)) {}

  std::string_view name() const override { return "reference"; }
  Rounding rounding() const override { return reference_rounding(scene_.grid); }
  std::span<const Boundary> boundaries() const override { return machine_.boundaries(); }

  void load(const Snapshot& snapshot) override {
    require_loadable(snapshot, scene_, method::mixture, boundaries());
    state_ = load_mixture<d>(snapshot, scene_);
    machine_.stand_at(snapshot);
  }

  void append(const Snapshot& particles) override {
    require_appendable(particles, scene_, method::mixture, state_.ids.next());
    machine_.begin_step();
    // A state holds all that is needed to go on: the whole one is loaded anew, with what is added.
    Snapshot all = save(boundary::step_start, false);
    repose::append(all, particles);
    state_ = load_mixture<d>(all, scene_);
    machine_.forget();
  }

  Snapshot save(Boundary at,
                bool /*native: the portable fields are this solver's own storage*/) const override {
    machine_.require(at, "save");
    Snapshot snapshot = save_mixture<d>(state_, at);
    machine_.stamp(snapshot);
    return snapshot;
  }

  Sums sums(std::string_view field) const override {
    return mixture_sums<d>(machine_.before(mixture_boundary_of(field, is_solved()), field),
                           machine_.context(machine_.dt()), field);
  }

  std::vector<Field> probe(std::string_view asked, std::span<const Field> fields, double dt) const override {
    if (asked == probes::impulses_at) return as_fields(impulses_at(asked_velocities(fields), dt), d);
    if (asked == probes::impulse_change)
      return as_fields(impulse_change(asked_velocities(fields), asked_changes(fields), dt), d);
    if (asked == probes::drag_impulse) {
      const CoupledSystem<d> system = system_here(dt);
      const PhaseVelocities v = asked_velocities(fields);
      return as_fields(asked, system.drag_impulses(system.from_all_nodes(v.sand, v.water)), d);
    }
    if (asked == probes::reversible) return as_fields(asked, system_here(dt).reversible_impulses(), d);
    return Solver::probe(asked, fields, dt);
  }

  SolveHistory solve_history(double dt) const override {
    CoupledSystem<d> system = system_here(dt);
    SolveHistory history;
    try {
      solve_mixture<d>(state_, system, machine_.context(dt), &history);
    } catch (const SolveFailure& failure) {
      throw machine_.located(failure, state_, boundary::collisions);
    }
    return history;
  }

  StepReport run(Boundary from, Boundary to, double dt) override {
    const auto stretch = machine_.enter(from, to, dt);
    StepReport report = new_report();
    machine_.run(state_, stretch, report);
    return report;
  }

  StepReport advance(const std::function<double(double)>& next_dt) override {
    machine_.require(boundary::step_start, "advance");
    machine_.begin_step();
    StepReport report = new_report();
    const int cuts = machine_.step(state_, next_dt(report.max_speed),
                                   is_solved() ? mixture_options(scene_).implicit.step_cuts : 0, report);
    report.counts[counter::step_cuts] = static_cast<std::uint64_t>(cuts);
    report.dt = machine_.dt();
    return report;
  }

  double time() const override { return machine_.time(); }
  std::int64_t steps() const override { return machine_.steps(); }
  std::size_t particles() const override { return state_.particles(); }
  std::vector<std::pair<std::string, double>> stage_seconds() override { return machine_.stage_seconds(); }

  Storage storage() const override {
    const Grid& grid = scene_.grid;
    const auto nodes = static_cast<std::size_t>(grid.nodes(0) * grid.nodes(1) * grid.nodes(2));
    return {sizeof(Particle<d>) + sizeof(Vec<d>),
            2 * nodes * sizeof(std::int32_t) + state_.nodes.size() * sizeof(MixedNode<d>) +
                (state_.sand.nodes.size() + state_.water.nodes.size()) * sizeof(Node<d>)};
  }

 private:
  bool is_solved() const { return solves(mixture_options(scene_).integrator); }

  /// What the semi-implicit step from here balances.
  CoupledSystem<d> system_here(double dt) const {
    if (!is_solved()) throw std::logic_error("the scene's steps are explicit");
    machine_.require(boundary::p2g, "ask for the balance");
    require_step(dt);
    return CoupledSystem<d>(state_, machine_.context(dt));
  }

  /// The same, moved to velocities.
  CoupledSystem<d> system_at(const PhaseVelocities& v, double dt) const {
    CoupledSystem<d> system = system_here(dt);
    if (const auto inverted = system.move_to(system.from_all_nodes(v.sand, v.water)))
      throw machine_.located(StageFailure("the velocities invert a particle", *inverted), state_,
                             boundary::collisions);
    return system;
  }

  PhaseImpulses impulses_at(const PhaseVelocities& v, double dt) const {
    const CoupledSystem<d> system = system_at(v, dt);
    PhaseImpulses result;
    for (const mixture::Phase phase : mixture::phases) {
      const ImplicitSystem<d>& own = system.of(phase);
      NodeImpulses& to = phase == mixture::Phase::water ? result.water : result.sand;
      const std::vector<double> impulse(own.impulse().begin(), own.impulse().end());
      to.impulse = system.spread(impulse, phase, d);
      to.magnitude = system.spread(own.impulse_magnitude(), phase, 1);
    }
    return result;
  }

  PhaseChanges impulse_change(const PhaseVelocities& v, const PhaseVelocities& dv, double dt) const {
    const CoupledSystem<d> system = system_at(v, dt);
    const Eigen::VectorXd change = system.stress_change_along(system.from_all_nodes(dv.sand, dv.water));
    const std::vector<double> all = system.at_all_nodes(change);
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    return {{all.begin(), middle}, {middle, all.end()}};
  }

  StepReport new_report() const {
    StepReport report;
    report.dt = machine_.dt();
    report.particles = state_.particles();
    for (const mixture::Phase phase : mixture::phases)
      for (const Particle<d>& p : state_.of(phase).particles)
        report.max_speed = std::max(report.max_speed, p.v.norm());
    report.counts[counter::active_nodes] = state_.nodes.size();
    return report;
  }

  const Scene scene_;
  MixtureState<d> state_;
  StageMachine<MixtureState<d>> machine_;
};

}  // namespace

std::unique_ptr<Solver> make_mixture_solver(const Scene& scene) {
  require_reference_grid(scene.grid, mixture_options(scene).kernel);
  if (scene.dim() == 2) return std::make_unique<MixtureSolver<2>>(scene);
  return std::make_unique<MixtureSolver<3>>(scene);
}

}  // namespace repose
