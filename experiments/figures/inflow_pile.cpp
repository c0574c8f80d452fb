#include "experiments/figures/inflow_pile.h"

#include "reference/interface/scene/opening.h"

#include <cmath>
#include <stdexcept>
#include <variant>

namespace repose::experiments {

InflowPile inflow_pile(const Scene& scene) {
  if (scene.emitters.size() != 1 || scene.colliders.empty() ||
      !std::holds_alternative<HalfSpace>(scene.colliders.front().shape)) {
    throw std::invalid_argument("an inflow pile needs one emitter and a half-space as its first collider");
  }
  const Emitter& emitter = scene.emitters.front();
  const Opening opened = opening(emitter, scene.dim());
  const double ground = std::get<HalfSpace>(scene.colliders.front().shape).point.y();
  const double g = scene.gravity.norm();
  InflowPile pile;
  pile.axis = {.dim = scene.dim(), .foot = Point(opened.centre.x(), ground, opened.centre.z()), .up = 1};
  pile.drop = opened.centre.y() - ground;
  pile.speed = emitter.velocity.norm();
  if (emitter.velocity.y() != -pile.speed || scene.gravity.y() != -g || !(pile.drop > 0.0)) {
    throw std::invalid_argument("an inflow pile is poured straight down from above the ground");
  }
  pile.fall_speed = std::sqrt(pile.speed * pile.speed + 2.0 * g * pile.drop);
  pile.poured_until = emitter.stop;
  pile.landed = emitter.stop + (pile.fall_speed - pile.speed) / g;
  pile.sand = emitter.rate * (emitter.stop - emitter.start);
  pile.mass = pile.sand * scene.materials[static_cast<std::size_t>(emitter.material)].density;
  return pile;
}

void set_spacing(Scene& scene, double spacing) {
  const Point extent = scene.grid.domain_max() - scene.grid.domain_min;
  for (int axis = 0; axis < scene.dim(); ++axis) {
    const double cells = extent[axis] / spacing;
    if (std::abs(cells - std::round(cells)) > 1e-6) {
      throw std::invalid_argument("the domain is not a whole number of cells");
    }
    scene.grid.cells[static_cast<std::size_t>(axis)] = std::llround(cells);
  }
  scene.grid.h = spacing;
}

}  // namespace repose::experiments
