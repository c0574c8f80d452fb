#pragma once

#include "experiments/picture/look.h"

namespace repose::experiments {

/// mixture tells the cohesion of each grain [Pa] and how much water is compressed, 1 − J [-].
Look mixture_look();

}  // namespace repose::experiments
