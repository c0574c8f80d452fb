#include "reference/mixture/mixture_solver.h"

#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_options.h"
#include "reference/interface/snapshot_check.h"
#include "reference/mixture/explicit_step.h"
#include "reference/mixture/state_snapshot.h"
#include "reference/mixture/sums.h"
#include "reference/mpm/reference_solver.h"
#include "reference/solver/stage_machine.h"

#include <algorithm>

namespace repose {

namespace {

template <int d>
class MixtureSolver final : public Solver {
 public:
  explicit MixtureSolver(const Scene& scene)
      : scene_(scene), state_(scene_), machine_(scene_, mixture_step<d>) {}

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
    return mixture_sums<d>(machine_.before(mixture_boundary_of(field), field),
                           machine_.context(machine_.dt()), field);
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
    machine_.step(state_, next_dt(report.max_speed), 0, report);
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
