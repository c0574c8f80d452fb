#include "reference/interface/particles/scene_size.h"

#include "reference/interface/methods/all.h"
#include "reference/interface/particles/sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace repose {

namespace {

double power(double x, int dim) { return dim == 2 ? x * x : x * x * x; }

/// Nodes that the stencils of particles in a box of the given size reach, in whole blocks. Few particles far apart
/// reach less: each no more than two blocks and a stencil per axis.
double nodes_around(const Point& extent, double particles, const Scene& scene, int block_edge) {
  const double stencil = scene.scheme.table().stencil_nodes(scene);
  const double slack = stencil + 2.0 * (block_edge - 1);
  double around = 1.0;
  for (int axis = 0; axis < scene.dim(); ++axis) {
    // Blocks hold images of nodes beyond a seam as well.
    const double images = scene.grid.is_periodic(axis) ? stencil : 0.0;
    const double domain = static_cast<double>(scene.grid.nodes(axis)) + images + 2.0 * (block_edge - 1);
    around *= std::min(extent[axis] / scene.grid.h + slack, domain);
  }
  return std::min(around, particles * power(slack, scene.dim()));
}

BodySize size_of(const Seed& seed, const Scene& scene, int block_edge) {
  const int dim = scene.dim();
  const double h = scene.grid.h;
  const Bounds box = bounds(seed.shape, dim);
  const Point extent = box.max - box.min;
  // Formed in units of h, where nothing overflows that is not too large anyway.
  double box_cells = 1.0;
  double lattice = 1.0;
  const double per_axis = dim == 2 ? std::sqrt(seed.particles_per_cell) : std::cbrt(seed.particles_per_cell);
  double box_volume = 1.0;
  for (int axis = 0; axis < dim; ++axis) {
    box_cells *= extent[axis] / h;
    box_volume *= extent[axis];
    lattice *= std::max(1.0, std::round(extent[axis] / h * per_axis));
  }
  const double share = box_volume > 0.0 ? std::min(1.0, volume(seed.shape, dim) / box_volume) : 1.0;
  const bool is_lattice = seed.sampling != Sampling::poisson_disk;
  BodySize size;
  size.where = fmt::format("{}seed \"{}\"", seed.where.empty() ? "" : seed.where + ": ", seed.name);
  size.particles_per_cell = seed.particles_per_cell;
  size.particles = share * (is_lattice ? lattice : seed.particles_per_cell * box_cells);
  size.lattice_cells = is_lattice ? lattice : size.particles;
  size.nodes = nodes_around(extent, size.particles, scene, block_edge);
  return size;
}

BodySize size_of(const Emitter& emitter, const Scene& scene, double end_time, int block_edge) {
  const int dim = scene.dim();
  const double seconds = std::max(0.0, std::min(emitter.stop, end_time) - emitter.start);
  double cells = emitter.rate * seconds;
  for (int axis = 0; axis < dim; ++axis) cells /= scene.grid.h;
  BodySize size;
  size.where =
      fmt::format("{}emitter \"{}\"", emitter.where.empty() ? "" : emitter.where + ": ", emitter.name);
  size.particles_per_cell = emitter.particles_per_cell;
  size.particles = emitter.particles_per_cell * cells;
  size.lattice_cells = size.particles;
  // Where it will lie is not known: in a heap as wide as high.
  const double edge = dim == 2 ? std::sqrt(cells) : std::cbrt(cells);
  size.nodes = nodes_around(Point::Constant(edge * scene.grid.h), size.particles, scene, block_edge);
  return size;
}

}  // namespace

std::vector<BodySize> body_sizes(const Scene& scene, double end_time, int block_edge) {
  std::vector<BodySize> sizes;
  for (const Seed& seed : scene.seeds) sizes.push_back(size_of(seed, scene, block_edge));
  for (const Emitter& emitter : scene.emitters)
    sizes.push_back(size_of(emitter, scene, end_time, block_edge));
  return sizes;
}

double snapshot_bytes_per_particle(const Scene& scene) {
  int numbers = 0;
  for (const method::FieldRow* row : method::fields_at(method::of(scene), boundary::step_start))
    if (row->place == Place::particle) numbers += method::components(*row, scene.dim());
  return static_cast<double>(sizeof(double)) * numbers;
}

}  // namespace repose
