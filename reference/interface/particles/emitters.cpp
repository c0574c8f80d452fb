#include "reference/interface/particles/emitters.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace repose {

Inflow::Inflow(const Scene& scene) : scene_(scene) {
  for (const Emitter& emitter : scene.emitters)
    columns_.push_back(emitter_column(emitter, scene.grid.h, scene.dim()));
}

Snapshot Inflow::between(double from, double to) const {
  const int dim = scene_.dim();
  const int matrix = dim * dim;
  Field mass{.name = std::string(field::mass), .unit = "kg", .value = {}};
  Field volumes{.name = std::string(field::volume), .unit = dim == 2 ? "m2" : "m3", .value = {}};
  Field material{.name = std::string(field::material), .unit = "1", .value = {}};
  Field positions{.name = std::string(field::x), .unit = "m", .components = dim, .value = {}};
  Field velocities{.name = std::string(field::v), .unit = "m/s", .components = dim, .value = {}};
  Field deformation{.name = std::string(field::F), .unit = "1", .components = matrix, .value = {}};

  for (std::size_t n = 0; n < columns_.size(); ++n) {
    const Emitter& emitter = scene_.emitters[n];
    const EmitterColumn& column = columns_[n];
    const double m = scene_.materials.at(static_cast<std::size_t>(emitter.material)).density * column.V0;
    const auto passes = [&](std::int64_t grain) {
      return emitter.start + (static_cast<double>(grain) + 0.5) * column.interval;
    };
    // Times round: from one grain early, and on to the first that comes too late. They never decrease.
    const double first = std::floor((std::min(from, emitter.stop) - emitter.start) / column.interval - 1.5);
    for (auto grain = static_cast<std::int64_t>(std::max(0.0, first));; ++grain) {
      const double t = passes(grain);
      if (!(t < to && t < emitter.stop)) break;
      if (t < from) continue;
      const Point& across = column.across[static_cast<std::size_t>(grain) % column.across.size()];
      const Point x = column.opening.centre + across + (to - t) * emitter.velocity;
      mass.value.push_back(m);
      volumes.value.push_back(column.V0);
      material.value.push_back(static_cast<double>(emitter.material));
      for (int a = 0; a < dim; ++a) {
        positions.value.push_back(x[a]);
        velocities.value.push_back(emitter.velocity[a]);
        for (int b = 0; b < dim; ++b) deformation.value.push_back(a == b ? 1.0 : 0.0);
      }
    }
  }

  const std::size_t count = mass.value.size();
  Snapshot state;
  state.time = to;
  for (Field* f : {&mass, &volumes, &material, &positions, &velocities}) state.set(std::move(*f));
  state.set({.name = std::string(field::C),
             .unit = "1/s",
             .components = matrix,
             .value = std::vector<double>(count * static_cast<std::size_t>(matrix), 0.0)});
  state.set(std::move(deformation));
  state.set({.name = std::string(field::q), .unit = "1", .value = std::vector<double>(count, 0.0)});
  state.set({.name = std::string(field::v_c), .unit = "1", .value = std::vector<double>(count, 0.0)});
  return state;
}

}  // namespace repose
