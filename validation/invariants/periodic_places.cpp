#include "reference/interface/scene/colliders.h"
#include "validation/invariants/invariants.h"
#include "validation/invariants/periodic_grid.h"

#include <algorithm>
#include <cmath>

namespace repose::invariants {

namespace {

/// Ids count the nodes one by one, along a periodic axis those of the domain without the last; a node a length away is the
/// same.
void nodes_of_periodic_axes(int dim, Ledger& ledger) {
  ledger.needs("nodes", 300);
  ledger.needs("images", 500);
  Dice dice(301);
  for (int axes = 0; axes < (1 << dim); ++axes) {
    const Grid grid = periodic_grid(dice, dim, axes, 3);
    std::array<std::int64_t, 3> first{0, 0, 0}, last{0, 0, 0};
    for (std::size_t a = 0; a < static_cast<std::size_t>(dim); ++a) {
      first[a] = grid.periodic[a] ? 0 : -2;
      last[a] = grid.periodic[a] ? grid.cells[a] - 1 : grid.cells[a] + 2;
    }
    std::int64_t id = 0;
    for (std::int64_t i = first[0]; i <= last[0]; ++i)
      for (std::int64_t j = first[1]; j <= last[1]; ++j)
        for (std::int64_t k = first[2]; k <= last[2]; ++k, ++id) {
          ledger.equal("id", static_cast<double>(grid.node_id(i, j, k)), static_cast<double>(id));
          const std::array<std::int64_t, 3> expected{i, j, k};
          ledger.holds("index", grid.node_index(id) == expected);
          ledger.saw("nodes");
          for (std::size_t a = 0; a < 3; ++a) {
            if (!grid.periodic[a]) continue;
            for (const std::int64_t lengths : {-1, 1}) {
              auto image = expected;
              image[a] += lengths * grid.cells[a];
              ledger.equal("id of an image", static_cast<double>(grid.node_id(image[0], image[1], image[2])),
                           static_cast<double>(id));
              ledger.saw("images");
            }
          }
        }
    ledger.equal("nodes of all axes", static_cast<double>(grid.nodes(0) * grid.nodes(1) * grid.nodes(2)),
                 static_cast<double>(id));
  }
}

/// A place up to one length outside comes to lie inside, as many lengths away as it takes; the border belongs to one side.
void places_through_seams(int dim, Ledger& ledger) {
  ledger.needs("moved up", 100);
  ledger.needs("moved down", 100);
  ledger.needs("too far", 50);
  Dice dice(302);
  for (int n = 0; n < 1000; ++n) {
    const Grid grid = periodic_grid(dice, dim, (1 << dim) - 1, 3);
    const int axis = dice.whole(0, dim - 1);
    const double low = grid.domain_min[axis], high = grid.domain_max()[axis], length = length_of(grid, axis);
    const double rounding = 8.0 * 0x1p-53 * (std::abs(low) + 2.0 * length);
    double x = dice.between(low - 1.3 * length, high + 1.3 * length);
    if (n % 10 == 0) x = high;
    if (n % 10 == 1) x = low;
    if (n % 10 == 2) x = std::nextafter(low, low - 1.0);
    if (n % 10 == 3) x = std::nextafter(high, low);
    double moved = x;
    const bool near = grid.wrap(moved, axis);
    if (x < low - length || x >= high + length) {
      ledger.holds("what is further than a length is left alone", !near && moved == x);
      ledger.saw("too far");
      continue;
    }
    ledger.holds("inside", near && moved >= low && moved < high);
    const double lengths = x < low ? 1.0 : x >= high ? -1.0 : 0.0;
    if (lengths > 0.0) ledger.saw("moved up");
    if (lengths < 0.0) ledger.saw("moved down");
    // What rounds to the upper border is the lower one.
    const double off = std::abs(moved - (x + lengths * length));
    ledger.near("moved by lengths", std::min(off, std::abs(off - length)), 0.0,
                lengths == 0.0 ? 0.0 : rounding);
    Point between = Point::Zero();
    between[axis] = x - 0.5 * (low + high);
    ledger.within("difference to the nearest image", grid.nearest(between)[axis], -0.5 * length - rounding,
                  0.5 * length + rounding);
  }
}

/// A bounded collider no longer than the domain; some reach along an axis from end to end.
Collider random_collider(Dice& dice, const Grid& grid) {
  const int dim = grid.dim;
  Collider c;
  c.name = "body";
  double room = 1e9;
  for (int axis = 0; axis < dim; ++axis) room = std::min(room, length_of(grid, axis));
  const double half = dice.between(0.1, 0.25) * room;
  const Point at = grid.domain_min + dice.point(2.0, dim);
  const int kind = dice.whole(0, 2);
  if (kind == 0) c.shape = Sphere{.centre = at, .radius = half};
  const Point wide = dim == 3 ? Point(half, 0.7 * half, 0.5 * half) : Point(half, 0.7 * half, 0.0);
  if (kind == 1) c.shape = Box{.min = at - wide, .max = at + wide};
  if (kind == 2)
    c.shape = Cylinder{.centre = at,
                       .axis = dim == 3 ? dice.direction(3) : Point::UnitZ(),
                       .radius = 0.7 * half,
                       .half_length = dim == 3 ? half : 0.0};
  c.hollow = dice.flip();
  c.velocity = dice.point(3.0, dim);
  c.spin = dim == 3 ? Point(4.0 * dice.direction(3)) : Point(0.0, 0.0, 4.0 * dice.between(-1.0, 1.0));
  return c;
}

/// The same body without a period, so many lengths away.
Collider image_of(Collider c, const Point& away) {
  struct Move {
    Point away;
    void operator()(HalfSpace& s) const { s.point += away; }
    void operator()(Box& s) const { s.min += away, s.max += away; }
    void operator()(Sphere& s) const { s.centre += away; }
    void operator()(Cylinder& s) const { s.centre += away; }
    void operator()(Wedge& s) const { s.tip += away; }
  };
  std::visit(Move{away}, c.shape);
  return c;
}

/// The distance to a body is that to the nearest of its images, looked for among all that can matter, each a body of its own
/// without a period; its normal and the velocity of its material are that image's.
void images_of_bodies(int dim, Ledger& ledger) {
  ledger.needs("places", 500);
  ledger.needs("images that are not the body itself", 100);
  Dice dice(303);
  for (int n = 0; n < 150; ++n) {
    const Grid grid = periodic_grid(dice, dim, dice.whole(1, (1 << dim) - 1), 5);
    const Grid plain{.dim = dim};
    const Collider body = random_collider(dice, grid);
    const double time = dice.between(0.0, 0.4);
    for (int k = 0; k < 5; ++k) {
      Point x = grid.domain_min;
      for (int axis = 0; axis < dim; ++axis) x[axis] += dice.between(-0.2, 1.2) * length_of(grid, axis);
      double nearest = 1e9, second = 1e9;
      Point away = Point::Zero();
      // Bodies are shorter than the domain: images whose centre is further than this along an axis are not the nearest.
      std::array<std::vector<double>, 3> shifts;
      for (int axis = 0; axis < 3; ++axis) {
        auto& list = shifts[static_cast<std::size_t>(axis)];
        const double length = length_of(grid, axis);
        const double from = centre(body.shape)[axis] + time * body.velocity[axis] - x[axis];
        for (int lengths = -60; lengths <= 60; ++lengths)
          if (grid.periodic[static_cast<std::size_t>(axis)] &&
              std::abs(from + lengths * length) <= 1.6 * length)
            list.push_back(lengths * length);
        if (list.empty()) list.push_back(0.0);
      }
      for (const double a : shifts[0])
        for (const double b : shifts[1])
          for (const double e : shifts[2]) {
            const Point moved(a, b, e);
            Collider solid = image_of(body, moved);
            solid.hollow = false;
            const double phi = signed_distance(solid, x, time, plain).phi;
            if (phi < nearest) {
              second = nearest;
              nearest = phi;
              away = moved;
            } else {
              second = std::min(second, phi);
            }
          }
      const Distance got = signed_distance(body, x, time, grid);
      const double rounding = 200.0 * 0x1p-53 * 8.0;
      ledger.near("distance", got.phi, body.hollow ? -nearest : nearest, rounding, x);
      ledger.saw("places");
      if (!away.isZero(0.0)) ledger.saw("images that are not the body itself");
      if (second - nearest < 1e-6) continue;  // between two images
      const Collider image = image_of(body, away);
      ledger.near("normal", got.normal, signed_distance(image, x, time, plain).normal, 1e-12, x);
      ledger.near("velocity", rigid_velocity(body, x, time, 1e-3, grid),
                  rigid_velocity(image, x, time, 1e-3, plain), 1e-11, x);
    }
  }
}

/// A box, and in space a cylinder, from end to end of the domain is one that goes on for many lengths.
void bodies_without_ends(int dim, Ledger& ledger) {
  ledger.needs("places", 200);
  Dice dice(304);
  for (int n = 0; n < 60; ++n) {
    const int axis = dice.whole(0, dim - 1);
    const Grid grid = periodic_grid(dice, dim, 1 << axis, 5);
    const double length = length_of(grid, axis);
    const Point low = grid.domain_min;
    Collider body;
    body.name = "beam";
    const Point at = low + dice.point(1.0, dim);
    Collider far;
    if (dim == 3 && dice.flip()) {
      Cylinder pipe{.centre = at,
                    .axis = Point::Unit(axis),
                    .radius = dice.between(0.1, 2.0) * length,
                    .half_length = 0.5 * length};
      body.shape = pipe;
      body.spin = dice.between(-3.0, 3.0) * Point::Unit(axis);
      far = body;
      pipe.half_length = 50.0 * length;
      far.shape = pipe;
    } else {
      Box beam{.min = at, .max = at};
      for (int other = 0; other < dim; ++other) beam.max[other] += dice.between(0.1, 2.0) * length;
      beam.max[axis] = beam.min[axis] + length;
      body.shape = beam;
      far = body;
      beam.min[axis] -= 50.0 * length;
      beam.max[axis] += 50.0 * length;
      far.shape = beam;
    }
    body.hollow = far.hollow = dice.flip();
    body.velocity = far.velocity = dice.point(2.0, dim);
    const double time = dice.between(0.0, 0.5);
    for (int k = 0; k < 5; ++k) {
      Point x = at + dice.point(2.0 * length, dim);
      x[axis] = low[axis] + dice.between(0.0, 1.0) * length;
      const Distance got = signed_distance(body, x, time, grid);
      const Distance expected = signed_distance(far, x, time, Grid{.dim = dim});
      ledger.near("distance", got.phi, expected.phi, 1e-12, x);
      ledger.near("normal", got.normal, expected.normal, 1e-9, x);
      ledger.saw("places");
    }
  }
}

}  // namespace

void add_periodic_places(std::vector<Invariant>& all) {
  all.push_back({"nodes_of_periodic_axes",
                 "ids of nodes where a domain comes again, by counting",
                 "grid",
                 {2, 3},
                 nodes_of_periodic_axes});
  all.push_back({"places_through_seams",
                 "coordinates beyond a seam, by lengths",
                 "grid",
                 {2, 3},
                 places_through_seams});
  all.push_back({"images_of_bodies",
                 "bodies by the nearest of their images, each by itself",
                 "motion",
                 {2, 3},
                 images_of_bodies});
  all.push_back({"bodies_without_ends",
                 "bodies from end to end against such as go on",
                 "motion",
                 {2, 3},
                 bodies_without_ends});
}

}  // namespace repose::invariants
