#pragma once

#include "experiments/figures/figure.h"

namespace repose::experiments::klar2016 {

/// "The yield surface for Drucker-Prager is shown in principle stretch space. The yield surface has the shape of a cone
/// with its tip at the origin, which corresponds to no stress."  [Klar16 Fig.15]
Figure yield_surface();

}  // namespace repose::experiments::klar2016
