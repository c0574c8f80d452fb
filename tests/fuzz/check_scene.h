#pragma once

#include "tests/fuzz/outcome.h"

#include <string>

namespace repose::fuzz {

/// Everything a scene file meets: reader, checks, writer and reader again, estimate of sizes; where it is small also
/// sampling, both solvers and two steps. @throws Finding
Reached check_scene(const std::string& text);

}  // namespace repose::fuzz
