#pragma once

#include "experiments/tampubolon2017/fig05_multiplier/particle_stress.h"
#include "experiments/tampubolon2017/fig05_multiplier/regions.h"

namespace repose::experiments::tampubolon2017 {

/// Shares of one reading of the parameters.
struct SetShares {
  MultiplierSet set;
  int dim = 2;
  double depth = 0.0;  ///< −u of the deepest strain counted [-]
  ConeShares sampled;
  ConeShares integrated;
};

struct MultiplierFindings {
  BorderOrders of_a, of_c;
  std::vector<SetShares> shares;
  int rows = 0;  ///< of the samples
  std::vector<StressErrors> stress;
};

std::vector<Number> judge(const MultiplierFindings& found, const Material& sand);

}  // namespace repose::experiments::tampubolon2017
