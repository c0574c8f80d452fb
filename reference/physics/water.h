#pragma once

#include "reference/interface/scene/materials.h"

namespace repose {

/// The law of water at one volume ratio J.
struct OfVolume {
  double energy = 0.0;     ///< ψ [Pa], per volume at rest; 0 at J = 1
  double pressure = 0.0;   ///< p = −dψ/dJ [Pa]
  double stiffness = 0.0;  ///< −dp/dJ ≥ 0 [Pa]
  /// What p comes to at most with the parts of it that rounding of ln J moves [Pa]: k |J^−γ − 1| + k γ |ln J| J^−γ
  double products = 0.0;
};

/// Weakly compressible water.
///
///     p = k (J^−γ − 1)                                                                [Tam17 §3.2] [Liu21 Eq.10]
///     ψ = k (J − 1) − k (J^{1−γ} − 1)/(1 − γ),   for γ = 1: k (J − 1) − k ln J
///     −dp/dJ = k γ J^{−γ−1}
///
/// The bulk modulus at rest is γk. Departs from the print of ψ by the constant that makes it 0 at rest [ERRATA T15]. Without
/// tension all three are 0 for J > 1 [ERRATA T42]. Differences are formed from ln J: they keep their digits where J is close to 1.
///
/// @param J [-]
/// @throws std::invalid_argument if J ≤ 0 or not finite, k ≤ 0 or γ ≤ 0
OfVolume water_law(double J, const Material& water);

}  // namespace repose
