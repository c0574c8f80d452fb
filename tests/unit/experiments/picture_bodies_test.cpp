#include "experiments/picture/bodies.h"
#include "experiments/picture/state_picture_parts.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <random>

using namespace repose;
using namespace repose::experiments;
namespace data = boost::unit_test::data;

namespace {

double draw_number(std::mt19937_64& bits, double low, double high) {
  return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53;
}

Point draw_point(std::mt19937_64& bits, double size) {
  const double x = draw_number(bits, -size, size);
  const double y = draw_number(bits, -size, size);
  const double z = draw_number(bits, -size, size);
  return {x, y, z};
}

Shape shape_number(int number) {
  switch (number) {
    case 0:
      return HalfSpace{.point = Point(0.1, 0.2, -0.1), .normal = Point(1.0, 2.0, -0.5).normalized()};
    case 1:
      return Box{.min = Point(-0.3, -0.2, -0.5), .max = Point(0.4, 0.1, 0.2)};
    case 2:
      return Sphere{.centre = Point(0.1, -0.1, 0.2), .radius = 0.4};
    case 3:
      return Wedge{.tip = Point(0.1, 0.1, -0.1),
                   .normal = Point(2.0, 6.0, 3.0) / 7.0,
                   .edge = Point(-6.0, 3.0, -2.0) / 7.0,
                   .angle = 1.2};
    default:
      return Cylinder{.centre = Point(0.1, 0.0, -0.1),
                      .axis = Point(1.0, 1.0, 0.3).normalized(),
                      .radius = 0.3,
                      .half_length = 0.4};
  }
}

/// Turning, moving, seen in a scene whose up is z.
Collider moving(int shape, bool hollow) {
  Collider collider;
  collider.shape = shape_number(shape);
  collider.hollow = hollow;
  collider.velocity = Point(0.2, -0.1, 0.3);
  collider.spin = Point(0.5, -1.5, 2.0);
  return collider;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(picture_bodies)

/// The other formula is the collider's signed distance, which the solvers use.
BOOST_DATA_TEST_CASE(rays_end_on_the_surface_that_the_solvers_know,
                     data::xrange(5) * data::make({false, true}), shape, hollow) {
  const Collider collider = moving(shape, hollow);
  const double time = 0.7;
  const auto turn = state_picture::upright(Point(0.0, 0.0, -9.81));
  const Body body = state_picture::body_of(collider, time, turn);
  const auto phi = [&](const Point& at) {
    return signed_distance(collider, (turn.conjugate() * at).eval(), time, {.dim = 3}).phi;
  };
  std::mt19937_64 bits(5);
  int hits = 0;
  int agreed = 0;  // on the normal: at edges there are two
  int misses = 0;
  for (int ray = 0; ray < 2000; ++ray) {
    const Point eye = draw_point(bits, 2.0);
    const Point target = draw_point(bits, 0.6);
    const Point way = (target - eye).normalized();
    const auto hit = first_hit(body, eye, way);
    if (!hit) {
      ++misses;
      // A solid that is missed is nowhere on the ray, unless the eye is in it; of a room one sees the far wall.
      for (int k = 0; k <= 400 && !hollow && phi(eye) > 0.0; ++k)
        BOOST_TEST(phi(eye + 0.01 * k * way) > -1e-9);
      continue;
    }
    ++hits;
    const Point at = eye + hit->distance * way;
    BOOST_TEST(std::abs(phi(at)) < 1e-12);  // some ten roundings of lengths of 3 m
    BOOST_TEST(phi(at - 1e-7 * way) > 0.0);
    BOOST_TEST(hit->normal.dot(way) < 0.0);
    BOOST_TEST(std::abs(hit->normal.norm() - 1.0) < 1e-12);
    const Point known = signed_distance(collider, (turn.conjugate() * at).eval(), time, {.dim = 3}).normal;
    if (hit->normal.dot(turn * known) > 1.0 - 1e-9) ++agreed;
    for (int k = 1; k < 50 && !hollow; ++k) BOOST_TEST(phi(eye + 0.02 * k * hit->distance * way) > -1e-9);
  }
  BOOST_TEST(hits > 150);
  BOOST_TEST(agreed >= hits - 2);
  BOOST_TEST(misses > 100);
}

BOOST_AUTO_TEST_CASE(a_half_space_ends_with_the_domain) {
  Body wall{.shape = HalfSpace{.point = Point(0.0, 0.0, -1.0), .normal = Point::UnitZ()}};
  const Point eye(0.0, 0.0, 3.0);
  const auto way = [&](double x) { return (Point(x, 0.0, -1.0) - eye).normalized(); };
  BOOST_TEST(first_hit(wall, eye, way(5.0)).has_value());
  wall.limits = Bounds{.min = Point(-1.0, -1.0, -1.0), .max = Point(1.0, 1.0, 1.0)};
  BOOST_TEST(first_hit(wall, eye, way(0.99)).has_value());
  BOOST_TEST(!first_hit(wall, eye, way(1.01)).has_value());
}

BOOST_AUTO_TEST_CASE(behind_a_wall_nothing_shows) {
  const Bounds domain{.min = Point::Constant(-1.0), .max = Point::Constant(1.0)};
  const Body wall{.shape = HalfSpace{.point = Point(0.5, 0.0, 0.0), .normal = -Point::UnitX()},
                  .limits = domain};
  BOOST_TEST(buried(wall, Point(0.6, 0.0, 0.0)));
  BOOST_TEST(!buried(wall, Point(0.4, 0.0, 0.0)));
  BOOST_TEST(!buried(wall, Point(0.5, 0.7, 0.0)));
  BOOST_TEST(!buried(Body{.shape = Sphere{.centre = Point::Zero(), .radius = 1.0}}, Point::Zero()));
}

BOOST_AUTO_TEST_CASE(one_looks_through_a_wall_that_one_stands_behind) {
  const Body wall{.shape = HalfSpace{.point = Point(0.0, 0.0, 1.0), .normal = -Point::UnitZ()}};
  BOOST_TEST(!first_hit(wall, Point(0.0, 0.0, 3.0), -Point::UnitZ()).has_value());
  BOOST_TEST(first_hit(wall, Point(0.0, 0.0, -3.0), Point::UnitZ()).has_value());
}

BOOST_AUTO_TEST_CASE(up_is_where_gravity_comes_from) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const double sign : {-1.0, 1.0}) {
      const Point up = sign * Point::Unit(axis);
      const Point seen = state_picture::upright(-9.81 * up + 0.1 * Point::Ones()) * up;
      BOOST_TEST((seen - Point::UnitY()).norm() < 1e-12);
    }
  }
  BOOST_TEST((state_picture::upright(Point::Zero()) * Point::UnitX() - Point::UnitX()).norm() == 0.0);
}

