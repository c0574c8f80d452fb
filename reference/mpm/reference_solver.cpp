#include "reference/mpm/reference_solver.h"

#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/snapshot_check.h"
#include "reference/mpm/explicit_step.h"
#include "reference/mpm/implicit_solve.h"
#include "reference/mpm/implicit_step.h"
#include "reference/mpm/implicit_system.h"
#include "reference/mpm/kernels.h"
#include "reference/mpm/state_snapshot.h"
#include "reference/mpm/sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

namespace repose {

namespace {

constexpr std::size_t at_start = 0;

template <int d>
class ReferenceSolver final : public Solver {
 public:
  explicit ReferenceSolver(const Scene& scene) : scene_(scene), state_(scene_.grid) {
    if (scene_.integrator == Integrator::implicit_) {
      stages_ = implicit_step<d>;
      boundaries_ = implicit_boundaries;
    }
    seconds_.assign(stages_.size(), 0.0);
  }

  std::string_view name() const override { return "reference"; }

  /// Positions are stored exactly; x_i = domain_min + h i is recomputed with two roundings.
  Rounding rounding() const override {
    const double unit = 0x1p-53;
    const Point far = scene_.grid.domain_min.cwiseAbs().cwiseMax(scene_.grid.domain_max().cwiseAbs());
    const double extent = (scene_.grid.domain_max() - scene_.grid.domain_min).cwiseAbs().maxCoeff();
    const double margin = scene_.grid.h * static_cast<double>(Grid::margin);
    return {unit, unit * (far.maxCoeff() + extent + 2.0 * margin), "F"};
  }

  std::span<const Boundary> boundaries() const override { return boundaries_; }

  void load(const Snapshot& snapshot) override {
    require_loadable(snapshot, scene_, method::mpm, boundaries_);
    const std::size_t at = place_of(snapshot.at);
    try {
      state_ = load_state<d>(snapshot, scene_);
    } catch (const StageFailure& failure) {
      throw SimulationError(failure.what(), failure.particle, snapshot.step, snapshot.at);
    }
    at_ = at;
    time_ = snapshot.time;
    dt_ = snapshot.dt;
    step_ = snapshot.step;
    observed_.reset();
  }

  void append(const Snapshot& particles) override {
    const std::size_t present = state_.particles.size();
    require_appendable(particles, scene_, method::mpm, present);
    begin_step();
    try {
      append_particles<d>(state_, particles, scene_);
    } catch (const StageFailure& failure) {
      const std::int64_t particle = static_cast<std::int64_t>(present) + failure.particle;
      throw SimulationError(failure.what(), particle, step_, particles.at);
    }
    observed_.reset();
  }

  Snapshot save(Boundary at,
                bool /*native: the portable fields are this solver's own storage*/) const override {
    require(at, "save");
    Snapshot snapshot = save_state<d>(state_, boundaries_[place_of(at)]);
    const bool next = at_ == at_end() && place_of(at) == at_start;
    snapshot.time = next ? time() : time_;
    snapshot.step = next ? steps() : step_;
    snapshot.dt = dt_;
    return snapshot;
  }

  /// Recomputed from the state at the start of the last run(): unobserved steps pay nothing.
  Sums sums(std::string_view field) const override {
    if (!observed_) throw std::logic_error("sums are known after run() only");
    const std::size_t stage = stage_of(field);
    if (stage < observed_->from || stage >= observed_->to) {
      throw std::logic_error(fmt::format("the last run() did not compute the field '{}'", field));
    }
    State<d> before = observed_->start;
    StepReport unused;
    for (std::size_t n = observed_->from; n < stage; ++n) stages_[n].run(before, context(), unused);
    return field_sums<d>(before, context(), field);
  }

  NodeImpulses impulses_at(std::span<const double> v, double dt) const override {
    const ImplicitSystem<d> system = system_at(v, dt);
    return {{system.impulse().begin(), system.impulse().end()}, system.impulse_magnitude()};
  }

