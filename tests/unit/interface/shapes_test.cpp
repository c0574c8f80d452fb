#include "reference/interface/scene/shapes.h"

#include "reference/interface/particles/random.h"
#include "tests/unit/interface/random_points.h"

#include <Eigen/Geometry>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace data = boost::unit_test::data;

namespace repose {
namespace {

using test::random_direction;
using test::random_point;

/// The five kinds of shape near the origin, about one metre large; tilted where they can be.
std::vector<Shape> shapes(int dim) {
  const Point n = dim == 2 ? Point(0.6, 0.8, 0.0) : Point(2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0);
  return {HalfSpace{.point = {0.1, -0.2, 0.0}, .normal = n},
          Box{.min = {-0.7, -0.4, -0.5}, .max = {0.5, 0.6, 0.3}},
          Sphere{.centre = {0.1, 0.2, 0.0}, .radius = 0.75},
          Cylinder{.centre = {-0.1, 0.1, 0.0},
                   .axis = dim == 2 ? Point::UnitZ() : n,
                   .radius = 0.5,
                   .half_length = 0.7},
          Wedge{.tip = {0.1, 0.2, 0.0},
                .normal = n,
                .edge = dim == 2 ? Point::UnitZ() : Point(6.0 / 7.0, 2.0 / 7.0, -3.0 / 7.0),
                .angle = 1.3}};
}

/// Distance to the surface by brute force, from the meaning of the shape and not from the formulas under test:
/// a ray in every direction is cut where inside and outside change.
bool is_inside(const Shape& shape, const Point& x, int dim) {
  struct Inside {
    Point x;
    int dim;
    bool operator()(const HalfSpace& s) const { return (x - s.point).dot(s.normal) < 0.0; }
    bool operator()(const Box& s) const {
      bool in = true;
      for (int a = 0; a < dim; ++a) in = in && x[a] > s.min[a] && x[a] < s.max[a];
      return in;
    }
    bool operator()(const Sphere& s) const { return (x - s.centre).norm() < s.radius; }
    bool operator()(const Cylinder& s) const {
      const Point r = x - s.centre;
      if (dim == 2) return r.norm() < s.radius;
      return std::abs(r.dot(s.axis)) < s.half_length && r.cross(s.axis).norm() < s.radius;
    }
    bool operator()(const Wedge& s) const {
      const Point r = x - s.tip;
      const double down = -r.dot(s.normal);
      return down > 0.0 &&
             (r + down * s.normal - r.dot(s.edge) * s.edge).norm() < down * std::tan(0.5 * s.angle);
    }
  };
  return std::visit(Inside{x, dim}, shape);
}

BOOST_AUTO_TEST_SUITE(shapes_test)

BOOST_AUTO_TEST_CASE(distances_known_on_paper_are_met_exactly) {
  const Box box{.min = {0, 0, 0}, .max = {4, 4, 4}};
  BOOST_TEST(signed_distance(box, {7, 8, 2}, 3).phi == 5.0);  // 3-4-5 from an edge
  BOOST_TEST((signed_distance(box, {7, 8, 2}, 3).normal == Point(0.6, 0.8, 0.0)));
  BOOST_TEST(signed_distance(box, {5, 6, 6}, 3).phi == 3.0);  // 1-2-2 from a corner
  BOOST_TEST(signed_distance(box, {1, 2, 2}, 3).phi == -1.0);
  BOOST_TEST((signed_distance(box, {1, 2, 2}, 3).normal == Point(-1, 0, 0)));
  BOOST_TEST((signed_distance(box, {2, 3.5, 2}, 3).normal == Point(0, 1, 0)));
  BOOST_TEST(signed_distance(box, {5, 6, 100}, 2).phi == std::sqrt(5.0));  // z is ignored in 2D

  const Cylinder drum{.centre = {0, 0, 0}, .axis = {0, 0, 1}, .radius = 1.0, .half_length = 2.0};
  BOOST_TEST(signed_distance(drum, {4, 0, 6}, 3).phi == 5.0);  // 3-4-5 from the rim
  BOOST_TEST(signed_distance(drum, {0, 0.5, 3}, 3).phi == 1.0);
  BOOST_TEST(signed_distance(drum, {0, 0.5, 0}, 3).phi == -0.5);
  BOOST_TEST(signed_distance(drum, {0, 0.25, -1.5}, 3).phi == -0.5);
  BOOST_TEST((signed_distance(drum, {0, 0.25, -1.5}, 3).normal == Point(0, 0, -1)));
  BOOST_TEST(signed_distance(drum, {3, 4, 50}, 2).phi == 4.0);  // an endless disk in 2D

  BOOST_TEST(signed_distance(Sphere{.centre = {1, 1, 1}, .radius = 1.0}, {3, 3, 2}, 3).phi == 2.0);
  BOOST_TEST(signed_distance(HalfSpace{.point = {0, 1, 0}, .normal = {0, 1, 0}}, {9, 3, 9}, 3).phi == 2.0);
}

/// Half the angle is that of a triangle of 3, 4 and 5; angles and their sines round.
BOOST_AUTO_TEST_CASE(distances_to_a_wedge_are_those_known_on_paper) {
  const Wedge roof{.tip = {1, 2, 3}, .angle = 2.0 * std::atan2(3.0, 4.0)};
  const auto is = [&](const Point& x, double phi, const Point& normal) {
    const Distance d = signed_distance(roof, x, 3);
    BOOST_TEST(std::abs(d.phi - phi) < 1e-14);
    BOOST_TEST((d.normal - normal).norm() < 1e-14);
  };
  is({4, 6, 7}, 5.0, {0.6, 0.8, 0.0});          // beyond the edge
  is({1, 7, 3}, 5.0, {0.0, 1.0, 0.0});          // above it
  is({1 + 3, 2 - 4, 9}, 0.0, {0.8, 0.6, 0.0});  // on a face, 5 from the edge
  is({1 + 3.8, 2 - 3.4, 0}, 1.0, {0.8, 0.6, 0.0});
  is({1 - 3.8, 2 - 3.4, 0}, 1.0, {-0.8, 0.6, 0.0});
  is({1 - 2.2, 2 - 4.6, 0}, -1.0, {-0.8, 0.6, 0.0});
  is({1, -3, 0}, -3.0, {-0.8, 0.6, 0.0});  // in the middle: the side of z × y = −x
  BOOST_TEST(!is_bounded(roof));
  BOOST_TEST(!is_bounded(HalfSpace{}));
  BOOST_TEST(is_bounded(Box{}));
}

BOOST_DATA_TEST_CASE(sign_tells_inside_from_outside, data::make({2, 3}) * data::xrange(5), dim, which) {
  const Shape shape = shapes(dim)[static_cast<std::size_t>(which)];
  Random random(1);
  int inside = 0;
  for (int i = 0; i < 2000; ++i) {
    const Point x = random_point(random, 1.2, dim);
    inside += is_inside(shape, x, dim) ? 1 : 0;
    BOOST_TEST((signed_distance(shape, x, dim).phi < 0.0) == is_inside(shape, x, dim));
  }
  BOOST_TEST((inside > 100 && inside < 1900));  // the premise: both sides were seen
}

/// x − φ n lies on the surface, and no point nearer than |φ| lies on the other side: together the distance is exact.
BOOST_DATA_TEST_CASE(distance_is_to_the_nearest_point_of_the_surface, data::make({2, 3}) * data::xrange(5),
                     dim, which) {
  const Shape shape = shapes(dim)[static_cast<std::size_t>(which)];
  Random random(2);
  int at_edges = 0;
  for (int i = 0; i < 1000; ++i) {
    const Point x = random_point(random, 1.5, dim);
    const Distance d = signed_distance(shape, x, dim);
    // Some ten roundings of numbers below 4.
    BOOST_TEST(std::abs(signed_distance(shape, x - d.phi * d.normal, dim).phi) <= 1e-14);
    // Behind the edge of an acute wedge there is outside again.
    const auto* wedge = std::get_if<Wedge>(&shape);
    const bool at_edge =
        wedge != nullptr && (x - d.phi * d.normal - wedge->tip).cross(wedge->edge).norm() < 1e-8;
    if (at_edge)
      ++at_edges;
    else
      BOOST_TEST(is_inside(shape, x - (d.phi + 1e-9) * d.normal, dim));
    BOOST_TEST(!is_inside(shape, x - (d.phi - 1e-9) * d.normal, dim));
    for (int j = 0; j < 20; ++j) {
      const Point y = x + (std::abs(d.phi) * (1.0 - 1e-12)) * random_direction(random, dim);
      BOOST_TEST(is_inside(shape, y, dim) == is_inside(shape, x, dim));
    }
  }
  BOOST_TEST((std::holds_alternative<Wedge>(shape) ? at_edges > 50 && at_edges < 500 : at_edges == 0));
}

BOOST_DATA_TEST_CASE(normal_is_the_gradient_of_the_distance, data::make({2, 3}) * data::xrange(5), dim,
                     which) {
  const Shape shape = shapes(dim)[static_cast<std::size_t>(which)];
  Random random(3);
  // Inside one region (face, edge, corner) the truncation error is step²/6 · 3/ρ² < 1e-6 at a distance ρ > 0.01 from a
  // focal point. Between regions only the gradient is continuous: where a plane of separation lies between the two
  // ends, the error is up to step/2 · 1/ρ ≤ 1e-5/2/0.025 = 2e-4.
  constexpr double step = 1e-5;
  int judged = 0;
  for (int i = 0; i < 2000; ++i) {
    const Point x = random_point(random, 1.2, dim);
    const Distance d = signed_distance(shape, x, dim);
    // Keep away from the medial axis and focal points: there the normal changes within 0.02.
    bool smooth = true;
    for (int axis = 0; axis < dim; ++axis) {
      for (const double s : {-0.02, 0.02}) {
        smooth = smooth && signed_distance(shape, x + s * Point::Unit(axis), dim).normal.dot(d.normal) > 0.9;
      }
    }
    if (!smooth) continue;
    ++judged;
    for (int axis = 0; axis < dim; ++axis) {
      const Point e = step * Point::Unit(axis);
      const double slope =
          (signed_distance(shape, x + e, dim).phi - signed_distance(shape, x - e, dim).phi) / (2.0 * step);
      BOOST_TEST(std::abs(slope - d.normal[axis]) <= 2e-4);
    }
  }
  BOOST_TEST(judged > 1000);
}

BOOST_DATA_TEST_CASE(normal_has_unit_length_everywhere, data::make({2, 3}) * data::xrange(5), dim, which) {
  const Shape shape = shapes(dim)[static_cast<std::size_t>(which)];
  const Point c = centre(shape);
  const Point axis = dim == 2 ? Point::UnitY() : Point(2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0);
  Random random(4);
  for (int i = 0; i < 500; ++i) {
    // On the centre, on the axis, a hair off the axis, and at offsets from 1 to 1e-320 from the surface's corner.
    const Point off = std::pow(10.0, -0.7 * i) * random_direction(random, dim);
    const Point along = random.between(-2.0, 2.0) * axis;
    const Point corner = dim == 2 ? Point(0.5, 0.6, 0.0) : Point(0.5, 0.6, 0.3);
    for (const Point& x :
         {c, Point(c + along), Point(c + along + off), Point(c + off), Point(corner + off)}) {
      const Distance d = signed_distance(shape, x, dim);
      BOOST_TEST(std::abs(d.normal.norm() - 1.0) <= 4e-16);
      BOOST_TEST(std::isfinite(d.phi));
      if (dim == 2) BOOST_TEST(d.normal.z() == 0.0);
    }
  }
}

BOOST_AUTO_TEST_CASE(on_the_medial_axis_the_documented_face_is_taken) {
  const Box cube{.min = {-1, -1, -1}, .max = {1, 1, 1}};
  BOOST_TEST((signed_distance(cube, {0, 0, 0}, 3).normal == Point(-1, 0, 0)));
  BOOST_TEST((signed_distance(cube, {0.5, 0.5, 0.5}, 3).normal == Point(1, 0, 0)));
  BOOST_TEST((signed_distance(cube, {0.0, 0.5, 0.5}, 3).normal == Point(0, 1, 0)));
  BOOST_TEST(
      (signed_distance(Sphere{.centre = {1, 2, 3}, .radius = 1}, {1, 2, 3}, 3).normal == Point(1, 0, 0)));
  const Cylinder equal{.centre = {0, 0, 0}, .axis = {1, 0, 0}, .radius = 1, .half_length = 1};
  BOOST_TEST(signed_distance(equal, {0, 0, 0}, 3).phi == -1.0);
  BOOST_TEST(signed_distance(equal, {0, 0, 0}, 3).normal.x() == 0.0);  // the side before the ends
}

/// Far along the axis and a hair off it, what is left after one projection is rounding with any direction.
BOOST_AUTO_TEST_CASE(the_side_of_a_cylinder_is_normal_to_its_axis_however_near_the_axis) {
  const Cylinder rod{
      .centre = {0, 0, 0}, .axis = {2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0}, .radius = 0.5, .half_length = 100};
  Random random(6);
  for (int i = 0; i < 300; ++i) {
    const Point off = std::pow(10.0, random.between(-17, -1)) * random_direction(random, 3);
    const Distance d = signed_distance(rod, random.between(-90, 90) * rod.axis + off, 3);
    // Some ten roundings, more where by chance little of the first remainder is normal to the axis: 1 in 100 or more.
    BOOST_TEST(std::abs(d.normal.dot(rod.axis)) <= 100 * 1.2e-15);
  }
}

/// Offsets whose squares underflow: 1e-200 along two axes is √2 e-200 away, not 0.
BOOST_AUTO_TEST_CASE(tiny_distances_do_not_vanish) {
  const Box box{.min = {-1, -1, 0}, .max = {0, 0, 0}};
  const Distance d = signed_distance(box, {1e-200, 1e-200, 0}, 2);
  BOOST_TEST(d.phi == std::sqrt(2.0) * 1e-200, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(d.normal.x() == std::sqrt(0.5), boost::test_tools::tolerance(1e-15));
}

BOOST_DATA_TEST_CASE(bounds_hold_the_shape_and_touch_it, data::make({2, 3}) * data::xrange(1, 4), dim,
                     which) {
  const Shape shape = shapes(dim)[static_cast<std::size_t>(which)];
  const Bounds b = bounds(shape, dim);
  Random random(5);
  Point low = Point::Constant(10.0);
  Point high = Point::Constant(-10.0);
  for (int i = 0; i < 200000; ++i) {
    const Point x = random_point(random, 1.2, dim);
    if (!is_inside(shape, x, dim)) continue;
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  for (int axis = 0; axis < dim; ++axis) {
    BOOST_TEST(low[axis] >= b.min[axis]);
    BOOST_TEST(high[axis] <= b.max[axis]);
    BOOST_TEST(low[axis] <= b.min[axis] + 0.05);  // so many points come this close to each face
    BOOST_TEST(high[axis] >= b.max[axis] - 0.05);
  }
}

BOOST_AUTO_TEST_CASE(half_spaces_and_wedges_have_no_bounds) {
  BOOST_CHECK_THROW(bounds(HalfSpace{}, 3), std::invalid_argument);
  BOOST_CHECK_THROW(bounds(Wedge{}, 3), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
