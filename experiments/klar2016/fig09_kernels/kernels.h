#pragma once

#include "experiments/figures/figure.h"

namespace repose::experiments::klar2016 {

/// "Cubic (blue) and quadratic (red) splines used for computing interpolation weights."  [Klar16 Fig.9]
Figure kernels();

}  // namespace repose::experiments::klar2016
