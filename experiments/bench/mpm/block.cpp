#include "experiments/bench/mpm/block.h"

#include "experiments/bench/mpm/costs.h"
#include "experiments/bench/room.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/particles/random.h"
#include "validation/crosscheck/mpm/setup.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace repose::experiments {

namespace {

constexpr double height = 1.0;  // of the block [m]
constexpr int free_cells = 4;   // between the domain's border and the room

Material sand() {
  Material m;
  m.name = "sand";
  m.density = 2200.0;
  m.youngs_modulus = 3.537e5;
  m.poisson_ratio = 0.3;
  m.friction = {.h0 = 35.0 * degree, .h1 = 9.0 * degree, .h2 = 0.2, .h3 = 10.0 * degree};
  m.volume_correction = true;
  m.hardening_apart = HardeningApart::opening_and_closing;  // as when its figures were measured
  return m;
}

std::array<std::int64_t, 3> cells_of_domain(int dim, long edge) {
  const long wide = 3 * edge + 2 * free_cells;
  return {wide, edge + edge / 2 + 2 * free_cells, dim == 3 ? wide : 1};
}

double per_cell(int dim) { return dim == 3 ? 8.0 : 4.0; }

/// Cells along an edge of the block.
long block_edge(int dim, std::int64_t particles) {
  const double cells = static_cast<double>(particles) / per_cell(dim);
  return std::max(2L, std::lround(dim == 3 ? std::cbrt(cells) : std::sqrt(cells)));
}

constexpr std::array kernels{Kernel::quadratic, Kernel::cubic};

BlockVariant variant_with(Kernel kernel) {
  const crosscheck::Setup setup = crosscheck::MpmSetup{.kernel = kernel, .transfer = Transfer::apic};
  const std::string_view name = crosscheck::name_of(kernel);
  return {.name = name, .levels = setup.variant, .told = {{"kernel", name}}};
}

}  // namespace

Scene bench_outline(int dim, Kernel kernel, std::int64_t particles) {
  Scene scene;
  scene.scheme = MpmOptions{.kernel = kernel};
  scene.materials = {sand()};
  scene.grid.dim = dim;
  scene.grid.h = height / static_cast<double>(block_edge(dim, particles));
  scene.grid.cells = cells_of_domain(dim, block_edge(dim, particles));
  Seed block;
  block.name = "block";
  block.shape = Box{.min = Point::Zero(), .max = Point::Constant(height)};
  block.sampling = Sampling::jittered;
  block.particles_per_cell = per_cell(dim);
  scene.seeds = {block};
  return scene;
}

BenchBlock bench_block(int dim, Kernel kernel, std::int64_t particles, Motion motion) {
  const long edge = block_edge(dim, particles);
  BenchBlock block;
  Scene& scene = block.scene;
  scene.title = "Block of sand, for measurements of speed";
  scene.scheme = MpmOptions{.kernel = kernel, .elastic_bound = kernel == Kernel::cubic ? 0.6 : 0.5};
  scene.gravity = Point(0.0, -9.81, 0.0);
  scene.materials = {sand()};
  Grid& grid = scene.grid;
  grid.dim = dim;
  grid.h = height / static_cast<double>(edge);
  grid.cells = cells_of_domain(dim, edge);
  scene.step = {.max_dt = 1e-2, .cfl = 0.5};
  scene.frame_rate = 1e-3;  // no step is cut by a frame's end
  scene.duration = 1e3;

  const double floor = grid.h * free_cells;
  const double low = motion == Motion::rest ? grid.h * static_cast<double>(free_cells + edge) : floor;
  const double high = grid.h * static_cast<double>(free_cells + (motion == Motion::rest ? 2 : 3) * edge);
  add_room(scene, Point(low, floor, low), Point(high, 0.0, high));

  const auto along = static_cast<std::size_t>(2 * edge);
  const std::size_t deep = dim == 3 ? along : 1;
  const std::size_t count = along * along * deep;
  const auto d = static_cast<std::size_t>(dim);
  block.state.method = method::mpm.name;
  block.state.fields = method::state_at_rest(method::mpm, dim, count);
  Field& mass = block.state.get(field::mass);
  Field& volume = block.state.get(field::volume);
  Field& x = block.state.get(field::x);
  Field& F = block.state.get(field::F);
  const Material& material = scene.materials.front();
  const Lame moduli = lame(material);
  const double first = grid.h * static_cast<double>(free_cells + edge);
  Random random(1);
  std::size_t p = 0;
  for (std::size_t i = 0; i < along; ++i) {
    for (std::size_t j = 0; j < along; ++j) {
      for (std::size_t k = 0; k < deep; ++k, ++p) {
        const std::size_t cell[3] = {i, j, k};
        for (std::size_t a = 0; a < d; ++a) {
          const double jitter = random.between(0.1, 0.9);
          x.value[d * p + a] =
              (a == 1 ? floor : first) + 0.5 * grid.h * (static_cast<double>(cell[a]) + jitter);
        }
        const double above = height - (x.value[d * p + 1] - floor);
        const double strain =
            scene.gravity.y() * material.density * above / (moduli.lambda + 2.0 * moduli.mu);
        volume.value[p] = std::pow(0.5 * grid.h, dim) / std::exp(strain);
        mass.value[p] = material.density * volume.value[p];
        for (std::size_t a = 0; a < d; ++a)
          F.value[d * d * p + a * (d + 1)] = a == 1 ? std::exp(strain) : 1.0;
      }
    }
  }
  return block;
}

MethodBlock mpm_block() {
  MethodBlock block;
  block.method = method::mpm.name;
  for (const Kernel kernel : kernels) block.variants.push_back(variant_with(kernel));
  block.make = [](int dim, std::size_t variant, std::int64_t particles, Motion motion) {
    return bench_block(dim, kernels.at(variant), particles, motion);
  };
  block.outline = [](int dim, std::size_t variant, std::int64_t particles) {
    return bench_outline(dim, kernels.at(variant), particles);
  };
  block.into_flow_s = 0.25;  // somewhat more than half the time of a free fall over the block's height
  block.in_flow_s = 0.1;     // of the 0.2 s in which most of a block still flows
  block.flowing = {counter::tip, counter::surface};
  block.needs = {{{{"contacts", 10.0}, {"inside", 100.0}}, {{"contacts", 10.0}, {"surface", 100.0}}}};
  block.costs = [](int dim, std::size_t variant, Precision precision) {
    return stage_costs(dim, kernels.at(variant), precision);
  };
  block.published = klar_table2;
  return block;
}

}  // namespace repose::experiments
