#pragma once

#include "experiments/figures/figure.h"
#include "experiments/figures/scene_run.h"

#include <string>
#include <vector>

namespace repose::experiments::measured {

struct CollapseSetup {
  std::vector<double> cells;  ///< of the column's width, coarse first
};
CollapseSetup collapse_setup(Preset preset);

/// @param cells of the column's width
Scene collapse_scene(double cells);

/// How far water that is still one body reaches.
struct Extent {
  double time = 0.0;  ///< T = t √(2g/a) [-]
  double front =
      0.0;  ///< Z = x/a: columns of cells with water in them, from the wall to the first without [-]
  double height = 0.0;  ///< over 2a: the same of rows of cells at the wall, two cells wide [-]
};

/// @param at places of particles [m], the wall at x = 0 and the floor at y = 0  @param width of the column [m]
/// @param spacing h, of cells [m]  @param edge of a particle beyond its place [m]
Extent extent_of(const std::vector<Point>& at, double time, double width, double spacing, double edge);

/// The particles at one time.
struct Moment {
  double time = 0.0;  ///< T [-]
  std::vector<Point> at;
  std::vector<double> speed;  ///< [m/s]
};

struct CollapseRun : SceneRun {
  double cells = 0.0;
  std::vector<Extent> extents;  ///< of each frame
  std::vector<Moment> moments;  ///< some
};

CollapseRun let_go(double cells, const FigureRequest& request, const std::string& label);

/// What was measured, where two people read it from the same print.
struct Reference {
  std::vector<double> T, Z;    ///< mean of both readings at the times of the first that the second covers [-]
  double band = 0.0;           ///< largest difference between the two, over that mean [-]
  std::vector<double> tau, H;  ///< height over 2a against τ = t √(g/a), read once [-]
};
Reference reference();

/// Largest |Z/Z_measured − 1| if the water was let go at `release`. @param release T at the start of the run
double front_misfit(const std::vector<Extent>& run, const Reference& measured, double release);
/// Largest |H − H_measured|/2a likewise.
double height_misfit(const std::vector<Extent>& run, const Reference& measured, double release);
/// The release with the least front_misfit(), to a thousandth, from 0 to 1.
double fitted_release(const std::vector<Extent>& run, const Reference& measured);

std::vector<Number> judge(const std::vector<CollapseRun>& runs, const Reference& measured, Preset preset);

}  // namespace repose::experiments::measured
