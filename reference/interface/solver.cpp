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

NodeImpulses Solver::impulses_at(std::span<const double>, double) const {
  throw std::logic_error("solver '" + std::string(name()) + "' takes no implicit steps here");
}

std::vector<double> Solver::impulse_change(std::span<const double>, std::span<const double>, double) const {
  throw std::logic_error("solver '" + std::string(name()) + "' takes no implicit steps here");
}

SolveHistory Solver::solve_history(double) const {
  throw std::logic_error("solver '" + std::string(name()) + "' takes no implicit steps here");
}

}  // namespace repose
