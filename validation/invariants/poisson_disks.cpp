#include "validation/invariants/invariants.h"
#include "validation/invariants/plain.h"

#include "reference/interface/particles/poisson_disk.h"
#include "reference/interface/particles/sampling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

namespace repose::invariants {

namespace {

double nearest_of(const std::vector<Point>& points, std::size_t count, const Point& x) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < count; ++k) least = std::min(least, (points[k] - x).squaredNorm());
  return std::sqrt(least);
}

/// Distances of a sample of known radius: none below the radius, some close to it; few and narrow gaps. Bridson's method
/// leaves some: documented are 0.1 % of the area and 0.4 % of the volume, up to 1.2 radius; judged against 1 % and 1.3.
void judge_sample(const std::vector<Point>& points, const Surface& surface, double radius, Dice& dice,
                  int dim, Ledger& ledger) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i) {
    ledger.holds("particles inside", surface.inside(points[i]) || surface.off(points[i]) < 1e-14, points[i]);
    if (i > 0) least = std::min(least, nearest_of(points, i, points[i]));
  }
  // Two particles' coordinates round by 2⁻⁵² m each.
  ledger.within("least distance over the radius", least / radius, 1.0 - 1e-14 / radius, 1.03);
  int probes = 0, gaps = 0;
  double widest = 0.0;
  while (probes < 1500) {
    const Point x = surface.centre + dice.point(surface.size, dim);
    if (!surface.inside(x)) continue;
    ++probes;
    const double distance = nearest_of(points, points.size(), x);
    if (distance > radius) ++gaps;
    widest = std::max(widest, distance);
  }
  // 15 of 1500: beside the documented 6 four of their standard deviations.
  ledger.within("share of gaps", gaps / 1500.0, 0.0, 0.01);
  ledger.within("widest gap over the radius", widest / radius, 0.8, 1.3);
  ledger.saw("particles", static_cast<double>(points.size()));
}

void poisson_disks(int dim, Ledger& ledger) {
  ledger.needs("particles", 1500);
  Dice dice(61);
  for (int n = 0; n < 6; ++n) {
    // In bodies of a few radii in one direction gaps are wider.
    Shape shape;
    double depth = 0.0;  // of the centre
    do {
      shape = random_shape(static_cast<Kind>(1 + n % 3), dice, dim);
      depth = searched_distance(surface_of(shape, dim), surface_of(shape, dim).centre, dim);
    } while (depth < 0.14 * surface_of(shape, dim).size);
    const Surface surface = surface_of(shape, dim);
    const double radius = (dim == 2 ? 0.06 : 0.16) * depth;
    judge_sample(poisson_disk(shape, radius, static_cast<std::uint64_t>(n), dim), surface, radius, dice, dim,
                 ledger);
  }
}

/// Ranks of a found value among drawn ones, spread over ten cells.
struct Ranks {
  std::vector<double> cells = std::vector<double>(10, 0.0);
  void add(double found, const std::vector<double>& drawn) {
    const auto below =
        static_cast<double>(std::count_if(drawn.begin(), drawn.end(), [&](double x) { return x < found; }));
    cells[static_cast<std::size_t>(below * 10.0 / static_cast<double>(drawn.size() + 1))] += 1.0;
  }
};

/// What Bridson's candidates are drawn from shows in the children. Particle k + 1 grows from particle k, the newest, but
/// where all 30 candidates of k failed; then it is, given what came before, evenly distributed over what is free of the
/// shell between radius and 2 radius around k. Among 49 points drawn evenly from that free part its distance, and each of
/// its coordinates, has any rank with the same chance. Where less than 0.3 of the shell is free it is not asked: of more,
/// 30 candidates fail in 2 cases of 10⁵.
void children_of_poisson_disks(int dim, Ledger& ledger) {
  ledger.needs("children", dim == 2 ? 400 : 300);
  constexpr std::size_t most = 49;
  Dice dice(62);
  const double radius = 0.05;
  Ranks distances, coordinates[3];
  for (std::uint64_t seed = 0; seed < (dim == 2 ? 8U : 2U); ++seed) {
    const double edge = dim == 2 ? 1.0 : 0.5;
    const Box box{.min = {0, 0, 0}, .max = {edge, edge, edge}};
    const auto points = poisson_disk(box, radius, seed, dim);
    for (std::size_t k = 0; k + 1 < points.size(); ++k) {
      // Whichever of the earlier particles it grew from, that one is between one and two radii away.
      ledger.within("nearest earlier particle over the radius",
                    nearest_of(points, k + 1, points[k + 1]) / radius, 1.0 - 1e-13, 2.0, points[k + 1]);
      const Point& parent = points[k];
      const double distance = (points[k + 1] - parent).norm();
      if (!(distance < 2.0 * radius)) continue;
      std::vector<Point> near;  // those that can stand in the way
      for (std::size_t j = 0; j <= k; ++j) {
        if ((points[j] - parent).norm() < 3.0 * radius) near.push_back(points[j]);
      }
      std::vector<Point> drawn;
      int in_shell = 0;
      for (; drawn.size() < most && in_shell < 160;) {
        const Point offset = dice.point(2.0 * radius, dim);
        if (offset.norm() < radius || offset.norm() >= 2.0 * radius) continue;
        ++in_shell;
        const Point x = parent + offset;
        bool is_free = nearest_of(near, near.size(), x) >= radius;
        for (int axis = 0; axis < dim; ++axis) is_free = is_free && x[axis] >= 0.0 && x[axis] <= edge;
        if (is_free) drawn.push_back(x);
      }
      if (drawn.size() < most) continue;
      std::vector<double> values(most);
      std::transform(drawn.begin(), drawn.end(), values.begin(),
                     [&](const Point& x) { return (x - parent).norm(); });
      distances.add(distance, values);
      for (int axis = 0; axis < dim; ++axis) {
        std::transform(drawn.begin(), drawn.end(), values.begin(), [&](const Point& x) { return x[axis]; });
        coordinates[axis].add(points[k + 1][axis], values);
      }
      ledger.saw("children");
    }
  }
  ledger.near("excess of chi squared of distances to parents", chi_squared_excess(distances.cells), 0.0,
              chi_squared_limit);
  for (int axis = 0; axis < dim; ++axis)
    ledger.near("excess of chi squared of directions to parents", chi_squared_excess(coordinates[axis].cells),
                0.0, chi_squared_limit);
}

