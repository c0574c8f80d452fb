#pragma once

#include "experiments/figures/figure.h"
#include "experiments/figures/scene_run.h"
#include "reference/interface/methods/mpm_options.h"

#include <string>
#include <vector>

namespace repose::experiments::tampubolon2017 {

/// What one dropped block has that others have not.
struct DropCase {
  Kernel kernel = Kernel::quadratic;
  double spacing = 0.04;  ///< h [m]
  bool corrects = true;   ///< volume correction
  bool hardens = false;   ///< by the law of [Klar16 Table 3], 35/9/0.2/10, instead of a constant 30°
  HardeningApart apart = HardeningApart::opening;
  double step_share = 1.0;  ///< of the usual bound of c Δt/h
  bool readable = false;    ///< by the readable solver, whichever is asked for

  bool operator==(const DropCase&) const = default;
};

struct DropSetup {
  std::vector<double> spacings;  ///< h, coarse first [m]
  bool readable = false;         ///< also by the readable solver, at the coarsest
};
DropSetup drop_setup(Preset preset);

/// All runs, those that are compared at the coarsest spacing alone included.
std::vector<DropCase> drop_cases(const DropSetup& setup);

Scene drop_scene(const DropCase& chosen);

/// The sand at the end of a frame.
struct DropFrame {
  double time = 0.0;    ///< [s]
  double fill = 0.0;    ///< twice the mean height above the floor, over the block's 0.4 m [-]
  double v_c = 0.0;     ///< mean over particles [-]
  double held = 0.0;    ///< share of particles with v_c > 0 [-]
  double moving = 0.0;  ///< share of particles faster than a fall of one cell makes them [-]
};

struct DropRun : SceneRun {
  DropCase chosen;
  std::vector<DropFrame> frames;
  std::vector<Point> grains;  ///< at the end [m]
  std::vector<double> v_c;    ///< of them
  double hardening = 0.0;     ///< mean q at the end

  double opened() const;  ///< largest mean v_c of a frame [-]
};

DropRun drop_once(const DropCase& chosen, const FigureRequest& request, const std::string& label);

std::vector<Number> judge(const DropSetup& setup, const std::vector<DropRun>& runs, Preset preset);

}  // namespace repose::experiments::tampubolon2017
