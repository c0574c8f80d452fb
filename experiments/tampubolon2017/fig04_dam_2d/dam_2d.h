#pragma once

#include "experiments/figures/figure.h"

namespace repose::experiments::tampubolon2017 {

/// Tampubolon 2017, Figure 4: a dam in two dimensions with and without the reversible term.
Figure dam_2d();

}  // namespace repose::experiments::tampubolon2017
