#pragma once

#include "experiments/figures/figure.h"
#include "experiments/figures/scene_run.h"
#include "experiments/tampubolon2017/fig03_wedge/clumps.h"
#include "reference/interface/methods/mpm_options.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace repose::experiments::tampubolon2017 {

/// What one block has that others have not.
struct WedgeCase {
  double tip = 0.0;  ///< e_c, trace of the strain at the tip of the cone [-]
  Integrator integrator = Integrator::semi_implicit;
  double youngs_modulus = 2.4e4;  ///< [Pa]
  std::uint64_t seed = 1;         ///< counted from that of the scene file
};

struct WedgeSetup {
  double spacing = 0.006;    ///< h [m]
  double duration = 0.6;     ///< [s]
  std::vector<double> tips;  ///< e_c, rising [-]
  std::vector<std::uint64_t> seeds;
};
WedgeSetup wedge_setup(Preset preset);

/// The dry block of Table 2 in explicit steps; each cohesion in semi-implicit and, with the same sand, in explicit steps. Seed by seed.
std::vector<WedgeCase> wedge_cases(const WedgeSetup& setup);

Scene wedge_scene(const WedgeSetup& setup, const WedgeCase& chosen);

/// Ways to part sand into clumps, as in names of numbers: cells that hold a particle, cells that hold half of what they held at
/// the start, and particles that began no more than h apart and are no more than 1.5h apart.
inline constexpr std::array<std::string_view, 3> clump_ways{"cells", "half_full_cells", "neighbours"};

/// The sand at the end of a frame.
struct WedgeFrame {
  double time = 0.0;  ///< [s]
  std::array<ClumpSizes, clump_ways.size()> clumps{};
  double kept = 1.0;      ///< share of the neighbours that are still such [-]
  double spread = 0.0;    ///< mean distance from the middle [m]
  double farthest = 0.0;  ///< of all grains [m]
};

struct WedgeRun : SceneRun {
  WedgeCase chosen;
  std::vector<WedgeFrame> frames;          ///< the start is the first
  std::vector<std::vector<Point>> grains;  ///< at 0.2 s, 0.4 s and the end, as far as the run goes [m]
};

WedgeRun drop_on_wedge(const WedgeSetup& setup, const WedgeCase& chosen, const FigureRequest& request);

/// As in names of numbers and tables: "dry", "semi_implicit", "explicit".
std::string_view series_of(const WedgeCase& chosen);
/// "semi_implicit, e_c 0.005, seed 1"
std::string label_of(const WedgeCase& chosen);

std::vector<Number> judge(const WedgeSetup& setup, const std::vector<WedgeRun>& runs, Preset preset);

}  // namespace repose::experiments::tampubolon2017
