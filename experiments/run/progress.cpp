#include "experiments/run/progress.h"
#include "experiments/run/console.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace repose::experiments {

ProgressLine::ProgressLine(bool wanted, std::string label)
    : shown_(wanted && isatty(STDERR_FILENO) != 0), label_(std::move(label)) {}

ProgressLine::~ProgressLine() {
  if (shown_ && last_ != Clock::time_point{}) std::fputs("\r\x1b[K", stderr);
}

void ProgressLine::update(const State& state) {
  if (!shown_) return;
  const auto now = Clock::now();
  if (last_ != Clock::time_point{} && now - last_ < std::chrono::milliseconds(200)) return;
  last_ = now;
  const double done = state.time - state.start_time;
  const double wall = std::chrono::duration<double>(now - start_).count();
  // The sand's past rate is the best guess for what is left; before the first step there is none.
  const std::string left = done > 0.0 ? human_time(wall * (state.end_time - state.time) / done) + " left"
                                      : std::string("starting");
  tell("\r{}{}frame {}/{}  {:.4g} of {:.4g} s  {} steps  {:.2e} particle-steps/s  {}\x1b[K", label_,
       label_.empty() ? "" : "  ", state.frame, state.frames, state.time, state.end_time, state.steps,
       state.particle_steps_per_s, left);
  std::fflush(stderr);
}

std::string human_time(double seconds) {
  if (seconds < 1.0) return fmt::format("{:.0f} ms", seconds * 1e3);
  if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string human_bytes(std::uint64_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (value < 1e6) return fmt::format("{:.0f} kB", value / 1e3);
  if (value < 1e9) return fmt::format("{:.0f} MB", value / 1e6);
  return fmt::format("{:.1f} GB", value / 1e9);
}

}  // namespace repose::experiments
