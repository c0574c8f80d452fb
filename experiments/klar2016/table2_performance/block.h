#pragma once

#include "experiments/bench/table2_timing.h"
#include "experiments/figures/figure.h"
#include "reference/interface/scene/scene.h"

#include <string_view>

namespace repose::experiments::klar2016 {

/// Size of the run, with the paper's h, Δt and particles per cell always kept.
struct Table2Scale {
  /// Particles by this factor; the grid's edges by its d-th root. Rows keep at least some thousand
  double fewer = 1.0;
  int steps = 10;  ///< per repetition
  int repeat = 5;
};
Table2Scale table2_scale(Preset preset);

/// The factor of one row: less where it would be left with too few particles to time, 1 where it has few
/// itself.
double fewer_of(const Table2Row& row, const Table2Scale& scale);

/// A scene of a row's size: its grid, spacing, particles per cell and material, with a floor and side walls,
/// and as many particles. The paper does not print its shapes, so this one is chosen:
///   - the text prints the sand box of "splash", 1 m × 0.35 m × 1 m;
///   - where a layer over the whole floor would be at least eight cells deep, that layer (sand boxes);
///   - else a cube, a square in 2D, on the middle of the floor (columns, heaps, fills).
/// All steps are explicit, also in rows that the paper ran with implicit ones.
Scene table2_scene(const Table2Row& row, double fewer);

/// Runs a few steps of a row's scene, sheared(), as time_steps() does.
Table2Timing time_row(const Table2Row& row, const Table2Scale& scale, std::string_view solver,
                      const SolverOptions& options);

}  // namespace repose::experiments::klar2016
