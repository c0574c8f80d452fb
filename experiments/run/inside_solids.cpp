#include "experiments/run/inside_solids.h"

#include <limits>
#include <vector>

namespace repose::experiments {

namespace {

/// A collider and a ball that holds its solid however it has turned: most particles are outside, and need no more.
struct Enclosing {
  const Collider* collider = nullptr;
  Point centre = Point::Zero();  ///< [m]
  double squared_radius = 0.0;   ///< [m²]; infinite for solids without bounds
};

Enclosing enclosing(const Collider& collider, double time, int dim) {
  Enclosing result{.collider = &collider, .squared_radius = std::numeric_limits<double>::infinity()};
  if (collider.hollow || !is_bounded(collider.shape)) return result;
  const Bounds box = bounds(collider.shape, dim);
  result.centre = 0.5 * (box.min + box.max) + time * collider.velocity;
  // Half the diagonal, and a little for rounding.
  result.squared_radius = 0.25 * (box.max - box.min).squaredNorm() * (1.0 + 1e-9);
  return result;
}

}  // namespace

InsideSolids inside_solids(const Solver& solver, const Scene& scene) {
  InsideSolids result;
  if (scene.colliders.empty() || solver.particles() == 0) return result;
  const int dim = scene.dim();
  const double time = solver.time();
  std::vector<Enclosing> balls;
  for (const Collider& collider : scene.colliders) balls.push_back(enclosing(collider, time, dim));

  const std::vector<double> x = solver.positions();
  const double touching = 1e-9 * scene.grid.h;
  const Collider* deepest_in = nullptr;
  Point at = Point::Zero();
  for (std::size_t i = 0; i < x.size();) {
    for (int axis = 0; axis < dim; ++axis) at[axis] = x[i++];
    double depth = touching;
    for (const Enclosing& near : balls) {
      if (scene.grid.nearest(at - near.centre).squaredNorm() > near.squared_radius) continue;
      const double inside = -signed_distance(*near.collider, at, time, scene.grid).phi;
      if (!(inside > depth)) continue;
      depth = inside;
      if (depth > result.deepest) {
        result.deepest = depth;
        deepest_in = near.collider;
      }
    }
    if (depth > touching) ++result.particles;
  }
  if (deepest_in != nullptr) result.collider = deepest_in->name;
  return result;
}

}  // namespace repose::experiments
