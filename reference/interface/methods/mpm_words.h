#pragma once

#include "reference/interface/solver.h"

#include <cstdint>
#include <string>

namespace repose::method {

/// What steps of material points did, by mpm's counters, which the mixture has too: two lines, and one of solves.
std::string describe_steps(const Counts& n, std::uint64_t particle_steps);

}  // namespace repose::method
