#include "reference/interface/scene/colliders.h"

#include "reference/interface/particles/random.h"
#include "tests/unit/interface/random_points.h"

#include <Eigen/Geometry>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <numbers>

namespace data = boost::unit_test::data;

namespace repose {
namespace {

using test::random_point;

Collider tumbling_box(int dim) {
  return {.name = "box",
          .shape = Box{.min = {-0.5, -0.3, -0.2}, .max = {0.7, 0.4, 0.6}},
          .velocity = dim == 2 ? Point(0.3, -0.2, 0) : Point(0.3, -0.2, 0.1),
          .spin = dim == 2 ? Point(0, 0, 1.7) : Point(0.4, -1.1, 0.9)};
}

/// Where the body's point that is at x at time 0 is at time t, by Eigen's quaternions instead of Rodrigues' formula.
Point carried(const Collider& c, const Point& x, double t) {
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(c.spin.norm() * t, c.spin.normalized()));
  const Point m = centre(c.shape);
  return m + t * c.velocity + turn * (x - m);
}

BOOST_AUTO_TEST_SUITE(colliders_test)

BOOST_DATA_TEST_CASE(distance_and_normal_move_with_the_body,
                     data::make({2, 3}) * data::make({0.0, 0.3, 7.0, -2.0}), dim, t_later) {
  const Collider c = tumbling_box(dim);
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    const Point x0 = random_point(random, 1.0, dim);
    const Distance at_start = signed_distance(c, x0, 0.0, {.dim = dim});
    const Distance later = signed_distance(c, carried(c, x0, t_later), t_later, {.dim = dim});
    // Twenty roundings of positions below 4.
    BOOST_TEST(std::abs(later.phi - at_start.phi) <= 2e-14);
    // Where two faces are equally near, rounding may choose either.
    const Point turned_normal =
        carried(c, centre(c.shape) + at_start.normal, t_later) - centre(c.shape) - t_later * c.velocity;
    if ((later.normal - turned_normal).norm() > 1e-12) {
      BOOST_TEST(
          std::abs(signed_distance(c, x0 - (at_start.phi + 1e-9) * at_start.normal, 0.0, {.dim = dim}).phi) <=
          2e-9);
      BOOST_TEST(at_start.phi < 0.0);
    }
    BOOST_TEST(std::abs(later.normal.norm() - 1.0) <= 4e-16);
  }
}

BOOST_AUTO_TEST_CASE(a_quarter_turn_is_a_quarter_turn) {
  // 2 × 1 box, spun about its centre (0, 0): after π/2 it is 1 × 2.
  const Collider c{.name = "box",
                   .shape = Box{.min = {-1, -0.5, 0}, .max = {1, 0.5, 0}},
                   .spin = {0, 0, std::numbers::pi / 2}};
  BOOST_TEST(signed_distance(c, {0, 2, 0}, 0.0, {.dim = 2}).phi == 1.5);
  BOOST_TEST(std::abs(signed_distance(c, {0, 2, 0}, 1.0, {.dim = 2}).phi - 1.0) <= 1e-15);
  BOOST_TEST(std::abs(signed_distance(c, {2, 0, 0}, 1.0, {.dim = 2}).phi - 1.5) <= 1e-15);
  // The sense of rotation: at 45° counter-clockwise the corner region at (1, 1)/√2 · 0.9 is inside, its mirror is not.
  const Point tip = Point(1, 1, 0) * (0.9 / std::sqrt(2.0));
  BOOST_TEST(signed_distance(c, tip, 0.5, {.dim = 2}).phi < 0.0);
  BOOST_TEST(signed_distance(c, Point(tip.x(), -tip.y(), 0), 0.5, {.dim = 2}).phi > 0.0);
}

BOOST_AUTO_TEST_CASE(a_half_space_turns_about_its_point) {
  const Collider c{.name = "wall",
                   .shape = HalfSpace{.point = {1, 1, 0}, .normal = {0, 1, 0}},
                   .spin = {0, 0, std::numbers::pi / 2}};
  const Distance d = signed_distance(c, {3, 1, 0}, 1.0, {.dim = 2});  // the normal now points along −x
  BOOST_TEST(std::abs(d.phi + 2.0) <= 1e-15);
  BOOST_TEST((d.normal - Point(-1, 0, 0)).norm() <= 1e-15);
}

