#pragma once

#include "experiments/figures/figure.h"

namespace repose::experiments::liu2021 {

/// "Water is falling from the top with some initial speed. The water then hits on the ground under the influence of gravity and
/// collides with the bottom, left and right boundary."  [Liu21 §5, Fig.1]
Figure water();

}  // namespace repose::experiments::liu2021
