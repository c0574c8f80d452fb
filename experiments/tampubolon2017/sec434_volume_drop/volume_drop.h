#pragma once

#include "experiments/figures/figure.h"

namespace repose::experiments::tampubolon2017 {

/// Tampubolon 2017, §4.3.4: how much of the volume that sand opened by its correction takes back.
Figure volume_drop();

}  // namespace repose::experiments::tampubolon2017
