#include "experiments/tampubolon2017/fig05_multiplier/particle_stress.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/particles/random.h"
#include "validation/crosscheck/mpm/case_states.h"
#include "validation/crosscheck/mpm/stress_bounds.h"
#include "validation/mechanics/field_access.h"
#include "validation/mechanics/stencil.h"
#include "validation/mechanics/strain.h"
#include "validation/metrics/extremes.h"

#include <cmath>

namespace repose::experiments::tampubolon2017 {

namespace {

using crosscheck::Tensor;

constexpr double dt = 1e-4;  ///< [s]

/// Strains whose multiplier begins to fall, falls and has fallen, on and off the axis.
std::array<double, 3> drawn_strain(const MultiplierSet& set, int dim, Random& random) {
  const double unit = set.of.strain_unit;
  const double mean = random.between(1.6 * set.of.a, 0.3 * std::abs(set.of.a)) * unit / std::sqrt(1.0 * dim);
  const double aside = random.between(0.0, 1.0);
  std::array<double, 3> strain{};
  for (std::size_t k = 0; k < static_cast<std::size_t>(dim); ++k)
    strain[k] = mean + aside * std::abs(set.of.a) * unit * random.between(-1.0, 1.0);
  return strain;
}

Tensor tensor_of(const Tensor& axes, const std::array<double, 3>& principal, int dim) {
  Tensor diagonal = Tensor::Zero();
  for (int k = 0; k < dim; ++k) diagonal(k, k) = principal[static_cast<std::size_t>(k)];
  return axes * diagonal * axes.transpose();
}

}  // namespace

StressErrors measure_stress(int dim, const SolverChoice& choice, const MultiplierSet& set,
                            std::size_t count) {
  Scene scene = multiplier_scene(dim);
  scene.materials.front().unilateral = set.of;
  const auto solver = make_solver(choice, scene);
  const Lame moduli = lame(scene.materials.front());
  // The judge forms F, strain and stress in double.
  const crosscheck::Arithmetic arithmetic =
      crosscheck::arithmetic(scene, solver->rounding(), {.unit = 0x1p-53, .position = 0.0, .strain = "F"});
  StressErrors errors;
  errors.solver = choice;
  errors.dim = dim;
  Random random(5);
  for (std::size_t n = 0; n < count; ++n) {
    Point place = Point::Zero();
    for (int axis = 0; axis < dim; ++axis) place[axis] = 0.1 * random.between(-1.0, 1.0);
    Snapshot state = placed_particles(scene, {place});
    const auto strain = drawn_strain(set, dim, random);
    const Tensor left = crosscheck::random_rotation(dim, random);
    const Tensor right = crosscheck::random_rotation(dim, random);
    Tensor stretch = Tensor::Zero();
    for (int k = 0; k < dim; ++k) stretch(k, k) = std::exp(strain[static_cast<std::size_t>(k)]);
    const Tensor F = left * stretch * right;
    for (int a = 0; a < dim; ++a)
      for (int b = 0; b < dim; ++b)
        state.get(field::F).value[static_cast<std::size_t>(a * dim + b)] = F(a, b);
    solver->load(state);
    solver->run(boundary::step_start, boundary::forces, dt);
    const Snapshot pushed = solver->save(boundary::forces, false);

    const Point x = crosscheck::in_dimensions(crosscheck::point(pushed.get(field::x), 0), dim);
    const double scale = 1.0 / (dt * pushed.get(field::volume).value[0]);
    Tensor got = Tensor::Zero();
    double read = 0.0;  // what the sum is made of, over the stress
    for (std::size_t i = 0; i < pushed.count(Place::node); ++i) {
      const Point offset =
          crosscheck::in_dimensions(scene.grid.node_position(pushed.ids(Place::node)[i]), dim) - x;
      got -= scale * crosscheck::point(pushed.get(field::p_star), i) * offset.transpose();
    }
    const crosscheck::Stencil near = crosscheck::stencil(scene, x);
    for (std::size_t i = 0; i < static_cast<std::size_t>(near.size); ++i)
      read += near.grad[i].norm() *
              (crosscheck::in_dimensions(scene.grid.node_position(near.node[i]), dim) - x).norm();

    const Tensor due = tensor_of(left, unilateral_stress(strain, dim, moduli, set.of), dim);
    const crosscheck::StressError known = crosscheck::stress_error(scene, arithmetic, state, 0);
    // Some 40 roundings from a strain to an impulse and of its product with a distance; as many as nodes in the sum.
    const double bound = known.error + arithmetic.g(40.0 + near.size) * read * known.magnitude;
    const double h = multiplier(strain, dim, set.of);
    const std::size_t region = h == 1.0 ? 0 : h == 0.0 ? 2 : 1;
    ++errors.states[region];
    const double error = (got - due).norm();
    errors.worst[region] = metrics::larger(errors.worst[region], error == 0.0 ? 0.0 : error / bound);
  }
  return errors;
}

}  // namespace repose::experiments::tampubolon2017
