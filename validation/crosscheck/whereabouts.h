#pragma once

#include "reference/interface/solver.h"

#include <array>
#include <csignal>
#include <memory>
#include <string_view>

namespace repose::crosscheck {

/// The same solver, which notes for CrashTold what it is about: loading, a stage by the boundary it leads to, or a whole step,
/// `advance`.
/// @param case_name as in the table of `repose verify`
std::unique_ptr<Solver> noted(std::unique_ptr<Solver> inner, std::string_view case_name);

/// While one exists, a signal by which a mistake ends the program (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) first tells on standard
/// error what each noted solver was about, a line each:
///
///     repose: signal 11 in endless_slope/apic-2d-quadratic-float-1t by optimized at g2p
///
/// Whoever handles a signal already (a sanitizer, a debugger) keeps it.
class CrashTold {
 public:
  CrashTold();
  ~CrashTold();
  CrashTold(const CrashTold&) = delete;
  CrashTold& operator=(const CrashTold&) = delete;

 private:
  static constexpr std::array<int, 5> signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  std::array<bool, signals.size()> taken_{};
};

}  // namespace repose::crosscheck
