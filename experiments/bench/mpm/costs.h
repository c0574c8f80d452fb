#pragma once

#include "experiments/bench/roofline.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/solver.h"

#include <vector>

namespace repose::experiments {

/// The stages of an APIC step with hardening and volume correction, in the order of the step.
///
/// Bytes: p2g reads the numbers of a particle's record that the transfer needs, its place in the order (5 B),
/// and writes its share of a block's tile; grid reads the tiles and writes one record of four numbers per node, v̄;
/// g2p (to the end of the step: gather, update, return mapping) reads what it needs of the record and
/// writes all of it; sort touches the order alone. Share of a tile: its numbers over the particles of a full
/// block. Flops: sums contracted axis by axis; polynomials of the logarithm and exponential; divisions,
/// roots, sines and exponentials as 1, 1, 15 and 15. Padding to full vectors is not work and not counted.
std::vector<StageCost> stage_costs(int dim, Kernel kernel, Precision precision);

}  // namespace repose::experiments
