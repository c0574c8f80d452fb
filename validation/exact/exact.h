#pragma once

#include "validation/crosscheck/run_case.h"
#include "validation/invariants/ledger.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace repose::exact {

/// A solver's factory and the setup of one case.
struct Trial {
  const crosscheck::Setup& setup;
  const crosscheck::Factory& make;
  std::string_view simd;

  std::unique_ptr<Solver> solver(const Scene& scene) const {
    return make(scene, crosscheck::options_of(setup, simd));
  }
};

/// A problem whose answer is known in closed form, put to one solver through the contract alone. No other solver is asked:
/// a mistake that all share shows.
struct Exact {
  std::string name;
  std::string what;     ///< in words
  std::string subject;  ///< of the Ledger
  std::vector<crosscheck::Setup> setups;
  bool takes_long = false;
  std::function<void(const Trial& trial, invariants::Ledger& ledger)> judge;
};

/// Of all methods.
const std::vector<Exact>& exact_problems();

/// Names and setups of all cases, "NAME/TRANSFER-DIM-KERNEL-PRECISION-THREADS".
std::vector<crosscheck::CaseName> exact_names();

/// @throws BadInput for an unknown problem
crosscheck::CaseReport run_exact(const crosscheck::CaseName& name, const crosscheck::Factory& candidate,
                                 std::string_view simd = "");

}  // namespace repose::exact
