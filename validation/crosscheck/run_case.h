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
  std::string suite;  ///< "lockstep", "bits" or "invariants"
  Setup setup;
  std::string candidate;
  bool takes_long = false;  ///< Scenario::takes_long
  Verdict verdict = Verdict::refused;
  Lockstep lockstep;
  std::vector<std::string> shortfalls;  ///< what was not exercised, or why there is no verdict
  double seconds = 0.0;
};

/// The share of plastic cases, contacts or frictions that a case may leave to rounding; more, and it is mistrusted. What lies
/// closer to a border than its error is a tie: of states spread over a range, twice the error by the range. Errors
/// of some hundred roundings of float against strains and speeds spread over their own size come to 10⁻⁴. Cases that put
/// nodes on walls or shear without volume change put up to 10⁻² of all there. Beyond a fiftieth either the bound is too wide
/// or nothing was decided. A single tie is chance.
inline constexpr double largest_share_of_ties = 0.02;

/// Lock-step comparison of one case. The reference is always built in double on one thread.
CaseReport run_case(const Case& c, const Factory& candidate, const Factory& reference,
                    std::string_view simd = "");

/// Options of a setup.
SolverOptions options_of(const Setup& setup, std::string_view simd);

/// Runs `judge` and turns what it throws into the verdict refused; measures its time.
void guard(CaseReport& report, const std::function<void()>& judge);

}  // namespace repose::crosscheck
