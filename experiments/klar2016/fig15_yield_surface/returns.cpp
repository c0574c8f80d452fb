#include "experiments/klar2016/fig15_yield_surface/returns.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/crosscheck/mpm/case_states.h"
#include "validation/metrics/elastic_state.h"
#include "validation/metrics/extremes.h"

#include <algorithm>
#include <cmath>

namespace repose::experiments::klar2016 {

namespace {

constexpr double dt = 1e-4;

using crosscheck::Tensor;

double dot(const Tensor& a, const Tensor& b) { return (a.array() * b.array()).sum(); }

Tensor deviator(const Tensor& strain, int dim) {
  return strain - strain.trace() / dim * crosscheck::identity(dim);
}

/// A snapshot's particles with new deformation gradients, to be returned.
Snapshot at_update(Snapshot state, const Field& F) {
  Field trial = F;
  trial.name = field::F_trial;
  state.at = boundary::update;
  state.dt = dt;
  state.erase(field::F);
  state.erase(field::plastic_case);
  state.set(trial);
  return state;
}

}  // namespace

Scene return_scene(int dim) {
  Scene scene = load_scene(figure_file("klar2016/fig15_yield_surface/fig15_yield_surface.toml"));
  if (dim == 3) {
    scene.grid.dim = 3;
    scene.grid.domain_min.z() = scene.grid.domain_min.x();
    scene.grid.cells[2] = scene.grid.cells[0];
  }
  return scene;
}

Snapshot trial_states(const Scene& scene, std::size_t count, std::uint64_t seed) {
  const int dim = scene.dim();
  Random random(seed);
  const Snapshot state = placed_particles(scene, std::vector<Point>(count, Point::Zero()));
  Field F = state.get(field::F);
  for (std::size_t p = 0; p < count; ++p) {
    const double mean = p % 4 == 0 ? random.between(0.0, 0.02) : random.between(-0.05, 0.0);
    const double shear = p % 8 == 7 ? 1e-6 : random.between(0.0, 0.06);
    Tensor stretch = Tensor::Zero();
    for (int axis = 0; axis < dim; ++axis)
      stretch(axis, axis) = std::exp(mean + shear * random.between(-1.0, 1.0));
    const Tensor left = crosscheck::random_rotation(dim, random);
    const Tensor right = crosscheck::random_rotation(dim, random);
    const Tensor value = left * stretch * right;
    for (int a = 0; a < dim; ++a) {
      for (int b = 0; b < dim; ++b) {
        F.value[p * static_cast<std::size_t>(dim * dim) + static_cast<std::size_t>(a * dim + b)] =
            value(a, b);
      }
    }
  }
  return at_update(state, F);
}

ReturnErrors measure_returns(int dim, const SolverChoice& choice, std::size_t count) {
  const Scene scene = return_scene(dim);
  const Lame moduli = lame(scene.materials.front());
  const double alpha = cone_slope(scene.materials.front().friction.h0);
  const auto solver = make_solver(choice, scene);
  const Rounding rounding = solver->rounding();

  solver->load(trial_states(scene, count, 15));
  const Field trial = solver->save(boundary::update, false).get(field::F_trial);  // as the solver holds it
  solver->run(boundary::update, boundary::plasticity, dt);
  const Snapshot once = solver->save(boundary::plasticity, false);
  solver->load(at_update(once, once.get(field::F)));
  solver->run(boundary::update, boundary::plasticity, dt);
  const Snapshot twice = solver->save(boundary::plasticity, false);

  ReturnErrors errors;
  errors.solver = choice;
  errors.dim = dim;
  const auto worst = [](double& so_far, double error, double bound) {
    so_far = metrics::larger(so_far, error / bound);
  };
  for (std::size_t p = 0; p < count; ++p) {
    const PrincipalStrain strain = principal_strain(trial, p, dim);
    const PrincipalStrain result = principal_strain(once.get(field::F), p, dim);
    const double gamma = yield_residual(strain, moduli, alpha);
    const double bound = strain_rounding(strain, rounding);
    const double bound_yield = yield_rounding(strain, moduli, alpha, rounding);
    if (std::abs(gamma) <= bound_yield || std::abs(strain.trace()) <= dim * bound) continue;
    const int expected = strain.trace() > 0.0 ? 2 : gamma > 0.0 ? 3 : 1;
    ++errors.states[static_cast<std::size_t>(expected - 1)];
    if (once.get(field::plastic_case).value[p] != expected) ++errors.wrong_case;

    const Tensor before = crosscheck::strain(crosscheck::tensor(trial, p, dim), dim).log;
    const Tensor after = crosscheck::strain(crosscheck::tensor(once.get(field::F), p, dim), dim).log;
    const Tensor again = crosscheck::strain(crosscheck::tensor(twice.get(field::F), p, dim), dim).log;
    worst(errors.idempotence, (again - after).norm(), expected == 3 ? bound + bound_yield : bound);
    double growth = 0.0;
    if (expected == 1) worst(errors.unchanged, (after - before).norm(), bound);
    if (expected == 2) {
      worst(errors.tip, after.norm(), bound);
      growth = before.norm();
    }
    if (expected == 3) {
      const Tensor long_hat = deviator(before, dim);
      const Tensor hat = deviator(after, dim);
      worst(errors.trace, std::abs(after.trace() - before.trace()), 2.0 * std::sqrt(1.0 * dim) * bound);
      worst(errors.on_cone, std::abs(yield_residual(result, moduli, alpha)), bound_yield);
      worst(errors.direction, (hat - dot(hat, long_hat) / dot(long_hat, long_hat) * long_hat).norm(),
            2.0 * bound);
      growth = gamma;
    }
    worst(errors.hardening, std::abs(once.get(field::q).value[p] - growth), bound_yield);
    if (errors.sample.size() < 600) errors.sample.push_back({expected, strain.eps, result.eps});
  }
  return errors;
}

}  // namespace repose::experiments::klar2016
