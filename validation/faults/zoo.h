#pragma once

#include "validation/crosscheck/run_case.h"
#include "validation/faults/mpm/mistake.h"

#include <nlohmann/json_fwd.hpp>

namespace repose::faults {

/// A known mistake, the case meant for it, and where it must be seen first.
struct Fault {
  std::string name;
  /// Transfers, forces, contact, friction, update, plasticity, hardening, precision, implicit, periodic
  std::string category;
  Mistake mistake = Mistake::none;
  std::string scenario;
  int dim = 3;
  Kernel kernel = Kernel::cubic;
  Transfer transfer = Transfer::apic;
  std::string stage;  ///< boundary at which it must be named
  std::string field;  ///< field that must be named
};

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
