#include "tests/added_method/solvers.h"
#include "tests/added_method/standing.h"

#include <cmath>

namespace repose::flight {

namespace {

struct Grain {
  double mass = 0.0;
  Point x = Point::Zero(), u = Point::Zero();
  bool landed = false;
};

class Readable final : public Solver {
 public:
  explicit Readable(const Scene& scene) : scene_(scene) {}

  std::string_view name() const override { return "flight_readable"; }
  Rounding rounding() const override { return {.unit = 0x1p-53, .position = 0.0, .strain = ""}; }
  std::span<const Boundary> boundaries() const override { return stops; }

  void load(const Snapshot& state) override {
    require_loadable(state, scene_, table, stops);
    grains_.clear();
    standing_.load(state);
    take(state);
  }
  void append(const Snapshot& particles) override {
    require_appendable(particles, scene_, table, grains_.size());
    standing_.begin_step();
    take(particles);
  }
  Snapshot save(Boundary at, bool) const override {
    Snapshot state = standing_.head(at);
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
    standing_.require(from);
    if (from == boundary::step_start) standing_.begin_step();
    standing_.take(dt);
    StepReport report{.dt = dt, .max_speed = speed(), .particles = grains_.size()};
    const auto does = [&](Boundary stage) {
      return standing_.place_of(from) < standing_.place_of(stage) &&
             standing_.place_of(stage) <= standing_.place_of(to);
    };
    for (Grain& grain : grains_) {
      if (grain.landed) continue;
      if (does(flight)) {
        ++report.counts[flying];
        grain.u += dt * scene_.gravity;
        grain.x += dt * grain.u;
      }
      if (does(landing) && grain.x[1] <= ground(scene_)) {
        grain.landed = true;
        ++report.counts[landings];
      }
    }
    standing_.stand_at(to);
    return report;
  }
  StepReport advance(const std::function<double(double max_speed)>& next_dt) override {
    standing_.require(boundary::step_start);
    return run(boundary::step_start, landing, next_dt(speed()));
  }

  double time() const override { return standing_.time(); }
  std::int64_t steps() const override { return standing_.steps(); }
  std::size_t particles() const override { return grains_.size(); }

 private:
  std::size_t dim() const { return static_cast<std::size_t>(scene_.dim()); }

  double speed() const {
    double largest = 0.0;
    for (const Grain& grain : grains_) largest = std::max(largest, grain.u.norm());
    return largest;
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

  Scene scene_;
  Standing standing_;
  std::vector<Grain> grains_;
};

}  // namespace

std::unique_ptr<Solver> make_readable(const Scene& scene, const SolverOptions&) {
  return std::make_unique<Readable>(scene);
}

Footprint footprint(const Scene& scene, const SolverOptions&) {
  return {.bytes_per_particle = static_cast<double>(sizeof(double)) * (2.0 + 2.0 * scene.dim())};
}

}  // namespace repose::flight
