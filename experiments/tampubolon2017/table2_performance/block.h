#pragma once

#include "experiments/bench/table2_timing.h"
#include "experiments/figures/figure.h"
#include "reference/interface/scene/scene.h"

#include <cstddef>
#include <span>
#include <vector>

namespace repose::experiments::tampubolon2017 {

/// Size of the run, with the paper's h and Δt always kept.
struct Table2Scale {
  double fewer = 1.0;  ///< particles by this factor, the block's edges by its d-th root
  double most = 0.0;   ///< and by more of rows that would be left with more particles than this; 0: no limit
  Table2Pace pace{};
};
Table2Scale table2_scale(Preset preset);

/// The factor of one row: less where it would be left with too few particles, that is 400, more by Table2Scale::most.
double fewer_of(const Table2Row& row, const Table2Scale& scale);

/// A scene of a row's size: its spacing, materials, scheme and largest Δt, and as many particles. The paper prints neither the
/// shapes nor the domains of its scenes, so these are chosen:
///   - of sand alone a cube, a square in 2D, on the middle of a floor three times as long as it, between walls;
///   - of sand and water such a block at the floor's end, whose half at the wall is water and the other half, a dam, sand:
///     each phase has half of the particles.
/// The unilateral energy where the row prints a, b and c₀, solved for in a few iterations whatever they leave, as the paper does: to a
/// tolerance it takes hundreds of times as long; drag by volume, without a reversible term [ERRATA T11, T13].
Scene table2_scene(const Table2Row& row, double fewer);

/// Indices of the rows, those of the least work first: particles over Δt, thirty times that where velocities are solved for, sixty
/// times in 3D, about as measured.
std::vector<std::size_t> by_work(std::span<const Table2Row> rows);

/// Runs a row's scene, sheared(), as time_steps() does.
/// @throws BadInput where it needs more memory than the request allows
Table2Timing time_row(const Table2Row& row, const Table2Scale& scale, const FigureRequest& request);

}  // namespace repose::experiments::tampubolon2017
