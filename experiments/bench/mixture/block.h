#pragma once

#include "experiments/bench/block.h"

namespace repose::experiments {

/// The block of the mixture: that of mpm (bench_block()) of cohesive sand, full of water. In each half-cell are a grain and a drop,
/// so that all nodes are of both phases; drag joins them. Water's volumes carry the water above, as the sand's strains do the sand.
/// Its variants are the kernels, and it flows where sand yields. Grains and drops are counted alike.
MethodBlock mixture_block();

}  // namespace repose::experiments
