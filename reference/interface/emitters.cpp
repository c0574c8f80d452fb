#include "reference/interface/emitters.h"

#include "reference/interface/error.h"
#include "reference/interface/random.h"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace repose {

namespace {

[[noreturn]] void refuse(const Emitter& emitter, const std::string& problem) {
  const std::string where = emitter.where.empty() ? "" : emitter.where + ": ";
  throw BadInput(fmt::format("{}emitter \"{}\": {}", where, emitter.name, problem));
}

/// True if two unit vectors point along one line, to the rounding of numbers in a file.
bool along(const Point& a, const Point& b) { return a.cross(b).norm() <= 1e-12; }

double power(double x, int dim) { return dim == 2 ? x * x : x * x * x; }

/// A column under construction, with a search for close grains. Slices along the axis are at least a radius
/// thick, so that only those next to a grain matter.
class Sample {
 public:
  Sample(const Opening& opening, double period, double radius, int dim)
      : opening_(opening),
        period_(period),
        radius_(radius),
        dim_(dim),
        slices_(static_cast<std::size_t>(std::max(1.0, std::floor(period / radius)))) {}

  bool is_inside(double a, double b) const {
    if (opening_.round) return a * a + b * b <= opening_.half_1 * opening_.half_1;
    return std::abs(a) <= opening_.half_1 && std::abs(b) <= opening_.half_2;
  }

  /// Adds a grain if none is closer than the radius. @param at along axis, across_1, across_2
  bool add(Point at) {
    at[0] -= period_ * std::floor(at[0] / period_);
    if (at[0] >= period_) at[0] = 0.0;  // −10⁻³⁰ plus a period rounds to the period
    const std::size_t home = slice(at[0]);
    const std::size_t count = slices_.size();
    for (const std::size_t near : {home, (home + 1) % count, (home + count - 1) % count}) {
      for (const std::size_t other : slices_[near]) {
        if (distance(at, found_[other]) < radius_) return false;
      }
    }
    slices_[home].push_back(found_.size());
    found_.push_back(at);
    return true;
  }

  const std::vector<Point>& found() const { return found_; }

  /// Bridson's method: candidates in the shell between one and two radii around grains found before.
  void fill(Random& random) {
    constexpr int candidates = 30;
    Point first = Point::Zero();
    do {
      first[1] = random.between(-opening_.half_1, opening_.half_1);
      if (dim_ == 3) first[2] = random.between(-opening_.half_2, opening_.half_2);
    } while (!is_inside(first[1], first[2]));
    add(first);
    std::vector<std::size_t> active{0};
    while (!active.empty()) {
      const Point parent = found_[active.back()];
      bool has_child = false;
      for (int i = 0; i < candidates && !has_child; ++i) {
        const Point candidate = parent + in_shell(random);
        if (!is_inside(candidate[1], candidate[2]) || !add(candidate)) continue;
        active.push_back(found_.size() - 1);
        has_child = true;
      }
      if (!has_child) active.pop_back();
    }
  }

 private:
  std::size_t slice(double behind) const {
    const auto n = static_cast<std::size_t>(behind / period_ * static_cast<double>(slices_.size()));
    return std::min(n, slices_.size() - 1);
  }

  double distance(const Point& a, const Point& b) const {
    const double direct = std::abs(a[0] - b[0]);
    return Point(std::min(direct, period_ - direct), a[1] - b[1], a[2] - b[2]).norm();
  }

  Point in_shell(Random& random) const {
    for (;;) {
      Point y = Point::Zero();
      for (int axis = 0; axis < dim_; ++axis) y[axis] = random.between(-2.0 * radius_, 2.0 * radius_);
      const double length = y.norm();
      if (length >= radius_ && length < 2.0 * radius_) return y;
    }
  }

