#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace repose::experiments {

/// One line on stderr that is rewritten a few times per second: frame, simulated time, steps, particle-steps/s, time
/// left. Silent unless wanted and stderr is a terminal.
class ProgressLine {
 public:
  ProgressLine(bool wanted, std::string label);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  struct State {
    std::int64_t frame = 0;  ///< completed
    std::int64_t frames = 0;
    double time = 0.0;        ///< simulated [s]
    double start_time = 0.0;  ///< where this run began [s]
    double end_time = 0.0;    ///< [s]
    std::int64_t steps = 0;
    double particle_steps_per_s = 0.0;
  };
  void update(const State& state);

 private:
  using Clock = std::chrono::steady_clock;
  bool shown_;
  std::string label_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_{};
};

/// "950 ms", "12.3 s", "4 min 05 s", "2 h 10 min".
std::string human_time(double seconds);
/// "1.2 GB", "35 MB".
std::string human_bytes(std::uint64_t bytes);

}  // namespace repose::experiments
