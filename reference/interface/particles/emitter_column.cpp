#include "reference/interface/particles/emitter_column.h"

#include "reference/interface/base/error.h"
#include "reference/interface/particles/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace repose {

namespace {

/// How grains, one per `step` along the axis, spread evenly in the directions in which the opening is wider than their
/// distance; the other directions do not count.
struct Spread {
  double spacing = 0.0;  ///< distance of neighbours on a lattice of that density [m]
  int dimensions = 1;
};

Spread spread(const Opening& opening, double step, int dim) {
  // A disk counts as the square of its area.
  const double width_1 = opening.round ? std::sqrt(opening.area) : 2.0 * opening.half_1;
  const double width_2 = opening.round ? width_1 : 2.0 * opening.half_2;
  const double wide = dim == 2 ? width_1 : std::max(width_1, width_2);
  if (!(step < wide)) return {.spacing = step, .dimensions = 1};
  const double in_a_plane = std::sqrt(step * wide);
  if (dim == 2) return {.spacing = in_a_plane, .dimensions = 2};
  const double narrow = std::min(width_1, width_2);
  const double in_space = std::cbrt(step * wide * narrow);
  if (narrow < in_space) return {.spacing = in_a_plane, .dimensions = 2};
  return {.spacing = in_space, .dimensions = 3};
}

/// Radius of a Poisson-disk sample in units of the distance that the same number of points have on a lattice: the
/// square root of 0.616 and the cube root of 0.574, measured far from borders.
double radius_of_sample(int dimensions) { return dimensions == 2 ? 0.785 : 0.831; }

/// Where a grain is across the opening [m]; b = 0 in 2D.
struct Across {
  double a = 0.0;
  double b = 0.0;
};

/// A column under construction, closed into a ring, with a search for close grains: cells are at least a radius wide,
/// so that only a cell and those next to it matter.
class Ring {
 public:
  /// @param periods lengths after which the opening comes again along across_1 and across_2 [m], or 0
  Ring(const Opening& opening, std::size_t count, double step, double radius,
       const std::array<double, 2>& periods)
      : count_(count),
        step_(step),
        radius_(radius),
        half_{opening.half_1, opening.half_2},
        periods_(periods),
        place_(count),
        next_(count, none) {
    const auto grains = static_cast<double>(count);
    const auto cells = [&](double length) {
      return static_cast<std::int64_t>(std::clamp(std::floor(length / radius), 1.0, grains));
    };
    size_ = {cells(grains * step), cells(2.0 * half_[0]), cells(2.0 * half_[1])};
    first_.assign(static_cast<std::size_t>(size_[0] * size_[1] * size_[2]), none);
  }

  void add(std::size_t grain, const Across& at) {
    std::int32_t& first = first_[cell_id(cell_of(grain, at))];
    place_[grain] = at;
    next_[grain] = first;
    first = static_cast<std::int32_t>(grain);
  }

  void remove(std::size_t grain) {
    std::int32_t* link = &first_[cell_id(cell_of(grain, place_[grain]))];
    while (*link != static_cast<std::int32_t>(grain)) link = &next_[static_cast<std::size_t>(*link)];
    *link = next_[grain];
  }

  /// Distance from a place of a grain to the nearest other one, or the radius where that is less.
  double free_distance(std::size_t grain, const Across& at) const {
    double least = radius_ * radius_;
    const Cell home = cell_of(grain, at);
    for (std::int64_t i = home[0] - 1; i <= home[0] + 1; ++i) {
      for (std::int64_t j = home[1] - 1; j <= home[1] + 1; ++j) {
        for (std::int64_t k = home[2] - 1; k <= home[2] + 1; ++k) {
          if (!has_cell(j, 0) || !has_cell(k, 1)) continue;
          const auto round = [&](std::int64_t cell, std::size_t axis) {
            return (cell + size_[axis]) % size_[axis];
          };
          for (std::int32_t n = first_[cell_id({round(i, 0), round(j, 1), round(k, 2)})]; n != none;
               n = next_[static_cast<std::size_t>(n)]) {
            const auto other = static_cast<std::size_t>(n);
            if (other != grain) least = std::min(least, squared_distance(grain, at, other));
          }
        }
      }
    }
    return std::sqrt(least);  // √(r r) is r
  }

  const Across& place(std::size_t grain) const { return place_[grain]; }
  std::size_t count() const { return count_; }

 private:
  using Cell = std::array<std::int64_t, 3>;  ///< along the axis, across_1, across_2
  static constexpr std::int32_t none = -1;

  Cell cell_of(std::size_t grain, const Across& at) const {
    const auto across = [&](double offset, std::size_t axis) {
      const double half = half_[axis];
      if (half == 0.0) return std::int64_t{0};
      const auto cells = static_cast<double>(size_[axis + 1]);
      return static_cast<std::int64_t>(std::clamp((offset / half + 1.0) * 0.5 * cells, 0.0, cells - 1.0));
    };
    return {static_cast<std::int64_t>(grain) * size_[0] / static_cast<std::int64_t>(count_), across(at.a, 0),
            across(at.b, 1)};
  }

  /// Whether there is something in a cell at or beside those across the opening.
  bool has_cell(std::int64_t cell, std::size_t across) const {
    return periods_[across] > 0.0 || (cell >= 0 && cell < size_[across + 1]);
  }

  std::size_t cell_id(const Cell& c) const {
    return static_cast<std::size_t>((c[0] * size_[1] + c[1]) * size_[2] + c[2]);
  }

