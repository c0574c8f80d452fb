#include "reference/mpm/reference_solver.h"

#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/methods/mpm_probes.h"
#include "reference/interface/snapshot_check.h"
#include "reference/mpm/explicit_step.h"
#include "reference/mpm/implicit_solve.h"
#include "reference/mpm/implicit_step.h"
#include "reference/mpm/implicit_system.h"
#include "reference/mpm/kernels.h"
#include "reference/mpm/state_snapshot.h"
#include "reference/mpm/sums.h"
#include "reference/solver/stage_machine.h"

#include <fmt/format.h>

#include <algorithm>

namespace repose {

namespace {

template <int d>
std::span<const Stage<State<d>>> stages_of(const Scene& scene) {
  if (solves(mpm_options(scene).integrator)) return implicit_step<d>;
  return explicit_step<d>;
}

template <int d>
class ReferenceSolver final : public Solver {
 public:
  explicit ReferenceSolver(const Scene& scene)
      : scene_(scene), state_(scene_.grid), machine_(scene_, stages_of<d>(scene_)) {}

  std::string_view name() const override { return "reference"; }

  Rounding rounding() const override { return reference_rounding(scene_.grid); }

  std::span<const Boundary> boundaries() const override { return machine_.boundaries(); }

  void load(const Snapshot& snapshot) override {
    require_loadable(snapshot, scene_, method::mpm, boundaries());
    try {
      state_ = load_state<d>(snapshot, scene_);
    } catch (const StageFailure& failure) {
      const auto element = static_cast<std::size_t>(failure.particle);
      throw SimulationError(failure.what(), snapshot.id(Place::particle, element), snapshot.step,
                            snapshot.at);
    }
    machine_.stand_at(snapshot);
  }

  void append(const Snapshot& particles) override {
    require_appendable(particles, scene_, method::mpm, state_.ids.next());
    machine_.begin_step();
    try {
      append_particles<d>(state_, particles, scene_);
    } catch (const StageFailure& failure) {
      throw SimulationError(failure.what(), state_.ids.next() + failure.particle, steps(), particles.at);
    }
    machine_.forget();
  }

  Snapshot save(Boundary at,
                bool /*native: the portable fields are this solver's own storage*/) const override {
    machine_.require(at, "save");
    Snapshot snapshot = save_state<d>(state_, at);
    machine_.stamp(snapshot);
    return snapshot;
  }

  Sums sums(std::string_view field) const override {
    const Boundary end = boundary_of(field);
    const bool solved = field == field::p_star || field == field::p_bar;
    if (solved && solves(mpm_options(scene_).integrator)) {
      throw std::logic_error(fmt::format("the field '{}' of such a step is solved for: it is no sum", field));
    }
    return field_sums<d>(machine_.before(end, field), machine_.context(machine_.dt()), field);
  }

  std::vector<Field> probe(std::string_view asked, std::span<const Field> fields, double dt) const override {
    if (asked == probes::impulses_at) return as_fields(impulses_at(asked_with(fields, field::v), dt), d);
    if (asked == probes::impulse_change)
      return as_fields(impulse_change(asked_with(fields, field::v), asked_with(fields, probes::dv), dt), d);
    return Solver::probe(asked, fields, dt);
  }

