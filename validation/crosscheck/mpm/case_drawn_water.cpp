#include "validation/crosscheck/mpm/case_drawn_materials.h"

#include "reference/interface/methods/mpm.h"
#include "validation/crosscheck/mpm/case_scenes.h"

#include <fmt/format.h>

#include <cmath>

namespace repose::crosscheck {

Material draw_water(Random& random, int number, Volumes& volumes) {
  const double gamma = random.between(1.0, 8.0);
  double stiffness = 3e3 * std::pow(10.0, random.between(0.0, 1.0));
  volumes.near_rest = number % 3 == 1;
  volumes.crushed = number % 3 == 0;
  volumes.least = -random.between(0.02, 0.12);
  volumes.most = random.between(0.01, 0.06);
  if (volumes.crushed) {
    volumes.least = -random.between(2.5, 7.0);
    stiffness *= std::exp(gamma * volumes.least);
  }
  Material m = water(stiffness, gamma);
  m.density = random.between(500.0, 3000.0);
  m.water_tension = number % 2 == 0;
  return m;
}

void draw_volumes(Case& c, const std::vector<Volumes>& volumes, Random& random) {
  Field& material = c.start.get(field::material);
  Field& J = c.start.get(field::J);
  for (std::size_t p = 0; p < c.start.particles(); ++p) {
    const auto k = static_cast<std::size_t>(random.between(0.0, static_cast<double>(volumes.size())));
    material.value[p] = static_cast<double>(k);
    const double log = random.between(volumes[k].least, volumes[k].most);
    const double off = std::pow(10.0, random.between(-17.0, -3.0));
    J.value[p] = std::exp(log);
    if (volumes[k].near_rest) J.value[p] = p % 5 == 0 ? 1.0 : p % 2 == 0 ? 1.0 - off : 1.0 + off;
  }
}

void need_volumes(Case& c, const std::vector<Volumes>& volumes) {
  for (std::size_t k = 0; k < volumes.size(); ++k) {
    c.needs.push_back({fmt::format("material {} compressed", k), 10});
    c.needs.push_back(volumes[k].crushed ? Need{"water crushed", 10}
                                         : Need{fmt::format("material {} stretched", k), 10});
    if (volumes[k].near_rest) c.needs.push_back({"water close to rest", 10});
    // Few of those that are crushed begin beyond their volume at rest.
    if (!c.scene.materials[k].water_tension && !volumes[k].crushed)
      c.needs.push_back({"water that lets go", 1});
  }
}

}  // namespace repose::crosscheck
