#include "reference/mpm/implicit_step.h"
#include "reference/interface/methods/mpm.h"

#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm_options.h"
#include "tests/unit/mpm/implicit_scenes.h"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace repose {
namespace {

using namespace test;

bool same_bits(const Snapshot& a, const Snapshot& b) {
  return std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                    [](const Field& x, const Field& y) { return x.name == y.name && x.value == y.value; });
}

BOOST_AUTO_TEST_SUITE(implicit_step_test)

/// Twenty times the Δt at which explicit steps are allowed. Backward Euler's own dissipation brings the
/// column to rest.
void settle(const Scene& scene) {
  const double density = scene.materials[0].density;
  const double h = scene.grid.h;
  const double dt = 20.0 * 0.6 * h / wave_speed(scene.materials[0]);
  const auto solver = make_reference_solver(scene);
  solver->load(sample(scene));
  StepReport total;
  for (int n = 0; n < 60; ++n) {
    const StepReport report = solver->advance([&](double) { return dt; });
    total.counts[counter::newton_iterations] += report.counts[counter::newton_iterations];
    total.counts[counter::gmres_iterations] += report.counts[counter::gmres_iterations];
    total.counts[counter::step_cuts] += report.counts[counter::step_cuts];
  }
  const Snapshot end = solver->save(boundary::step_start, false);
  const std::vector<double>& x = end.get(field::x).value;
  double top = 0.0;
  for (std::size_t i = 1; i < x.size(); i += 2) top = std::max(top, x[i]);
  const double Y = 1.0 - 0.25 * h;  // of the highest row of particles
  const double expected = settled(Y, 1e6, density);
  BOOST_TEST_MESSAGE(fmt::format(
      "height {:.6f} m, closed form {:.6f} m; Newton {}, GMRES {} iterations in 60 steps", top, expected,
      total.counts[counter::newton_iterations], total.counts[counter::gmres_iterations]));
  BOOST_TEST(settled(1.0, 1e6, density) == 0.990378, boost::test_tools::tolerance(1e-6));
  BOOST_TEST(Y - expected > 9e-3);  // premise: the column sinks nine times the tolerance
  BOOST_TEST(std::abs(top - expected) <= 1e-3 * expected);
  BOOST_TEST(fastest(end) <= 1e-5);
  BOOST_TEST(total.counts[counter::step_cuts] == 0U);
}
BOOST_AUTO_TEST_CASE(column_settles_at_twenty_times_the_explicit_limit_where_the_closed_form_says) {
  settle(hencky_column(Integrator::implicit_, 16));
  settle(hencky_column(Integrator::semi_implicit, 16));
  // Sand that stays within its cone is elastic.
  settle(hencky_column(Integrator::semi_implicit, 16, sand()));
}

BOOST_AUTO_TEST_CASE(explicit_steps_of_that_length_blow_up) {
  const Scene scene = hencky_column(Integrator::explicit_, 16);
  const double dt = 20.0 * 0.6 * scene.grid.h / wave_speed(scene.materials[0]);
  const auto solver = make_reference_solver(scene);
  solver->load(sample(scene));
  BOOST_CHECK_THROW(for (int n = 0; n < 60; ++n) solver->advance([&](double) { return dt; }),
                    SimulationError);
}