  std::vector<double> impulse_change(std::span<const double> v, std::span<const double> dv,
                                     double dt) const override {
    const ImplicitSystem<d> system = system_at(v, dt);
    const Eigen::VectorXd change = system.derivative_along(velocities(dv));
    std::vector<double> result;
    for (Eigen::Index n = 0; n < change.size(); ++n) {
      const auto at = static_cast<std::size_t>(n);
      result.push_back(system.mass(at / d) * dv[at] - change[n]);
    }
    return result;
  }

  SolveHistory solve_history(double dt) const override {
    require_balance("ask for the solve");
    SolveHistory history;
    try {
      solve_implicit<d>(state_, {scene_, time_, dt}, &history);
    } catch (const SolveFailure& failure) {
      throw SimulationError(failure.what(), failure.particle, step_, boundary::collisions);
    }
    return history;
  }

  StepReport run(Boundary from, Boundary to, double dt) override {
    require(from, "run");
    const std::size_t first = place_of(from) == at_end() ? at_start : place_of(from);
    const std::size_t last = place_of(to);
    if (last < first) throw std::invalid_argument(fmt::format("cannot run from {} back to {}", from, to));
    if (first == at_start) begin_step();
    set_dt(dt, first);

    StepReport report = new_report();
    observed_ = Observed{state_, first, last};
    // The caller's Δt is not this solver's to cut.
    for (std::size_t n = first; n < last; ++n) run_stage(n, report, 0);
    return report;
  }

  StepReport advance(const std::function<double(double)>& next_dt) override {
    require(boundary::step_start, "advance");
    begin_step();
    observed_.reset();
    StepReport report = new_report();
    set_dt(next_dt(report.max_speed), at_start);
    for (std::size_t n = 0; n < stages_.size(); ++n) run_stage(n, report, scene_.implicit.step_cuts);
    report.dt = dt_;
    return report;
  }

  double time() const override { return at_ == at_end() ? time_ + dt_ : time_; }
  std::int64_t steps() const override { return at_ == at_end() ? step_ + 1 : step_; }
  std::size_t particles() const override { return state_.particles.size(); }

  std::vector<std::pair<std::string, double>> stage_seconds() override {
    std::vector<std::pair<std::string, double>> result;
    for (std::size_t n = 0; n < seconds_.size(); ++n) {
      result.emplace_back(stages_[n].end, seconds_[n]);
      seconds_[n] = 0.0;
    }
    return result;
  }

  Storage storage() const override {
    const Grid& grid = scene_.grid;
    const auto nodes = static_cast<std::size_t>(grid.nodes(0) * grid.nodes(1) * grid.nodes(2));
    return {sizeof(Particle<d>), nodes * sizeof(std::int32_t) + state_.nodes.size() * sizeof(Node<d>)};
  }

 private:
  /// The state at the start of the last run() and the stages it ran.
  struct Observed {
    State<d> start;
    std::size_t from, to;
  };

  std::size_t place_of(Boundary at) const {
    const auto found = std::find(boundaries_.begin(), boundaries_.end(), at);
    if (found == boundaries_.end()) throw std::invalid_argument(fmt::format("no boundary '{}'", at));
    return static_cast<std::size_t>(found - boundaries_.begin());
  }
  std::size_t at_end() const { return boundaries_.size() - 1; }

  void require_balance(std::string_view what) const {
    if (scene_.integrator != Integrator::implicit_) throw std::logic_error("the scene's steps are explicit");
    require(boundary::p2g, what);
  }

  /// The balance of the implicit step from here, moved to velocities v [m/s].
  ImplicitSystem<d> system_at(std::span<const double> v, double dt) const {
    require_balance("ask for the impulses");
    ImplicitSystem<d> system(state_, {scene_, time_, dt});
    if (const auto inverted = system.move_to(velocities(v))) {
      throw SimulationError("the velocities invert a particle", static_cast<std::int64_t>(*inverted), step_,
                            boundary::collisions);
    }
    return system;
  }

  Eigen::VectorXd velocities(std::span<const double> v) const {
    if (v.size() != d * state_.nodes.size()) {
      throw std::invalid_argument(
          fmt::format("{} velocity components for {} nodes", v.size(), state_.nodes.size()));
    }
    return Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
  }

  StepContext context() const { return {scene_, time_, dt_}; }

