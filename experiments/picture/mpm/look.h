#pragma once

#include "experiments/picture/look.h"

namespace repose::experiments {

/// mpm tells where a particle's stress lies, its hardening state q [-] and its pressure −tr(τ)/d, of the Kirchhoff stress [kPa].
Look mpm_look();

}  // namespace repose::experiments
