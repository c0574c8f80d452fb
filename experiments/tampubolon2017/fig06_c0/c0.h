#pragma once

#include "experiments/figures/figure.h"

namespace repose::experiments::tampubolon2017 {

/// Tampubolon 2017, Figure 6: what opening of the multiplier's envelope costs of the sand's volume.
Figure growing_c0();

}  // namespace repose::experiments::tampubolon2017
