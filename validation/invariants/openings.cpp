#include "validation/invariants/invariants.h"
#include "validation/invariants/plain.h"

#include "reference/interface/base/error.h"
#include "reference/interface/scene/opening.h"

#include <Eigen/Geometry>

#include <array>
#include <cmath>

namespace repose::invariants {

namespace {

/// An emitter of a random shape whose velocity is allowed: along ± an axis of the grid for a box, ± its axis for a
/// cylinder, anywhere for a sphere.
Emitter random_spout(int n, Dice& dice, int dim) {
  Emitter e;
  e.name = "spout";
  e.shape = random_shape(static_cast<Kind>(1 + n % 3), dice, dim);
  Point direction = dice.direction(dim);
  if (std::holds_alternative<Box>(e.shape)) direction = Point::Unit(n / 3 % dim);
  if (const auto* rod = std::get_if<Cylinder>(&e.shape); rod != nullptr && dim == 3) direction = rod->axis;
  e.velocity = (n % 2 == 0 ? 1.0 : -1.0) * dice.between(0.5, 3.0) * direction;
  e.rate = 1e-6;
  e.stop = 1.0;
  return e;
}

bool opening_refused(const Emitter& emitter, int dim) {
  try {
    opening(emitter, dim);
  } catch (const BadInput&) {
    return true;
  }
  return false;
}

/// The opening is where the shape meets the plane through its centre across the velocity: points of that plane are in one
/// where they are in the other, and the area is that of a fine grid of them; the most that flows through is area · speed.
void openings(int dim, Ledger& ledger) {
  ledger.needs("points in the opening", 1000);
  ledger.needs("points beside it", 1000);
  constexpr int n_grid = 60;
  Dice dice(71);
  for (int n = 0; n < 36; ++n) {
    Emitter e = random_spout(n, dice, dim);
    const Surface surface = surface_of(e.shape, dim);
    const Opening got = opening(e, dim);
    const Point flow = e.velocity / std::sqrt(e.velocity.squaredNorm());
    ledger.near("centre of the opening", got.centre, surface.centre, 16.0 * 0x1p-53, got.centre);
    ledger.near("axis of the opening", got.axis, flow, 4.0 * 0x1p-53, got.centre);
    const std::array<Point, 3> axes{got.axis, got.across_1, got.across_2};
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b)
        ledger.near("axes are perpendicular unit vectors", axes[a].dot(axes[b]), a == b ? 1.0 : 0.0,
                    16.0 * 0x1p-53);

    // A basis of the plane of its own, turned at random.
    Point s = dim == 2 ? Point(flow.y(), -flow.x(), 0.0) : Point(dice.direction(3));
    s = (s - flow * flow.dot(s)).normalized();
    const Point t = dim == 2 ? Point(Point::Zero()) : Point(flow.cross(s));
    const double reach = surface.size;
    int hits = 0;
    for (int i = 0; i < (dim == 2 ? n_grid * n_grid : n_grid); ++i) {
      for (int j = 0; j < (dim == 2 ? 1 : n_grid); ++j) {
        const double a = reach * ((i + 0.5) / (dim == 2 ? n_grid * n_grid : n_grid) * 2.0 - 1.0);
        const double b = dim == 2 ? 0.0 : reach * ((j + 0.5) / n_grid * 2.0 - 1.0);
        const Point y = surface.centre + a * s + b * t;
        const bool inside = surface.inside(y);
        if (inside) ++hits;
        if (surface.off(y) < 1e-9) continue;
        const double c1 = std::abs((y - got.centre).dot(got.across_1)),
                     c2 = std::abs((y - got.centre).dot(got.across_2));
        const bool in_opening =
            got.round ? std::hypot(c1, c2) < got.half_1 : c1 < got.half_1 && (dim == 2 || c2 < got.half_2);
        ledger.holds("in the opening as in the shape", in_opening == inside, y);
        ledger.saw(inside ? "points in the opening" : "points beside it");
      }
    }
    const double piece = dim == 2 ? 2.0 * reach / (n_grid * n_grid) : 4.0 * reach * reach / (n_grid * n_grid);
    // In 2D an end goes wrong by a piece; in 3D the border crosses 4 · 2 widths/spacing pieces of the grid at most, each
    // wrong by half a piece either way: seen as a walk of that many steps, four of its deviations.
    const double crossed =
        dim == 2 ? 2.0 : 4.0 * 0.5 * std::sqrt(8.0 * got.half_1 / (2.0 * reach) * n_grid + 8.0 * n_grid);
    ledger.near("area of the opening", got.area, hits * piece, crossed * piece, got.centre);
    const double speed = e.velocity.norm();
    e.rate = got.area * speed;
    ledger.holds("a rate of area times speed is taken", !opening_refused(e, dim));
    e.rate *= 1.0 + 1e-6;
    ledger.holds("a greater rate is refused", opening_refused(e, dim));
    e.rate = 0.0;
    ledger.holds("no rate is refused", opening_refused(e, dim));
  }
}

/// What has no opening.
void no_openings(int dim, Ledger& ledger) {
  ledger.needs("refusals", 4);
  Dice dice(72);
  for (int n = 0; n < 12; ++n) {
    Emitter e = random_spout(n, dice, dim);
    Emitter still = e;
    still.velocity = Point::Zero();
    ledger.holds("no velocity", opening_refused(still, dim));
    Emitter oblique = e;
    const Point flow = e.velocity.normalized();
    const Point aside =
        dim == 2 ? Point(-flow.y(), flow.x(), 0.0) : Point(flow.cross(Point(0.48, 0.6, 0.64)).normalized());
    oblique.velocity += 1e-6 * e.velocity.norm() * aside;
    const bool may =
        std::holds_alternative<Sphere>(e.shape) || (dim == 2 && std::holds_alternative<Cylinder>(e.shape));
    ledger.holds("an oblique velocity", opening_refused(oblique, dim) != may);
    Emitter open = e;
    open.shape = HalfSpace{};
    ledger.holds("a half-space", opening_refused(open, dim));
    ledger.saw("refusals", 3);
  }
}

}  // namespace

void add_openings(std::vector<Invariant>& all) {
  all.push_back({"openings",
                 "an emitter's opening is its shape's section across the velocity",
                 "emitters",
                 {2, 3},
                 openings});
  all.push_back(
      {"no_openings", "emitters that have no opening are refused", "emitters", {2, 3}, no_openings});
}

}  // namespace repose::invariants
