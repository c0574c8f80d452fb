#pragma once

#include "reference/interface/snapshot_check.h"
#include "tests/added_method/flight.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace repose::flight {

inline constexpr std::array<Boundary, 3> stops{boundary::step_start, flight, landing};

/// Where the fast solver of this method stands; the readable one has the stage machine of its kind.
class Standing {
 public:
  std::size_t place_of(Boundary at) const {
    const auto found = std::find(stops.begin(), stops.end(), at);
    if (found == stops.end()) throw std::invalid_argument("no boundary '" + std::string(at) + "'");
    return static_cast<std::size_t>(found - stops.begin());
  }
  void require(Boundary at) const {
    const std::size_t asked = place_of(at);
    if (asked != at_ && !(asked == 0 && at_ == last)) throw std::logic_error("the solver stands elsewhere");
  }
  void load(const Snapshot& state) {
    at_ = place_of(state.at);
    time_ = state.time;
    dt_ = state.dt;
    step_ = state.step;
  }
  /// A state without fields.
  Snapshot head(Boundary at) const {
    require(at);
    const bool next = at_ == last && place_of(at) == 0;
    Snapshot state;
    state.method = table.name;
    state.at = at;
    state.dt = dt_;
    state.time = next ? time() : time_;
    state.step = next ? steps() : step_;
    return state;
  }
  void begin_step() {
    if (at_ != last) return;
    time_ = time();
    ++step_;
    at_ = 0;
  }
  void take(double dt) { dt_ = dt; }
  void stand_at(Boundary at) { at_ = place_of(at); }

  double time() const { return at_ == last ? time_ + dt_ : time_; }
  std::int64_t steps() const { return at_ == last ? step_ + 1 : step_; }

 private:
  static constexpr std::size_t last = stops.size() - 1;
  std::size_t at_ = 0;
  double time_ = 0.0, dt_ = 0.0;
  std::int64_t step_ = 0;
};

}  // namespace repose::flight
