#pragma once

#include "experiments/picture/state_picture.h"
#include "reference/interface/methods/mpm.h"
#include "tests/unit/experiments/state_snapshots.h"

#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace repose::test {

inline StoredState stored(Snapshot snapshot) {
  return {.snapshot = std::move(snapshot), .origin = some_origin(), .scene = {}};
}

/// Bytes of a picture at a place.
inline std::array<int, 3> pixel(const experiments::Image& image, int column, int row) {
  const auto at = 3U * static_cast<std::size_t>(row * image.width + column);
  return {image.rgb[at], image.rgb[at + 1], image.rgb[at + 2]};
}

/// A plane 2 m wide and 1 m high without bodies; particles of 0.1 m.
struct Plane {
  Scene scene;
  Snapshot snapshot;

  explicit Plane(int dim = 2) : scene(small_scene(dim)) {
    snapshot.method = "mpm";
    scene.colliders.clear();
    scene.grid.cells = {20, 10, dim == 3 ? 10 : 1};
  }

  void set(std::string_view name, int components, std::vector<double> values) {
    snapshot.set({.name = std::string(name),
                  .unit = {},
                  .place = Place::particle,
                  .components = components,
                  .value = std::move(values)});
  }

  /// Sand at the given places; at rest, not deformed.
  void place(const std::vector<Point>& at) {
    const auto d = static_cast<std::size_t>(scene.dim());
    std::vector<double> x;
    std::vector<double> F;
    for (const Point& p : at) {
      for (std::size_t a = 0; a < d; ++a) x.push_back(p[static_cast<Eigen::Index>(a)]);
      for (std::size_t k = 0; k < d * d; ++k) F.push_back(k % (d + 1) == 0 ? 1.0 : 0.0);
    }
    set(field::mass, 1, std::vector<double>(at.size(), 1.0));
    set(field::volume, 1, std::vector<double>(at.size(), std::pow(0.1, scene.dim())));
    set(field::material, 1, std::vector<double>(at.size(), 1.0));
    set(field::q, 1, std::vector<double>(at.size(), 0.0));
    set(field::v, scene.dim(), std::vector<double>(x.size(), 0.0));
    set(field::x, scene.dim(), x);
    set(field::F, scene.dim() * scene.dim(), F);
  }

  experiments::Image draw(experiments::StatePictureOptions options = {}) const {
    options.width = options.width == 1200 ? 400 : options.width;
    return experiments::draw_state(stored(snapshot), scene, options);
  }
};

}  // namespace repose::test
