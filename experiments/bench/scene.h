#pragma once

#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"

#include <cstdint>
#include <functional>
#include <string_view>

namespace repose::experiments {

/// How the block of sand of all measurements moves.
enum class Motion : unsigned char {
  rest,  ///< walls hold it, and its stress carries its weight: nearly no particle moves or yields
  flow   ///< the same block after its walls were taken away, well into its collapse: most particles yield
};
std::string_view to_string(Motion motion);

/// A scene with a state to start from.
struct BenchBlock {
  Scene scene;
  Snapshot state;
};

/// A cube of sand (a square in 2D) of 1 m, one jittered particle in each half-cell: 8 per cell, 4 in 2D.
/// APIC, Table 3's hardening sand 35/9/0.2/10 with volume correction. Its strain is that of a column that
/// cannot spread, so that the stress at every height carries the weight above:
///     ε_yy = −ρ g (H − y)/(λ + 2μ)
/// For motion flow the room is three times as wide, and the state is the same block before its collapse.
/// @param particles wanted; the edge is a whole number of cells
BenchBlock bench_block(int dim, Kernel kernel, std::int64_t particles, Motion motion);

/// What bench_block() comes to, without its particles: grid, kernel, and the block as a body to be sampled.
Scene bench_outline(int dim, Kernel kernel, std::int64_t particles);

/// Simulated time from the block's release until it is "in flow" [s]: somewhat more than half the time of a
/// free fall over its height.
inline constexpr double seconds_into_flow = 0.25;

/// Runs a block with the optimized solver in float for seconds_into_flow and puts the state reached into it,
/// at time 0.
/// @param progress called after each step with the share of the way that is done; may be empty
void run_into_flow(BenchBlock& block, int threads, const std::function<void(double share)>& progress);

}  // namespace repose::experiments
