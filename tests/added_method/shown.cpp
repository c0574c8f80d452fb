#include "tests/added_method/shown.h"

#include "reference/interface/particles/random.h"
#include "tests/added_method/flight.h"

#include <algorithm>
#include <cmath>

namespace repose::flight {

namespace {

using experiments::BenchBlock;
using experiments::Motion;

Scene outline(int dim, std::size_t, std::int64_t particles) {
  Scene scene;
  scene.title = "Cloud of particles, for measurements of speed";
  scene.scheme = Options{.ground = 1.0};
  const double edge = std::max(2.0, std::round(std::pow(static_cast<double>(particles), 1.0 / dim)));
  scene.grid.dim = dim;
  scene.grid.h = 1.0 / edge;
  const auto cells = static_cast<std::int64_t>(edge);
  scene.grid.cells = {cells, 2 * cells, dim == 3 ? cells : 1};
  scene.gravity = Point(0.0, -9.81, 0.0);
  scene.step.max_dt = 1e-3;
  scene.frame_rate = 1e-3;
  scene.duration = 1e3;
  Material grains;
  grains.name = "grains";
  grains.density = 2000.0;
  scene.materials = {grains};
  Seed cloud;
  cloud.name = "cloud";
  cloud.shape = Box{.min = Point::Zero(), .max = Point::Constant(1.0)};
  cloud.sampling = Sampling::regular;
  cloud.particles_per_cell = 1.0;
  scene.seeds = {cloud};
  return scene;
}

BenchBlock make(int dim, std::size_t variant, std::int64_t particles, Motion motion) {
  BenchBlock result{.scene = outline(dim, variant, particles), .state = {}};
  const auto d = static_cast<std::size_t>(dim);
  const auto count = static_cast<std::size_t>(std::pow(std::round(1.0 / result.scene.grid.h), dim));
  result.state.method = table.name;
  result.state.fields = method::state_at_rest(table, dim, count);
  for (double& mass : result.state.get(field::mass).value) mass = 1.0;
  const double level = ground(result.scene);
  Random random(1);
  for (std::size_t i = 0; i < count * d; ++i) {
    const double along = random.unit();
    result.state.get(field::x).value[i] = i % d != 1 ? along : motion == Motion::rest ? level : level + along;
  }
  return result;
}

}  // namespace

experiments::MethodBlock block() {
  return {.method = table.name,
          .variants = {{.name = "free"}},
          .make = make,
          .outline = outline,
          .into_flow_s = 0.2,
          .in_flow_s = 0.1,
          .flowing = {flying},
          .needs = {{{{"landings", 1000.0}}, {{"landings", 5.0}}}}};
}

experiments::Look look() { return {.method = table.name, .velocity = velocity}; }

}  // namespace repose::flight
