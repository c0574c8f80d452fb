#include "reference/interface/solver.h"

#include <stdexcept>

namespace repose {

Sums Solver::sums(std::string_view field) const {
  throw std::logic_error("solver '" + std::string(name()) + "' keeps no sums (asked for '" + std::string(field) +
                         "')");
}

}  // namespace repose