/// Explicit and other steps differ from the common limit by terms of order Δt: halving Δt halves their distance.
void approach(const Material& material, Integrator integrator, Energy energy) {
  const double limit = 0.6 * 0.1 / wave_speed(sand());
  std::vector<double> distance;
  const auto run = [&](Integrator by, int steps) {
    Scene scene = falling_block(material, by);
    mpm_options(scene).energy = energy;
    return run_for(scene, 8.0 * limit, steps);
  };
  for (const int steps : {32, 64, 128})
    distance.push_back(
        largest_difference(run(Integrator::explicit_, steps), run(integrator, steps), field::x));
  BOOST_TEST_MESSAGE(fmt::format("{}: distance {:.3g}, {:.3g}, {:.3g} m", material.name, distance[0],
                                 distance[1], distance[2]));
  for (std::size_t k = 1; k < distance.size(); ++k) {
    const double order = std::log2(distance[k - 1] / distance[k]);
    BOOST_TEST(order >= 0.8);
    BOOST_TEST(order <= 1.3);
  }
}
BOOST_AUTO_TEST_CASE(implicit_tends_to_explicit_in_first_order) {
  approach(rubber(), Integrator::implicit_, Energy::hencky);
  approach(sand(), Integrator::implicit_, Energy::hencky);
  approach(unilateral_sand(), Integrator::implicit_, Energy::unilateral);
}
BOOST_AUTO_TEST_CASE(semi_implicit_tends_to_explicit_in_first_order) {
  approach(rubber(), Integrator::semi_implicit, Energy::unilateral);
  approach(sand(), Integrator::semi_implicit, Energy::hencky);
  approach(unilateral_sand(), Integrator::semi_implicit, Energy::unilateral);
}

/// Stresses act between nodes and cancel in the sum, whatever yields: only gravity changes the momentum.
template <int d>
void gravity_alone_changes_momentum(Kernel kernel) {
  Scene scene = test::empty_box(d, kernel);
  mpm_options(scene).integrator = Integrator::implicit_;
  scene.gravity = {0.5, -g, 0};
  scene.materials = {test::sand(), test::rubber()};
  mpm_options(scene).implicit.newton_tolerance = 1e-9;
  mpm_options(scene).implicit.gmres_iterations = 200;
  std::vector<Particle<d>> particles = test::cloud<d>(scene, 30, 8);
  for (std::size_t n = 0; n < particles.size(); ++n) {
    particles[n].material = static_cast<int>(n % 2);
    particles[n].F = 0.97 * Mat<d>::Identity();
  }
  const auto solver = make_reference_solver(scene);
  solver->load(test::start<d>(scene, particles));
  constexpr double dt = 5e-3;
  const StepReport report = solver->run(boundary::step_start, boundary::collisions, dt);
  BOOST_TEST(report.counts[counter::newton_iterations] > 0U);
  const Snapshot state = solver->save(boundary::collisions, false);
  const std::vector<double>& p_bar = state.get(field::p_bar).value;
  Vec<d> after = Vec<d>::Zero();
  double magnitude = 0.0;
  for (std::size_t i = 0; i < p_bar.size(); ++i) {
    after[static_cast<int>(i % d)] += p_bar[i];
    magnitude += std::abs(p_bar[i]);
  }
  double m = 0.0;
  for (const Particle<d>& p : particles) m += p.m;
  const Vec<d> expected = test::momentum<d>(particles) + m * dt * in_plane<d>(scene.gravity);
  // What Newton leaves on each node, 10⁻⁹ of the impulses there, and they are below ten times the momenta.
  BOOST_TEST((after - expected).norm() <= 1e-8 * magnitude);
}
BOOST_AUTO_TEST_CASE(stresses_of_implicit_steps_conserve_momentum) {
  for (const Kernel kernel : {Kernel::quadratic, Kernel::cubic}) {
    gravity_alone_changes_momentum<2>(kernel);
    gravity_alone_changes_momentum<3>(kernel);
  }
}

