#pragma once

#include "validation/faults/model.h"

namespace repose::faults {

/// mpm's stages with its known mistakes (mistake.h).
const Model& mpm_model();

}  // namespace repose::faults
