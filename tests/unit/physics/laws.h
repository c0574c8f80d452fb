#pragma once

#include "reference/interface/scene/materials.h"
#include "tests/unit/samples.h"

namespace repose::test {

/// E = 3.537·10⁵ Pa, ν = 0.3: the sand of [Klar16 Table 3].
inline Lame sand_lame() {
  Material material;
  material.youngs_modulus = 3.537e5;
  material.poisson_ratio = 0.3;
  return lame(material);
}

}  // namespace repose::test
