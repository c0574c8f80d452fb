#pragma once

#include "validation/crosscheck/run_case.h"
#include "validation/faults/fault.h"

#include <nlohmann/json_fwd.hpp>

namespace repose::faults {

/// Those of all methods.
const std::vector<Fault>& faults();

/// @throws BadInput naming the faults there are
const Fault& fault_named(std::string_view name);

/// What the cross-check says about a fault in one precision.
struct Trial {
  const Fault* fault = nullptr;
  Precision precision = Precision::double_;
  crosscheck::CaseReport control;  ///< the same stage replaced without the mistake: must pass
  crosscheck::CaseReport report;   ///< with the mistake: must differ
  std::string case_name;

  bool control_passes() const;
  bool killed() const;       ///< the fault is seen
  bool well_placed() const;  ///< and the right boundary and field are named
};

/// Plants a fault into a solver and runs the case meant for it, without and with the fault.
/// @param base solver that carries the fault, in a precision it has
Trial try_fault(const Fault& fault, Precision precision, std::string_view base,
                const crosscheck::Factory& reference);

std::string table_head();
std::string row(const Trial& trial);

/// {"faults": [{"name", "class", "precision", "killed_by", "stage", "field", …}], "survivors": [names]}
nlohmann::json to_json(const std::vector<Trial>& trials);

}  // namespace repose::faults
