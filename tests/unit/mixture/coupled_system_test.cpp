// What both phases of a semi-implicit step balance: the slope of one energy, with a symmetric matrix.
#include "reference/mixture/coupled_system.h"

#include "reference/mixture/reversible.h"
#include "tests/unit/mixture/coupled_scenes.h"

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace repose::test {
namespace {

const MixtureOptions all_options[] = {
    solved({.energy = Energy::hencky, .drag = Drag::printed, .c_E = 40.0}),
    solved({.kernel = Kernel::cubic,
            .energy = Energy::unilateral,
            .drag = Drag::mesh_consistent,
            .kappa = 2e4,
            .reversible = ReversibleTerm::volume}),
};

/// A body in whose reach both phases are, one that holds them differently: sand sticks, water slips.
Collider slanted(Contact contact) {
  Collider body;
  body.shape = HalfSpace{Point(0.55, 0.55, 0.55), Point(0.6, 0.64, 0.48).normalized()};
  body.contact = contact;
  return body;
}

template <int d>
std::vector<NodeBodies<d>> bodies_of(const MixtureState<d>& state, const CoupledSystem<d>& system,
                                     double dt) {
  std::vector<NodeBodies<d>> bodies;
  for (const mixture::Phase phase : mixture::phases)
    for (NodeBodies<d>& one : bodies_of_nodes<d>(state.of(phase), {state.scene(phase), 0.0, dt}))
      bodies.push_back(std::move(one));
  const Eigen::VectorXd v = system.velocity_before();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i].revise(at_slot<d>(v, i), Vec<d>::Zero());
    bodies[i].linearize(at_slot<d>(v, i));
  }
  return bodies;
}

BOOST_AUTO_TEST_SUITE(coupled_system)

