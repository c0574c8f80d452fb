#include "validation/invariants/invariants.h"
#include "validation/invariants/plain.h"

#include "reference/interface/particles/sampling.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>

namespace repose::invariants {

namespace {

/// A foot on a surface is formed by some twenty operations on coordinates of at most 4 m, each of which rounds by 2⁻⁵³.
constexpr double foot_rounding = 100.0 * 4.0 * 0x1p-53;

/// φ against the searched distance and the plain answer to which side; the normal by where it leads: x − φ n lies on the
/// surface. Both together leave one answer, but where several points of the surface are nearest.
void judge_distance(const Shape& shape, const Surface& surface, const Point& x, int dim, Ledger& ledger) {
  const Distance got = signed_distance(shape, x, dim);
  const double searched = searched_distance(surface, x, dim);
  const bool inside = surface.inside(x);
  ledger.near("phi", got.phi, inside ? -searched : searched, search_error * surface.size + foot_rounding, x);
  ledger.near("length of normal", got.normal.norm(), 1.0, 8.0 * 0x1p-53, x);
  ledger.near("x - phi n is on the surface", surface.off(x - got.phi * got.normal), 0.0, foot_rounding, x);
  if (dim == 2) ledger.equal("z of normal in 2D", got.normal.z(), 0.0, x);
  ledger.saw(inside ? "points inside" : "points outside");
}

/// A point just outside of every piece of the surface: there the foot condition says nothing of a wrong normal unless
/// the step is far above rounding; 10⁻⁶ of it is.
void judge_near_surface(const Shape& shape, const Surface& surface, Dice& dice, int dim, Ledger& ledger) {
  constexpr double e = 1e-4;
  for (const Patch& patch : surface.patches) {
    const double u = dice.between(-0.7, 0.7), v = dim == 2 ? 0.0 : dice.between(-0.7, 0.7);
    const Point y = patch(u, v);
    const Point along_u = patch(u + e, v) - patch(u - e, v);
    const Point along_v = dim == 2 ? Point::UnitZ() : Point(patch(u, v + e) - patch(u, v - e));
    Point normal = along_u.cross(along_v).normalized();
    if (normal.dot(y - surface.centre) < 0.0) normal = -normal;
    const Distance on = signed_distance(shape, y, dim);
    ledger.near("phi on the surface", on.phi, 0.0, foot_rounding, y);
    // Central differences of a curve of radius ≥ 0.1 m over patches of some 0.5 m: third derivatives of order one, times e².
    ledger.near("normal on the surface", on.normal, normal, 10.0 * e * e, y);
    ledger.saw("points on the surface");
  }
}

std::array<Kind, 3> bounded{Kind::box, Kind::sphere, Kind::cylinder};
std::array<Kind, 4> searched_kinds{Kind::box, Kind::sphere, Kind::cylinder, Kind::wedge};

void distance_of_shapes(int dim, Ledger& ledger) {
  ledger.needs("points inside", 100);
  ledger.needs("points outside", 100);
  ledger.needs("points on the surface", 50);
  Dice dice(11);
  for (const Kind kind : searched_kinds) {
    for (int n = 0; n < 12; ++n) {
      const Shape shape = random_shape(kind, dice, dim);
      const Surface surface = surface_of(shape, dim);
      for (int k = 0; k < 12; ++k)
        judge_distance(shape, surface, surface.centre + dice.point(0.9, dim), dim, ledger);
      for (int k = 0; k < 6; ++k)
        judge_distance(shape, surface, surface.centre + dice.point(0.1, dim), dim, ledger);
      judge_near_surface(shape, surface, dice, dim, ledger);
    }
  }
  // In 2D what concerns z is ignored.
  if (dim == 2) {
    for (const Kind kind : {Kind::box, Kind::sphere, Kind::cylinder, Kind::half_space, Kind::wedge}) {
      const Shape shape = random_shape(kind, dice, 2);
      const Point x = dice.point(1.0, 2);
      const Distance flat = signed_distance(shape, x, 2);
      const Distance lifted = signed_distance(shape, x + 0.7 * Point::UnitZ(), 2);
      ledger.equal("phi away from z = 0", lifted.phi, flat.phi, x);
      ledger.near("normal away from z = 0", lifted.normal, flat.normal, 0.0, x);
    }
  }
  // A half-space has no bounded surface: its points are made from their distance instead.
  for (int n = 0; n < 200; ++n) {
    const Shape shape = random_shape(Kind::half_space, dice, dim);
    const auto& plane = std::get<HalfSpace>(shape);
    Point across = dice.point(2.0, dim);
    across -= plane.normal * plane.normal.dot(across);
    const double phi = dice.between(-1.0, 1.0);
    const Point x = plane.point + across + phi * plane.normal;
    const Distance got = signed_distance(shape, x, dim);
    ledger.near("phi of a half-space", got.phi, phi, foot_rounding, x);
    ledger.near("normal of a half-space", got.normal, plane.normal, 0.0, x);
  }
}

/// Corners, edges, faces, centre and the points between them of a box of whole numbers, where every distance is exact:
/// the faces in the documented order.
void judge_ties_of_box(int dim, Ledger& ledger) {
  const Box box{.min = {-2, -2, -2}, .max = {2, 2, 2}};
  for (int i = -3; i <= 3; ++i) {
    for (int j = -3; j <= 3; ++j) {
      for (int k = dim == 2 ? 0 : -3; k <= (dim == 2 ? 0 : 3); ++k) {
        const Point x(i, j, k);
        const Distance got = signed_distance(box, x, dim);
        if (got.phi > 0.0) continue;
        double best = 1e300;
        Point normal = Point::Zero();
        for (int face = 0; face < 2 * dim; ++face) {
          const int axis = face / 2;
          const double side = face % 2 == 0 ? -1.0 : 1.0;
          const double depth = 2.0 - side * x[axis];
          if (depth < best) {
            best = depth;
            normal = side * Point::Unit(axis);
          } else if (depth == best) {
            ledger.saw("ties of faces");
          }
        }
        ledger.equal("phi in a box of whole numbers", got.phi, -best, x);
        ledger.near("first of the nearest faces", got.normal, normal, 0.0, x);
      }
    }
  }
}

/// Where nothing points anywhere: centres, axes, the edge between side and end of a cylinder.
void judge_ties_of_round_shapes(int dim, Ledger& ledger) {
  Dice dice(12);
  for (int n = 0; n < 20; ++n) {
    const Point c = dice.point(1.0, dim);
    const Distance ball = signed_distance(Sphere{.centre = c, .radius = 0.25}, c, dim);
    ledger.equal("phi at a sphere's centre", ball.phi, -0.25, c);
    ledger.near("normal at a sphere's centre", ball.normal, Point::UnitX(), 0.0, c);
    if (dim == 2) continue;
    const Cylinder thin{.centre = c, .axis = dice.direction(3), .radius = 0.25, .half_length = 0.5};
    const Distance axis = signed_distance(thin, c, 3);
    ledger.near("phi at a cylinder's centre", axis.phi, -0.25, foot_rounding, c);
    ledger.near("normal at a cylinder's centre is across", axis.normal.dot(thin.axis), 0.0, foot_rounding, c);
    ledger.near("normal at a cylinder's centre is a unit vector", axis.normal.norm(), 1.0, foot_rounding, c);
  }
  if (dim == 2) return;
  // Side and end equally near, in whole numbers: the side wins. Below the middle the lower end is the nearest.
  const Cylinder even{.centre = {0, 0, 0}, .axis = {0, 0, 1}, .radius = 2, .half_length = 2};
  for (const double side : {-1.0, 1.0}) {
    ledger.near("side before end", signed_distance(even, {1, 0, side}, 3).normal, Point::UnitX(), 0.0);
    ledger.near("the nearer end", signed_distance(even, {0.5, 0, 1.5 * side}, 3).normal,
                side * Point::UnitZ(), 0.0);
    ledger.saw("ties of faces", 2);
  }
}

/// On the middle plane of a wedge, where both faces are as near, and on its edge: the face on the side of edge × normal.
void judge_ties_of_wedge(int dim, Ledger& ledger) {
  // Half the angle is that of a triangle of 3, 4 and 5; edge × normal = −x.
  const Wedge wedge{.tip = {1, 2, 0}, .angle = 2.0 * std::atan2(3.0, 4.0)};
  const Point left(-0.8, 0.6, 0.0);
  for (const double depth : {0.0, 1.0, 5.0}) {
    const Distance got = signed_distance(wedge, Point(1.0, 2.0 - depth, dim == 2 ? 0.0 : 0.5), dim);
    ledger.near("phi in the middle of a wedge", got.phi, -0.6 * depth, foot_rounding);
    ledger.near("normal in the middle of a wedge", got.normal, left, foot_rounding);
    ledger.saw("ties of faces");
  }
  const Distance above = signed_distance(wedge, Point(4, 6, 0), dim);  // 3-4-5 from the edge
  ledger.near("phi above a wedge's edge", above.phi, 5.0, foot_rounding);
  ledger.near("normal above a wedge's edge", above.normal, Point(0.6, 0.8, 0.0), foot_rounding);
}

/// Offsets whose squares vanish in double: 10⁻²⁰⁰ m from a corner, an edge, a centre.
void judge_tiny_offsets(int dim, Ledger& ledger) {
  const Point far = dim == 2 ? Point(3e-200, 4e-200, 0) : Point(2e-200, 3e-200, 6e-200);
  const double length = dim == 2 ? 5e-200 : 7e-200;
  const Distance corner = signed_distance(Box{.min = {-1, -1, -1}, .max = {0, 0, 0}}, far, dim);
  ledger.near("phi 1e-200 m from a corner", corner.phi / length, 1.0, 16.0 * 0x1p-53);
  ledger.near("normal 1e-200 m from a corner", corner.normal, far / length, 16.0 * 0x1p-53);
  const Distance centre = signed_distance(Sphere{.centre = {0, 0, 0}, .radius = 1}, -far, dim);
  ledger.near("normal 1e-200 m from a centre", centre.normal, -far / length, 16.0 * 0x1p-53);
}

void ties_of_distance(int dim, Ledger& ledger) {
  ledger.needs("ties of faces", 4);
  judge_ties_of_box(dim, ledger);
  judge_ties_of_round_shapes(dim, ledger);
  judge_ties_of_wedge(dim, ledger);
  judge_tiny_offsets(dim, ledger);
}

/// Volume by Gauss' theorem, d V = ∮ (y − c)·n dA, and the smallest box from points of the surface. Midpoints of n pieces
/// of a quarter circle err by (π/2n)²/24 of it, in two directions: 2·10⁻⁴ at n = 32; the furthest of 64 pieces' points
/// lies below the top by less than (π/4·1/32)²/2 of the radius, 3·10⁻⁴.
void extent_of_shapes(int dim, Ledger& ledger) {
  constexpr int n = 32;
  ledger.needs("shapes", 30);
  Dice dice(13);
  for (const Kind kind : bounded) {
    for (int k = 0; k < 12; ++k) {
      const Shape shape = random_shape(kind, dice, dim);
      const Surface surface = surface_of(shape, dim);
      const Point c = surface.centre;
      const double volume_by_surface =
          surface_integral(surface, dim, n,
                           [&](const Point& y, const Point& area) { return (y - c).dot(area); }) /
          dim;
      ledger.near("volume", volume(shape, dim) / volume_by_surface, 1.0, 1e-3, c);
      ledger.near("centre", centre(shape), c, foot_rounding, c);
      Point low = Point::Constant(1e300), high = Point::Constant(-1e300);
      for (const Patch& patch : surface.patches) {
        for (int i = -n; i <= n; ++i) {
          for (int j = dim == 2 ? 0 : -n; j <= (dim == 2 ? 0 : n); ++j) {
            const Point y = patch(static_cast<double>(i) / n, static_cast<double>(j) / n);
            low = low.cwiseMin(y);
            high = high.cwiseMax(y);
          }
        }
      }
      const Bounds box = bounds(shape, dim);
      ledger.near("lowest point", box.min, low, 1e-3 * surface.size, c);
      ledger.near("highest point", box.max, high, 1e-3 * surface.size, c);
      ledger.saw("shapes");
    }
  }
}

}  // namespace

void add_shapes(std::vector<Invariant>& all) {
  all.push_back({"distance_of_shapes",
                 "signed distance and normal, against a search over each surface",
                 "shapes",
                 {2, 3},
                 distance_of_shapes});
  all.push_back({"ties_of_distance",
                 "edges, corners, centres and axes, where several points are nearest",
                 "shapes",
                 {2, 3},
                 ties_of_distance});
  all.push_back({"extent_of_shapes",
                 "volume, centre and smallest box, from integrals over each surface",
                 "shapes",
                 {2, 3},
                 extent_of_shapes});
}

}  // namespace repose::invariants