  const Opening& opening_;
  double period_, radius_;
  int dim_;
  std::vector<std::vector<std::size_t>> slices_;
  std::vector<Point> found_;
};

Inflow::Column sample_column(const Emitter& emitter, const Scene& scene) {
  const int dim = scene.dim();
  Inflow::Column column;
  column.opening = opening(emitter, dim);
  column.speed = emitter.velocity.norm();
  const double share = emitter.rate / (column.opening.area * column.speed);

  // The column repeats after some hundred grains, and after many times their distance.
  const double density = emitter.particles_per_cell / power(scene.grid.h, dim) * share;
  const double spacing = dim == 2 ? 1.0 / std::sqrt(density) : 1.0 / std::cbrt(density);
  column.period = std::max(500.0 / (density * column.opening.area), 16.0 * spacing);
  const double wanted = density * column.opening.area * column.period;

  // Find the radius that gives the wanted number, to 1 %, from what such samples have far from borders.
  double filling = dim == 2 ? 0.616 : 0.574;
  double best_error = wanted;
  for (int attempt = 0; attempt < 16 && best_error > std::max(0.5, 0.01 * wanted); ++attempt) {
    const double radius = spacing * (dim == 2 ? std::sqrt(filling) : std::cbrt(filling));
    Random random(emitter.seed);
    Sample tried(column.opening, column.period, radius, dim);
    tried.fill(random);
    const auto count = static_cast<double>(tried.found().size());
    if (std::abs(count - wanted) < best_error) {
      best_error = std::abs(count - wanted);
      column.radius = radius;
      column.grains.clear();
      for (const Point& at : tried.found()) {
        column.grains.push_back({at[0], at[1] * column.opening.across_1 + at[2] * column.opening.across_2});
      }
    }
    filling *= count / wanted;
  }
  std::sort(column.grains.begin(), column.grains.end(),
            [](const Inflow::Grain& a, const Inflow::Grain& b) { return a.behind < b.behind; });
  column.V0 = emitter.rate * column.period / column.speed / static_cast<double>(column.grains.size());
  return column;
}

/// The section of a shape by the plane through its centre.
Opening section(const Emitter& emitter, int dim) {
  const double speed = emitter.velocity.norm();
  if (!(speed > 0.0)) refuse(emitter, "velocity = 0: must be different from 0");
  if (std::holds_alternative<HalfSpace>(emitter.shape))
    refuse(emitter, "shape = half_space: must be bounded");

  Opening result;
  result.centre = centre(emitter.shape);
  result.axis = emitter.velocity / speed;
  if (const Box* box = std::get_if<Box>(&emitter.shape)) {
    int flow = 0;
    for (int axis = 0; axis < dim; ++axis) {
      if (along(result.axis, Point::Unit(axis))) flow = axis;
    }
    if (!along(result.axis, Point::Unit(flow))) {
      refuse(emitter, "velocity: must be along an axis of the grid where shape = box");
    }
    const int first = (flow + 1) % dim;
    const int second = dim == 3 ? (flow + 2) % 3 : 2;
    result.across_1 = Point::Unit(first);
    result.across_2 = Point::Unit(second);
    result.half_1 = 0.5 * (box->max[first] - box->min[first]);
    if (dim == 3) result.half_2 = 0.5 * (box->max[second] - box->min[second]);
    result.area = dim == 2 ? 2.0 * result.half_1 : 4.0 * result.half_1 * result.half_2;
    return result;
  }

  if (const Sphere* sphere = std::get_if<Sphere>(&emitter.shape)) result.half_1 = sphere->radius;
  if (const Cylinder* cylinder = std::get_if<Cylinder>(&emitter.shape)) {
    if (dim == 3 && !along(result.axis, cylinder->axis)) {
      refuse(emitter, "velocity: must be along the axis where shape = cylinder");
    }
    result.half_1 = cylinder->radius;
  }
  if (dim == 2) {
    result.across_1 = Point(-result.axis.y(), result.axis.x(), 0.0);
    result.across_2 = Point::UnitZ();
    result.area = 2.0 * result.half_1;
    return result;
  }
  // The grid's axis that is furthest from the flow gives the first direction.
  int furthest = 0;
  result.axis.cwiseAbs().minCoeff(&furthest);
  result.across_1 = result.axis.cross(Point::Unit(furthest)).normalized();
  result.across_2 = result.axis.cross(result.across_1);
  result.half_2 = result.half_1;
  result.round = true;
  result.area = std::numbers::pi * result.half_1 * result.half_1;
  return result;
}

}  // namespace

