#pragma once

#include <cstddef>
#include <functional>

namespace repose::experiments {

/// Jobs 0 … count − 1 that need nothing of each other.
struct Jobs {
  std::size_t count = 0;
  /// Does one and keeps its result, on any thread.
  std::function<void(std::size_t)> run;
  /// Takes one's result, on the calling thread and in the order of the jobs. False: enough, no further one is begun, and
  /// those that run are waited for.
  std::function<bool(std::size_t)> take;
};

/// Runs jobs on `workers` threads, in their order as far as they are begun; with one worker on the calling thread. No job is
/// begun that is further ahead of the next to be taken than 64 per worker: so many results wait at most. What a job
/// throws is thrown here in its turn.
void side_by_side(const Jobs& jobs, int workers);

}  // namespace repose::experiments
