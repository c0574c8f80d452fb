#pragma once

#include "experiments/figures/figure.h"

namespace repose::experiments::tampubolon2017 {

/// Tampubolon 2017, Figure 3: blocks of sand of several cohesions fall on a wedge.
Figure dropped_on_wedge();

}  // namespace repose::experiments::tampubolon2017