BOOST_AUTO_TEST_CASE(stepwise_equals_fused_and_every_boundary_loads) {
  const Scene scene = falling_block(test::sand(), Integrator::implicit_);
  const auto fused = make_reference_solver(scene);
  const std::span<const Boundary> boundaries = fused->boundaries();
  BOOST_TEST(boundaries.size() == method::boundaries(method::mpm, Integrator::implicit_).size());
  BOOST_CHECK_THROW(fused->save(boundary::forces, false), std::invalid_argument);
  fused->load(sample(scene));
  auto stepwise = make_reference_solver(scene);
  stepwise->load(sample(scene));
  constexpr double dt = 2e-3;
  for (int step = 0; step < 5; ++step) {
    const StepReport whole = fused->advance([](double) { return dt; });
    StepReport parts;
    for (std::size_t n = 1; n < boundaries.size(); ++n) {
      const StepReport part = stepwise->run(boundaries[n - 1], boundaries[n], dt);
      parts.counts[counter::newton_iterations] += part.counts[counter::newton_iterations];
      parts.counts[counter::contacts] += part.counts[counter::contacts];
      const Snapshot between = stepwise->save(boundaries[n], true);
      stepwise = make_reference_solver(scene);
      stepwise->load(between);
    }
    BOOST_TEST(whole.counts[counter::newton_iterations] == parts.counts[counter::newton_iterations]);
    BOOST_TEST(whole.counts[counter::contacts] == parts.counts[counter::contacts]);
    BOOST_TEST(whole.counts[counter::newton_iterations] > 0U);
    BOOST_TEST(
        same_bits(fused->save(boundary::step_start, true), stepwise->save(boundary::step_start, true)));
  }
}

/// A solve that is allowed too few iterations for a long step manages a short one.
BOOST_AUTO_TEST_CASE(failed_solve_cuts_the_step_and_counts_it) {
  Scene scene = falling_block(test::rubber(), Integrator::implicit_);
  mpm_options(scene).implicit = {
      .newton_tolerance = 1e-3, .newton_iterations = 2, .gmres_iterations = 4, .step_cuts = 12};
  const auto solver = make_reference_solver(scene);
  solver->load(sample(scene));
  constexpr double asked = 0.05;
  const StepReport report = solver->advance([](double) { return asked; });
  BOOST_TEST(report.counts[counter::step_cuts] > 0U);
  BOOST_TEST(report.counts[counter::step_cuts] < 12U);
  BOOST_TEST(report.dt == std::ldexp(asked, -static_cast<int>(report.counts[counter::step_cuts])));
  BOOST_TEST(solver->time() == report.dt);

  const auto names_the_cause = [](const SimulationError& error) {
    const std::string text = error.what();
    return error.boundary == boundary::collisions && text.find("after 1 cuts") != std::string::npos &&
           text.find("Newton") != std::string::npos;
  };
  mpm_options(scene).implicit.step_cuts = 1;
  const auto impatient = make_reference_solver(scene);
  impatient->load(sample(scene));
  BOOST_CHECK_EXCEPTION(impatient->advance([](double) { return asked; }), SimulationError, names_the_cause);

  const auto given = make_reference_solver(scene);
  given->load(sample(scene));
  BOOST_CHECK_THROW(given->run(boundary::step_start, boundary::plasticity, asked), SimulationError);
}

/// The floor's friction slows the lowest row by no more than μ_b times the push, as in explicit steps.
BOOST_AUTO_TEST_CASE(friction_follows_the_push_of_the_solved_step) {
  const Scene scene = falling_block(test::rubber(), Integrator::implicit_);
  const auto solver = make_reference_solver(scene);
  solver->load(sample(scene));
  const StepReport report = solver->run(boundary::step_start, boundary::friction, 2e-3);
  BOOST_TEST(report.counts[counter::sliding] + report.counts[counter::sticking] > 0U);
  const Snapshot state = solver->save(boundary::friction, false);
  for (std::size_t i = 0; i < state.count(Place::node); ++i) {
    const auto momentum = [&](std::string_view name) -> Vec<2> {
      const std::vector<double>& value = state.get(name).value;
      return {value[2 * i], value[2 * i + 1]};
    };
    const Vec<2> slowed = momentum(field::p_tilde) - momentum(field::p_bar);
    const double push = std::max(0.0, momentum(field::p_bar).y() - momentum(field::p_star).y());
    // Contacts are solved to a relative 10⁻¹⁰.
    BOOST_TEST(std::abs(slowed.x()) <= 0.4 * push + 1e-8 * momentum(field::p_star).norm());
    BOOST_TEST(std::abs(slowed.y()) <= 1e-14 * momentum(field::p_star).norm());
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
