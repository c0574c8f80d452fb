#include "validation/exact/mpm/particles.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/setup.h"

#include <cmath>

namespace repose::exact {

Scene empty_scene(const crosscheck::Setup& setup) {
  Scene scene;
  scene.grid.dim = setup.dim;
  scene.scheme = MpmOptions{.kernel = crosscheck::kernel_of(setup),
                            .transfer = crosscheck::transfer_of(setup),
                            .flip_share = 0.95,
                            .implicit = {}};
  scene.frame_rate = 1.0;
  scene.duration = 1.0;
  return scene;
}

Scene column_scene(const crosscheck::Setup& setup, const Material& material, double height, double gravity,
                   int cells) {
  Scene scene = empty_scene(setup);
  Grid& grid = scene.grid;
  grid.h = height / cells;
  grid.domain_min = Point(0.0, -2.0 * grid.h, 0.0);
  grid.cells = {4, cells + 6, setup.dim > 2 ? 4 : 1};
  grid.periodic = {true, false, setup.dim > 2};
  scene.gravity = Point(0.0, -gravity, 0.0);
  scene.materials = {material};
  Collider floor;
  floor.name = "floor";
  floor.shape = HalfSpace{.point = Point::Zero(), .normal = Point::UnitY()};
  scene.colliders = {floor};
  return scene;
}

Snapshot lattice(const Scene& scene, int per_axis, std::int64_t first, std::int64_t last) {
  const Grid& grid = scene.grid;
  const int dim = grid.dim;
  const double part = grid.h / per_axis;
  const auto parts = [&](std::size_t axis) { return grid.cells[axis] * per_axis; };
  std::vector<double> x;
  for (std::int64_t i = 0; i < parts(0); ++i)
    for (std::int64_t j = first * per_axis; j < last * per_axis; ++j)
      for (std::int64_t k = 0; k < (dim > 2 ? parts(2) : 1); ++k) {
        const std::array<std::int64_t, 3> index{i, j, k};
        for (int axis = 0; axis < dim; ++axis) {
          const auto n = static_cast<double>(index[static_cast<std::size_t>(axis)]);
          x.push_back(grid.domain_min[axis] + part * (n + 0.5));
        }
      }
  const std::size_t count = x.size() / static_cast<std::size_t>(dim);
  const double volume = std::pow(part, dim);
  Snapshot state;
  state.method = method::mpm.name;
  state.fields = method::state_at_rest(method::mpm, dim, count);
  state.get(field::volume).value.assign(count, volume);
  state.get(field::mass).value.assign(count, scene.materials.at(0).density * volume);
  state.get(field::x).value = std::move(x);
  return state;
}

}  // namespace repose::exact
