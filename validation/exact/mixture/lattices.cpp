#include "validation/exact/mixture/lattices.h"

#include "reference/interface/methods/mixture.h"
#include "validation/crosscheck/mpm/setup.h"

#include <cmath>

namespace repose::exact {

std::vector<crosscheck::Setup> setups_of_both() {
  std::vector<crosscheck::Setup> all = crosscheck::setups(method::mixture.name, 0);
  for (const crosscheck::Setup& setup : crosscheck::setups(method::mixture.name, 1)) all.push_back(setup);
  return all;
}

Scene box_of_both(const crosscheck::Setup& setup) {
  Scene scene;
  scene.grid.dim = setup.dim;
  scene.grid.h = 0.05;
  scene.grid.domain_min = Point(-0.13, 0.07, setup.dim > 2 ? -0.21 : 0.0);
  scene.grid.cells = {5, 4, setup.dim > 2 ? 4 : 1};
  scene.grid.periodic = {true, true, setup.dim > 2};
  scene.scheme = MixtureOptions{
      .kernel = crosscheck::kernel_of(setup), .transfer = crosscheck::transfer_of(setup), .flip_share = 0.95};
  Material grains;
  grains.name = "grains";
  grains.kind = MaterialKind::elastic;
  grains.density = 1600.0;
  grains.poisson_ratio = 0.25;
  grains.youngs_modulus = 1e3;
  Material water;
  water.name = "water";
  water.kind = MaterialKind::water;
  water.density = 500.0;
  water.water_stiffness = 100.0;
  water.water_gamma = 3.0;
  scene.materials = {grains, water};
  scene.frame_rate = 1.0;
  scene.duration = 1.0;
  return scene;
}

Snapshot two_lattices(const Scene& scene, const std::array<Filling, 2>& phases, std::int64_t first,
                      std::int64_t last) {
  const Grid& grid = scene.grid;
  const auto dim = static_cast<std::size_t>(grid.dim);
  const double part = grid.h / lattice_per_axis;
  const double whole = std::pow(part, grid.dim);
  std::vector<double> x, v, volume, mass, material;
  for (std::int64_t i = 0; i < lattice_per_axis * grid.cells[0]; ++i)
    for (std::int64_t j = lattice_per_axis * first; j < lattice_per_axis * last; ++j)
      for (std::int64_t k = 0; k < (dim > 2 ? lattice_per_axis * grid.cells[2] : 1); ++k)
        for (const std::size_t phase : {0U, 1U}) {
          const Filling& one = phases[phase];
          const double along =
              (static_cast<double>(i) + 0.5) / static_cast<double>(lattice_per_axis * grid.cells[0]);
          if (along < one.from || along >= one.to) continue;
          const std::array<std::int64_t, 3> index{i, j, k};
          for (std::size_t a = 0; a < dim; ++a) {
            const auto axis = static_cast<Eigen::Index>(a);
            x.push_back(grid.domain_min[axis] + part * (static_cast<double>(index[a]) + 0.5));
            v.push_back(one.v[axis]);
          }
          volume.push_back(one.share * whole);
          mass.push_back(one.density * whole);
          material.push_back(static_cast<double>(phase));
        }
  Snapshot state;
  state.method = method::mixture.name;
  state.fields = method::state_at_rest(method::mixture, grid.dim, mass.size());
  state.get(field::x).value = std::move(x);
  state.get(field::v).value = std::move(v);
  state.get(field::volume).value = std::move(volume);
  state.get(field::mass).value = std::move(mass);
  state.get(field::material).value = std::move(material);
  return state;
}

double roundings_of_transfers(const Scene& scene) {
  const double width = mixture_options(scene).kernel == Kernel::cubic ? 4.0 : 3.0;
  const double near = std::pow(width, scene.dim()), k = 40.0;
  const double terms = std::pow(lattice_per_axis * width, scene.dim());
  return 2.0 * (terms + k) + near + k;
}

}  // namespace repose::exact