/// A red ball behind a body shines through it, and hides it when it is before it.
BOOST_AUTO_TEST_CASE(a_ball_behind_a_body_shines_through) {
  View view;
  view.width = 40;
  view.height = 30;
  view.samples = 1;
  view.eye = Point(0.0, 0.0, 10.0);
  view.floor = -std::numeric_limits<double>::infinity();
  const Body plate{.shape = Box{.min = Point(-1.0, -1.0, -0.1), .max = Point(1.0, 1.0, 0.1)}};
  const auto redness = [&](float z, std::span<const Body> bodies) {
    const Ball ball{.centre = Eigen::Vector3f(0.0F, 0.0F, z), .radius = 0.4F, .colour = {0.9F, 0.1F, 0.1F}};
    const Image image = draw(std::span(&ball, 1), bodies, {}, view);
    const std::size_t middle = 3 * (15 * 40 + 20);
    return static_cast<int>(image.rgb[middle]) - static_cast<int>(image.rgb[middle + 1]);
  };
  const std::span<const Body> one(&plate, 1);
  const int bare = redness(-1.0F, {});
  const int veiled = redness(-1.0F, one);
  BOOST_TEST(bare > 60);
  BOOST_TEST(veiled > bare / 8);
  BOOST_TEST(veiled < 3 * bare / 4);
  BOOST_TEST(redness(1.0F, one) == redness(1.0F, {}));
}

BOOST_AUTO_TEST_SUITE_END()
