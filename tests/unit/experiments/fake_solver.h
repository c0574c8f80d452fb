#pragma once

#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/solver.h"

#include <array>
#include <functional>

namespace repose::test {

/// A solver whose particles fly freely. It keeps a secret beside the portable fields (a counter that shifts the flight by
/// roundings), so that only its native fields continue a run bit for bit.
class FakeSolver : public Solver {
 public:
  explicit FakeSolver(const Scene& scene) : scene_(scene) {}

  std::function<void(std::int64_t step)> before_step{};

  std::string_view name() const override { return "fake"; }
  Rounding rounding() const override { return {.unit = 0x1p-53, .position = 0.0, .strain = "F"}; }
  std::span<const Boundary> boundaries() const override { return ends_; }
  void load(const Snapshot& snapshot) override {
    state_ = snapshot;
    const Field* secret = snapshot.find("native.secret");
    secret_ = secret == nullptr ? 1.0 : secret->value[0];
    state_.erase("native.secret");
  }
  void append(const Snapshot& more) override { repose::append(state_, more); }
  Snapshot save(Boundary, bool native) const override {
    Snapshot saved = state_;
    if (native) {
      saved.set(
          {.name = "native.secret", .unit = "", .place = Place::scene, .components = 1, .value = {secret_}});
    }
    return saved;
  }
  StepReport run(Boundary, Boundary, double dt) override {
    if (before_step) before_step(state_.step);
    auto& x = state_.get(field::x).value;
    const auto& v = state_.get(field::v).value;
    secret_ *= 1.0 + 1e-3;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += dt * v[i] * secret_;
    state_.time += dt;
    ++state_.step;
    const auto n = static_cast<std::uint64_t>(particles());
    StepReport report{.dt = dt, .max_speed = 1.0, .particles = n};
    report.counts[counter::active_nodes] = state_.step == 5 ? 9U : 7U;
    report.counts[counter::inside] = n - 1;
    report.counts[counter::tip] = 1;
    return report;
  }
  StepReport advance(const std::function<double(double)>& next_dt) override {
    return run(boundary::step_start, boundary::plasticity, next_dt(1.0));
  }
  double time() const override { return state_.time; }
  std::int64_t steps() const override { return state_.step; }
  std::size_t particles() const override { return state_.particles(); }

 private:
  static constexpr std::array<Boundary, 2> ends_{boundary::step_start, boundary::plasticity};
  Scene scene_;
  Snapshot state_;
  double secret_ = 1.0;
};

}  // namespace repose::test
