#pragma once

#include "experiments/bench/block.h"
#include "reference/interface/methods/mpm_options.h"

#include <cstdint>

namespace repose::experiments {

/// A cube of sand (a square in 2D) of 1 m, one jittered particle in each half-cell: 8 per cell, 4 in 2D.
/// APIC, Table 3's hardening sand 35/9/0.2/10 with volume correction. Its strain is that of a column that
/// cannot spread, so that the stress at every height carries the weight above:
///     ε_yy = −ρ g (H − y)/(λ + 2μ)
/// For motion flow the room is three times as wide, and the state is the same block before its collapse.
/// @param particles wanted; the edge is a whole number of cells
BenchBlock bench_block(int dim, Kernel kernel, std::int64_t particles, Motion motion);

/// What bench_block() comes to, without its particles: grid, kernel, and the block as a body to be sampled.
Scene bench_outline(int dim, Kernel kernel, std::int64_t particles);

/// The block of mpm: its variants are the kernels, and it flows where it yields.
MethodBlock mpm_block();

/// [Klar16 Table 2], whose rows are of the cubic kernel in 3D. @throws BadInput as table2_rows()
Published klar_table2();

}  // namespace repose::experiments
