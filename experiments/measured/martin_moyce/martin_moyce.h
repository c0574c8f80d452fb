#pragma once

#include "experiments/figures/figure.h"

namespace repose::experiments::measured {

/// Martin and Moyce 1952: front and height of a column of water that is let go.
Figure martin_moyce();

}  // namespace repose::experiments::measured
