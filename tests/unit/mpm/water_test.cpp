// Water in the readable solver: its force, its volume, what it does not do.
#include "reference/physics/water.h"
#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "reference/mpm/forces.h"
#include "reference/mpm/plasticity.h"
#include "reference/mpm/reference_solver.h"
#include "reference/mpm/sums.h"
#include "reference/mpm/transfer_to_grid.h"
#include "reference/mpm/update_particles.h"
#include "tests/unit/mpm/scenes.h"

#include <Eigen/LU>
#include <boost/test/unit_test.hpp>

#include <cmath>

namespace repose::test {
namespace {

template <int d>
std::vector<Particle<d>> drops(const Scene& scene, double low = 0.8, double high = 1.1) {
  auto particles = cloud<d>(scene, 40, 71, 0.3, 2.0);
  std::mt19937_64 random(72);
  for (auto& p : particles) p.J = draw(random, low, high);
  return particles;
}

/// Ψ = Σ V⁰ ψ(Ĵ), Ĵ = (1 + tr Σ_i (x̂_i − x_i) ∇wᵀ) J, when one node moves.
template <int d>
double energy_of_motion(const Scene& scene, const std::vector<Particle<d>>& particles, std::int64_t id,
                        const Vec<d>& way) {
  double sum = 0.0;
  for (const Particle<d>& p : particles)
    for (const StencilNode<d>& i : Stencil<d>(scene.grid, mpm_options(scene).kernel, p.x))
      if (i.id == id)
        sum += p.V0 * (water_law((1.0 + way.dot(i.grad_w)) * p.J, scene.materials[0]).energy -
                       water_law(p.J, scene.materials[0]).energy);
  return sum;
}

BOOST_AUTO_TEST_SUITE(water_steps)

/// Central differences of step s leave s² of the third derivative, and rounding of ψ over s.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_force_is_minus_the_slope_of_the_energy_of_J, D, Dims) {
  constexpr int d = D::d;
  for (const Kernel kernel : {Kernel::quadratic, Kernel::cubic}) {
    const Scene scene = pool(d, kernel);
    State<d> state(scene.grid);
    state.particles = drops<d>(scene);
    StepReport report;
    transfer_to_grid<d>(state, {scene, 0.0, 1.0}, report);
    for (Node<d>& node : state.nodes) node.p.setZero();
    apply_forces<d>(state, {scene, 0.0, 1.0}, report);
    double largest = 0.0;
    for (const Node<d>& node : state.nodes) largest = std::max(largest, node.p_star.norm());
    const double s = 1e-5 * scene.grid.h;
    Vec<d> total = Vec<d>::Zero();
    for (const Node<d>& node : state.nodes) {
      total += node.p_star;
      for (int a = 0; a < d; ++a) {
        const Vec<d> way = s * Vec<d>::Unit(a);
        const double slope = (energy_of_motion<d>(scene, state.particles, node.id, way) -
                              energy_of_motion<d>(scene, state.particles, node.id, -way)) /
                             (2.0 * s);
        BOOST_TEST(std::abs(node.p_star[a] + slope) < 1e-8 * largest);
      }
    }
    BOOST_TEST(largest > 1.0);
    BOOST_TEST(total.norm() < 1e-12 * largest);  // Σ ∇w = 0: water does not push itself
  }
}

/// J is multiplied by 1 + Δt tr ∇v, not by det(1 + Δt ∇v), and F stays 1.
BOOST_AUTO_TEST_CASE_TEMPLATE(volume_follows_the_trace_of_the_gradient, D, Dims) {
  constexpr int d = D::d;
  const Scene scene = pool(d);
  State<d> state(scene.grid);
  state.particles = drops<d>(scene);
  std::mt19937_64 random(73);
  for (Particle<d>& p : state.particles) p.grad_v = draw_matrix<d>(random, -20.0, 20.0);
  const auto before = state.particles;
  const double dt = 5e-3;
  StepReport report;
  update_particles<d>(state, {scene, 0.0, dt}, report);
  apply_plasticity<d>(state, {scene, 0.0, dt}, report);
  double apart = 0.0;
  for (std::size_t n = 0; n < before.size(); ++n) {
    const Particle<d>& p = state.particles[n];
    double trace = 0.0;
    for (int a = 0; a < d; ++a) trace += before[n].grad_v(a, a);
    const double J = (1.0 + dt * trace) * before[n].J;
    BOOST_TEST(std::abs(p.J - J) <= 8 * u * 2.0);
    apart = std::max(apart,
                     std::abs((Mat<d>::Identity() + dt * before[n].grad_v).determinant() * before[n].J - J));
    BOOST_TEST((p.F == Mat<d>::Identity()));
    BOOST_TEST((p.q == 0.0 && p.v_c == 0.0 && p.part == Part::elastic));
  }
  BOOST_TEST(apart > 1e-3);
  BOOST_TEST(report.counts[counter::inside] + report.counts[counter::tip] + report.counts[counter::surface] ==
             0U);
}

/// A gradient that turns a cell inside out but keeps its trace is no matter for water.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_particle_whose_volume_vanishes_stops_the_step_by_its_name, D, Dims) {
  constexpr int d = D::d;
  const Scene scene = pool(d);
  State<d> state(scene.grid);
  state.particles = drops<d>(scene);
  for (Particle<d>& p : state.particles) p.grad_v.setZero();
  state.particles[7].grad_v(0, 0) = 1500.0;
  state.particles[7].grad_v(1, 1) = -1500.0;
  StepReport report;
  State<d> sheared = state;
  BOOST_CHECK_NO_THROW(update_particles<d>(sheared, {scene, 0.0, 1e-3}, report));
  BOOST_TEST(sheared.particles[7].J == state.particles[7].J);
  for (const double rate : {-1000.0, -1500.0}) {
    State<d> crushed = state;
    crushed.particles[7].grad_v.setZero();
    crushed.particles[7].grad_v(1, 1) = rate;
    BOOST_CHECK_EXCEPTION(update_particles<d>(crushed, {scene, 0.0, 1e-3}, report), StageFailure,
                          [](const StageFailure& failure) {
                            return failure.particle == 7 &&
                                   std::string(failure.what()).find("J = ") != std::string::npos;
                          });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_of_J_bound_what_order_does_to_it, D, Dims) {
  constexpr int d = D::d;
  const Scene scene = pool(d);
  const auto solver = make_reference_solver(scene);
  solver->load(start<d>(scene, drops<d>(scene)));
  solver->run(boundary::step_start, boundary::update, 1e-3);
  const auto J = solver->save(boundary::update, true).get(field::J).value;
  const Sums sums = solver->sums(field::J);
  BOOST_TEST(sums.magnitude.size() == J.size());
  for (std::size_t n = 0; n < J.size(); ++n) {
    BOOST_TEST(sums.magnitude[n] >= J[n] * (1.0 - 4 * u));
    BOOST_TEST(sums.magnitude[n] < 1.5 * J[n]);
    BOOST_TEST(sums.terms[n] == static_cast<std::uint32_t>(d + 1));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(water_that_may_not_pull_falls_apart_without_force, D, Dims) {
  constexpr int d = D::d;
  Scene scene = pool(d);
  scene.materials[0].water_tension = false;
  State<d> state(scene.grid);
  state.particles = drops<d>(scene, 1.0, 1.5);
  StepReport report;
  transfer_to_grid<d>(state, {scene, 0.0, 1.0}, report);
  apply_forces<d>(state, {scene, 0.0, 1.0}, report);
  for (const Node<d>& node : state.nodes) BOOST_TEST((node.p_star == node.p));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
