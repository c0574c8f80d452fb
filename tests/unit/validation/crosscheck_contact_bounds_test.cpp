/// Bounds of contact and friction at one node, worked out by hand.
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "tests/unit/validation/crosscheck_bounds.h"
#include "validation/crosscheck/mpm/contact_trace.h"

#include <boost/test/data/test_case.hpp>

namespace {

using namespace repose;
using namespace repose::crosscheck;

/// Bodies are asked in double by both solvers.
double in_double(double m) { return 2.0 * gamma_of(m, double_unit); }

/// The grain, flying with v, and a body; no gravity.
Grain over(Collider collider, const Point& v) {
  Grain grain(Transfer::pic);
  grain.c.scene.gravity.setZero();
  grain.c.scene.colliders = {std::move(collider)};
  set_motion(grain.c, 0, v, Tensor::Zero());
  return grain;
}

/// Node (3, 4) at (1.5, 2) m lies on it.
Collider floor_through_a_node(Contact contact) { return body(floor_at(2.0), contact, 0.3); }

/// Errors of the impulse with which that floor stops the grain's fall of 1 m/s, Δv = (0, 1) m/s.
struct Stopped {
  double star;    ///< of v* [m/s]
  double dv;      ///< of Δv [m/s]
  double normal;  ///< of ∇φ [-]
  double bar;     ///< of v̄ [m/s]
};
Stopped stopped(const Candidate& c, double along, double carried) {
  const double speed = std::hypot(along, 1.0), dt = Grain::dt, normal = in_double(22.0);
  const double star = both(2.0, c) * speed + carried;
  // Lengths that a distance rounds relative to: from the origin and from the plane's point, (0, 2) m.
  const double now = std::hypot(1.5, 2.0) + 1.5;
  const double next = std::hypot(1.5 + dt * along, 2.0 - dt) + std::hypot(1.5 + dt * along, dt);
  const double gap = dt * star + in_double(2.0) * dt * speed + in_double(22.0) * (now + next);
  const double dv = gap / dt + (normal + in_double(4.0));
  return {star, dv, normal, star + dv + both(1.0, c) * along};
}

std::size_t on_floor(const Ran& ran, const Grain& grain) {
  return ran.place_of(grain.c.scene.grid.node_id(3, 4, 0));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_contact_bounds)

BOOST_DATA_TEST_CASE(a_node_that_a_floor_stops, boost::unit_test::data::make(candidates), c) {
  const Grain grain = over(floor_through_a_node(Contact::separating), Point(3.0, -1.0, 0.0));
  const Snapshot at = state_at(grain, boundary::forces);
  const double e_m = 1e-9, e_p = 2e-9;
  const Carried carried{{std::string(field::m_i), std::vector<double>(at.count(Place::node), e_m)},
                        {std::string(field::p_star), std::vector<double>(2 * at.count(Place::node), e_p)}};
  const Ran ran(grain, at, boundary::collisions, c, carried);
  const std::size_t n = on_floor(ran, grain);
  const double m = ran.before.get(field::m_i).value[n];
  const double before = std::sqrt(2.0) * e_p / m + e_m / m * std::sqrt(10.0);
  for (std::size_t a = 0; a < 2; ++a) {
    const Bound& p = ran.bound(field::p_bar, 2 * n + a);
    BOOST_TEST(near(p.rounding, both(3.0, c) * m * 3.0));
    BOOST_TEST(near(p.carried, m * stopped(c, 3.0, before).bar));
    BOOST_TEST(p.underflow > 0.0);
    BOOST_TEST(p.position + p.tie == 0.0);
  }
  // A node above, which the floor does not reach: its momentum is stored, no more.
  const std::size_t above = ran.place_of(grain.c.scene.grid.node_id(3, 5, 0));
  const double m_above = ran.before.get(field::m_i).value[above];
  const double left = std::sqrt(2.0) * e_p / m_above + e_m / m_above * std::sqrt(10.0);
  BOOST_TEST(
      near(ran.bound(field::p_bar, 2 * above).carried, m_above * (both(2.0, c) * std::sqrt(10.0) + left)));
}

BOOST_DATA_TEST_CASE(a_node_that_friction_slows, boost::unit_test::data::make(candidates), c) {
  const Grain grain = over(floor_through_a_node(Contact::separating), Point(3.0, -1.0, 0.0));
  const Ran ran(grain, state_at(grain, boundary::collisions), boundary::friction, c);
  Counters counted = ran.counters;
  BOOST_TEST(counted["sliding"] > 0.0);
  BOOST_TEST(counted["undecided friction"] == 0.0);
  const std::size_t n = on_floor(ran, grain);
  const double m = ran.before.get(field::m_i).value[n];
  const Stopped s = stopped(c, 3.0, 0.0);
  const double own = both(2.0, c) * 3.0;  // of v̄, which both were given
  const double limit = 0.3 * (s.dv + s.normal + both(5.0, c));
  const double relative = own + both(1.0, c) * 3.0;
  const double along = relative + 3.0 * s.normal + both(3.0, c) * 3.0;
  const double across = relative + along + both(5.0, c) * 3.0;
  const double slides = own + limit + 0.3 * 2.0 * across / 3.0 + both(6.0, c) * 3.0;
  for (std::size_t a = 0; a < 2; ++a) {
    const Bound& p = ran.bound(field::p_tilde, 2 * n + a);
    BOOST_TEST(near(p.rounding, both(3.0, c) * m * 2.7));
    BOOST_TEST(near(p.carried, m * slides));
    BOOST_TEST(p.tie == 0.0);
  }
}

BOOST_DATA_TEST_CASE(a_node_that_friction_stops, boost::unit_test::data::make(candidates), c) {
  const Grain grain = over(floor_through_a_node(Contact::separating), Point(0.1, -1.0, 0.0));
  const Ran ran(grain, state_at(grain, boundary::collisions), boundary::friction, c);
  Counters counted = ran.counters;
  BOOST_TEST(counted["sticking"] > 0.0);
  const std::size_t n = on_floor(ran, grain);
  const double m = ran.before.get(field::m_i).value[n];
  const Stopped s = stopped(c, 0.1, 0.0);
  const double relative = both(2.0, c) * 0.1 + both(1.0, c) * 0.1;
  const double along = relative + 0.1 * s.normal + both(3.0, c) * 0.1;
  BOOST_TEST(near(ran.bound(field::p_tilde, 2 * n).carried, m * (along + both(2.0, c) * 0.1)));
}

BOOST_DATA_TEST_CASE(a_node_that_a_turning_body_carries, boost::unit_test::data::make(candidates), c) {
  Collider turning = floor_through_a_node(Contact::sticky);
  turning.velocity = Point(0.5, 0.0, 0.0);
  turning.spin = Point(0.0, 0.0, 2.0);
  const Grain grain = over(turning, Point(3.0, -1.0, 0.0));
  const Ran ran(grain, state_at(grain, boundary::forces), boundary::collisions, c);
  const std::size_t n = ran.place_of(grain.c.scene.grid.node_id(3, 3, 0));  // inside, at (1.5, 1.5) m
  const double m = ran.before.get(field::m_i).value[n];
  const double arm = std::hypot(1.5, 0.5), from_origin = std::hypot(1.5, 1.5);
  // A displacement of the turned arm, divided by Δt.
  const double v_b = in_double(10.0) * (0.5 + 2.0 * (arm + from_origin) + arm / Grain::dt);
  BOOST_TEST(near(ran.bound(field::p_bar, 2 * n).carried, m * v_b));
  BOOST_TEST(ran.bound(field::p_bar, 2 * n).tie == 0.0);
}

BOOST_DATA_TEST_CASE(a_body_that_may_or_may_not_hold_a_node_may_jump,
                     boost::unit_test::data::make(candidates), c) {
  Collider wall = floor_through_a_node(Contact::sticky);
  std::get<HalfSpace>(wall.shape).point[1] -=
      surface_tolerance * Grain::h;  // where it begins to hold node (3, 4)
  wall.velocity = Point(0.5, 0.0, 0.0);
  const Grain grain = over(wall, Point(3.0, -1.0, 0.0));
  const Ran ran(grain, state_at(grain, boundary::forces), boundary::collisions, c);
  Counters counted = ran.counters;
  BOOST_TEST(counted["undecided contact"] > 0.0);
  const std::size_t n = on_floor(ran, grain);
  const double m = ran.before.get(field::m_i).value[n];
  const double jump = std::hypot(2.5, 1.0) + in_double(10.0) * 0.5 + both(2.0, c) * std::sqrt(10.0);
  BOOST_TEST(near(ran.bound(field::p_bar, 2 * n).tie, m * jump));
}

/// Half way through a plate the normal turns round: a node that rounding may take across knows nothing of it, on either side
/// and whichever way the plate lies.
BOOST_DATA_TEST_CASE(where_a_normal_turns_round_it_is_unknown, boost::unit_test::data::make({2, 3}), dim) {
  Case c;
  c.setup = MpmSetup{.dim = dim, .transfer = Transfer::pic};
  lay_out(c, {sand(30.0)});
  Scene& scene = c.scene;
  scene.colliders.resize(1);
  const Arithmetic exact = arithmetic(scene, {double_unit, 0.0, "F"}, {double_unit, 0.0, "F"});
  for (int axis = 0; axis < dim; ++axis)
    for (const double side : {-1.0, 1.0}) {
      Point half = Point::Constant(1.0);
      half[axis] = 0.1;
      scene.colliders[0] = body(Box{.min = -half, .max = half}, Contact::slipping, 0.0);
      const auto error_at = [&](double from_middle) {
        Point x(0.03, -0.02, dim > 2 ? 0.04 : 0.0);
        x[axis] = side * from_middle;
        Point along = Point::Zero();
        along[(axis + 1) % dim] = 0.5;
        const CollisionTrace trace = follow_collisions(
            {.scene = scene, .arithmetic = exact, .x = x, .time = 0.0, .dt = 1e-3}, {along, 0.0});
        BOOST_TEST_REQUIRE(trace.contacts.size() == 1U);
        return trace.contacts[0].normal.error;
      };
      BOOST_TEST(error_at(1e-16) > 1.0);
      BOOST_TEST(error_at(1e-3) < 1e-13);
    }
}

/// Two ties that are none: one place asked twice for its distance, and a pull where only pushes rub.
BOOST_DATA_TEST_CASE(what_no_rounding_can_change_is_not_undecided, boost::unit_test::data::make(candidates),
                     c) {
  Grain corner = over(floor_through_a_node(Contact::sticky), Point(3.0, -1.0, 0.0));
  corner.c.scene.colliders.push_back(
      body(HalfSpace{Point(1.5, 0.0, 0.0), Point::UnitX()}, Contact::slipping, 0.3));
  const Ran held(corner, state_at(corner, boundary::collisions), boundary::friction, c);
  Counters of_corner = held.counters;
  BOOST_TEST(of_corner["undecided friction"] == 0.0);
  Collider floor = floor_through_a_node(Contact::slipping);
  floor.friction_from_push_only = true;
  const Grain rising = over(floor, Point(3.0, 1.0, 0.0));
  const Ran pulled(rising, state_at(rising, boundary::collisions), boundary::friction, c);
  Counters of_pull = pulled.counters;
  BOOST_TEST(of_pull["undecided friction"] == 0.0);
  BOOST_TEST(of_pull["sliding"] + of_pull["sticking"] == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
