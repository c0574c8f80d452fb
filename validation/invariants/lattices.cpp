#include "validation/invariants/invariants.h"
#include "validation/invariants/plain.h"

#include "reference/interface/particles/sampling.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

namespace repose::invariants {

namespace {

/// Coordinates take three operations on at most 2 m.
constexpr double place_rounding = 8.0 * 2.0 * 0x1p-53;

/// A lattice laid out by hand: the smallest box by a search over the surface, in each direction the whole number of cells
/// whose width is nearest to h/ppc^(1/d).
struct Lattice {
  Point low = Point::Zero();
  Point width = Point::Zero();
  std::array<int, 3> cells{1, 1, 1};
};

/// Extents of a shape along the axes of the grid [m].
Bounds plain_bounds(const Shape& shape, int dim) {
  if (const auto* box = std::get_if<Box>(&shape)) return {box->min, box->max};
  Point half = Point::Zero();
  const Point c = surface_of(shape, dim).centre;
  for (int axis = 0; axis < dim; ++axis) {
    if (const auto* sphere = std::get_if<Sphere>(&shape)) half[axis] = sphere->radius;
    if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
      const double across = std::sqrt(cylinder->axis.cross(Point::Unit(axis)).squaredNorm());
      half[axis] = dim == 2
                       ? cylinder->radius
                       : cylinder->radius * across + cylinder->half_length * std::abs(cylinder->axis[axis]);
    }
  }
  return {c - half, c + half};
}

Lattice lattice_of(const Shape& shape, double per_cell, double h, int dim) {
  const Bounds box = plain_bounds(shape, dim);
  const double wanted = h * std::pow(per_cell, -1.0 / dim);
  Lattice lattice{.low = box.min};
  for (int axis = 0; axis < dim; ++axis) {
    const double length = box.max[axis] - box.min[axis];
    int best = 1;
    for (int n = 2; n < 200; ++n) {
      // Nearest in number: a cell's width lies within half a cell per length of the wanted one.
      if (std::abs(n - length / wanted) < std::abs(best - length / wanted)) best = n;
    }
    lattice.cells[static_cast<std::size_t>(axis)] = best;
    lattice.width[axis] = length / best;
  }
  return lattice;
}

/// Index of the cell that holds a point, and where in it the point lies, in [0, 1]³.
struct InCell {
  std::array<int, 3> cell{0, 0, 0};
  Point share = Point::Zero();
};
InCell cell_of(const Lattice& lattice, const Point& x, int dim) {
  InCell found;
  for (int axis = 0; axis < dim; ++axis) {
    const double place = (x[axis] - lattice.low[axis]) / lattice.width[axis];
    const double last = lattice.cells[static_cast<std::size_t>(axis)] - 1;
    const double cell = std::clamp(std::floor(place), 0.0, last);
    found.cell[static_cast<std::size_t>(axis)] = static_cast<int>(cell);
    found.share[axis] = place - cell;
  }
  return found;
}

struct Drawn {
  Shape shape;
  double per_cell = 0.0;
  double h = 0.0;
};

/// Shapes, densities and spacings; every second density is a whole number per axis.
Drawn draw_body(int n, Dice& dice, int dim) {
  Drawn body{.shape = random_shape(static_cast<Kind>(1 + n % 3), dice, dim)};
  body.h = dice.between(0.05, 0.12);
  const int per_axis = dice.whole(1, 3);
  body.per_cell = n % 2 == 0 ? std::pow(per_axis, dim) : dice.between(1.0, 9.0);
  return body;
}

/// Every lattice cell whose middle is inside has its particle there, and no other has one.
void regular_sampling(int dim, Ledger& ledger) {
  ledger.needs("particles", 1000);
  Dice dice(51);
  for (int n = 0; n < 30; ++n) {
    const Drawn body = draw_body(n, dice, dim);
    const Surface surface = surface_of(body.shape, dim);
    const Lattice lattice = lattice_of(body.shape, body.per_cell, body.h, dim);
    const auto points = sample_shape(body.shape, Sampling::regular, body.per_cell, body.h, 1, dim);
    std::set<std::array<int, 3>> taken;
    for (const Point& x : points) {
      const InCell in = cell_of(lattice, x, dim);
      ledger.holds("one particle in a lattice cell", taken.insert(in.cell).second, x);
      for (int axis = 0; axis < dim; ++axis)
        ledger.near("place in the lattice cell", in.share[axis], 0.5, place_rounding / lattice.width[axis],
                    x);
      ledger.saw("particles");
    }
    // Cells whose middle is on the surface may go either way.
    int inside = 0, undecided = 0;
    for (int i = 0; i < lattice.cells[0]; ++i)
      for (int j = 0; j < lattice.cells[1]; ++j)
        for (int k = 0; k < lattice.cells[2]; ++k) {
          Point x = lattice.low + Point(i + 0.5, j + 0.5, k + 0.5).cwiseProduct(lattice.width);
          if (dim == 2) x.z() = 0.0;
          if (surface.off(x) < 10.0 * place_rounding) {
            ++undecided;
          } else if (surface.inside(x)) {
            ++inside;
          }
        }
    ledger.within("number of particles", static_cast<double>(points.size()), inside, inside + undecided);
  }
}

/// The documented places of powers of two: odd multiples of h/4 or h/8 from a node, to the bit.
void dyadic_sampling(int dim, Ledger& ledger) {
  ledger.needs("particles", 100);
  for (const int per_axis : {2, 4}) {
    const Box box{.min = {-0.5, 0.25, 1.0}, .max = {0.25, 0.75, 1.5}};
    const auto points = sample_shape(box, Sampling::regular, std::pow(per_axis, dim), 0.25, 1, dim);
    const double piece = 0.125 / per_axis;
    ledger.equal("number of particles", static_cast<double>(points.size()),
                 (dim == 2 ? 6.0 : 12.0) * std::pow(per_axis, dim));
    for (const Point& x : points) {
      for (int axis = 0; axis < dim; ++axis) {
        const double pieces = x[axis] / piece;
        ledger.equal("a whole number of h/4 or h/8", pieces, std::round(pieces), x);
        ledger.equal("an odd one", std::abs(std::fmod(pieces, 2.0)), 1.0, x);
      }
      ledger.saw("particles");
    }
  }
}

/// One particle at random in each cell of that lattice, in a box; never outside, the same for the same seed only.
void jittered_sampling(int dim, Ledger& ledger) {
  ledger.needs("particles", 1000);
  Dice dice(52);
  std::vector<double> shares(20 * static_cast<std::size_t>(dim), 0.0);
  std::vector<double> squares(25, 0.0);
  for (int n = 0; n < 30; ++n) {
    const auto seed =
        static_cast<std::uint64_t>(n);  // one for all would count its first numbers thirty times
    const Drawn body = draw_body(n, dice, dim);
    const Surface surface = surface_of(body.shape, dim);
    const Lattice lattice = lattice_of(body.shape, body.per_cell, body.h, dim);
    const auto points = sample_shape(body.shape, Sampling::jittered, body.per_cell, body.h, seed, dim);
    const auto other = sample_shape(body.shape, Sampling::jittered, body.per_cell, body.h, seed + 100, dim);
    const bool is_box = std::holds_alternative<Box>(body.shape);
    std::set<std::array<int, 3>> taken;
    for (const Point& x : points) {
      const InCell in = cell_of(lattice, x, dim);
      ledger.holds("one particle in a lattice cell", taken.insert(in.cell).second, x);
      ledger.holds("particles inside", surface.inside(x) || surface.off(x) <= place_rounding, x);
      ledger.saw("particles");
      if (!is_box) continue;
      for (int axis = 0; axis < dim; ++axis) {
        const double share = std::clamp(in.share[axis], 0.0, 0.999999);
        shares[static_cast<std::size_t>(20 * axis) + static_cast<std::size_t>(20.0 * share)] += 1.0;
      }
      const auto cell = [&](int axis) {
        return static_cast<std::size_t>(5.0 * std::clamp(in.share[axis], 0.0, 0.999999));
      };
      squares[5 * cell(0) + cell(1)] += 1.0;
    }
    const double all =
        static_cast<double>(lattice.cells[0]) * lattice.cells[1] * (dim == 3 ? lattice.cells[2] : 1);
    if (is_box) ledger.equal("particles of a box", static_cast<double>(points.size()), all);
    bool same = points.size() == other.size();
    for (std::size_t p = 0; same && p < points.size(); ++p) same = points[p] == other[p];
    ledger.holds("another seed gives other particles", !same);
  }
  ledger.near("excess of chi squared of places in cells", chi_squared_excess(shares), 0.0, chi_squared_limit);
  ledger.near("excess of chi squared of pairs of places", chi_squared_excess(squares), 0.0,
              chi_squared_limit);
}

}  // namespace

void add_lattices(std::vector<Invariant>& all) {
  all.push_back(
      {"regular_sampling", "a lattice laid out by hand in each shape", "sampling", {2, 3}, regular_sampling});
  all.push_back(
      {"dyadic_sampling", "places of powers of two, to the bit", "sampling", {2, 3}, dyadic_sampling});
  all.push_back({"jittered_sampling",
                 "one particle at random in each lattice cell",
                 "sampling",
                 {2, 3},
                 jittered_sampling});
}

}  // namespace repose::invariants
