#include "reference/interface/particles/particle_ids.h"
#include "reference/interface/snapshot_check.h"
#include "reference/solver/stage_machine.h"
#include "tests/added_method/flight.h"
#include "tests/added_method/solvers.h"

#include <algorithm>
#include <array>
#include <map>

namespace repose::flight {

namespace {

struct Grain {
  double mass = 0.0;
  Point x = Point::Zero(), u = Point::Zero();
  bool landed = false;
};

struct Sky {
  std::vector<Grain> grains;
  ParticleIds ids;
  std::map<std::int64_t, double> heaps;  ///< by cell [kg]
};

void fly(Sky& sky, const StepContext& step, StepReport& report) {
  for (Grain& grain : sky.grains) {
    if (grain.landed) continue;
    ++report.counts[flying];
    grain.u += step.dt * step.scene.gravity;
    grain.x += step.dt * grain.u;
  }
}

void land(Sky& sky, const StepContext& step, StepReport& report) {
  const OnLanding fate = step.scene.scheme.as<Options>().on_landing;
  std::vector<Grain> halves;
  std::vector<std::size_t> leaving;
  for (std::size_t p = 0; p < sky.grains.size(); ++p) {
    Grain& grain = sky.grains[p];
    if (grain.landed || !(grain.x[1] <= ground(step.scene))) continue;
    grain.landed = true;
    ++report.counts[landings];
    sky.heaps[cell_of(step.scene, grain.x)] += grain.mass;
    if (fate == OnLanding::leave) leaving.push_back(p);
    if (fate == OnLanding::split) {
      grain.mass *= 0.5;
      halves.push_back(grain);
    }
  }
  for (auto p = leaving.rbegin(); p != leaving.rend(); ++p)
    sky.grains.erase(sky.grains.begin() + static_cast<std::ptrdiff_t>(*p));
  sky.ids.remove(leaving);
  sky.grains.insert(sky.grains.end(), halves.begin(), halves.end());
  sky.ids.append(halves.size());
}

constexpr std::array<Stage<Sky>, 2> stages{{{flight, fly}, {landing, land}}};

class Readable final : public Solver {
 public:
  explicit Readable(const Scene& scene) : scene_(scene), machine_(scene_, stages) {}

  std::string_view name() const override { return "flight_readable"; }
  Rounding rounding() const override { return {.unit = 0x1p-53, .position = 0.0, .strain = ""}; }
  std::span<const Boundary> boundaries() const override { return machine_.boundaries(); }

  void load(const Snapshot& state) override {
    require_loadable(state, scene_, table, boundaries());
    sky_ = {};
    take(state);
    sky_.ids.load(state);
    for (std::size_t e = 0; e < state.count(Place::cell); ++e)
      sky_.heaps[state.id(Place::cell, e)] = state.get(heap).value[e];
    machine_.stand_at(state);
  }
  void append(const Snapshot& particles) override {
    require_appendable(particles, scene_, table, sky_.ids.next());
    machine_.begin_step();
    take(particles);
    sky_.ids.append(particles.particles());
    machine_.forget();
  }
  Snapshot save(Boundary at, bool) const override {
    machine_.require(at, "save");
    Snapshot state;
    state.method = table.name;
    state.at = at;
    machine_.stamp(state);
    sky_.ids.save(state);
    for (const auto& [cell, mass] : sky_.heaps) state.ids(Place::cell).push_back(cell);
    const std::vector<Grain>& grains = sky_.grains;
    for (const method::FieldRow* row : method::fields_at(table, at))
      state.set(
          method::blank(*row, scene_.dim(), row->place == Place::cell ? sky_.heaps.size() : grains.size()));
    std::size_t e = 0;
    for (const auto& [cell, mass] : sky_.heaps) state.get(heap).value[e++] = mass;
    for (std::size_t p = 0; p < grains.size(); ++p) {
      state.get(field::mass).value[p] = grains[p].mass;
      state.get(landed).value[p] = grains[p].landed ? 1.0 : 0.0;
      for (int a = 0; a < scene_.dim(); ++a) {
        const std::size_t i = p * dim() + static_cast<std::size_t>(a);
        state.get(field::x).value[i] = grains[p].x[a];
        state.get(velocity).value[i] = grains[p].u[a];
      }
    }
    return state;
  }

  StepReport run(Boundary from, Boundary to, double dt) override {
    const auto stretch = machine_.enter(from, to, dt);
    StepReport report = new_report();
    machine_.run(sky_, stretch, report);
    return report;
  }
  StepReport advance(const std::function<double(double max_speed)>& next_dt) override {
    machine_.require(boundary::step_start, "advance");
    machine_.begin_step();
    StepReport report = new_report();
    machine_.step(sky_, next_dt(report.max_speed), 0, report);
    report.dt = machine_.dt();
    return report;
  }

  double time() const override { return machine_.time(); }
  std::int64_t steps() const override { return machine_.steps(); }
  std::size_t particles() const override { return sky_.grains.size(); }

 private:
  std::size_t dim() const { return static_cast<std::size_t>(scene_.dim()); }

  StepReport new_report() const {
    StepReport report{.dt = machine_.dt(), .particles = sky_.grains.size()};
    for (const Grain& grain : sky_.grains) report.max_speed = std::max(report.max_speed, grain.u.norm());
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
      sky_.grains.push_back(grain);
    }
  }

  const Scene scene_;
  Sky sky_;
  StageMachine<Sky> machine_;
};

}  // namespace

std::unique_ptr<Solver> make_readable(const Scene& scene, const SolverOptions&) {
  return std::make_unique<Readable>(scene);
}

Footprint footprint(const Scene& scene, const SolverOptions&) {
  return {.bytes_per_particle = static_cast<double>(sizeof(double)) * (2.0 + 2.0 * scene.dim())};
}

}  // namespace repose::flight
