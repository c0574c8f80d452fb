#include "experiments/bench/disturbance.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>

namespace repose::experiments {

namespace {

namespace fs = std::filesystem;

double seconds(clockid_t clock) {
  std::timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// How long and how often each thread has stood in line so far.
std::map<std::string, Stretch> waited_by_thread() {
  std::map<std::string, Stretch> waited;
  std::error_code error;
  for (fs::directory_iterator task("/proc/self/task", error), end; !error && task != end;
       task.increment(error)) {
    std::ifstream file(task->path() / "schedstat");
    double ran_ns = 0.0;
    double waited_ns = 0.0;
    double times = 0.0;
    if (file >> ran_ns >> waited_ns >> times)
      waited[task->path().filename().string()] = {.waited = 1e-9 * waited_ns, .times = times};
  }
  return waited;
}

}  // namespace

Stretch& Stretch::operator+=(const Stretch& behind) {
  wall += behind.wall;
  cpu += behind.cpu;
  times += behind.times;
  waited = waited < 0.0 || behind.waited < 0.0 ? -1.0 : waited + behind.waited;
  return *this;
}

// What reading the threads' files takes must not be part of the stretch.
StretchTimer::StretchTimer()
    : waited_(waited_by_thread()), cpu_(seconds(CLOCK_PROCESS_CPUTIME_ID)), wall_(seconds(CLOCK_MONOTONIC)) {}

Stretch StretchTimer::stop() const {
  Stretch stretch{.wall = seconds(CLOCK_MONOTONIC) - wall_, .cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_};
  if (waited_.empty()) {
    stretch.waited = -1.0;
    return stretch;
  }
  for (const auto& [thread, now] : waited_by_thread()) {
    const auto found = waited_.find(thread);
    const Stretch before = found != waited_.end() ? found->second : Stretch{};
    stretch.waited += now.waited - before.waited;
    stretch.times += now.times - before.times;
  }
  return stretch;
}

double disturbed_share(const Stretch& stretch, int threads) {
  if (!(stretch.wall > 0.0)) return -1.0;
  if (stretch.waited >= 0.0)
    return std::clamp((stretch.waited - waking_s * stretch.times) / stretch.wall, 0.0, 1.0);
  return threads == 1 ? std::clamp(1.0 - stretch.cpu / stretch.wall, 0.0, 1.0) : -1.0;
}

Timing timing_of(double share) {
  if (share < 0.0) return Timing::unknown;
  return share > disturbed_from ? Timing::disturbed : Timing::undisturbed;
}

std::string_view to_string(Timing timing) {
  return timing == Timing::undisturbed ? "undisturbed"
         : timing == Timing::disturbed ? "disturbed"
                                       : "unknown";
}

}  // namespace repose::experiments
