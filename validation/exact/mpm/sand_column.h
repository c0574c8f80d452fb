#pragma once

#include "reference/interface/scene/materials.h"

namespace repose::exact {

/// Sand that has settled under its own weight on a floor without yielding, in uniaxial strain, by the height Y that a part of it had
/// at F = 1. With M = λ + 2μ, z = ρg(H − Y)/M, z₀ that of the bottom, W Lambert's function, W e^W = z, and G = W + W²/2
///
///     τ_yy = −M W(z),   ln F_yy = −W(z),   y = M/(ρg) (G(z₀) − G(z))
///
/// from Hencky's τ = M ln F [Klar16 Eq.25], τ/F = −ρg(H − Y) and dy/dY = F. What a part bears is the weight above it: where the
/// unilateral energy is Hencky's own all of this holds whatever the sand above does.
struct SandColumn {
  Material sand;
  double gravity = 0.0;  ///< g [m/s²]
  double height = 0.0;   ///< H [m]

  double stiffness() const;                                 ///< M [Pa]
  double load(double Y) const;                              ///< z [-]
  double F(double Y) const;                                 ///< F_yy [-]
  double y(double Y) const;                                 ///< above the floor [m]
  double settlement() const { return height - y(height); }  ///< of the surface [m]

  /// Height below which each weight has one strain with the unilateral energy, that of Hencky's: further up, where the multiplier
  /// falls, a smaller strain may bear as much.
  /// @param dim of the scene @throws std::logic_error for a sand without that energy
  double settled_alike_below(int dim) const;
};

}  // namespace repose::exact