  /// Standing at the end of a step is standing at the start of the next.
  void require(Boundary at, std::string_view what) const {
    const std::size_t asked = place_of(at);
    if (asked == at_ || (at_ == at_end() && asked == at_start)) return;
    throw std::logic_error(
        fmt::format("cannot {} at {}: the solver stands at {}", what, at, boundaries_[at_]));
  }

  void begin_step() {
    if (at_ == at_end()) {
      time_ = time();
      ++step_;
      at_ = at_start;
    }
    if (at_ != at_start) throw std::logic_error(fmt::format("the solver stands at {}", boundaries_[at_]));
  }

  void set_dt(double dt, std::size_t from) {
    if (!(dt >= 0.0) || std::isinf(dt))
      throw std::invalid_argument(fmt::format("time step {} s is not in [0, inf)", dt));
    if (from != at_start && dt != dt_) {
      throw std::invalid_argument(
          fmt::format("time step {} s differs from the {} s of the step in progress", dt, dt_));
    }
    dt_ = dt;
  }

  StepReport new_report() const {
    StepReport report;
    report.dt = dt_;
    report.particles = state_.particles.size();
    for (const Particle<d>& p : state_.particles) report.max_speed = std::max(report.max_speed, p.v.norm());
    report.active_nodes = state_.nodes.size();
    return report;
  }

  /// A failed implicit solve leaves the state as it was: it is tried again with half of Δt, `cuts` times in a
  /// step.
  void run_stage(std::size_t n, StepReport& report, int cuts) {
    const auto start = std::chrono::steady_clock::now();
    for (bool done = false; !done;) {
      try {
        stages_[n].run(state_, context(), report);
        done = true;
      } catch (const SolveFailure& failure) {
        if (report.step_cuts == static_cast<std::uint64_t>(cuts)) {
          throw SimulationError(
              fmt::format("no implicit step of {} s, after {} cuts: {}", dt_, cuts, failure.what()),
              failure.particle, step_, stages_[n].end);
        }
        ++report.step_cuts;
        dt_ *= 0.5;
      } catch (const StageFailure& failure) {
        throw SimulationError(failure.what(), failure.particle, step_, stages_[n].end);
      }
    }
    at_ = n + 1;
    seconds_[n] += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  std::size_t stage_of(std::string_view field) const {
    const bool solved = field == field::p_star || field == field::p_bar;
    if (solved && scene_.integrator == Integrator::implicit_) {
      throw std::logic_error(
          fmt::format("the field '{}' of an implicit step is solved for: it is no sum", field));
    }
    return place_of(boundary_of(field)) - 1;
  }

  Scene scene_;
  State<d> state_;
  std::size_t at_ = at_start;  ///< index into boundaries_
  double time_ = 0.0;          ///< at the start of the step in progress or just done [s]
  double dt_ = 0.0;            ///< of that step [s]
  std::int64_t step_ = 0;      ///< steps completed before it
  std::optional<Observed> observed_;
  std::span<const Stage<d>> stages_ = explicit_step<d>;
  std::span<const Boundary> boundaries_ = explicit_boundaries;
  std::vector<double> seconds_;  ///< per stage [s]
};

}  // namespace

std::unique_ptr<Solver> make_reference_solver(const Scene& scene) {
  if (!(scene.grid.h > 0.0))
    throw std::invalid_argument(fmt::format("grid spacing {} m is not > 0", scene.grid.h));
  for (int axis = 0; axis < scene.dim(); ++axis) {
    const std::int64_t nodes = scene.grid.nodes(axis);
    if (scene.grid.is_periodic(axis) && nodes < kernel_nodes(scene.kernel))
      throw std::invalid_argument(
          fmt::format("{} cells along a periodic axis: a stencil would meet itself", nodes));
  }
  if (scene.dim() == 2) return std::make_unique<ReferenceSolver<2>>(scene);
  if (scene.dim() == 3) return std::make_unique<ReferenceSolver<3>>(scene);
  throw std::invalid_argument(fmt::format("dimension {} is neither 2 nor 3", scene.dim()));
}

}  // namespace repose
