#pragma once

#include "experiments/figures/scene_run.h"

#include <array>
#include <vector>

namespace repose::experiments::klar2016 {

struct HardeningSetup {
  double spacing = 0.005;           ///< h [m]
  double reference_spacing = 0.01;  ///< of the run with the readable solver [m]
  double duration = 1.0;            ///< [s]
};
HardeningSetup hardening_setup(Preset preset);

Scene hardening_scene(double spacing, double duration);

/// Where the three marked particles start: toe, middle of the free side, core [m].
inline const std::array<Point, 3> marked_places{Point(0.08, 0.03, 0.0), Point(0.08, 0.2, 0.0),
                                                Point(0.0, 0.1, 0.0)};

/// A marked particle at the end of a frame.
struct MarkedState {
  double q = 0.0;               ///< [-]
  double friction_angle = 0.0;  ///< φ(q) [rad]
  Point at = Point::Zero();     ///< [m]
  double tau_1 = 0.0;           ///< principal Kirchhoff stresses [Pa], the larger first
  double tau_2 = 0.0;
};

struct HardeningFrame {
  double time = 0.0;  ///< [s]
  std::array<MarkedState, 3> marked;
};

/// A particle that slipped in the last step: what its stress says about its cone, and the hardening state before it.
struct SlippedState {
  double q = 0.0;      ///< before the step [-]
  double angle = 0.0;  ///< friction angle of the cone through the stress after the step [rad]
};

struct HardeningRun : SceneRun {
  Rounding rounding;
  std::vector<HardeningFrame> frames;
  double largest_decrease = 0.0;  ///< of q of any particle from frame to frame [-]
  double curve_error = 0.0;  ///< largest distance of slipped states from the cone of φ(q), over rounding
  std::size_t slipped = 0;   ///< states behind curve_error
  std::vector<SlippedState> slips;      ///< some of them
  std::vector<double> q;                ///< of all particles at the end
  std::vector<Point> x;                 ///< of all particles at the end [m]
  std::array<std::size_t, 3> marked{};  ///< their numbers
};

HardeningRun collapse_hardening(const Scene& scene, const FigureRequest& request);

/// Judges what one step from `before` (step_start) to `after` (plasticity) says about the friction angle of its slipped
/// particles, and adds it to the run.
void add_slips(HardeningRun& run, const Snapshot& before, const Snapshot& after, const Scene& scene);

/// The numbers that decide whether the figure's claim holds.
std::vector<Number> judge(const std::vector<HardeningRun>& runs);

}  // namespace repose::experiments::klar2016
