#pragma once

#include "experiments/figures/figure.h"

namespace repose::experiments::tampubolon2017 {

/// Tampubolon 2017, Figure 11: semi-implicit steps with both energies beside fully implicit ones.
Figure fully_implicit();

}  // namespace repose::experiments::tampubolon2017
