#pragma once

#include "optimized/threads.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>

namespace repose::optimized {

/// Which threads take iterations of one loop that hands them out as threads come: for Solver::stage_threads().
///
/// One thread may be through before another is awake. In a team that shares every loop, for tests
/// (SolverOptions::all_threads), each waits with its first iteration until all have one, so that they do meet. Which
/// iterations a thread takes is left open as ever. Who waits sleeps: one that yields is put behind everybody else on a busy
/// machine, and such a loop took ten times as long beside other work.
class Attendance {
 public:
  /// @param chunks portions in which the loop is handed out: no more threads can have any
  Attendance(const Team& team, std::size_t chunks) : waits_(team.always()), chunks_(chunks) {}

  /// Each thread says so in each of its iterations.
  /// @param came its own, false at first
  void take(bool& came) {
    if (came) return;
    came = true;
    count_.fetch_add(1, std::memory_order_relaxed);
    if (!waits_) return;
    const std::size_t all = std::min(static_cast<std::size_t>(omp_get_num_threads()), chunks_);
    // Whoever waits takes no second portion, so there is one for each. Relaxed: it orders nothing else, and hides no race
    // from the thread sanitizer.
    while (count_.load(std::memory_order_relaxed) < all)
      std::this_thread::sleep_for(std::chrono::microseconds(20));
  }

  /// Threads that had iterations, once the loop is over.
  int count() const { return static_cast<int>(count_.load(std::memory_order_relaxed)); }

 private:
  const bool waits_;
  const std::size_t chunks_;
  std::atomic<std::size_t> count_{0};
};

/// Portions of `iterations` in chunks.
inline std::size_t portions(std::size_t iterations, int chunk) {
  return (iterations + static_cast<std::size_t>(chunk) - 1) / static_cast<std::size_t>(chunk);
}

}  // namespace repose::optimized
