#pragma once

#include "reference/interface/solver.h"

#include <cstdint>
#include <string>

namespace repose::method {

/// What explicit steps of material points did, in two lines: of mpm's counters those that the mixture has too.
std::string describe_explicit_steps(const Counts& n, std::uint64_t particle_steps);

}  // namespace repose::method
