#include "reference/interface/particles/emitters.h"

#include "reference/interface/methods/mpm.h"

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
  std::vector<double> mass, volumes, material, positions, velocities;

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
      mass.push_back(m);
      volumes.push_back(column.V0);
      material.push_back(static_cast<double>(emitter.material));
      for (int a = 0; a < dim; ++a) {
        positions.push_back(x[a]);
        velocities.push_back(emitter.velocity[a]);
      }
    }
  }

  Snapshot state;
  state.time = to;
  state.fields = method::particles_at_rest(method::mpm, dim, mass.size());
  state.get(field::mass).value = std::move(mass);
  state.get(field::volume).value = std::move(volumes);
  state.get(field::material).value = std::move(material);
  state.get(field::x).value = std::move(positions);
  state.get(field::v).value = std::move(velocities);
  return state;
}

}  // namespace repose
