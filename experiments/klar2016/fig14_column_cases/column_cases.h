#pragma once

#include "experiments/figures/figure.h"

namespace repose::experiments::klar2016 {

/// "A column of sand collapses into a pile. Sand particles are colored based on their current plastic deformation
/// behavior. The plot shows the locations of these particles in principal stress space."  [Klar16 Fig.14]
Figure column_cases();

}  // namespace repose::experiments::klar2016
