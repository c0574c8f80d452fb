#pragma once

#include "experiments/figures/figure.h"
#include "experiments/figures/scene_run.h"
#include "experiments/tampubolon2017/fig10_pile_unilateral/cohesion.h"
#include "reference/interface/methods/mpm_options.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace repose::experiments::tampubolon2017 {

/// How a block of sand is stepped that falls into a pile.
struct CollapseCase {
  std::string name{};  ///< as in names of numbers
  Integrator integrator = Integrator::explicit_;
  Energy energy = Energy::hencky;
  double max_dt = 1e-4;             ///< [s]
  std::uint64_t seed = 1;           ///< counted from that of the scene file
  std::optional<double> density{};  ///< another one than the scene file's [kg/m³]
};

/// What all blocks of a preset have.
struct CollapseSetup {
  std::string_view scene;  ///< file below experiments/
  double spacing = 0.0;    ///< h [m]
  double duration = 0.0;   ///< [s]
};

Scene collapse_scene(const CollapseSetup& setup, const CollapseCase& chosen);

/// The sand at one time.
struct CollapseShot {
  double time = 0.0;          ///< [s]
  std::vector<Point> grains;  ///< [m]
  double moving = 0.0;        ///< share of particles faster than a fall of one cell makes them
};

struct CollapseRun : SceneRun {
  CollapseCase chosen;
  std::vector<CollapseShot> shots;  ///< the start, and after every frame
  std::vector<double> volume;       ///< V⁰ of each grain [m²]
  std::vector<ActingStress> looks;  ///< in the step behind each shot but the first
};

CollapseRun collapse(const CollapseSetup& setup, const CollapseCase& chosen, const FigureRequest& request);

/// Means over a run's looks: tension over ρ g L of the block, and friction in a step [-]; nan without looks.
double mean_tension(const CollapseRun& run);
double mean_friction(const CollapseRun& run);
/// The run of a name and of the first seed; nullptr if there is none.
const CollapseRun* named(const std::vector<CollapseRun>& runs, std::string_view name);
/// Mean step of a run [s].
double mean_dt(const CollapseRun& run);
/// c Δt/h of a step [-].
double courant_of(const Scene& scene, double dt);
/// Height of the block [m], and ρ g L, the pressure below it [Pa].
double block_height(const Scene& scene);
double block_pressure(const Scene& scene);
/// ρ g L/(λ + 2μ): how far its weight compresses it [-].
double static_strain(const Scene& scene);

/// Share of the sand that lies elsewhere in one pile than in another,
///     ½ Σ_k |a_k − b_k| / Σ_k a_k,   a_k, b_k: Σ V⁰ in columns 2h wide [m²]
double displaced_share(const CollapseRun& a, const CollapseRun& b, std::size_t shot);
/// The same at the end; nan of a run that ended early.
double displaced_share(const CollapseRun& a, const CollapseRun& b);
/// The largest of it between runs of a name that differ in their seed; nan if there is one such run.
double seeds_apart(const std::vector<CollapseRun>& runs, std::string_view name);

/// Mean distance of the sand from the middle of the block, at the end; nan of a run that ended early [m].
double spread(const CollapseRun& run);

/// Clumps: sets of cells of the grid that hold a particle, joined by their faces, with no fewer particles in all than four full
/// cells; fewer are spray.
int clumps(const CollapseRun& run, std::size_t shot);

}  // namespace repose::experiments::tampubolon2017