/// The number that was wanted, to 1 % or two particles.
void number_of_poisson_disks(int dim, Ledger& ledger) {
  ledger.needs("samples", 12);
  Dice dice(63);
  for (int n = 0; n < 24; ++n) {
    const Shape shape = random_shape(static_cast<Kind>(1 + n % 3), dice, dim);
    const double h = dice.between(0.05, 0.1);
    const double per_cell = dice.between(2.0, 9.0);
    const Surface surface = surface_of(shape, dim);
    // The volume by Gauss' theorem, to 2·10⁻⁴ (as extent_of_shapes).
    const double space =
        surface_integral(surface, dim, 32,
                         [&](const Point& y, const Point& area) { return (y - surface.centre).dot(area); }) /
        dim;
    const double wanted = per_cell * space / std::pow(h, dim);
    if (wanted > 1500.0) continue;
    const auto points =
        sample_shape(shape, Sampling::poisson_disk, per_cell, h, static_cast<std::uint64_t>(n), dim);
    ledger.near("number of particles", static_cast<double>(points.size()), wanted,
                std::max(2.5, 0.01 * wanted + 0.5) + 1e-3 * wanted);
    ledger.saw("samples");
  }
}

/// FNV-1a over the bits of all coordinates.
double hash_of(const std::vector<Point>& points) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const Point& x : points) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto bits = std::bit_cast<std::uint64_t>(x[axis] + 0.0);  // −0 counts as 0
      for (unsigned shift = 0; shift < 64; shift += 8)
        hash = (hash ^ ((bits >> shift) & 0xffU)) * 1099511628211ULL;
    }
  }
  return static_cast<double>(hash >> 12U);
}

/// The seed alone decides: the bits kept here are those of every compiler and machine, since sampling takes nothing but
/// sums, products, quotients and roots, which IEEE arithmetic fixes. A hash of 52 bits: chance alike once in 10¹⁵.
void bits_of_samples(int dim, Ledger& ledger) {
  ledger.needs("samples", 6);
  const Shape box = Box{.min = {0, 0, 0}, .max = {0.5, 0.25, 0.25}};
  const Shape ball = Sphere{.centre = {0.25, 0.5, dim == 3 ? 0.125 : 0.0}, .radius = 0.25};
  const double per_cell = dim == 2 ? 16.0 : 8.0;
  const std::vector<double> kept =
      dim == 2 ? std::vector<double>{262837844902980,  497947231123203,  1131246268300073,
                                     1377376348913696, 3714664993931014, 3353790899307888}
               : std::vector<double>{2594589442670000, 2786674455789266, 2768219193420324,
                                     4318149917360278, 1733429383949719, 3835848590486187};
  std::size_t k = 0;
  for (const Sampling sampling : {Sampling::poisson_disk, Sampling::regular, Sampling::jittered}) {
    for (const Shape& shape : {box, ball}) {
      const auto once = sample_shape(shape, sampling, per_cell, 0.0625, 3, dim);
      const auto again = sample_shape(shape, sampling, per_cell, 0.0625, 3, dim);
      const auto other = sample_shape(shape, sampling, per_cell, 0.0625, 4, dim);
      ledger.equal("hash of a sample's bits", hash_of(once), kept[k++]);
      ledger.holds("the same seed gives the same bits", hash_of(again) == hash_of(once));
      ledger.holds("another seed gives others, but on a lattice",
                   (hash_of(other) == hash_of(once)) == (sampling == Sampling::regular));
      ledger.saw("samples");
    }
  }
}

}  // namespace

void add_poisson_disks(std::vector<Invariant>& all) {
  all.push_back({"poisson_disks",
                 "distances, gaps and places, against all other particles",
                 "sampling",
                 {2, 3},
                 poisson_disks});
  all.push_back({"children_of_poisson_disks",
                 "candidates fill the shell between one and two radii evenly",
                 "sampling",
                 {2, 3},
                 children_of_poisson_disks});
  all.push_back({"number_of_poisson_disks",
                 "as many particles as were asked for",
                 "sampling",
                 {2, 3},
                 number_of_poisson_disks});
  all.push_back({"bits_of_samples",
                 "a seed gives the same bits everywhere, another one others",
                 "sampling",
                 {2, 3},
                 bits_of_samples});
}

}  // namespace repose::invariants
