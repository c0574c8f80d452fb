#pragma once

#include "experiments/figures/figure.h"
#include "experiments/figures/scene_run.h"
#include "experiments/liu2021/fig02_sand/wall_friction.h"
#include "reference/interface/scene/scene.h"

#include <cstdint>
#include <string>
#include <vector>

namespace repose::experiments::liu2021 {

struct BlockCase {
  bool printed_lambda = false;  ///< λ 2.04·10⁶ instead of 2.04·10⁵ (erratum L2)
  std::uint64_t sample = 0;  ///< 0: regular; else jittered, with a seed counted from that of the scene file
};

/// The scene file for one case.
Scene block_scene(const BlockCase& chosen);

/// What lies above the floor.
struct Heap {
  double time = 0.0;    ///< [s]
  double height = 0.0;  ///< of 98 % of the particles near the middle [m]
  double runout = 0.0;  ///< that holds 98 % of the particles, from the middle [m]
  double moving = 0.0;  ///< share of particles faster than a fall of one cell makes them
};

struct BlockRun : SceneRun {
  BlockCase chosen;
  std::vector<Heap> heaps;        ///< five a second
  std::vector<WallNodes> walls;   ///< at the same times, where a wall pushes
  std::vector<Point> grains;      ///< at the end [m]
  std::vector<double> hardening;  ///< q of them
  double fall_speed = 0.0;        ///< of the block as it lands [m/s]
  std::size_t outside = 0;        ///< particles further than a cell behind a wall at the end
};

BlockRun drop_block(const BlockCase& chosen, const FigureRequest& request, const std::string& label);

std::vector<Number> judge(const std::vector<BlockRun>& runs, Preset preset);

}  // namespace repose::experiments::liu2021