BOOST_AUTO_TEST_CASE(a_hollow_body_is_solid_outside) {
  Collider c{.name = "drum", .shape = Sphere{.centre = {0, 0, 0}, .radius = 2}};
  const Distance solid = signed_distance(c, {1, 0, 0}, 0.0, {.dim = 3});
  c.hollow = true;
  const Distance hollow = signed_distance(c, {1, 0, 0}, 0.0, {.dim = 3});
  BOOST_TEST(solid.phi == -1.0);
  BOOST_TEST(hollow.phi == 1.0);
  BOOST_TEST((hollow.normal == Point(-1, 0, 0)));
}

BOOST_AUTO_TEST_CASE(a_body_at_rest_keeps_its_exact_bits) {
  const Collider c{.name = "box", .shape = Box{.min = {0.1, 0.2, 0.3}, .max = {0.7, 0.8, 0.9}}};
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const Point x = random_point(random, 1.0, 3);
    BOOST_TEST(signed_distance(c, x, 12.3, {.dim = 3}).phi == signed_distance(c.shape, x, 3).phi);
    BOOST_TEST((rigid_velocity(c, x, 12.3, 0.1, {.dim = 3}) == Point::Zero()));
  }
}

BOOST_DATA_TEST_CASE(rigid_velocity_is_the_exact_displacement_over_dt,
                     data::make({2, 3}) * data::make({3.0, 0.1, 1e-3, -0.5}), dim, dt) {
  const Collider c = tumbling_box(dim);
  Random random(3);
  constexpr double t = 1.25;
  for (int i = 0; i < 200; ++i) {
    const Point body = random_point(random, 1.0, dim);
    const Point x = carried(c, body, t);
    const Point displacement = carried(c, body, t + dt) - x;
    // The displacement by difference has ten roundings of numbers below 4, divided by dt.
    BOOST_TEST((rigid_velocity(c, x, t, dt, {.dim = 3}) - displacement / dt).norm() <= 1e-14 / std::abs(dt));
  }
}

/// v(dt) = v_c + ω×r + ½ dt ω×(ω×r) − (θ²/6)(ω×r) + …: at small angles a difference of positions would lose all digits;
/// here the error of the two-term series, (θ²/6) |ω×r|, is what is left.
BOOST_AUTO_TEST_CASE(rigid_velocity_keeps_its_digits_at_small_angles) {
  const Collider c = tumbling_box(3);
  const Point x(0.9, -0.4, 0.8);
  const Point r = x - centre(c.shape);
  const Point first = c.spin.cross(r);
  const Point second = c.spin.cross(first);
  for (const double dt : {1e-6, 1e-9, 1e-12, 1e-100, 5e-324}) {
    const Point series = c.velocity + first + 0.5 * dt * second;
    const double theta = c.spin.norm() * dt;
    BOOST_TEST((rigid_velocity(c, x, 0.0, dt, {.dim = 3}) - series).norm() <=
               theta * theta * first.norm() + 4e-16 * 4.0);
  }
  // The second term is seen, not lost: at dt = 1e-6 it is 1e9 times rounding.
  const Point difference = (rigid_velocity(c, x, 0.0, 1e-6, {.dim = 3}) - c.velocity - first) / 0.5e-6;
  BOOST_TEST((difference - second).norm() <= 1e-5);
  BOOST_TEST((rigid_velocity(c, x, 0.0, 0.0, {.dim = 3}) == c.velocity + first));
}

/// A sticky node moved by rigid_velocity stays at the same place of the body.
BOOST_AUTO_TEST_CASE(a_node_moved_with_the_body_keeps_its_distance) {
  const Collider c = tumbling_box(3);
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    const Point x = random_point(random, 1.0, 3);
    const double dt = 0.4;
    const double before = signed_distance(c, x, 2.0, {.dim = 3}).phi;
    const double after =
        signed_distance(c, x + dt * rigid_velocity(c, x, 2.0, dt, {.dim = 3}), 2.0 + dt, {.dim = 3}).phi;
    BOOST_TEST(std::abs(after - before) <= 2e-14);
  }
}

/// What does not turn needs its own sides, what turns the longest way across it, along any axis.
BOOST_DATA_TEST_CASE(a_body_needs_its_sides_or_where_it_turns_its_diagonal, data::make({2, 3}), dim) {
  Collider c = tumbling_box(dim);
  const Point sides(1.2, 0.7, dim == 3 ? 0.8 : 0.0);
  Collider still = c;
  still.spin.setZero();
  for (int axis = 0; axis < dim; ++axis) {
    BOOST_TEST(std::abs(length_along(still, axis, {.dim = dim}) - sides[axis]) <= 1e-15);
    BOOST_TEST(std::abs(length_along(c, axis, {.dim = dim}) - sides.norm()) <= 1e-15);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
