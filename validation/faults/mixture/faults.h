#pragma once

#include "validation/faults/model.h"

namespace repose::faults {

/// mixture's stages with its known mistakes (mistake.h).
const Model& mixture_model();

}  // namespace repose::faults
