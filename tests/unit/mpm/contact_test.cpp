#include "reference/mpm/contact.h"

#include "reference/mpm/friction.h"
#include "tests/unit/mpm/scenes.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace repose::test {
namespace {

constexpr double dt = 0.1;

Collider half_space(const Point& normal, Contact contact, double friction = 0.0) {
  Collider body;
  body.shape = HalfSpace{Point::Zero(), normal};
  body.contact = contact;
  body.friction = friction;
  return body;
}

Collider floor_of(Contact contact, double friction = 0.0) {
  return half_space(Point(0.0, 1.0, 0.0), contact, friction);
}

Scene scene_with(std::vector<Collider> colliders) {
  Scene scene = empty_box(2);
  scene.colliders = std::move(colliders);
  return scene;
}

Vec<2> resolve(const Scene& scene, const Vec<2>& x_i, const Vec<2>& v) {
  return resolve_contacts<2>(x_i, v, {scene, 0.0, dt}).v;
}

/// v̄ and then ṽ of a node.
Vec<2> rub(const Scene& scene, const Vec<2>& x_i, const Vec<2>& v) {
  const Resolved<2> resolved = resolve_contacts<2>(x_i, v, {scene, 0.0, dt});
  Vec<2> v_tilde = resolved.v;
  for (const auto& contact : resolved.contacts) apply_coulomb<2>(contact, v_tilde);
  return v_tilde;
}

void check_equal(const Vec<2>& a, const Vec<2>& b) {
  // A few roundings of speeds and of distances over Δt, all of order 1.
  BOOST_TEST((a - b).norm() < 50 * u, "(" << a.transpose() << ") is not (" << b.transpose() << ")");
}

BOOST_AUTO_TEST_SUITE(collisions)

BOOST_AUTO_TEST_CASE(sticky_bodies_take_nodes_inside_with_them) {
  Collider floor = floor_of(Contact::sticky);
  floor.velocity = Point(0.3, 0.2, 0.0);
  const Scene scene = scene_with({floor});
  BOOST_TEST((resolve(scene, Vec<2>(0.0, -0.1), Vec<2>(-5.0, 7.0)) == Vec<2>(0.3, 0.2)));
  BOOST_TEST((resolve(scene, Vec<2>(0.0, 0.1), Vec<2>(-5.0, -7.0)) == Vec<2>(-5.0, -7.0)));
}

/// Surfaces belong on planes of nodes, and rounding of their distance must not decide. Both sides of the tolerance.
BOOST_AUTO_TEST_CASE(nodes_on_a_surface_count_as_inside_whatever_rounding_makes_of_their_distance) {
  const Vec<2> v_star(1.0, 2.0);
  for (const Contact contact : {Contact::sticky, Contact::slipping}) {
    const Scene scene = scene_with({floor_of(contact)});
    const Vec<2> held = contact == Contact::sticky ? Vec<2>(0.0, 0.0) : Vec<2>(1.0, 0.0);
    for (const double y : {-1e-17, 0.0, 1e-17, 0.99e-6 * scene.grid.h})
      check_equal(resolve(scene, Vec<2>(0.0, y), v_star), held);
    BOOST_TEST((resolve(scene, Vec<2>(0.0, 1.01e-6 * scene.grid.h), v_star) == v_star));
  }
}

/// 1000 places of a turning plane's surface: about half lie outside by rounding.
BOOST_AUTO_TEST_CASE(a_turning_plane_holds_the_nodes_on_its_surface) {
  Scene scene = empty_box(3);
  Collider table = floor_of(Contact::sticky);
  table.shape = HalfSpace{Point(0.1, 0.3, 0.2), Point::UnitY()};
  table.spin = Point(0.0, 4.0, 0.0);
  scene.colliders = {table};
  int outside = 0;
  for (int n = 0; n < 1000; ++n) {
    const double time = 1e-3 * n;
    const Point x(0.1 * (n % 10), 0.3, 0.1 * (n / 10 % 10));
    if (signed_distance(table, x, time, {.dim = 3}).phi >= 0.0) ++outside;
    const auto met = resolve_contacts<3>(in_plane<3>(x), Vec<3>(0.0, 5.0, 0.0), {scene, time, dt});
    BOOST_TEST((met.v == in_plane<3>(rigid_velocity(table, x, time, dt, {.dim = 3}))));
  }
  BOOST_TEST(outside > 100);  // premise
}

BOOST_AUTO_TEST_CASE(separating_bodies_let_nodes_leave_and_stop_them_from_sinking) {
  const Scene scene = scene_with({floor_of(Contact::separating)});
  const double y = -0.05;
  check_equal(resolve(scene, Vec<2>(0.0, y), Vec<2>(1.0, -2.0)), Vec<2>(1.0, 0.0));  // keeps its depth
  check_equal(resolve(scene, Vec<2>(0.0, y), Vec<2>(1.0, 2.0)), Vec<2>(1.0, 2.0));   // leaves
  // From outside: stopped at the surface, 0.05 below, in one step; a slower node is not touched.
  check_equal(resolve(scene, Vec<2>(0.0, 0.05), Vec<2>(1.0, -2.0)), Vec<2>(1.0, -0.5));
  BOOST_TEST((resolve(scene, Vec<2>(0.0, 0.05), Vec<2>(1.0, -0.4)) == Vec<2>(1.0, -0.4)));
}

BOOST_AUTO_TEST_CASE(slipping_bodies_hold_nodes_inside_at_their_depth_both_ways) {
  const Scene scene = scene_with({floor_of(Contact::slipping)});
  check_equal(resolve(scene, Vec<2>(0.0, -0.05), Vec<2>(1.0, -2.0)), Vec<2>(1.0, 0.0));
  check_equal(resolve(scene, Vec<2>(0.0, -0.05), Vec<2>(1.0, 2.0)), Vec<2>(1.0, 0.0));
  // Outside nothing is enforced, even where the node ends inside.
  BOOST_TEST((resolve(scene, Vec<2>(0.0, 0.05), Vec<2>(1.0, -2.0)) == Vec<2>(1.0, -2.0)));
}

BOOST_AUTO_TEST_CASE(nodes_glide_along_a_curved_body) {
  Collider ball;
  ball.shape = Sphere{Point(0.0, -1.0, 0.0), 1.0};
  const Scene scene = scene_with({ball});
  const Vec<2> v = resolve(scene, Vec<2>(0.0, 0.0), Vec<2>(1.0, -1.0));
  const Vec<2> x_bar = dt * v;
  BOOST_TEST(std::abs(signed_distance(ball, in_space<2>(x_bar), dt, {.dim = 2}).phi) <
             20 * u);  // on the sphere
  BOOST_TEST(v[0] > 0.9);
}

/// Each distance at its own time. With φ at tⁿ⁺¹ on both sides a node at rest inside would stay where it is,
/// and the rising floor would pass through it.
BOOST_AUTO_TEST_CASE(a_rising_floor_pushes_the_node_inside_it) {
  Collider floor = floor_of(Contact::separating);
  floor.velocity = Point(0.0, 1.0, 0.0);  // rises 0.1 per step
  const Scene scene = scene_with({floor});
  const Vec<2> x_i(0.0, -0.02);
  const Vec<2> v = resolve(scene, x_i, Vec<2>::Zero());
  check_equal(v, Vec<2>(0.0, 1.0));
  check_equal(dt * v, Vec<2>(0.0, 0.1));

  // The other reading: both sides at tⁿ⁺¹.
  const double phi_bar = signed_distance(floor, in_space<2>(x_i), dt, {.dim = 2}).phi;
  const double allowed = std::min(signed_distance(floor, in_space<2>(x_i), dt, {.dim = 2}).phi, 0.0);
  BOOST_TEST(!(phi_bar < allowed));  // no push at all
}

BOOST_AUTO_TEST_CASE(a_slipping_floor_that_rises_carries_the_node) {
  Collider floor = floor_of(Contact::slipping);
  floor.velocity = Point(0.0, 1.0, 0.0);
  check_equal(resolve(scene_with({floor}), Vec<2>(0.0, -0.02), Vec<2>(0.5, 0.0)), Vec<2>(0.5, 1.0));
}

/// Inside two walls both must act: with one distance to their union only one axis is corrected.
BOOST_AUTO_TEST_CASE(a_node_in_a_corner_meets_both_walls) {
  const Collider floor = floor_of(Contact::separating);
  const Collider wall = half_space(Point(1.0, 0.0, 0.0), Contact::separating);
  const Vec<2> x_i(-0.02, -0.01);
  const Vec<2> v_star(-1.0, -1.0);
  const Scene scene = scene_with({floor, wall});
  check_equal(resolve(scene, x_i, v_star), Vec<2>(0.0, 0.0));
  BOOST_TEST(resolve_contacts<2>(x_i, v_star, {scene, 0.0, dt}).contacts.size() == 2U);

  // One signed distance, the smaller of the two, as "each node participates in at most one collision" has it.
  const Vec<2> x_bar = x_i + dt * v_star;
  const int deeper = x_bar[0] < x_bar[1] ? 0 : 1;
  const double allowed = std::min({x_i[0], x_i[1], 0.0});
  Vec<2> single = v_star;
  single[deeper] -= (x_bar[deeper] - allowed) / dt;
  BOOST_TEST(deeper == 0);
  check_equal(single, Vec<2>(0.0, -1.0));
}

/// The second wall of an acute corner sees the velocity that the first has left: at the end its own limit
/// holds exactly. Corrections that both start from v* would overshoot it.
BOOST_AUTO_TEST_CASE(each_body_sees_the_velocity_left_by_the_one_before) {
  const Collider floor = floor_of(Contact::separating);
  const Collider ramp = half_space(Point(0.6, 0.8, 0.0), Contact::separating);
  const Vec<2> x_i(-0.02, -0.01);
  // φ of the ramp is −0.02; the floor takes v* to (−1, 0), of which the ramp removes the part along its
  // normal, −0.6.
  check_equal(resolve(scene_with({floor, ramp}), x_i, Vec<2>(-1.0, -1.0)), Vec<2>(-1.0 + 0.36, 0.48));
  // In the other order the ramp removes −1.4 of v*, which leaves (−0.16, 0.12): the floor is no longer
  // touched.
  check_equal(resolve(scene_with({ramp, floor}), x_i, Vec<2>(-1.0, -1.0)), Vec<2>(-0.16, 0.12));
}

BOOST_AUTO_TEST_CASE(without_a_time_step_bodies_refuse_to_act) {
  const Scene scene = scene_with({floor_of(Contact::separating)});
  BOOST_CHECK_THROW(resolve_contacts<2>(Vec<2>(0.0, -1.0), Vec<2>(0.0, -1.0), {scene, 0.0, 0.0}),
                    std::invalid_argument);
  BOOST_CHECK_NO_THROW(resolve_contacts<2>(Vec<2>(0.0, -1.0), Vec<2>(0.0, -1.0), {empty_box(2), 0.0, 0.0}));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(friction)

NodeContact<2> contact_with(const Collider& body, const Vec<2>& v_b, double push) {
  return {&body, v_b, Vec<2>(0.0, 1.0), Vec<2>(0.0, push)};
}

BOOST_AUTO_TEST_CASE(slow_nodes_stick_and_fast_ones_lose_mu_times_the_push) {
  const Collider floor = floor_of(Contact::separating, 0.5);
  const NodeContact<2> contact = contact_with(floor, Vec<2>::Zero(), 0.2);  // J = 0.1
  Vec<2> slow(0.09, 0.3), fast(-0.25, 0.3), still(0.0, 0.3), marginal(0.1, 0.0);
  BOOST_TEST((apply_coulomb<2>(contact, slow) == Slide::sticking));
  BOOST_TEST((apply_coulomb<2>(contact, fast) == Slide::sliding));
  BOOST_TEST((apply_coulomb<2>(contact, still) == Slide::none));
  BOOST_TEST((apply_coulomb<2>(contact, marginal) == Slide::sticking));
  check_equal(slow, Vec<2>(0.0, 0.3));
  check_equal(fast, Vec<2>(-0.15, 0.3));
  check_equal(still, Vec<2>(0.0, 0.3));
  check_equal(marginal, Vec<2>(0.0, 0.0));
}

/// Wall and sand move together at (1, 0): no friction. [Klar16 §8.1] as printed splits the absolute velocity
/// and slows the sand to 0.975.
BOOST_AUTO_TEST_CASE(friction_is_the_same_for_every_moving_observer) {
  const Collider floor = floor_of(Contact::separating, 0.5);
  const auto printed = [](Vec<2> v, double push, double mu) {
    const double v_n = v[1];
    const double speed = std::abs(v[0]);
    if (speed <= mu * push) return Vec<2>(0.0, v_n);
    return Vec<2>(v[0] - mu * push * v[0] / speed, v_n);
  };
  Vec<2> together(1.0, 0.0);
  apply_coulomb<2>(contact_with(floor, Vec<2>(1.0, 0.0), 0.05), together);
  check_equal(together, Vec<2>(1.0, 0.0));
  check_equal(printed(Vec<2>(1.0, 0.0), 0.05, 0.5), Vec<2>(0.975, 0.0));

  // In any frame: the result moves with the observer.
  for (const double frame : {-3.0, 0.0, 0.7, 20.0}) {
    Vec<2> v(0.4 + frame, 0.1);
    apply_coulomb<2>(contact_with(floor, Vec<2>(frame, 0.0), 0.3), v);
    BOOST_TEST((v - Vec<2>(0.25 + frame, 0.1)).norm() < 50 * u * (1.0 + std::abs(frame)));
  }
}

/// A sticky tool at (1, 0) with μ = 1: the sand goes with it. Printed friction brings it to rest.
BOOST_AUTO_TEST_CASE(sticky_tools_keep_their_sand) {
  Collider tool = floor_of(Contact::sticky, 1.0);
  tool.velocity = Point(1.0, 0.0, 0.0);
  const Scene scene = scene_with({tool});
  const Vec<2> v_star(-0.5, 0.0);
  BOOST_TEST((rub(scene, Vec<2>(0.0, -0.1), v_star) == Vec<2>(1.0, 0.0)));
  const double printed_limit = 1.0 * (Vec<2>(1.0, 0.0) - v_star).norm();
  BOOST_TEST(printed_limit >= 1.0);  // ‖v_t‖ = 1 ≤ μ‖Δv‖: printed friction gives 0
}

/// A belt takes a node whatever a rough wall before it did: the wall's friction, which would hold the node at rest,
/// goes with its push. Also where the wall alone has given the node the belt's velocity already.
BOOST_AUTO_TEST_CASE(a_sticky_body_undoes_what_bodies_before_it_did) {
  const Vec<2> x_i(0.0, -0.05), v_star(0.0, -1.0);
  const Collider wall = floor_of(Contact::separating, 10.0);
  check_equal(rub(scene_with({wall}), x_i, Vec<2>(2.0, -1.0)), Vec<2>::Zero());  // premise: it would hold
  Collider belt = floor_of(Contact::sticky);
  belt.velocity = Point(2.0, 0.0, 0.0);
  BOOST_TEST((rub(scene_with({wall, belt}), x_i, v_star) == Vec<2>(2.0, 0.0)));

  Collider moving_wall = wall;
  moving_wall.velocity = Point(1.0, 0.0, 0.0);
  belt.velocity.setZero();
  // Premise: after the wall the node is at rest like the belt, and rubs.
  check_equal(resolve(scene_with({moving_wall}), x_i, v_star), Vec<2>::Zero());
  check_equal(rub(scene_with({moving_wall}), x_i, v_star), Vec<2>(1.0, 0.0));
  BOOST_TEST((rub(scene_with({moving_wall, belt}), x_i, v_star) == Vec<2>::Zero()));

  Collider sinking = belt;  // at v* itself: it changes nothing but what the wall did
  sinking.velocity = Point(0.0, -1.0, 0.0);
  BOOST_TEST((rub(scene_with({moving_wall, sinking}), x_i, v_star) == v_star));

  // Bodies behind the last sticky one act on what it left, and rub.
  BOOST_TEST((rub(scene_with({belt, moving_wall, belt}), x_i, v_star) == Vec<2>::Zero()));
  Collider lift = moving_wall;
  lift.velocity = Point(1.0, 0.5, 0.0);
  check_equal(rub(scene_with({moving_wall, belt, lift}), x_i, v_star), Vec<2>(1.0, 0.5));
}

BOOST_AUTO_TEST_CASE(the_contacts_of_a_node_add_up_to_its_change_of_velocity) {
  std::mt19937_64 random(32);
  Collider belt = half_space(Point(0.6, 0.8, 0.0), Contact::sticky);
  belt.velocity = Point(0.4, -0.2, 0.0);
  const Scene scene =
      scene_with({floor_of(Contact::separating), belt, half_space(Point(1.0, 0.0, 0.0), Contact::slipping)});
  int several = 0, undone = 0;
  for (int sample = 0; sample < 300; ++sample) {
    const Vec<2> x_i = draw_vector<2>(random, -0.1, 0.05), v_star = draw_vector<2>(random, -1.0, 1.0);
    const auto met = resolve_contacts<2>(x_i, v_star, {scene, 0.0, dt});
    Vec<2> sum = v_star;
    for (const auto& contact : met.contacts) sum += contact.delta_v;
    check_equal(sum, met.v);
    if (met.contacts.size() > 1) ++several;
    if (!met.contacts.empty() && met.contacts.front().collider == &scene.colliders[1]) ++undone;
  }
  BOOST_TEST((several > 30 && undone > 30));  // premise
}

/// Nor do they rub when another body has pushed the sand off their own velocity.
BOOST_AUTO_TEST_CASE(sticky_bodies_do_not_rub) {
  Collider wall = half_space(Point(1.0, 0.0, 0.0), Contact::slipping);
  wall.velocity = Point(0.5, 0.0, 0.0);
  const Scene scene = scene_with({floor_of(Contact::sticky, 1.0), wall});
  check_equal(rub(scene, Vec<2>(-0.1, -0.1), Vec<2>(-1.0, -1.0)), Vec<2>(0.5, 0.0));
}

BOOST_AUTO_TEST_CASE(pulling_gives_friction_as_printed_and_none_on_request) {
  Collider floor = floor_of(Contact::slipping, 0.5);
  const Vec<2> x_i(0.0, -0.05), leaving(1.0, 0.4);
  check_equal(rub(scene_with({floor}), x_i, leaving), Vec<2>(1.0 - 0.5 * 0.4, 0.0));
  floor.friction_from_push_only = true;
  check_equal(rub(scene_with({floor}), x_i, leaving), Vec<2>(1.0, 0.0));
  check_equal(rub(scene_with({floor}), x_i, Vec<2>(1.0, -0.4)), Vec<2>(1.0 - 0.5 * 0.4, 0.0));
}

BOOST_AUTO_TEST_CASE(in_a_corner_each_contact_rubs_with_its_own_push) {
  const Collider floor = floor_of(Contact::separating, 0.1);
  const Collider wall = half_space(Point(1.0, 0.0, 0.0), Contact::separating, 0.2);
  // Driven into the wall at 1 and up along it at 0.5; the floor is not touched.
  check_equal(rub(scene_with({floor, wall}), Vec<2>(-0.01, -0.01), Vec<2>(-1.0, 0.5)), Vec<2>(0.0, 0.3));
}

BOOST_AUTO_TEST_CASE(friction_never_reverses_or_speeds_up_the_slip) {
  std::mt19937_64 random(31);
  const Collider floor = floor_of(Contact::separating, 0.7);
  for (int sample = 0; sample < 1000; ++sample) {
    const Vec<2> v_b = draw_vector<2>(random, -1.0, 1.0);
    const Vec<2> before = draw_vector<2>(random, -1.0, 1.0);
    Vec<2> after = before;
    apply_coulomb<2>(contact_with(floor, v_b, draw(random, 0.0, 1.0)), after);
    const double slip_before = before[0] - v_b[0];
    const double slip_after = after[0] - v_b[0];
    BOOST_TEST(slip_before * slip_after >= -10 * u);
    BOOST_TEST(std::abs(slip_after) <= std::abs(slip_before) + 10 * u);
    BOOST_TEST(std::abs(after[1] - before[1]) < 10 * u);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
