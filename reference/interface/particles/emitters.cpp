#include "reference/interface/particles/emitters.h"

#include "reference/interface/particles/fresh_particles.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace repose {

Inflow::Inflow(const Scene& scene) : scene_(scene) {
  for (const Emitter& emitter : scene.emitters)
    columns_.push_back(emitter_column(emitter, scene.grid.h, scene.dim(), scene.grid.periods()));
}

Snapshot Inflow::between(double from, double to) const {
  FreshParticles particles(scene_);

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
      Point x = column.opening.centre + across + (to - t) * emitter.velocity;
      for (int axis = 0; axis < scene_.dim(); ++axis) scene_.grid.wrap(x[axis], axis);
      particles.add(m, column.V0, emitter.material, x, emitter.velocity);
    }
  }

  Snapshot state = particles.take();
  state.time = to;
  return state;
}

}  // namespace repose