  SolveHistory solve_history(double dt) const override {
    require_balance("ask for the solve");
    SolveHistory history;
    try {
      solve_implicit<d>(state_, machine_.context(dt), &history);
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
    const int cuts =
        machine_.step(state_, next_dt(report.max_speed), mpm_options(scene_).implicit.step_cuts, report);
    report.counts[counter::step_cuts] = static_cast<std::uint64_t>(cuts);
    report.dt = machine_.dt();
    return report;
  }

  double time() const override { return machine_.time(); }
  std::int64_t steps() const override { return machine_.steps(); }
  std::size_t particles() const override { return state_.particles.size(); }
  std::vector<std::pair<std::string, double>> stage_seconds() override { return machine_.stage_seconds(); }

  Storage storage() const override {
    const Grid& grid = scene_.grid;
    const auto nodes = static_cast<std::size_t>(grid.nodes(0) * grid.nodes(1) * grid.nodes(2));
    return {sizeof(Particle<d>), nodes * sizeof(std::int32_t) + state_.nodes.size() * sizeof(Node<d>)};
  }

 private:
  void require_balance(std::string_view what) const {
    if (!solves(mpm_options(scene_).integrator)) throw std::logic_error("the scene's steps are explicit");
    machine_.require(boundary::p2g, what);
  }

  /// The balance of the implicit step from here, moved to velocities v [m/s].
  ImplicitSystem<d> system_at(std::span<const double> v, double dt) const {
    require_balance("ask for the impulses");
    ImplicitSystem<d> system(state_, machine_.context(dt));
    if (const auto inverted = system.move_to(velocities(v))) {
      throw machine_.located(StageFailure("the velocities invert a particle", *inverted), state_,
                             boundary::collisions);
    }
    return system;
  }

  NodeImpulses impulses_at(std::span<const double> v, double dt) const {
    const ImplicitSystem<d> system = system_at(v, dt);
    return {{system.impulse().begin(), system.impulse().end()}, system.impulse_magnitude()};
  }

  std::vector<double> impulse_change(std::span<const double> v, std::span<const double> dv, double dt) const {
    const ImplicitSystem<d> system = system_at(v, dt);
    const Eigen::VectorXd change = system.derivative_along(velocities(dv));
    std::vector<double> result;
    for (Eigen::Index n = 0; n < change.size(); ++n) {
      const auto at = static_cast<std::size_t>(n);
      result.push_back(system.mass(at / d) * dv[at] - change[n]);
    }
    return result;
  }

  Eigen::VectorXd velocities(std::span<const double> v) const {
    if (v.size() != d * state_.nodes.size()) {
      throw std::invalid_argument(
          fmt::format("{} velocity components for {} nodes", v.size(), state_.nodes.size()));
    }
    return Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
  }

  StepReport new_report() const {
    StepReport report;
    report.dt = machine_.dt();
    report.particles = state_.particles.size();
    for (const Particle<d>& p : state_.particles) report.max_speed = std::max(report.max_speed, p.v.norm());
    report.counts[counter::active_nodes] = state_.nodes.size();
    return report;
  }

  const Scene scene_;
  State<d> state_;
  StageMachine<State<d>> machine_;
};

}  // namespace

Rounding reference_rounding(const Grid& grid) {
  const double unit = 0x1p-53;
  const Point far = grid.domain_min.cwiseAbs().cwiseMax(grid.domain_max().cwiseAbs());
  const double extent = (grid.domain_max() - grid.domain_min).cwiseAbs().maxCoeff();
  const double margin = grid.h * static_cast<double>(Grid::margin);
  return {unit, unit * (far.maxCoeff() + extent + 2.0 * margin), "F"};
}

void require_reference_grid(const Grid& grid, Kernel kernel) {
  if (!(grid.h > 0.0)) throw std::invalid_argument(fmt::format("grid spacing {} m is not > 0", grid.h));
  for (int axis = 0; axis < grid.dim; ++axis) {
    const std::int64_t nodes = grid.nodes(axis);
    if (grid.is_periodic(axis) && nodes < kernel_nodes(kernel))
      throw std::invalid_argument(
          fmt::format("{} cells along a periodic axis: a stencil would meet itself", nodes));
  }
  if (grid.dim != 2 && grid.dim != 3)
    throw std::invalid_argument(fmt::format("dimension {} is neither 2 nor 3", grid.dim));
}

std::unique_ptr<Solver> make_reference_solver(const Scene& scene) {
  require_reference_grid(scene.grid, mpm_options(scene).kernel);
  if (scene.dim() == 2) return std::make_unique<ReferenceSolver<2>>(scene);
  return std::make_unique<ReferenceSolver<3>>(scene);
}

}  // namespace repose
