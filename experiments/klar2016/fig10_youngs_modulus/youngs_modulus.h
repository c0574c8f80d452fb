#pragma once

#include "experiments/figures/figure.h"

namespace repose::experiments::klar2016 {

/// "Sand with a very low Young's modulus tends to be bouncy. The behavior is more like sand as the Young's modulus
/// approaches its physical value."  [Klar16 Fig.10]
Figure youngs_modulus();

}  // namespace repose::experiments::klar2016
