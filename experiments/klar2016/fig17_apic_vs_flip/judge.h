#pragma once

#include "experiments/klar2016/fig17_apic_vs_flip/transfers.h"

#include <vector>

namespace repose::experiments::klar2016 {

/// All runs of the figure.
struct TransferSeries {
  std::vector<TransferRun> runs;   ///< every transfer with every seed
  std::vector<TransferRun> cases;  ///< APIC and FLIP with other steps and numbers of particles
};

/// ∫ unseen energy dt / ∫ kinetic energy dt over the whole run [-].
double unseen_share(const TransferRun& run);
/// The same over the last fifth of the time, when all sand has long landed [-].
double unseen_share_at_rest(const TransferRun& run);
/// Root of the mean square of what the grid cannot see, over the last fifth of the time, over free fall [-].
double unseen_speed_at_rest(const TransferRun& run);

/// The numbers that decide whether the figure's claim holds, and those that say whether to trust them.
std::vector<Number> judge(const TransferSeries& series);

}  // namespace repose::experiments::klar2016
