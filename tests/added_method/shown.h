#pragma once

#include "experiments/bench/block.h"
#include "experiments/picture/look.h"

/// What the added method is measured on, and how its particles are drawn.
namespace repose::flight {

/// A cloud of 1 m above the ground, and at rest one that lies on it.
experiments::MethodBlock block();

experiments::Look look();

}  // namespace repose::flight
