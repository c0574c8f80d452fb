#pragma once

#include "experiments/figures/figure.h"

namespace repose::experiments::liu2021 {

/// Liu 2021, Figure 2: a block of sand falls and piles up.
Figure sand();

}  // namespace repose::experiments::liu2021
