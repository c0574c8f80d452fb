#pragma once

#include "experiments/common/figure.h"

namespace repose::experiments::klar2016 {

/// Time per frame of eleven scenes [Klar16 Table 2], beside blocks of their sizes on this machine.
Figure table2_performance();

}  // namespace repose::experiments::klar2016
