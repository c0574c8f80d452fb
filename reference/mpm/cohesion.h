#pragma once

#include "reference/mpm/state.h"
#include "reference/physics/hardening.h"

namespace repose {

/// The cone of a particle of sand at its own hardening and, where it has one, its own cohesion.
/// @throws std::invalid_argument as the cone_of() of a material
template <int d>
Cone cone_of(const Material& material, const Particle<d>& p) {
  Cone cone = cone_of(material, p.q);
  cone.cohesion = p.c_C.value_or(cone.cohesion);
  return cone;
}

}  // namespace repose
