#pragma once

#include "experiments/figures/figure.h"
#include "experiments/figures/scene_run.h"
#include "experiments/tampubolon2017/dam/balance.h"
#include "reference/interface/methods/mixture_options.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace repose::experiments::tampubolon2017 {

/// What one dam has that others have not.
struct DamCase {
  std::string name;      ///< as in names of numbers
  double spacing = 0.0;  ///< h [m]
  Drag drag = Drag::mesh_consistent;
  double kappa = 0.0;       ///< κ [kg/(m³ s)]; of the printed drag what its c_E comes to at `printed_at`
  double printed_at = 0.0;  ///< h at which nodes full of both have the drag of κ [m]
  ReversibleTerm reversible = ReversibleTerm::none;
  double cohesion = 0.0;   ///< c_C of dry sand [Pa]
  std::uint64_t seed = 1;  ///< of the particles' places, counted from that of the scene file
};

/// What all dams of a preset have.
struct DamSetup {
  std::string_view scene;   ///< file below experiments/
  double duration = 0.0;    ///< [s]
  double frame_rate = 0.0;  ///< [1/s]
  double look_every = 0.0;  ///< between two looks at the balance of a step [s]
  double past = 0.0;        ///< x behind which water has broken through [m]
};

/// The scene of a case. With the unilateral energy region C begins at the cohesion's own strain along each axis,
///     b = c_C/(α d (dλ + 2μ))                                                           errata T18, T37
Scene dam_scene(const DamSetup& setup, const DamCase& chosen);

enum DamSpecies : std::size_t { of_sand, of_water };
inline constexpr std::array<std::string_view, 2> species_name{"sand", "water"};

/// Sand and water at the end of a frame, by species where there are two.
struct DamFrame {
  double time = 0.0;                             ///< [s]
  std::array<double, 2> front{};                 ///< x behind which 2 % of the mass lie [m]
  std::array<double, 2> farthest{};              ///< x of the farthest particle [m]
  std::array<double, 2> past{};                  ///< share of the mass beyond DamSetup::past [-]
  std::array<std::vector<double>, 2> columns{};  ///< share of the mass by columns a tenth of a metre wide
  /// Σ min(V_s, V_w) over cells a tenth of a metre wide, of the volume of sand: 0 apart, 1 where each cell with sand has as
  /// much water [-]
  double mixed = 0.0;
  double cohesion = 0.0;  ///< mean c_C of the sand over that of dry sand, 1 less its saturation [-]
  double crest = 0.0;     ///< height below which 98 % of the sand lie [m]
};

/// A particle of a picture.
struct DamGrain {
  Point at = Point::Zero();  ///< [m]
  std::size_t species = of_sand;
  double dry = 0.0;  ///< c_C over that of dry sand; 0 of water [-]
};
struct DamShot {
  double time = 0.0;  ///< [s]
  std::vector<DamGrain> grains;
};

struct DamRun : SceneRun {
  DamCase chosen;
  std::vector<DamFrame> frames;   ///< the start, and after every frame
  std::vector<DamShot> shots;     ///< at the start, after a quarter, a half and all of the time
  std::vector<Balance> balances;  ///< of steps from some of the frames
  std::array<double, 2> mass{};   ///< by species, at the start [kg]
};

DamRun dam(const DamSetup& setup, const DamCase& chosen, const FigureRequest& request);

/// The frame of a state.
DamFrame dam_frame(const Snapshot& state, const Scene& scene, double past, double time);

/// When the first drop, or a share of the water, is past the dam [s]; nan if it never is.
double first_past(const DamRun& run);
double share_past(const DamRun& run, double share);
/// When the crest has fallen below a part of the dam's height [s]; nan if it never has.
double crest_below(const DamRun& run, double part);
double dam_height(const Scene& scene);  ///< [m]

/// Share of a species that lies in other columns in one run than in another, ½ Σ |a_k − b_k|: at the frame at which it is largest,
/// and the mean over all frames.
struct Elsewhere {
  double most = 0.0, mean = 0.0;
};
Elsewhere elsewhere(const DamRun& a, const DamRun& b, std::size_t species);

/// ρ g L/(λ + 2μ) of a dam of height L: how far its weight compresses it [-].
double static_strain_of_dam(const Scene& scene);

/// The tables of the runs: history.csv, metrics.csv and, of runs with the first seed, particles.csv.
void write_dam_tables(const std::vector<DamRun>& runs, const std::filesystem::path& folder);

/// Numbers that say whether to trust the runs: the mass of either species on the grids, the momentum that drag, the reversible
/// term and whole steps leave as it is, how far water is felt, and how deep particles lie in walls.
std::vector<Number> judge_balances(const std::vector<DamRun>& runs);

}  // namespace repose::experiments::tampubolon2017