Opening opening(const Emitter& emitter, int dim) {
  const Opening result = section(emitter, dim);
  const double most = result.area * emitter.velocity.norm();
  // A rate of just area · speed may round: a billionth more is no intent.
  if (!(emitter.rate > 0.0 && emitter.rate <= most * (1.0 + 1e-9))) {
    refuse(emitter,
           fmt::format("rate = {}: must be a number in (0, {:.6g}], the opening's area times the speed",
                       emitter.rate, most));
  }
  return result;
}

Inflow::Inflow(const Scene& scene) : scene_(scene) {
  for (const Emitter& emitter : scene.emitters) columns_.push_back(sample_column(emitter, scene));
}

Snapshot Inflow::between(double from, double to) const {
  const int dim = scene_.dim();
  const int matrix = dim * dim;
  Field mass{.name = std::string(field::mass), .unit = "kg", .value = {}};
  Field volumes{.name = std::string(field::volume), .unit = dim == 2 ? "m2" : "m3", .value = {}};
  Field material{.name = std::string(field::material), .unit = "1", .value = {}};
  Field positions{.name = std::string(field::x), .unit = "m", .components = dim, .value = {}};
  Field velocities{.name = std::string(field::v), .unit = "m/s", .components = dim, .value = {}};
  Field deformation{.name = std::string(field::F), .unit = "1", .components = matrix, .value = {}};

  for (std::size_t n = 0; n < columns_.size(); ++n) {
    const Emitter& emitter = scene_.emitters[n];
    const Column& column = columns_[n];
    const double m = scene_.materials.at(static_cast<std::size_t>(emitter.material)).density * column.V0;
    const auto repeats = [&](double time) {
      return std::floor((time - emitter.start) * column.speed / column.period);
    };
    // One more on each side: the times below round on their own.
    for (double k = std::max(0.0, repeats(from) - 1.0); k <= repeats(std::min(to, emitter.stop)) + 1.0;
         k += 1.0) {
      for (const Grain& grain : column.grains) {
        const double t = emitter.start + (grain.behind + k * column.period) / column.speed;
        if (!(from <= t && t < to && t < emitter.stop)) continue;
        const Point x = column.opening.centre + grain.across + (to - t) * emitter.velocity;
        mass.value.push_back(m);
        volumes.value.push_back(column.V0);
        material.value.push_back(static_cast<double>(emitter.material));
        for (int a = 0; a < dim; ++a) {
          positions.value.push_back(x[a]);
          velocities.value.push_back(emitter.velocity[a]);
          for (int b = 0; b < dim; ++b) deformation.value.push_back(a == b ? 1.0 : 0.0);
        }
      }
    }
  }

  const std::size_t count = mass.value.size();
  Snapshot state;
  state.time = to;
  for (Field* f : {&mass, &volumes, &material, &positions, &velocities}) state.set(std::move(*f));
  state.set({.name = std::string(field::C),
             .unit = "1/s",
             .components = matrix,
             .value = std::vector<double>(count * static_cast<std::size_t>(matrix), 0.0)});
  state.set(std::move(deformation));
  state.set({.name = std::string(field::q), .unit = "1", .value = std::vector<double>(count, 0.0)});
  state.set({.name = std::string(field::v_c), .unit = "1", .value = std::vector<double>(count, 0.0)});
  return state;
}

}  // namespace repose
