#pragma once

#include "experiments/figures/figure.h"

namespace repose::experiments::klar2016 {

/// "Varying the friction angle changes the shape of a pile of sand. A larger angle produces a taller sand pile with
/// steeper sides."  [Klar16 Fig.13]
Figure friction_angle();

}  // namespace repose::experiments::klar2016
