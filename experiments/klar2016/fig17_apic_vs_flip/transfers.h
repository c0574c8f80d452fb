#pragma once

#include "experiments/figures/figure.h"
#include "experiments/figures/inflow_pile.h"
#include "experiments/figures/scene_run.h"
#include "reference/interface/methods/mpm_options.h"

#include <string>
#include <string_view>
#include <vector>

namespace repose::experiments::klar2016 {

/// What one run of the figure changes in the scene file.
struct TransferCase {
  Transfer transfer = Transfer::apic;
  std::uint64_t seed = 1;
  double elastic_bound = 0.6;  ///< c Δt/h
  double particles_per_cell = 4.0;
};

/// Share of FLIP in the blend [-]: that of Stomakhin et al. 2013, whom the paper names; Mast's is not printed.
inline constexpr double blend_share = 0.95;
/// A run counts as unstable from when a particle is this many times faster than free fall.
inline constexpr double unstable_speed = 2.0;

struct TransferSetup {
  double spacing = 0.016;  ///< h [m]
  double duration = 3.0;   ///< [s]
  std::vector<std::uint64_t> seeds;
  std::vector<double> bounds;              ///< c Δt/h of the cases in which APIC and FLIP are tried
  std::vector<double> particles_per_cell;  ///< of the same
};
TransferSetup transfer_setup(Preset preset);

Scene transfer_scene(const TransferSetup& setup, const TransferCase& chosen);

/// The sand at the end of a frame.
struct TransferFrame {
  double time = 0.0;            ///< [s]
  double kinetic_energy = 0.0;  ///< [J per metre of depth]
  double unseen_energy = 0.0;   ///< of v minus its reconstruction from the grid [J per metre]
  double unseen_speed = 0.0;    ///< root mean square by mass [m/s]
  double max_speed = 0.0;       ///< [m/s]
};

struct Grain {
  Point at = Point::Zero();   ///< [m]
  double unseen_speed = 0.0;  ///< [m/s]
};

struct TransferRun : SceneRun {
  TransferCase chosen;
  InflowPile pile;
  std::vector<TransferFrame> frames;
  std::vector<Grain> grains;  ///< at the end of the last complete frame
  double fastest = 0.0;       ///< of all steps [m/s]
  /// First step faster than unstable_speed free falls, or the failure [s]; −1: none
  double unstable_since = -1.0;
  double mass = 0.0;  ///< at the end [kg per metre]
};

TransferRun pour(const TransferSetup& setup, const TransferCase& chosen, const FigureRequest& request,
                 const std::string& label);

std::string_view transfer_name(Transfer transfer);  ///< "apic", "flip", "flip_pic", "pic"

}  // namespace repose::experiments::klar2016
