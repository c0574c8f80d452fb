#include "validation/invariants/spouts.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"

#include <cmath>
#include <numbers>
#include <string>

namespace repose::invariants {

Scene four_spouts(int dim) {
  Scene scene;
  scene.scheme = MpmOptions{.elastic_bound = 0.5};
  scene.grid = {.dim = dim,
                .h = 0.05,
                .domain_min = {-3, -3, dim == 3 ? -3.0 : 0.0},
                .cells = {120, 120, dim == 3 ? 120 : 1}};
  scene.gravity = {0, -9.81, 0};
  scene.frame_rate = 10.0;
  scene.duration = 1.0;
  scene.step = {.max_dt = 0.01, .cfl = 1.0};
  const double z = dim == 3 ? 0.3 : 0.0;
  for (int k = 0; k < 4; ++k) {
    Material m;
    m.name = "m" + std::to_string(k);
    m.density = 1000.0 + 500.0 * k;
    m.youngs_modulus = 1e3;  // waves of 1 m/s: steps of 10 ms stay below their bound
    m.poisson_ratio = 0.3;
    scene.materials.push_back(m);
    Emitter e;
    e.name = "spout " + std::to_string(k);
    e.material = k;
    e.start = 0.05 * k;
    e.stop = 0.7 + 0.1 * k;
    e.particles_per_cell = dim == 2 ? 3.0 + k : 1.0 + 0.5 * k;
    e.seed = static_cast<std::uint64_t>(10 + k);
    scene.emitters.push_back(e);
  }
  const double disk = dim == 2 ? 0.3 : std::numbers::pi * 0.15 * 0.15;
  auto& e = scene.emitters;
  e[0].shape = Box{.min = {-1, 0, dim == 3 ? 0.1 : 0.0}, .max = {-0.6, 0.1, dim == 3 ? 0.3 : 0.0}};
  e[0].velocity = {0, -1.5, 0};
  e[0].rate = 1.5 * (dim == 2 ? 0.4 : 0.08);
  e[1].shape = Sphere{.centre = {0.5, 0.5, z}, .radius = 0.15};
  e[1].velocity = dim == 2 ? Point(0.6, 0.8, 0) : Point(0.96, -0.64, 0.48);
  e[1].rate = 0.5 * disk * e[1].velocity.norm();
  e[2].shape = Cylinder{.centre = {1.5, -0.5, z},
                        .axis = dim == 3 ? Point(0.6, 0, 0.8) : Point(0, 0, 1),
                        .radius = 0.15,
                        .half_length = dim == 3 ? 0.1 : 0.0};
  e[2].velocity = dim == 2 ? Point(-2, 0, 0) : Point(-1.2, 0, -1.6);
  e[2].rate = 0.8 * disk * 2.0;
  e[3].shape = Box{.min = {-2, -2, dim == 3 ? 0.0 : 0.0}, .max = {-1.98, -1.98, dim == 3 ? 0.02 : 0.0}};
  e[3].velocity = {3, 0, 0};
  e[3].rate = 0.1 * 3.0 * std::pow(0.02, dim - 1);
  return scene;
}

double plain_grain(const Emitter& e, double h, int dim) { return std::pow(h, dim) / e.particles_per_cell; }

std::vector<std::vector<Grain>> by_spout(const Snapshot& state, std::size_t spouts, int dim) {
  std::vector<std::vector<Grain>> result(spouts);
  const auto d = static_cast<std::size_t>(dim);
  for (std::size_t p = 0; p < state.particles(); ++p) {
    Grain grain;
    for (std::size_t a = 0; a < d; ++a) {
      grain.x[static_cast<Eigen::Index>(a)] = state.get(field::x).value.at(p * d + a);
      grain.v[static_cast<Eigen::Index>(a)] = state.get(field::v).value.at(p * d + a);
    }
    grain.mass = state.get(field::mass).value.at(p);
    grain.volume = state.get(field::volume).value.at(p);
    result.at(static_cast<std::size_t>(state.get(field::material).value.at(p))).push_back(grain);
  }
  return result;
}

std::vector<double> step_ends(Dice& dice) {
  std::vector<double> ends{0.0};
  while (ends.back() < 1.1) ends.push_back(ends.back() + (dice.flip() ? dice.between(0.001, 0.03) : 1e-5));
  return ends;
}

}  // namespace repose::invariants
