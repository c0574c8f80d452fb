#pragma once

#include "reference/interface/scene/materials.h"

namespace repose::exact {

/// Water that has settled under its own weight on a floor, by the height Y that a part of it had at J = 1. With z = ρg(H − Y)/k,
/// z₀ that of the bottom and e = (γ − 1)/γ
///
///     p = ρ g (H − Y),   J = (1 + z)^{−1/γ},   y = k/(ρg) ((1 + z₀)^e − (1 + z)^e)/e,   for γ = 1: k/(ρg) ln((1 + z₀)/(1 + z))
///
/// from p = k (J^−γ − 1) [Tam17 §3.2], dp/dY = −ρg and dy/dY = J.
struct WaterColumn {
  Material water;
  double gravity = 0.0;  ///< g [m/s²]
  double height = 0.0;   ///< H [m]

  double pressure(double Y) const;  ///< [Pa]
  double J(double Y) const;         ///< [-]
  double y(double Y) const;         ///< above the floor [m]
};

}  // namespace repose::exact
