#include "reference/interface/solver.h"

#include <stdexcept>

namespace repose {

std::vector<double> Solver::positions() const {
  return save(boundary::step_start, false).get(field::x).value;
}

Sums Solver::sums(std::string_view field) const {
  throw std::logic_error("solver '" + std::string(name()) + "' keeps no sums (asked for '" +
                         std::string(field) + "')");
}

std::vector<Field> Solver::probe(std::string_view asked, std::span<const Field>, double) const {
  throw std::logic_error("solver '" + std::string(name()) + "' has no answer to the probe '" +
                         std::string(asked) + "'");
}

SolveHistory Solver::solve_history(double) const {
  throw std::logic_error("solver '" + std::string(name()) + "' solves nothing here");
}

}  // namespace repose
