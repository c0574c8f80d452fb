#pragma once

#include "reference/interface/solver.h"

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace repose {

/// A solver with something wrong in it, or with fewer boundaries: all else is the wrapped solver's.
class Wrapper : public Solver {
 public:
  explicit Wrapper(std::unique_ptr<Solver> inner) : inner_(std::move(inner)) {
    const auto all = inner_->boundaries();
    listed.assign(all.begin(), all.end());
  }

  /// What brought the solver to where it stands.
  enum class Last : unsigned char { nothing, load, append, run, advance };
  Last last = Last::nothing;

  std::optional<Rounding> stated;  ///< what rounding() says
  std::vector<Boundary> listed;    ///< what boundaries() says
  std::function<void(Snapshot&)> on_load = [](Snapshot&) {};
  std::function<void(Snapshot&)> on_append = [](Snapshot&) {};
  std::function<void(Snapshot&)> on_save = [](Snapshot&) {};
  std::function<void(Boundary to)> on_run = [](Boundary) {};
  std::function<void(Boundary to, StepReport&)> on_report = [](Boundary, StepReport&) {};
  std::function<double(double)> on_speed = [](double speed) { return speed; };  ///< by which Δt is chosen
  std::function<void(Solver&, StepReport&)> on_advance = [](Solver&, StepReport&) {};  ///< behind the step

  std::string_view name() const override { return "wrapper"; }
  Rounding rounding() const override { return stated ? *stated : inner_->rounding(); }
  std::span<const Boundary> boundaries() const override { return listed; }
  void load(const Snapshot& snapshot) override {
    Snapshot changed = snapshot;
    on_load(changed);
    inner_->load(changed);
    last = Last::load;
  }
  void append(const Snapshot& particles) override {
    Snapshot changed = particles;
    on_append(changed);
    inner_->append(changed);
    last = Last::append;
  }
  Snapshot save(Boundary at, bool native) const override {
    Snapshot state = inner_->save(at, native);
    on_save(state);
    return state;
  }
  StepReport run(Boundary from, Boundary to, double dt) override {
    StepReport report = inner_->run(from, to, dt);
    last = Last::run;
    on_run(to);
    on_report(to, report);
    return report;
  }
  StepReport advance(const std::function<double(double max_speed)>& next_dt) override {
    StepReport report = inner_->advance([&](double speed) { return next_dt(on_speed(speed)); });
    last = Last::advance;
    on_advance(*inner_, report);
    return report;
  }
  Solver& inner() { return *inner_; }
  const Solver& inner() const { return *inner_; }

  double time() const override { return inner_->time(); }
  std::int64_t steps() const override { return inner_->steps(); }
  std::size_t particles() const override { return inner_->particles(); }

 private:
  std::unique_ptr<Solver> inner_;
};

}  // namespace repose
