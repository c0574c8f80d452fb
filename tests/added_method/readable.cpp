#include "reference/interface/snapshot_check.h"
#include "reference/solver/stage_machine.h"
#include "tests/added_method/flight.h"
#include "tests/added_method/solvers.h"

#include <algorithm>
#include <array>

namespace repose::flight {

namespace {

struct Grain {
  double mass = 0.0;
  Point x = Point::Zero(), u = Point::Zero();
  bool landed = false;
};

using Grains = std::vector<Grain>;

void fly(Grains& grains, const StepContext& step, StepReport& report) {
  for (Grain& grain : grains) {
    if (grain.landed) continue;
    ++report.counts[flying];
    grain.u += step.dt * step.scene.gravity;
    grain.x += step.dt * grain.u;
  }
}

void land(Grains& grains, const StepContext& step, StepReport& report) {
  for (Grain& grain : grains) {
    if (grain.landed || !(grain.x[1] <= ground(step.scene))) continue;
    grain.landed = true;
    ++report.counts[landings];
  }
}

constexpr std::array<Stage<Grains>, 2> stages{{{flight, fly}, {landing, land}}};

class Readable final : public Solver {
 public:
  explicit Readable(const Scene& scene) : scene_(scene), machine_(scene_, stages) {}

  std::string_view name() const override { return "flight_readable"; }
  Rounding rounding() const override { return {.unit = 0x1p-53, .position = 0.0, .strain = ""}; }
  std::span<const Boundary> boundaries() const override { return machine_.boundaries(); }

  void load(const Snapshot& state) override {
    require_loadable(state, scene_, table, boundaries());
    grains_.clear();
    take(state);
    machine_.stand_at(state);
  }
  void append(const Snapshot& particles) override {
    require_appendable(particles, scene_, table, grains_.size());
    machine_.begin_step();
    take(particles);
    machine_.forget();
  }
  Snapshot save(Boundary at, bool) const override {
    machine_.require(at, "save");
    Snapshot state;
    state.method = table.name;
    state.at = at;
    machine_.stamp(state);
    for (const method::FieldRow* row : method::fields_at(table, at))
      state.set(method::blank(*row, scene_.dim(), grains_.size()));
    for (std::size_t p = 0; p < grains_.size(); ++p) {
      state.get(field::mass).value[p] = grains_[p].mass;
      state.get(landed).value[p] = grains_[p].landed ? 1.0 : 0.0;
      for (int a = 0; a < scene_.dim(); ++a) {
        const std::size_t i = p * dim() + static_cast<std::size_t>(a);
        state.get(field::x).value[i] = grains_[p].x[a];
        state.get(velocity).value[i] = grains_[p].u[a];
      }
    }
    return state;
  }

  StepReport run(Boundary from, Boundary to, double dt) override {
    const auto stretch = machine_.enter(from, to, dt);
    StepReport report = new_report();
    machine_.run(grains_, stretch, report);
    return report;
  }
  StepReport advance(const std::function<double(double max_speed)>& next_dt) override {
    machine_.require(boundary::step_start, "advance");
    machine_.begin_step();
    StepReport report = new_report();
    machine_.step(grains_, next_dt(report.max_speed), 0, report);
    report.dt = machine_.dt();
    return report;
  }

  double time() const override { return machine_.time(); }
  std::int64_t steps() const override { return machine_.steps(); }
  std::size_t particles() const override { return grains_.size(); }

 private:
  std::size_t dim() const { return static_cast<std::size_t>(scene_.dim()); }

  StepReport new_report() const {
    StepReport report{.dt = machine_.dt(), .particles = grains_.size()};
    for (const Grain& grain : grains_) report.max_speed = std::max(report.max_speed, grain.u.norm());
    return report;
  }

  void take(const Snapshot& state) {
    for (std::size_t p = 0; p < state.particles(); ++p) {
      Grain grain{.mass = state.get(field::mass).value[p], .landed = state.get(landed).value[p] == 1.0};
      for (int a = 0; a < scene_.dim(); ++a) {
        const std::size_t i = p * dim() + static_cast<std::size_t>(a);
        grain.x[a] = state.get(field::x).value[i];
        grain.u[a] = state.get(velocity).value[i];
      }
      grains_.push_back(grain);
    }
  }

  const Scene scene_;
  Grains grains_;
  StageMachine<Grains> machine_;
};

}  // namespace

std::unique_ptr<Solver> make_readable(const Scene& scene, const SolverOptions&) {
  return std::make_unique<Readable>(scene);
}

Footprint footprint(const Scene& scene, const SolverOptions&) {
  return {.bytes_per_particle = static_cast<double>(sizeof(double)) * (2.0 + 2.0 * scene.dim())};
}

}  // namespace repose::flight
