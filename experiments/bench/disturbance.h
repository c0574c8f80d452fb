#pragma once

#include <map>
#include <string>
#include <string_view>

namespace repose::experiments {

/// What a stretch of work of this process took.
struct Stretch {
  double wall = 0.0;  ///< [s]
  double cpu = 0.0;   ///< processor time of all threads together [s]
  /// Time in which threads could have run and stood in line, all together [s]; < 0: not known
  double waited = 0.0;
  double times = 0.0;  ///< how often they stood in line until they got a processor

  Stretch& operator+=(const Stretch& behind);
};

/// Times a stretch from construction to stop().
class StretchTimer {
 public:
  StretchTimer();
  Stretch stop() const;

 private:
  std::map<std::string, Stretch> waited_;  ///< by thread; empty where the system does not say
  double cpu_ = 0.0;
  double wall_ = 0.0;
};

/// The share of a stretch's wall time that other work may have added, in [0, 1]; < 0 where nobody can tell.
///
/// Processor and wall time alone tell on one thread only, where they differ by what the thread stood in line. Several
/// threads also sleep while they wait for each other: their processor time says nothing. Linux counts per thread for how
/// long it stood in line for a processor (/proc/self/task/*/schedstat): a thread that sleeps or runs adds nothing, and one
/// that stands in line delays the end of a loop by no more than that. So their sum bounds what was added. A thread that
/// sleeping ones wake stands in line for a moment on an idle machine too: `waking_s` each time is no other's work.
double disturbed_share(const Stretch& stretch, int threads);

/// What an idle processor may take to start a thread that was woken. On a busy one it takes 140 to 190 µs on average (two
/// threads, 8000 particles, beside thirty other programs); where 50 µs were allowed for, steps that took 1.5 times as long
/// looked undisturbed.
inline constexpr double waking_s = 20e-6;

enum class Timing : unsigned char { undisturbed, disturbed, unknown };

/// From which share on a timing is disturbed: half of the tenth by which `repose bench --compare` calls a row slower.
inline constexpr double disturbed_from = 0.05;

/// Of a share. Of several repetitions the median share decides, as the median of their times is what is reported.
Timing timing_of(double share);
std::string_view to_string(Timing timing);

}  // namespace repose::experiments
