#pragma once

#include "validation/crosscheck/cases.h"
#include "validation/crosscheck/lockstep.h"

namespace repose::crosscheck {

enum class Verdict : unsigned char {
  pass,
  differs,
  mistrusted,  ///< nothing differs, but the case did not exercise what it is there for
  refused      ///< could not be judged: both solvers stopped, or one cannot take part
};

std::string_view name_of(Verdict verdict);

/// Builds a solver of one kind.
using Factory = std::function<std::unique_ptr<Solver>(const Scene&, const SolverOptions&)>;

/// Outcome of one case.
struct CaseReport {
  std::string name;
  std::string suite;  ///< "lockstep", "bits", "exact" or "invariants"
  Setup setup;
  std::string candidate;
  bool takes_long = false;  ///< Scenario::takes_long
  Verdict verdict = Verdict::refused;
  Lockstep lockstep;
  std::vector<std::string> shortfalls;  ///< what was not exercised, or why there is no verdict
  double seconds = 0.0;
};

/// Lock-step comparison of one case. The reference is always built in double on one thread.
CaseReport run_case(const Case& c, const Factory& candidate, const Factory& reference,
                    std::string_view simd = "");

/// Options of a setup.
SolverOptions options_of(const Setup& setup, std::string_view simd);

/// Runs `judge` and turns what it throws into the verdict refused; measures its time.
void guard(CaseReport& report, const std::function<void()>& judge);

}  // namespace repose::crosscheck
