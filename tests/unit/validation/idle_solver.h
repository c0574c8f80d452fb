#pragma once

#include "reference/interface/methods/all.h"
#include "reference/interface/scene/scene.h"
#include "reference/interface/solver.h"

#include <string>
#include <utility>
#include <vector>

namespace repose {

/// What a solver was asked for.
struct Asked {
  double particle_steps = 0.0;   ///< a stretch between two boundaries counts as its share of a step
  double particles_moved = 0.0;  ///< into it and out of it
};

/// Takes no step and counts what it would have to do: whoever works a solver through a problem is counted without the work.
class IdleSolver final : public Solver {
 public:
  IdleSolver(const Scene& scene, Asked& asked)
      : asked_(asked),
        method_(method::of(scene)),
        dim_(scene.dim()),
        stops_(method::boundaries(method_, scene.scheme.table().integrator(scene))) {}

  std::string_view name() const override { return "idle"; }
  Rounding rounding() const override { return {.unit = 0x1p-53, .position = 0.0, .strain = "F"}; }
  std::span<const Boundary> boundaries() const override { return stops_; }
  void load(const Snapshot& snapshot) override {
    state_ = snapshot;
    moved(state_);
  }
  void append(const Snapshot& particles) override {
    moved(particles);
    for (const Field& field : particles.fields) {
      std::vector<double>& to = state_.get(field.name).value;
      to.insert(to.end(), field.value.begin(), field.value.end());
    }
  }
  /// What it was loaded with, and at rest or without elements what else a state at that boundary has.
  Snapshot save(Boundary at, bool) const override {
    moved(state_);
    Snapshot state = state_;
    state.at = at;
    for (const method::FieldRow* row : method::fields_at(method_, at))
      if (state.find(row->name) == nullptr)
        state.set(blank(*row, dim_, row->place == Place::particle ? state.particles() : 0));
    return state;
  }
  /// For those who look often: beside a step it takes little.
  std::vector<double> positions() const override { return state_.get(field::x).value; }
  StepReport run(Boundary, Boundary to, double dt) override {
    asked_.particle_steps += static_cast<double>(particles()) / static_cast<double>(stops_.size() - 1);
    if (to == stops_.back()) ++state_.step;
    return {.dt = dt, .particles = particles()};
  }
  StepReport advance(const std::function<double(double max_speed)>& next_dt) override {
    asked_.particle_steps += static_cast<double>(particles());
    const double dt = next_dt(0.0);
    state_.time += dt;
    ++state_.step;
    return {.dt = dt, .particles = particles()};
  }
  double time() const override { return state_.time; }
  std::int64_t steps() const override { return state_.step; }
  std::size_t particles() const override { return state_.particles(); }

 private:
  void moved(const Snapshot& state) const {
    asked_.particles_moved += static_cast<double>(state.particles());
  }

  Asked& asked_;
  const method::Method& method_;
  int dim_;
  std::vector<Boundary> stops_;
  Snapshot state_;
};

}  // namespace repose
