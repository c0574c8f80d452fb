#include "experiments/bench/mixture/block.h"

#include "experiments/bench/mpm/block.h"
#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_options.h"
#include "reference/interface/particles/random.h"
#include "validation/crosscheck/mpm/setup.h"

#include <algorithm>
#include <cmath>

namespace repose::experiments {

namespace {

Material pore_water() {
  Material m;
  m.name = "water";
  m.kind = MaterialKind::water;
  m.density = 1000.0;
  m.water_stiffness = 1e5;
  m.water_gamma = 3.0;
  return m;
}

Kernel kernel_of_variant(std::size_t variant) {
  return crosscheck::kernel_of(
      {.method = method::mixture.name, .variant = mpm_block().variants.at(variant).levels});
}

/// Makes a scene of sand one of sand and water.
void wet(Scene& scene) {
  const MpmOptions of_sand = mpm_options(scene);
  scene.scheme = MixtureOptions{.kernel = of_sand.kernel,
                                .elastic_bound = of_sand.elastic_bound,
                                .drag = Drag::mesh_consistent,
                                .kappa = 1e5};
  scene.materials.front().cohesion = 300.0;
  scene.materials.push_back(pore_water());
}

BenchBlock block_of_both(int dim, Kernel kernel, std::int64_t particles, Motion motion) {
  const BenchBlock dry = bench_block(dim, kernel, particles / 2, motion);
  BenchBlock block{dry.scene, {}};
  block.scene.title = "Block of sand and water, for measurements of speed";
  wet(block.scene);
  const Grid& grid = block.scene.grid;
  const Material& water = block.scene.materials.back();
  const std::size_t grains = dry.state.particles();
  const auto d = static_cast<std::size_t>(dim);
  Snapshot& state = block.state;
  state.method = method::mixture.name;
  state.fields = method::state_at_rest(method::mixture, dim, 2 * grains);
  for (const Field& of_sand : dry.state.fields)
    std::copy(of_sand.value.begin(), of_sand.value.end(), state.get(of_sand.name).value.begin());

  auto& x = state.get(field::x).value;
  double top = grid.domain_min.y();
  for (std::size_t p = 0; p < grains; ++p) top = std::max(top, x[d * p + 1]);
  top = grid.domain_min.y() + 0.5 * grid.h * std::ceil(2.0 * (top - grid.domain_min.y()) / grid.h);
  Random random(2);
  for (std::size_t p = 0; p < grains; ++p) {
    const std::size_t drop = grains + p;
    for (std::size_t a = 0; a < d; ++a) {
      const double from = grid.domain_min[static_cast<int>(a)];
      const double half_cell = std::floor(2.0 * (x[d * p + a] - from) / grid.h);
      const double jitter = random.between(0.1, 0.9);
      x[d * drop + a] = from + 0.5 * grid.h * (half_cell + jitter);
    }
    // Pressure k (J^−γ − 1) = ρ g times the height above.
    const double pressure = -water.density * block.scene.gravity.y() * (top - x[d * drop + 1]);
    const double J = std::pow(1.0 + pressure / water.water_stiffness, -1.0 / water.water_gamma);
    const double volume = std::pow(0.5 * grid.h, dim) / J;
    state.get(field::J).value[drop] = J;
    state.get(field::volume).value[drop] = volume;
    state.get(field::mass).value[drop] = water.density * volume;
    state.get(field::material).value[drop] = 1.0;
    state.get(field::c_C).value[p] = block.scene.materials.front().cohesion;
  }
  return block;
}

}  // namespace

MethodBlock mixture_block() {
  MethodBlock block = mpm_block();
  block.method = method::mixture.name;
  block.make = [](int dim, std::size_t variant, std::int64_t particles, Motion motion) {
    return block_of_both(dim, kernel_of_variant(variant), particles, motion);
  };
  block.outline = [](int dim, std::size_t variant, std::int64_t particles) {
    Scene scene = bench_outline(dim, kernel_of_variant(variant), particles / 2);
    wet(scene);
    Seed drops = scene.seeds.front();
    drops.name = "drops";
    drops.material = 1;
    scene.seeds.push_back(drops);
    return scene;
  };
  block.needs = {{{{"contacts", 10.0}, {"inside", 100.0}, {"nodes of both", 100.0}},
                  {{"contacts", 10.0}, {"surface", 100.0}, {"nodes of both", 100.0}}}};
  block.costs = nullptr;
  block.published = nullptr;
  return block;
}

}  // namespace repose::experiments
