#pragma once

#include "reference/interface/scene/materials.h"
#include "tests/unit/samples.h"

namespace repose::test {

/// E = 3.537·10⁵ Pa, ν = 0.3: the sand of [Klar16 Table 3].
inline Material sand_material(bool volume_correction = false) {
  Material material;
  material.youngs_modulus = 3.537e5;
  material.poisson_ratio = 0.3;
  material.volume_correction = volume_correction;
  return material;
}

inline Lame sand_lame() { return lame(sand_material()); }

}  // namespace repose::test
