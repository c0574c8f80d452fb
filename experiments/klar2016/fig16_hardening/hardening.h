#pragma once

#include "experiments/figures/figure.h"

namespace repose::experiments::klar2016 {

/// "Three particles in a collapsing pile of sand are colored for reference. As these particles deform plastically, their
/// yield surface changes as they undergo hardening, resulting in a wider cone for projection."  [Klar16 Fig.16]
Figure hardening();

}  // namespace repose::experiments::klar2016
