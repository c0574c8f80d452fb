#include "reference/interface/particles/scene_warnings.h"

#include "reference/interface/particles/emitter_column.h"

#include <fmt/format.h>

#include <algorithm>

namespace repose {

std::optional<double> thickness(const Collider& collider, int dim) {
  struct LeastExtent {
    int dim;
    std::optional<double> operator()(const HalfSpace&) const { return {}; }
    std::optional<double> operator()(const Wedge&) const { return {}; }
    std::optional<double> operator()(const Box& s) const { return (s.max - s.min).head(dim).minCoeff(); }
    std::optional<double> operator()(const Sphere& s) const { return 2.0 * s.radius; }
    std::optional<double> operator()(const Cylinder& s) const {
      return dim == 2 ? 2.0 * s.radius : 2.0 * std::min(s.radius, s.half_length);
    }
  };
  if (collider.hollow) return {};
  return std::visit(LeastExtent{dim}, collider.shape);
}

std::vector<std::string> warnings(const Scene& scene) {
  std::vector<std::string> found;
  const double h = scene.grid.h;
  for (const Collider& collider : scene.colliders) {
    const std::optional<double> thick = thickness(collider, scene.dim());
    // A billionth less than 2 h is a rounded decimal fraction.
    if (thick && *thick < 2.0 * h * (1.0 - 1e-9)) {
      found.push_back(
          fmt::format("collider \"{}\" is {:.6g} m thick, less than two spacings (h = {:.6g} m): particles "
                      "can pass through it",
                      collider.name, *thick, h));
    }
  }
  for (const Emitter& emitter : scene.emitters) {
    const double first = emitter.start + 0.5 * grain_interval(emitter, h, scene.dim());
    if (first >= emitter.stop) {
      found.push_back(
          fmt::format("emitter \"{}\" lets in nothing: at its rate the first particle comes at {:.6g} s, and "
                      "it stops at {:.6g} s",
                      emitter.name, first, emitter.stop));
    }
  }
  return found;
}

}  // namespace repose