  double squared_distance(std::size_t grain, const Across& at, std::size_t other) const {
    const std::size_t apart = grain > other ? grain - other : other - grain;
    const double along = static_cast<double>(std::min(apart, count_ - apart)) * step_;
    const double a = nearest(at.a - place_[other].a, 0);
    const double b = nearest(at.b - place_[other].b, 1);
    return along * along + a * a + b * b;
  }

  double nearest(double difference, std::size_t across) const {
    const double period = periods_[across];
    return period > 0.0 ? difference - period * std::round(difference / period) : difference;
  }

  std::size_t count_;
  double step_;
  double radius_;
  std::array<double, 2> half_, periods_;
  Cell size_{1, 1, 1};
  std::vector<std::int32_t> first_;  ///< of each cell's list
  std::vector<Across> place_;
  std::vector<std::int32_t> next_;  ///< in its cell's list
};

/// The lengths after which an opening meets itself along its own directions; 0 where it does not.
std::array<double, 2> closed(const Opening& opening, const Point& periods) {
  const auto along = [&](const Point& direction, double half) {
    for (int axis = 0; axis < 3; ++axis)
      if (std::abs(direction[axis]) == 1.0 && periods[axis] > 0.0 &&
          2.0 * half >= periods[axis] * (1.0 - 1e-9))
        return periods[axis];
    return 0.0;
  };
  if (opening.round) return {0.0, 0.0};
  return {along(opening.across_1, opening.half_1), along(opening.across_2, opening.half_2)};
}

Across place_in(const Opening& opening, Random& random) {
  for (;;) {
    Across at;
    at.a = random.between(-opening.half_1, opening.half_1);
    if (opening.half_2 > 0.0) at.b = random.between(-opening.half_2, opening.half_2);
    if (!opening.round || at.a * at.a + at.b * at.b <= opening.half_1 * opening.half_1) return at;
  }
}

/// The first of up to 30 random places that is no closer than the radius to another grain; else the best of them and
/// `best`.
Across free_place(const Ring& ring, std::size_t grain, double radius, Across best, double best_distance,
                  const Opening& opening, Random& random) {
  for (int candidate = 0; candidate < 30 && best_distance < radius; ++candidate) {
    const Across at = place_in(opening, random);
    const double distance = ring.free_distance(grain, at);
    if (distance > best_distance) {
      best = at;
      best_distance = distance;
    }
  }
  return best;
}

void fill(Ring& ring, double radius, const Opening& opening, Random& random) {
  for (std::size_t grain = 0; grain < ring.count(); ++grain) {
    ring.add(grain, free_place(ring, grain, radius, {}, -1.0, opening, random));
  }
  bool all_free = false;
  for (int pass = 0; pass < 16 && !all_free; ++pass) {
    all_free = true;
    for (std::size_t grain = 0; grain < ring.count(); ++grain) {
      const Across present = ring.place(grain);
      const double distance = ring.free_distance(grain, present);
      if (distance >= radius) continue;
      all_free = false;
      ring.remove(grain);
      ring.add(grain, free_place(ring, grain, radius, present, distance, opening, random));
    }
  }
}

[[noreturn]] void refuse(const Emitter& emitter, const std::string& problem) {
  const std::string where = emitter.where.empty() ? "" : emitter.where + ": ";
  throw BadInput(fmt::format("{}emitter \"{}\": particles_per_cell = {}: {}", where, emitter.name,
                             emitter.particles_per_cell, problem));
}

}  // namespace

double grain_volume(const Emitter& emitter, double h, int dim) {
  return (dim == 2 ? h * h : h * h * h) / emitter.particles_per_cell;
}

double grain_interval(const Emitter& emitter, double h, int dim) {
  return grain_volume(emitter, h, dim) / emitter.rate;
}

EmitterColumn emitter_column(const Emitter& emitter, double h, int dim, const Point& periods) {
  EmitterColumn column;
  column.opening = opening(emitter, dim);
  column.V0 = grain_volume(emitter, h, dim);
  column.interval = grain_interval(emitter, h, dim);
  const double step = column.interval * emitter.velocity.norm();
  // Grains are counted in numbers of 53 bits.
  if (!(column.V0 > 0.0 && step > 0.0 && emitter.stop - emitter.start < 0x1p53 * column.interval)) {
    refuse(emitter, "must be less: more particles than can be counted");
  }

  // The places repeat themselves after some hundred grains, and after many times their distance.
  const auto [spacing, dimensions] = spread(column.opening, step, dim);
  const double count = std::max(500.0, dimensions == 1 ? 0.0 : std::ceil(16.0 * spacing / step));
  if (!(count <= 0x1p24)) {
    refuse(emitter, "must be less: more than a million particles would lie side by side in the opening");
  }
  Random random(emitter.seed);
  column.across.reserve(static_cast<std::size_t>(count));
  const auto add = [&](const Across& at) {
    column.across.push_back(at.a * column.opening.across_1 + at.b * column.opening.across_2);
  };
  if (dimensions == 1) {
    // Successive grains are further apart than the opening is wide.
    column.radius = step;
    for (double n = 0.0; n < count; n += 1.0) add(place_in(column.opening, random));
    return column;
  }
  // No two grains are closer than successive ones along the axis.
  const double radius = std::max(step, radius_of_sample(dimensions) * spacing);
  Ring ring(column.opening, static_cast<std::size_t>(count), step, radius, closed(column.opening, periods));
  fill(ring, radius, column.opening, random);
  column.radius = radius;
  for (std::size_t grain = 0; grain < ring.count(); ++grain) {
    column.radius = std::min(column.radius, ring.free_distance(grain, ring.place(grain)));
    add(ring.place(grain));
  }
  return column;
}

}  // namespace repose
