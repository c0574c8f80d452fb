// Whole steps whose answer is known on paper.

#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/mpm/explicit_step.h"
#include "reference/mpm/kernels.h"
#include "reference/mpm/reference_solver.h"
#include "reference/physics/hencky.h"
#include "tests/unit/mpm/scenes.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>

namespace repose::test {
namespace {

namespace data = boost::unit_test::data;

template <int d>
std::vector<Particle<d>> run(const Scene& scene, const std::vector<Particle<d>>& particles, int steps,
                             double dt) {
  const auto solver = make_reference_solver(scene);
  solver->load(start<d>(scene, particles));
  for (int n = 0; n < steps; ++n) solver->advance([dt](double) { return dt; });
  return load_state<d>(solver->save(boundary::step_start, true), scene).particles;
}

BOOST_AUTO_TEST_SUITE(motion)

/// Symplectic Euler falls y_n = y_0 − g Δt² n (n + 1)/2 exactly, every transfer, both kernels.
BOOST_AUTO_TEST_CASE_TEMPLATE(free_fall_is_the_parabola_of_the_scheme, D, Dims) {
  constexpr int d = D::d;
  for (const Kernel kernel : {Kernel::quadratic, Kernel::cubic}) {
    for (const Transfer transfer : {Transfer::apic, Transfer::pic, Transfer::flip}) {
      Scene scene = empty_box(d, kernel, transfer);
      scene.gravity = Point(0.0, -10.0, 0.0);
      auto particles = cloud<d>(scene, 20, 2, 0.0, 0.0);
      const int steps = 40;
      const double dt = 2e-3;
      const auto after = run<d>(scene, particles, steps, dt);
      for (std::size_t n = 0; n < particles.size(); ++n) {
        const double fall = 10.0 * dt * dt * steps * (steps + 1) / 2.0;
        BOOST_TEST(std::abs(after[n].x[1] - (particles[n].x[1] - fall)) < steps * 20 * u);
        BOOST_TEST(std::abs(after[n].x[0] - particles[n].x[0]) < steps * 20 * u);
        BOOST_TEST(std::abs(after[n].v[1] + 10.0 * dt * steps) < steps * 50 * u);
        BOOST_TEST((after[n].F - Mat<d>::Identity()).norm() < steps * 200 * u);
      }
    }
  }
}

/// Across several cells; F = 1 but for rounding of Δt ∇v, and whole cells of displacement change nothing.
BOOST_AUTO_TEST_CASE_TEMPLATE(uniform_translation_does_not_deform, D, Dims) {
  constexpr int d = D::d;
  Scene scene = empty_box(d, Kernel::cubic, Transfer::apic, 0.125);
  auto particles = cloud<d>(scene, 15, 12, 0.0, 0.0);
  for (auto& p : particles) {
    p.v = Vec<d>::Constant(1.0);
    p.x = (p.x * 64.0).array().round() / 64.0;  // dyadic: a shift by cells is exact
  }
  auto shifted = particles;
  for (auto& p : shifted) p.x[0] += 2 * 0.125;
  const int steps = 40;
  const auto after = run<d>(scene, particles, steps, 0x1p-8);
  const auto after_shifted = run<d>(scene, shifted, steps, 0x1p-8);
  for (std::size_t n = 0; n < particles.size(); ++n) {
    BOOST_TEST((after[n].x - particles[n].x - Vec<d>::Constant(steps * 0x1p-8)).norm() < steps * 20 * u);
    BOOST_TEST((after[n].F - Mat<d>::Identity()).norm() < 2 * steps * 20 * u);
    // Not bit for bit once positions have rounded: x + Δt v̄ at another x rounds otherwise.
    BOOST_TEST((after_shifted[n].F - after[n].F).norm() < 2 * steps * 20 * u);
  }
  const auto once = run<d>(scene, particles, 1, 0x1p-8);
  const auto once_shifted = run<d>(scene, shifted, 1, 0x1p-8);
  for (std::size_t n = 0; n < particles.size(); ++n) {
    BOOST_TEST((once[n].F == once_shifted[n].F));
    BOOST_TEST((once[n].v == once_shifted[n].v));
  }
}

/// A patch of sand in a frictionless or frictional bed, gravity along and into a floor: what a block does on
/// an incline. One particle, all of its nodes inside the floor, so that each node is held and rubbed alike.
double slide(double slope_deg, double mu, double dt, int steps,
             ParticleMotion motion = ParticleMotion::before_friction) {
  Scene scene = empty_box(2, Kernel::quadratic);
  mpm_options(scene).motion = motion;
  scene.gravity = 9.81 * Point(std::sin(slope_deg * degree), -std::cos(slope_deg * degree), 0.0);
  Collider bed;
  bed.shape = HalfSpace{Point(0.0, 0.9, 0.0), Point(0.0, 1.0, 0.0)};
  bed.friction = mu;
  scene.colliders.push_back(bed);
  const auto after = run<2>(scene, {particle_at<2>(Vec<2>(0.2, 0.53))}, steps, dt);
  BOOST_TEST(std::abs(after[0].x[1] - 0.53) < steps * 50 * u);  // premise: the bed holds
  return after[0].x[0] - 0.2;
}

BOOST_AUTO_TEST_CASE(a_block_slides_as_on_paper) {
  const double dt = 1e-3;
  const int steps = 300;
  const double travel = 9.81 * dt * dt * steps * (steps + 1) / 2.0;  // n(n+1)/2: v̄ moves the particle
  BOOST_TEST(std::abs(slide(24.0, 0.0, dt, steps) - travel * std::sin(24.0 * degree)) < 1e-11);

  // With friction v̄ still carries the step's g sin θ Δt that ṽ then loses part of: position lags by one half
  // step.
  const double mu = std::tan(15.0 * degree);
  const double s = std::sin(24.0 * degree), c = std::cos(24.0 * degree);
  const double a = 9.81 * (s - mu * c);
  const double exact = a * dt * dt * steps * (steps - 1) / 2.0 + 9.81 * s * dt * dt * steps;
  // A distance rounds by 10⁻¹⁶ m, over Δt 10⁻¹³ m/s per step: 300 steps, 0.3 s.
  BOOST_TEST(std::abs(slide(24.0, mu, dt, steps) - exact) < 1e-11);
}

/// Friction beyond tan θ stops the velocity every step; the position creeps by the part of v̄ that friction
/// removes, g sin θ Δt² per step, since [Klar16 Eq.13] moves particles with v̄.
BOOST_AUTO_TEST_CASE(a_block_sticks_where_friction_exceeds_the_slope) {
  const double s = std::sin(24.0 * degree);
  BOOST_TEST(std::abs(slide(24.0, 0.5, 1e-3, 200) - 9.81 * s * 1e-6 * 200) < 1e-13);
  BOOST_TEST(std::abs(slide(24.0, 0.5, 1e-4, 2000) - 9.81 * s * 1e-8 * 2000) < 1e-12);  // vanishes with Δt
}

/// Moved by ṽ it stands still, and a sliding one travels as its velocity says.
BOOST_AUTO_TEST_CASE(moved_after_friction_a_block_rests_and_slides_as_on_paper) {
  const ParticleMotion after = ParticleMotion::after_friction;
  // Velocities are 0 but for rounding of a distance over Δt, 10⁻¹³ m/s.
  BOOST_TEST(std::abs(slide(24.0, 0.5, 1e-3, 200, after)) < 200 * 1e-3 * 1e-13);
  const double mu = std::tan(15.0 * degree);
  const double a = 9.81 * (std::sin(24.0 * degree) - mu * std::cos(24.0 * degree));
  const int steps = 300;
  BOOST_TEST(std::abs(slide(24.0, mu, 1e-3, steps, after) - a * 1e-6 * steps * (steps + 1) / 2.0) < 1e-11);
}

/// The particle's velocity comes from ṽ, its motion and deformation from v̄ [Klar16 §5.3, §5.4]. Reading
/// Eq.15 literally as the derivative of Eq.11 would deform with ṽ.
/// The option lets ṽ do all.
BOOST_DATA_TEST_CASE(particles_move_with_v_bar_and_fly_with_v_tilde,
                     data::make({"before_friction", "after_friction"}), chosen) {
  const bool after_friction = std::string(chosen) == "after_friction";
  Scene scene = empty_box(2, Kernel::cubic);
  if (after_friction) mpm_options(scene).motion = ParticleMotion::after_friction;
  scene.gravity = Point(2.0, -9.81, 0.0);
  Collider bed;
  bed.shape = HalfSpace{Point(0.0, 0.58, 0.0), Point(0.0, 1.0, 0.0)};
  bed.friction = 0.1;
  scene.colliders.push_back(bed);
  const auto solver = make_reference_solver(scene);
  auto particles = cloud<2>(scene, 20, 3, 0.5, 1.0);
  solver->load(start<2>(scene, particles));
  const StepReport report = solver->run(boundary::step_start, boundary::friction, 1e-3);
  BOOST_TEST(report.counts[counter::sliding] > 0U);  // premise
  const State<2> before = load_state<2>(solver->save(boundary::friction, true), scene);
  solver->run(boundary::friction, boundary::g2p, 1e-3);
  const State<2> after = load_state<2>(solver->save(boundary::g2p, true), scene);
  double apart = 0.0, gradient_apart = 0.0;
  for (std::size_t n = 0; n < particles.size(); ++n) {
    Vec<2> v_bar = Vec<2>::Zero(), v_tilde = Vec<2>::Zero();
    Mat<2> of_bar = Mat<2>::Zero(), of_tilde = Mat<2>::Zero(), B = Mat<2>::Zero();
    for (const StencilNode<2>& i : Stencil<2>(scene.grid, mpm_options(scene).kernel, particles[n].x)) {
      const Node<2>* node = before.nodes.find(i.id);
      v_bar += i.w * node->p_bar / node->m;
      v_tilde += i.w * node->p_tilde / node->m;
      of_bar += node->p_bar / node->m * i.grad_w.transpose();
      of_tilde += node->p_tilde / node->m * i.grad_w.transpose();
      B += i.w * node->p_tilde / node->m * i.offset.transpose();
    }
    BOOST_TEST((after.particles[n].v_bar - (after_friction ? v_tilde : v_bar)).norm() < 50 * u);
    BOOST_TEST((after.particles[n].v - v_tilde).norm() < 50 * u);
    BOOST_TEST((after.particles[n].grad_v - (after_friction ? of_tilde : of_bar)).norm() < 50 * u * 40.0);
    BOOST_TEST((after.particles[n].C - B / affine_inertia(mpm_options(scene).kernel, scene.grid.h)).norm() <
               50 * u * 40.0);
    apart = std::max(apart, (v_bar - v_tilde).norm());
    gradient_apart = std::max(gradient_apart, (of_bar - of_tilde).norm());
  }
  BOOST_TEST(apart > 1e-5);
  BOOST_TEST(gradient_apart > 1e-4);
}

/// New rotations and stretches act after the old ones: F̂ = (1 + Δt ∇v) F, not F (1 + Δt ∇v) [Klar16 Eq.16].
BOOST_AUTO_TEST_CASE_TEMPLATE(deformation_grows_from_the_left, D, Dims) {
  constexpr int d = D::d;
  const Scene scene = empty_box(d);
  State<d> state(scene.grid);
  Particle<d> p = particle_at<d>(Vec<d>::Constant(0.6));
  p.F(0, 1) = 0.5;        // x ← x + y/2
  p.grad_v(1, 0) = 0.25;  // y ← y + x/4 in a step of 1 s
  p.v_bar = Vec<d>::Constant(0.125);
  state.particles = {p};
  StepReport report;
  update_particles<d>(state, {scene, 0.0, 1.0}, report);
  Mat<d> expected = Mat<d>::Identity();
  expected(0, 1) = 0.5;
  expected(1, 0) = 0.25;
  expected(1, 1) = 1.125;
  BOOST_TEST((state.particles[0].F == expected));  // dyadic: exact
  BOOST_TEST((state.particles[0].x == Vec<d>::Constant(0.6 + 0.125)));
}

/// A Courant number of 1 holds (no particle moves further than h) and still det(1 + Δt ∇v) ≤ 0. |det F| or
/// log|σ| would accept it; here it is an error that names the particle.
BOOST_AUTO_TEST_CASE(an_inverted_particle_is_an_error_even_below_courant_one) {
  const Scene scene = empty_box(2);
  Particle<2> calm = particle_at<2>(Vec<2>(0.3, 0.3));
  Particle<2> crushed = particle_at<2>(Vec<2>(0.8, 0.8));
  const double dt = 1e-2;
  crushed.C = -1.2 / dt * Vec<2>::Unit(0) * Vec<2>::Unit(0).transpose();  // v = 0, but ∂v_x/∂x = −1.2/Δt
  const auto solver = make_reference_solver(scene);
  solver->load(start<2>(scene, {calm, crushed}));
  try {
    solver->advance([dt](double max_speed) {
      BOOST_TEST(max_speed * dt < 0.1);  // premise: the Courant condition holds
      return dt;
    });
    BOOST_ERROR("the inversion was not seen");
  } catch (const SimulationError& error) {
    BOOST_TEST(error.particle == 1);
    BOOST_TEST(error.step == 0);
    BOOST_TEST(error.boundary == "update");
  }
  crushed.C *= 0.9 / 1.2;  // just below
  solver->load(start<2>(scene, {calm, crushed}));
  BOOST_CHECK_NO_THROW(solver->advance([dt](double) { return dt; }));
}

/// An elastic disk dropped on a floor: its total energy never rises above what it had before the impact.
BOOST_AUTO_TEST_CASE(a_bouncing_elastic_ball_gains_no_energy) {
  Scene scene = empty_box(2, Kernel::quadratic, Transfer::apic, 0.1);
  scene.materials = {rubber()};
  const double g = 9.81;
  scene.gravity = Point(0.0, -g, 0.0);
  Collider floor;
  floor.shape = HalfSpace{Point(0.0, 0.3, 0.0), Point(0.0, 1.0, 0.0)};
  scene.colliders.push_back(floor);

  std::vector<Particle<2>> ball;
  for (double x = 0.325; x < 0.9; x += 0.05) {
    for (double y = 0.425; y < 1.0; y += 0.05) {
      if (std::hypot(x - 0.6, y - 0.7) > 0.2) continue;
      ball.push_back(particle_at<2>(Vec<2>(x, y), 2200.0 * 0.0025, 0.0025));
      ball.back().v = Vec<2>(0.0, -1.0);
    }
  }
  BOOST_TEST(ball.size() > 40U);

  const Lame moduli = lame(scene.materials[0]);
  const auto energy = [&](const std::vector<Particle<2>>& particles) {
    double sum = 0.0;
    for (const Particle<2>& p : particles) {
      sum += 0.5 * p.m * p.v.squaredNorm() + p.m * g * p.x[1];
      const Vec<2> eps = hencky_strain<2>(decompose<2>(p.F));
      sum += p.V0 * (moduli.mu * eps.squaredNorm() + 0.5 * moduli.lambda * eps.sum() * eps.sum());
    }
    return sum;
  };
  const auto solver = make_reference_solver(scene);
  solver->load(start<2>(scene, ball));
  const double at_start = energy(ball);
  double mass = 0.0;
  for (const auto& p : ball) mass += p.m;
  const double kinetic = 0.5 * mass;  // speed 1 m/s
  const double dt = 2e-4;             // c Δt/h = 0.03
  bool touched = false, left = false;
  for (int n = 0; n < 1000; ++n) {
    touched = solver->advance([dt](double) { return dt; }).counts[counter::contacts] > 0 || touched;
    if (n % 20 != 0) continue;
    const auto now = load_state<2>(solver->save(boundary::step_start, true), scene).particles;
    // Symplectic Euler in free fall has an energy error g v Δt/2 per mass: 10⁻³ of ½ v².
    BOOST_TEST(energy(now) - at_start < 2e-3 * kinetic);
    left = left || (touched && momentum<2>(now)[1] > 0.1 * mass);
  }
  BOOST_TEST(touched);  // premise: it bounced
  BOOST_TEST(left);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
