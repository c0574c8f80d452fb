#pragma once

#include "reference/interface/base/error.h"
#include "reference/solver/stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace repose {

/// Takes the state of a readable solver through the stages of its method: where it stands, time and Δt, what may be done
/// there, the halving of Δt after a failed solve, the place in errors. What the stages do and what a state is made of it
/// does not know.
///
/// A state has `ids`, those of its particles (ParticleIds).
///
/// A solver that stands at the end of a step also stands at the start of the next, to which it goes on when that begins.
template <class State>
class StageMachine {
 public:
  StageMachine(const Scene& scene, std::span<const Stage<State>> stages) : scene_(scene), stages_(stages) {
    boundaries_.push_back(boundary::step_start);
    for (const Stage<State>& stage : stages) boundaries_.push_back(stage.end);
    seconds_.assign(stages.size(), 0.0);
  }

  /// The start of a step, then the end of each stage.
  std::span<const Boundary> boundaries() const { return boundaries_; }

  double time() const { return at_ == at_end() ? time_ + dt_ : time_; }       ///< [s]
  std::int64_t steps() const { return at_ == at_end() ? step_ + 1 : step_; }  ///< completed ones
  double dt() const { return dt_; }                                           ///< of the step in progress [s]
  StepContext context(double dt) const { return {scene_, time_, dt}; }

  /// @throws std::logic_error if the solver stands elsewhere, std::invalid_argument if no stage ends there
  void require(Boundary at, std::string_view what) const {
    const std::size_t asked = place_of(at);
    if (asked == at_ || (at_ == at_end() && asked == at_start)) return;
    throw std::logic_error(
        fmt::format("cannot {} at {}: the solver stands at {}", what, at, boundaries_[at_]));
  }

  /// Goes to where a snapshot was taken, whose state the solver has just taken over.
  void stand_at(const Snapshot& header) {
    at_ = place_of(header.at);
    time_ = header.time;
    dt_ = header.dt;
    step_ = header.step;
    forget();
  }

  /// Gives a saved state its time, number of steps and Δt.
  void stamp(Snapshot& saved) const {
    const bool next = at_ == at_end() && saved.at == boundary::step_start;
    saved.time = next ? time() : time_;
    saved.step = next ? steps() : step_;
    saved.dt = dt_;
  }

  /// From the end of a step to the start of the next. @throws std::logic_error if the solver stands in between
  void begin_step() {
    if (at_ == at_end()) {
      time_ = time();
      ++step_;
      at_ = at_start;
    }
    if (at_ != at_start) throw std::logic_error(fmt::format("the solver stands at {}", boundaries_[at_]));
  }

  /// Stages from … to − 1.
  struct Stretch {
    std::size_t from, to;
  };

  /// Makes ready for the stages between two boundaries with the caller's Δt [s].
  /// @throws std::logic_error, std::invalid_argument as Solver::run()
  Stretch enter(Boundary from, Boundary to, double dt) {
    require(from, "run");
    const std::size_t first = place_of(from) == at_end() ? at_start : place_of(from);
    const std::size_t last = place_of(to);
    if (last < first) throw std::invalid_argument(fmt::format("cannot run from {} back to {}", from, to));
    if (first == at_start) begin_step();
    set_dt(dt, first);
    return {first, last};
  }

  /// Runs them; before() knows of them afterwards. The caller's Δt is not the machine's to cut.
  void run(State& state, Stretch stretch, StepReport& report) {
    observed_ = Observed{state, stretch};
    int made = 0;
    for (std::size_t n = stretch.from; n < stretch.to; ++n) run_stage(n, state, report, made, 0);
  }

  /// Runs a whole step of at most dt [s]; the solver stands at its start.
  /// @param cuts halvings of Δt after failed solves that are allowed  @returns those that were made
  int step(State& state, double dt, int cuts, StepReport& report) {
    forget();
    set_dt(dt, at_start);
    int made = 0;
    for (std::size_t n = 0; n < stages_.size(); ++n) run_stage(n, state, report, made, cuts);
    return made;
  }

  /// The state before the stage that ends at `end`, as it was in the last run(); recomputed, so that unobserved steps pay
  /// nothing. @throws std::logic_error if the last run() did not have that stage
  State before(Boundary end, std::string_view asked) const {
    if (!observed_) throw std::logic_error("sums are known after run() only");
    const std::size_t stage = place_of(end) - 1;
    if (stage < observed_->ran.from || stage >= observed_->ran.to) {
      throw std::logic_error(fmt::format("the last run() did not compute the field '{}'", asked));
    }
    State state = observed_->start;
    StepReport unused;
    for (std::size_t n = observed_->ran.from; n < stage; ++n) stages_[n].run(state, context(dt_), unused);
    return state;
  }
  /// before() knows of no run any more: the state was changed from outside.
  void forget() { observed_.reset(); }

  /// An error at a boundary of the step in progress.
  SimulationError located(const StageFailure& failure, const State& state, Boundary at) const {
    return SimulationError(failure.what(), id_of(failure, state), step_, at);
  }

  /// Time of each stage since the last call [s].
  std::vector<std::pair<std::string, double>> stage_seconds() {
    std::vector<std::pair<std::string, double>> result;
    for (std::size_t n = 0; n < seconds_.size(); ++n)
      result.emplace_back(stages_[n].end, std::exchange(seconds_[n], 0.0));
    return result;
  }

 private:
  static constexpr std::size_t at_start = 0;

  struct Observed {
    State start;
    Stretch ran;
  };

  std::size_t at_end() const { return stages_.size(); }

  static std::int64_t id_of(const StageFailure& failure, const State& state) {
    return failure.particle < 0 ? -1 : state.ids.of(static_cast<std::size_t>(failure.particle));
  }

  std::size_t place_of(Boundary at) const {
    const auto found = std::find(boundaries_.begin(), boundaries_.end(), at);
    if (found == boundaries_.end()) throw std::invalid_argument(fmt::format("no boundary '{}'", at));
    return static_cast<std::size_t>(found - boundaries_.begin());
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

  /// @param made halvings of Δt in this step so far, of which `cuts` are allowed
  void run_stage(std::size_t n, State& state, StepReport& report, int& made, int cuts) {
    const auto start = std::chrono::steady_clock::now();
    for (bool done = false; !done;) {
      try {
        stages_[n].run(state, context(dt_), report);
        done = true;
      } catch (const SolveFailure& failure) {
        if (made == cuts) {
          throw SimulationError(
              fmt::format("no implicit step of {} s, after {} cuts: {}", dt_, cuts, failure.what()),
              id_of(failure, state), step_, stages_[n].end);
        }
        ++made;
        dt_ *= 0.5;
      } catch (const StageFailure& failure) {
        throw located(failure, state, stages_[n].end);
      }
    }
    at_ = n + 1;
    seconds_[n] += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  const Scene& scene_;
  std::span<const Stage<State>> stages_;
  std::vector<Boundary> boundaries_;
  std::size_t at_ = at_start;  ///< index into boundaries_: stage n ends at n + 1
  double time_ = 0.0;          ///< at the start of the step in progress or just done [s]
  double dt_ = 0.0;            ///< of that step [s]
  std::int64_t step_ = 0;      ///< steps completed before it
  std::optional<Observed> observed_;
  std::vector<double> seconds_;  ///< per stage [s]
};

}  // namespace repose
