#include "reference/mpm/implicit_solve.h"

#include "reference/interface/methods/mpm_options.h"
#include "reference/mpm/implicit_contacts.h"
#include "tests/unit/mpm/implicit_scenes.h"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace repose {
namespace {

using namespace test;

struct Floor {
  double slowest = 0.0;  ///< v̄_y of nodes in the floor [m/s]
  double fastest = 0.0;
  double pull = 0.0;  ///< largest downward change of velocity by the floor [m/s]
  double push = 0.0;  ///< largest upward one
};

Floor at_floor(const State<2>& state, const Scene& scene, const ImplicitSolution& solution) {
  Floor floor{.slowest = INFINITY, .fastest = -INFINITY};
  Eigen::Index at = 0;
  for (const Node<2>& node : state.nodes) {
    if (scene.grid.node_position(node.id).y() < 0.35) {
      const double v = solution.v_bar[at + 1];
      const double change = v - (node.p.y() + solution.impulse[at + 1]) / node.m;
      floor.slowest = std::min(floor.slowest, v);
      floor.fastest = std::max(floor.fastest, v);
      floor.push = std::max(floor.push, change);
      floor.pull = std::max(floor.pull, -change);
    }
    at += 2;
  }
  return floor;
}

BOOST_AUTO_TEST_SUITE(implicit_solve_test)

/// A squeezed block of rubber far beyond the explicit limit: smooth, no contact. With exact linear solves the
/// error of an iteration is that of the one before squared.
BOOST_AUTO_TEST_CASE(newton_converges_quadratically_on_smooth_elastic_steps) {
  Scene scene = test::empty_box(2);
  scene.materials = {test::rubber()};
  mpm_options(scene).implicit = {
      .newton_tolerance = 3e-14, .gmres_restart = 200, .gmres_iterations = 2000, .gmres_tolerance = 1e-13};
  const State<2> state = block(scene, {0.4, 0.4}, {0, 0}, 8.0);
  const double limit = 0.6 * scene.grid.h / wave_speed(scene.materials[0]);
  int judged = 0;
  for (const double factor : {5.0, 10.0, 20.0}) {
    const std::vector<double> r = solve_implicit<2>(state, {scene, 0.0, factor * limit}).residuals;
    for (std::size_t k = 2; k < r.size(); ++k) {
      const double order = std::log(r[k] / r[k - 1]) / std::log(r[k - 1] / r[k - 2]);
      BOOST_TEST_MESSAGE(
          fmt::format("{} times the explicit limit: residuals {:.3g}, {:.3g}, {:.3g}: order {:.2f}", factor,
                      r[k - 2], r[k - 1], r[k], order));
      // Before the asymptotic range, and where rounding is what is left (near 10⁻¹⁴), there is no order.
      if (r[k - 1] > 0.1 || r[k] < 1e-13) continue;
      BOOST_TEST(order >= 1.8);
      ++judged;
    }
    BOOST_TEST(r.back() <= 3e-14);
  }
  BOOST_TEST(judged >= 5);
}

BOOST_AUTO_TEST_CASE(separating_floor_stops_what_falls_and_lets_go_what_rises) {
  for (const Material& material : {test::rubber(), test::sand()}) {
    const Scene scene = with_floor(Contact::separating, material);
    const StepContext step{scene, 0.0, 5e-3};
    const State<2> falling = block(scene, {0.4, 0.35}, {0.2, -1.0});
    const ImplicitSolution stopped = solve_implicit<2>(falling, step);
    const Floor below = at_floor(falling, scene, stopped);
    BOOST_TEST(below.push > 0.1);  // premise: the floor works
    BOOST_TEST(below.slowest >= -1e-9);
    BOOST_TEST(below.pull <= 1e-9);
    BOOST_TEST(stopped.contacts > 0U);

    const State<2> rising = block(scene, {0.4, 0.35}, {0.2, 1.0});
    const ImplicitSolution gone = solve_implicit<2>(rising, step);
    BOOST_TEST(gone.contacts == 0U);
    BOOST_TEST(at_floor(rising, scene, gone).slowest > 0.5);
    BOOST_TEST(at_floor(rising, scene, gone).push <= 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(slipping_floor_holds_what_rises_and_lets_it_slide) {
  const Scene scene = with_floor(Contact::slipping, test::rubber());
  const State<2> state = block(scene, {0.4, 0.35}, {0.2, 1.0});
  const Floor floor = at_floor(state, scene, solve_implicit<2>(state, {scene, 0.0, 5e-3}));
  BOOST_TEST(floor.pull > 0.1);
  BOOST_TEST(std::max(std::abs(floor.slowest), std::abs(floor.fastest)) <= 1e-12);
}

BOOST_AUTO_TEST_CASE(sticky_floor_takes_nodes_along) {
  Scene scene = with_floor(Contact::sticky, test::rubber());
  scene.colliders[0].velocity = {0.7, 0.1, 0};
  const State<2> state = block(scene, {0.4, 0.35}, {-0.2, -1.0});
  const ImplicitSolution solution = solve_implicit<2>(state, {scene, 0.0, 5e-3});
  Eigen::Index at = 0;
  int inside = 0;
  for (const Node<2>& node : state.nodes) {
    if (scene.grid.node_position(node.id).y() < 0.35) {
      // Exactly v_b: the displacement over Δt, two roundings of positions below 1.
      BOOST_TEST((solution.v_bar.segment<2>(at) - Vec<2>(0.7, 0.1)).norm() <= 1e-13);
      ++inside;
    }
    at += 2;
  }
  BOOST_TEST(inside > 5);
}

/// Two walls that are not perpendicular: one correction after the other would violate the first.
BOOST_AUTO_TEST_CASE(node_in_a_corner_is_held_by_both_walls) {
  Scene scene = test::empty_box(2);
  const Vec<2> slope = Vec<2>(1, 2).normalized();
  scene.colliders = {
      {.name = "floor", .shape = HalfSpace{.point = {0.5, 0.5, 0}}, .contact = Contact::slipping},
      {.name = "slope",
       .shape = HalfSpace{.point = {0.5, 0.5, 0}, .normal = in_space<2>(slope)},
       .contact = Contact::slipping}};
  NodeBodies<2> corner({0.45, 0.45}, {scene, 0.0, 0.01});
  BOOST_TEST(corner.holding() == 2U);
  BOOST_TEST(corner.admissible({1.0, -2.0}).norm() <= 1e-14);
  corner.linearize({0, 0});
  BOOST_TEST(corner.free_part({1.0, -2.0}).norm() <= 1e-15);

  // Walls that push apart hold; a reaction that would need a pull lets a separating wall go.
  for (Collider& wall : scene.colliders) wall.contact = Contact::separating;
  NodeBodies<2> between({0.45, 0.45}, {scene, 0.0, 0.01});
  BOOST_TEST(between.holding() == 0U);
  BOOST_TEST(between.revise({-1.0, -1.0}, Vec<2>::Zero()));
  BOOST_TEST(between.holding() == 2U);
  between.linearize({0, 0});
  BOOST_TEST(!between.revise({0, 0}, Vec<2>(0, 1) + 2.0 * slope));
  BOOST_TEST(between.violation({0, 0}, Vec<2>(0, 1) + 2.0 * slope) == 0.0);
  BOOST_TEST(std::abs(between.violation({0, 0}, Vec<2>(0, -1) + 2.0 * slope) - 1.0) <= 1e-14);
  BOOST_TEST(between.revise({0, 0}, Vec<2>(0, -1) + 2.0 * slope));
  BOOST_TEST(between.holding() == 1U);
}

/// As in explicit steps: on the surface, and to a millionth of h outside, sticky and slipping bodies hold.
BOOST_AUTO_TEST_CASE(node_on_a_surface_is_held) {
  Scene scene = test::empty_box(2);
  scene.colliders = {{.name = "floor", .shape = HalfSpace{.point = {0, 0.5, 0}, .normal = {0, 1, 0}}}};
  for (const Contact contact : {Contact::sticky, Contact::slipping}) {
    scene.colliders[0].contact = contact;
    const Vec<2> allowed = contact == Contact::sticky ? Vec<2>(0.0, 0.0) : Vec<2>(1.0, 0.0);
    for (const double height : {-1e-16, 0.0, 1e-16, 0.99e-6 * scene.grid.h}) {
      const NodeBodies<2> bodies({0.5, 0.5 + height}, {scene, 0.0, 0.01});
      BOOST_TEST(bodies.holding() == 1U);
      BOOST_TEST((bodies.admissible({1.0, -2.0}) - allowed).norm() <= 1e-13);  // distances round, over Δt
    }
    BOOST_TEST(NodeBodies<2>({0.5, 0.5 + 1.01e-6 * scene.grid.h}, {scene, 0.0, 0.01}).none());
  }
}

BOOST_AUTO_TEST_CASE(failed_solve_names_its_cause) {
  Scene scene = with_floor(Contact::separating, test::sand());
  const State<2> state = block(scene, {0.4, 0.35}, {0.2, -1.0});
  mpm_options(scene).implicit.newton_iterations = 1;
  const auto tells_iterations = [](const SolveFailure& failure) {
    return std::string(failure.what()).find("after 1 iterations") != std::string::npos;
  };
  BOOST_CHECK_EXCEPTION(solve_implicit<2>(state, {scene, 0.0, 5e-3}), SolveFailure, tells_iterations);
  BOOST_CHECK_THROW(solve_implicit<2>(state, {scene, 0.0, 0.0}), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
