#pragma once

#include "experiments/figures/figure.h"

namespace repose::experiments::klar2016 {

/// "FLIP tends to accumulate spurious velocities on particles. In some cases, FLIP leads to unstable behavior, as was
/// the case in this simulation."  [Klar16 Fig.17]
Figure apic_vs_flip();

}  // namespace repose::experiments::klar2016
