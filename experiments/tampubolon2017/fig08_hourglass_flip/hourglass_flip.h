#pragma once

#include "experiments/figures/figure.h"

namespace repose::experiments::tampubolon2017 {

/// An hourglass that is turned over, "with and without our volume correction treatment" at two resolutions: without it the
/// sand's volume grows with each turn.  [Tam17 Fig.8]
Figure hourglass_flip();

}  // namespace repose::experiments::tampubolon2017
