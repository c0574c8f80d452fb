#pragma once

#include <csignal>

namespace repose::experiments {

/// While one exists, the first SIGINT or SIGTERM only sets a mark, so that work can stop at a clean place; the second
/// one ends the program as usual. Guards nest: hold one around a series of runs and all of them see the mark.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// Whether a signal came since the outermost guard was made.
  static bool requested();

 private:
  struct sigaction old_int_ {};
  struct sigaction old_term_ {};
  bool outermost_ = false;
};

/// While one exists, SIGINT and SIGTERM end the program at once, inside guards too: for long work that leaves nothing
/// to keep, such as sampling a body. The exit code is that of an interrupted run, 130. A signal that came before ends
/// it here.
class NothingToKeep {
 public:
  NothingToKeep();
  ~NothingToKeep();
  NothingToKeep(const NothingToKeep&) = delete;
  NothingToKeep& operator=(const NothingToKeep&) = delete;

 private:
  struct sigaction old_int_ {};
  struct sigaction old_term_ {};
};

}  // namespace repose::experiments