/// Differences of the energy by Richardson's rule, along ways of both phases.
BOOST_AUTO_TEST_CASE_TEMPLATE(what_both_phases_balance_is_the_slope_of_one_energy, D, Dims) {
  constexpr int d = D::d;
  for (const MixtureOptions& options : all_options) {
    const Scene scene = solved_box(d, options);
    const MixtureState<d> state = at_p2g<d>(scene);
    CoupledSystem<d> system(state, {scene, 0.0, 1e-3});
    BOOST_TEST(system.pairs().size() > 20U);                       // premise: nodes of both,
    BOOST_TEST(system.nodes() > 2 * system.pairs().size() + 10U);  // and of one phase alone
    const Eigen::VectorXd v = random_field<d>(system, 0.3, 11);
    for (std::uint64_t seed = 20; seed < 23; ++seed) {
      const Eigen::VectorXd way = random_field<d>(system, 1.0, seed);
      // Strains move by 2·10⁻⁴ of a fall over 10⁻², whose fifth derivatives are some thousands.
      require_slope_of_energy(system, v, way, 1e-6);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_matrix_is_symmetric_and_the_derivative_of_the_balance, D, Dims) {
  constexpr int d = D::d;
  for (const MixtureOptions& options : all_options) {
    const Scene scene = solved_box(d, options);
    const MixtureState<d> state = at_p2g<d>(scene);
    CoupledSystem<d> system(state, {scene, 0.0, 1e-3});
    const Eigen::VectorXd v = random_field<d>(system, 0.3, 11);
    const Eigen::VectorXd a = random_field<d>(system, 1.0, 12), b = random_field<d>(system, 1.0, 13);
    BOOST_REQUIRE(!system.move_to(v));
    const Eigen::VectorXd Aa = system.derivative_along(a);
    BOOST_TEST(std::abs(b.dot(Aa) - a.dot(system.derivative_along(b))) <= 1e-13 * b.norm() * Aa.norm());

    constexpr double step = 1e-4;
    BOOST_REQUIRE(!system.move_to(v + step * a));
    const Eigen::VectorXd ahead = system.residual();
    BOOST_REQUIRE(!system.move_to(v - step * a));
    const Eigen::VectorXd difference = (ahead - system.residual()) / (2.0 * step);
    // Strains move by 10⁻⁶ of a fall over 10⁻².
    BOOST_TEST((Aa - difference).cwiseAbs().maxCoeff() <= 1e-6 * Aa.cwiseAbs().maxCoeff());
  }
}

/// Σ R = Σ m (v − vⁿ) − Δt M g of both phases: what they give each other, and stress, cancels. Of one phase it does not.
BOOST_AUTO_TEST_CASE_TEMPLATE(what_the_phases_give_each_other_keeps_momentum_to_rounding, D, Dims) {
  constexpr int d = D::d;
  const Scene scene = solved_box(d, all_options[1]);
  const MixtureState<d> state = at_p2g<d>(scene);
  constexpr double dt = 1e-3;
  CoupledSystem<d> system(state, {scene, 0.0, dt});
  const Eigen::VectorXd v = random_field<d>(system, 0.3, 11), before = system.velocity_before();
  BOOST_REQUIRE(!system.move_to(v));
  const Eigen::VectorXd R = system.residual();
  Vec<d> rest[2] = {Vec<d>::Zero(), Vec<d>::Zero()};
  double size = 0.0;
  for (std::size_t i = 0; i < system.nodes(); ++i) {
    const Vec<d> change = at_slot<d>(v, i) - at_slot<d>(before, i) - dt * in_plane<d>(scene.gravity);
    rest[i < system.of(mixture::Phase::solid).nodes() ? 0 : 1] += at_slot<d>(R, i) - system.mass(i) * change;
    size += system.impulse_magnitude()[i] + system.mass(i) * change.norm();
  }
  BOOST_TEST((rest[0] + rest[1]).norm() <= 1e-14 * size);
  BOOST_TEST(rest[0].norm() > 1e-6 * size);
}

/// It is that of the explicit step's forces, whatever the velocities.
BOOST_AUTO_TEST_CASE(the_reversible_term_is_that_of_the_pressures_before_the_step) {
  const Scene scene = solved_box(2, all_options[1]);
  const MixtureState<2> state = at_p2g<2>(scene);
  const CoupledSystem<2> system(state, {scene, 0.0, 1e-3});
  MixtureState<2> explicitly = state;
  add_reversible<2>(explicitly, {scene, 0.0, 1e-3});
  const std::vector<double> impulse = system.reversible_impulses();
  int pushed = 0;
  for (std::size_t n = 0; n < state.nodes.size(); ++n)
    for (int a = 0; a < 2; ++a) {
      BOOST_TEST(impulse[2 * n + static_cast<std::size_t>(a)] == explicitly.nodes[n].reversible[a]);
      if (explicitly.nodes[n].reversible[a] != 0.0) ++pushed;
    }
  BOOST_TEST(pushed > 20);
}

/// (L⁻¹ T) (mass and drag) (T L⁻ᵀ) is a projection, the identity where no body is; and the one is the other's transpose.
BOOST_AUTO_TEST_CASE_TEMPLATE(mass_and_drag_are_one_in_the_variables_of_the_scale, D, Dims) {
  constexpr int d = D::d;
  for (const bool wall : {false, true})
    for (const double kappa : {0.0, 2e4, 1e12}) {
      Scene scene = solved_box(d, solved({.drag = Drag::mesh_consistent, .kappa = kappa}));
      if (wall) scene.colliders = {slanted(Contact::sticky)};
      const MixtureState<d> state = at_p2g<d>(scene);
      constexpr double dt = 1e-3;
      CoupledSystem<d> system(state, {scene, 0.0, dt});
      const std::vector<NodeBodies<d>> bodies = bodies_of<d>(state, system, dt);
      std::size_t held = 0;
      for (const NodeBodies<d>& one : bodies) held += one.holding();
      BOOST_TEST((held > 10) == wall);
      CoupledScale<d> scale(system);
      scale.linearize(bodies);
      const auto matrix = [&](const Eigen::VectorXd& v) {
        Eigen::VectorXd result = v;
        for (std::size_t i = 0; i < system.nodes(); ++i) at_slot<d>(result, i) *= system.mass(i);
        for (const NodePair& pair : system.pairs()) {
          const Vec<d> given = pair.drag * (at_slot<d>(v, pair.sand) - at_slot<d>(v, pair.water));
          at_slot<d>(result, pair.sand) += given;
          at_slot<d>(result, pair.water) -= given;
        }
        return result;
      };
      const auto product = [&](const Eigen::VectorXd& y) {
        return scale.reduced(bodies, matrix(scale.velocity(bodies, y)));
      };
      const Eigen::VectorXd y = random_field<d>(system, 1.0, 3), other = random_field<d>(system, 1.0, 4);
      const Eigen::VectorXd once = product(y);
      // Velocities are known to ε, and drag multiplies their differences by up to √(D/m).
      double stiff = 1.0;
      for (const NodePair& pair : system.pairs())
        stiff =
            std::max(stiff, std::sqrt(pair.drag / std::min(system.mass(pair.sand), system.mass(pair.water))));
      const double rounding = 1e-14 * stiff * y.norm();
      BOOST_TEST((product(once) - once).norm() <= rounding);
      BOOST_TEST(((once - y).norm() <= rounding) == !wall);
      const double one = other.dot(scale.velocity(bodies, y)), two = y.dot(scale.reduced(bodies, other));
      BOOST_TEST(std::abs(one - two) <= 1e-13 * other.norm() * scale.velocity(bodies, y).norm());
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
