#pragma once

#include "reference/interface/solve_history.h"
#include "validation/crosscheck/cases.h"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace repose::invariants {

/// What an implicit solve took.
struct Work {
  int newton = 0;    ///< iterations of Newton's method
  int gmres = 0;     ///< products with the matrix
  int halvings = 0;  ///< of Newton's moves
  int contacts = 0;  ///< pairs of node and body that hold at its end
  bool operator==(const Work&) const = default;
};

Work work_of(const SolveHistory& history);

/// Of the first solve of a case by one solver, kept from when it was last looked at.
struct KeptWork {
  std::string_view case_name;
  std::string_view solver;
  Work work;
};
std::span<const KeptWork> kept_work();

/// Cases of which the work is kept: scenarios of semi- and fully implicit steps, of sand and of both phases, in the setups
/// of the first half, but that of nothing but rounding, whose iterations follow from the last bits, and those without a step.
std::vector<crosscheck::CaseName> cases_of_work(int dim);

/// The first solve of such a case. @throws SimulationError where there is none
Work first_work(std::string_view solver, const crosscheck::CaseName& one);

/// As many contacts; one iteration of Newton's method more or less with what it takes of GMRES, and a fiftieth of the
/// products, at least one. A solve with halvings goes on from each in another way: there a quarter.
bool within_one_iteration(const Work& kept, const Work& now);

}  // namespace repose::invariants
