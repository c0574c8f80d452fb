#include "reference/interface/particles/emitters.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"

#include "reference/interface/base/error.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace data = boost::unit_test::data;

namespace repose {
namespace {

/// A spout that pours downwards, from a disk in 3D and a slot in 2D.
Scene pouring(int dim, double share = 1.0) {
  Scene scene;
  scene.scheme = MpmOptions{};
  scene.grid.dim = dim;
  scene.grid.h = 0.05;
  scene.grid.cells = {40, 40, dim == 3 ? 40 : 1};
  Material sand;
  sand.name = "sand";
  sand.density = 2000.0;
  scene.materials = {sand};
  Emitter spout;
  spout.name = "spout";
  spout.shape = Sphere{.centre = {1, 1.5, dim == 3 ? 1.0 : 0.0}, .radius = 0.1};
  spout.velocity = {0, -2, 0};
  spout.particles_per_cell = dim == 3 ? 8.0 : 4.0;
  spout.start = 0.3;
  spout.stop = 1.1;
  spout.rate = share * 2.0 * (dim == 3 ? std::numbers::pi * 0.01 : 0.2);
  spout.seed = 5;
  scene.emitters = {spout};
  return scene;
}

std::vector<Point> places(const Snapshot& state, int dim) {
  std::vector<Point> result;
  const Field& x = state.get(field::x);
  for (std::size_t p = 0; p < state.particles(); ++p) {
    Point point = Point::Zero();
    for (int a = 0; a < dim; ++a)
      point[a] = x.value[p * static_cast<std::size_t>(dim) + static_cast<std::size_t>(a)];
    result.push_back(point);
  }
  return result;
}

double closest(const std::vector<Point>& points) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) least = std::min(least, (points[i] - points[j]).norm());
  return least;
}

const auto dimensions = data::make({2, 3});

BOOST_AUTO_TEST_SUITE(emitters_test)

double half_width(const Shape& shape) {
  const Bounds box = bounds(shape, 2);
  return 0.5 * (box.max.x() - box.min.x());
}

/// Openings from a tenth of a cell to 8 cells wide: a slot and a disk; in 3D also a long slot.
std::vector<Shape> openings(int dim) {
  const double z = dim == 3 ? 1.0 : 0.0;
  std::vector<Shape> shapes;
  for (const double half : {0.0025, 0.03, 0.2}) {
    shapes.emplace_back(Box{.min = Point(1 - half, 1.5, z - half), .max = Point(1 + half, 1.6, z + half)});
    shapes.emplace_back(Sphere{.centre = Point(1, 1.5, z), .radius = half});
  }
  if (dim == 3) shapes.emplace_back(Box{.min = Point(0.8, 1.5, z - 0.01), .max = Point(1.2, 1.6, z + 0.01)});
  return shapes;
}

Scene pouring_through(const Shape& shape, double share, std::uint64_t seed, int dim) {
  Scene scene = pouring(dim);
  Emitter& spout = scene.emitters[0];
  spout.shape = shape;
  spout.seed = seed;
  spout.rate = 1e-9;
  spout.rate = share * opening(spout, dim).area * 2.0;
  return scene;
}

/// What entered until t is rate · (t − start) at every t, to half a particle: at any rate, opening and seed.
BOOST_DATA_TEST_CASE(volume_enters_at_the_given_rate_at_every_time, dimensions, dim) {
  const double cell = std::pow(0.05, dim);
  for (const Shape& shape : openings(dim)) {
    for (const double share : {1.0, 0.9, 0.3, 0.1, 1e-2, 1e-4, 1e-9}) {
      for (const std::uint64_t seed : {1U, 2U}) {
        Scene scene = pouring_through(shape, share, seed, dim);
        const double rate = scene.emitters[0].rate;
        const double V0 = cell / scene.emitters[0].particles_per_cell;
        scene.emitters[0].stop = 0.3 + 700.25 * V0 / rate;
        const Inflow inflow(scene);
        const double part = 0.3 * 23.7 * V0 / rate;
        double volume = 0.0;
        double worst = 0.0;
        double time = 0.0;
        for (int n = 0; time < scene.emitters[0].stop; ++n) {
          const double next = 0.3 + part * n;
          const Snapshot entered = inflow.between(time, next);
          for (const double V : entered.get(field::volume).value) volume += V;
          time = next;
          const double wanted = rate * (std::min(time, scene.emitters[0].stop) - 0.3);
          worst = std::max(worst, std::abs(volume - wanted) / V0);
        }
        // Half a grain. Times near `start` round by its ulp: a share of a grain where grains come every microsecond.
        BOOST_TEST(worst <= 0.5 + 1e-6, dim << "D share " << share << " seed " << seed << ": " << worst);
        BOOST_TEST(worst >= 0.4);  // no smoother than grains of the wanted size can be
        BOOST_TEST(volume == 700.0 * V0, boost::test_tools::tolerance(1e-10));
        BOOST_TEST(inflow.between(scene.emitters[0].stop, 1e300).particles() == 0U);
        const Snapshot some = inflow.between(0.3, 0.3 + 10.0 * V0 / rate);
        BOOST_TEST(some.particles() == 10U);
        for (const double m : some.get(field::mass).value) BOOST_TEST(m == 2000.0 * V0);
      }
    }
  }
}

/// Down to rates at which a single grain would take longer than there is time: at once, and nothing comes.
BOOST_DATA_TEST_CASE(the_smallest_rates_let_in_a_grain_now_and_then, dimensions, dim) {
  for (const double rate : {1e-20, 1e-40, 1e-100, 1e-300, 5e-324}) {
    Scene scene = pouring(dim);
    scene.emitters[0].rate = rate;
    scene.emitters[0].stop = std::min(1e300, 100.0 * std::pow(0.05, dim) / rate);
    const Inflow inflow(scene);
    const double interval = inflow.columns()[0].interval;
    BOOST_TEST(inflow.between(0.0, 1e6).particles() == 0U);
    if (std::isinf(interval)) continue;
    BOOST_TEST(inflow.between(1e6, 2.0 * interval).particles() == 2U);
    BOOST_TEST(inflow.between(2.0 * interval, 7.0 * interval).particles() == 5U);
  }
}

/// What a run's steps let in is what one long interval does: no grain is lost or doubled at any border.
BOOST_DATA_TEST_CASE(intervals_add_up_whatever_their_borders, dimensions, dim) {
  const Scene scene = pouring(dim);
  const Inflow inflow(scene);
  const std::size_t all = inflow.between(0.0, 2.0).particles();
  BOOST_TEST(all > 500U);
  for (const double dt : {0.1, 1.0 / 3.0, 0.00137}) {
    std::size_t sum = 0;
    double time = 0.0;
    while (time < 2.0) {
      const double next = time + dt;
      sum += inflow.between(time, next).particles();
      time = next;
    }
    BOOST_TEST(sum == all);
  }
  // Also where a border is a grain's own time.
  for (const std::size_t n : {0U, 7U, 503U}) {
    const double t = 0.3 + (static_cast<double>(n) + 0.5) * inflow.columns()[0].interval;
    BOOST_TEST(inflow.between(0.0, t).particles() == n);
    BOOST_TEST(inflow.between(0.0, std::nextafter(t, 9.0)).particles() == n + 1U);
    BOOST_TEST(inflow.between(t, 2.0).particles() == all - n);
  }
}

/// Grains of different steps, carried on at their velocity, keep their distance, also where the column
/// repeats. That is a Poisson-disk sample's where there is room across, else the way between two grains.
BOOST_DATA_TEST_CASE(no_two_grains_overlap, dimensions* data::make({1.0, 0.4, 0.02}), dim, share) {
  std::vector<Shape> shapes = openings(dim);
  shapes.push_back(pouring(dim).emitters[0].shape);
  int in_one_file = 0;
  for (const Shape& shape : shapes) {
    Scene scene = pouring_through(shape, share, 5, dim);
    scene.emitters[0].stop = 1e9;
    const Inflow inflow(scene);
    const EmitterColumn& column = inflow.columns()[0];
    const double way = 2.0 * column.interval;
    if (column.across.size() > 10000U) continue;  // each pair is looked at
    const double step = static_cast<double>(column.across.size()) / 12.0 * column.interval;
    const double end = 0.3 + 16 * step;  // a third of the column has come twice
    std::vector<Point> points;
    for (int n = 0; n < 16; ++n) {
      const double to = 0.3 + step * (n + 1);
      for (const Point& x : places(inflow.between(0.3 + step * n, to), dim)) {
        points.push_back(x + (end - to) * scene.emitters[0].velocity);
      }
    }
    BOOST_TEST(points.size() >= column.across.size() * 4 / 3 - 1);
    const double least = closest(points);
    BOOST_TEST(least >= column.radius * (1.0 - 1e-9));
    const double area = column.opening.area;
    const double lattice = dim == 2 ? std::sqrt(area * way) : std::cbrt(area * way);
    if (way >= (dim == 2 ? area : std::sqrt(area))) {
      ++in_one_file;
      BOOST_TEST(column.radius >= way * (1.0 - 1e-12));
    } else {
      BOOST_TEST(least <= 1.1 * column.radius);
    }
    BOOST_TEST(column.radius >= 0.7 * lattice, dim << "D share " << share << ": " << column.radius / lattice);
  }
  BOOST_TEST(in_one_file >= 1);
  BOOST_TEST(in_one_file < static_cast<int>(shapes.size()));
}

/// Of a Poisson-disk sample the radius is .785 (.831 in space) of a lattice's spacing: what each column strives for, and most reach.
BOOST_DATA_TEST_CASE(grains_keep_the_distance_of_a_poisson_disk_sample, dimensions, dim) {
  double mean = 0.0, least = 1.0, columns = 0.0;
  for (const double half : {0.03, 0.1, 0.2})
    for (const bool round : {false, true})
      for (const double share : {1.0, 0.4})
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
          const double z = dim == 3 ? 1.0 : 0.0;
          Shape shape = Box{.min = Point(1 - half, 1.5, z - half), .max = Point(1 + half, 1.6, z + half)};
          if (round) shape = Sphere{.centre = Point(1, 1.5, z), .radius = half};
          const Scene scene = pouring_through(shape, share, seed, dim);
          const EmitterColumn column = emitter_column(scene.emitters[0], scene.grid.h, dim, Point::Zero());
          const double way = 2.0 * column.interval, area = column.opening.area;
          if (way >= (dim == 2 ? area : std::sqrt(area))) continue;
          const double lattice = dim == 2 ? std::sqrt(area * way) : std::cbrt(area * way);
          const double reached = column.radius / (lattice * (dim == 2 ? 0.785 : 0.831));
          BOOST_TEST(reached <= 1.0 + 1e-12);
          least = std::min(least, reached);
          mean += reached;
          columns += 1.0;
        }
  BOOST_TEST(columns >= 40.0);
  BOOST_TEST(least >= 0.98);
  BOOST_TEST(mean / columns >= 0.999);
}

/// Every part of an opening gets its share of what enters.
BOOST_DATA_TEST_CASE(grains_come_through_all_of_the_opening, dimensions* data::make({1.0, 0.05}), dim,
                     share) {
  for (const Shape& shape : openings(dim)) {
    const Scene scene = pouring_through(shape, share, 3, dim);
    const EmitterColumn column = Inflow(scene).columns()[0];
    std::array<double, 4> part{};
    double widest = 0.0;
    for (const Point& across : column.across) {
      const double radial = across.norm() / column.opening.half_1;
      // Four rings of one area in a disk, else four strips.
      const double place =
          column.opening.round ? radial * radial : 0.5 + 0.5 * across.x() / half_width(shape);
      ++part[static_cast<std::size_t>(std::clamp(4.0 * place, 0.0, 3.0))];
      widest = std::max(widest, place);
    }
    const auto count = static_cast<double>(column.across.size());
    BOOST_TEST(widest <= 1.0 + 1e-12);
    // A quarter of 500 independent grains is 0.25 ± 0.02. Grains that keep their distance like the border: 0.35 in the
    // outer ring of a disk that is three of them wide.
    for (const double n : part) BOOST_TEST(std::abs(n / count - 0.25) <= 0.12);
  }
}

BOOST_DATA_TEST_CASE(grains_leave_through_the_opening_at_its_velocity, dimensions, dim) {
  const Scene scene = pouring(dim);
  const Snapshot state = Inflow(scene).between(0.5, 0.52);
  BOOST_TEST(state.time == 0.52);
  BOOST_TEST(state.particles() > 10U);
  const Point centre(1, 1.5, dim == 3 ? 1.0 : 0.0);
  for (const Point& x : places(state, dim)) {
    const double behind = centre.y() - x.y();
    BOOST_TEST((behind >= 0.0 && behind <= 2.0 * 0.02 + 1e-12));
    Point across = x - centre;
    across.y() = 0.0;
    BOOST_TEST(across.norm() <= 0.1 + 1e-12);
  }
  for (std::size_t p = 0; p < state.particles(); ++p) {
    BOOST_TEST(state.get(field::v).value[static_cast<std::size_t>(dim) * p + 1] == -2.0);
    BOOST_TEST(state.get(field::F).value[static_cast<std::size_t>(dim * dim) * p] == 1.0);
  }
}

BOOST_AUTO_TEST_CASE(grains_are_a_function_of_emitter_and_interval) {
  const Scene scene = pouring(3);
  const Snapshot a = Inflow(scene).between(0.61, 0.617);
  const Inflow again(scene);
  again.between(0.0, 0.5);
  const Snapshot b = again.between(0.61, 0.617);
  BOOST_TEST(a.particles() > 0U);
  for (const Field& field : a.fields) BOOST_TEST((b.get(field.name).value == field.value));
  Scene other = scene;
  other.emitters[0].seed = 6;
  BOOST_TEST((Inflow(other).between(0.61, 0.617).get(field::x).value != a.get(field::x).value));
}

BOOST_AUTO_TEST_CASE(openings_are_sections_of_their_shapes) {
  Emitter e;
  e.rate = 1e-9;
  e.shape = Box{.min = {0, 0, 0}, .max = {1, 2, 3}};
  e.velocity = {0, 0, -0.5};
  BOOST_TEST(opening(e, 3).area == 2.0);
  BOOST_TEST(opening(e, 3).round == false);
  e.velocity = {1, 0, 0};
  BOOST_TEST(opening(e, 3).area == 6.0);
  BOOST_TEST(opening(e, 2).area == 2.0);
  e.shape = Cylinder{.centre = {0, 0, 0}, .axis = Point(1, 1, 0).normalized(), .radius = 2, .half_length = 1};
  e.velocity = {-3, -3, 0};
  BOOST_TEST(opening(e, 3).area == 4.0 * std::numbers::pi);
  BOOST_TEST(std::abs(opening(e, 3).across_1.dot(e.velocity)) <= 1e-15);
  BOOST_TEST(std::abs(opening(e, 3).across_2.dot(e.velocity)) <= 1e-15);
  e.shape = Sphere{.centre = {0, 0, 0}, .radius = 0.25};
  BOOST_TEST(opening(e, 2).area == 0.5);
}

BOOST_AUTO_TEST_CASE(emitters_without_opening_or_with_too_much_to_carry_are_refused) {
  const auto refused = [](const std::string& what) {
    return [what](const BadInput& e) { return std::string(e.what()).find(what) != std::string::npos; };
  };
  Scene scene = pouring(3);
  scene.emitters[0].rate *= 1.001;
  BOOST_CHECK_EXCEPTION(Inflow{scene}, BadInput, refused("area times the speed"));
  scene.emitters[0].velocity.setZero();
  BOOST_CHECK_EXCEPTION(Inflow{scene}, BadInput, refused("velocity = 0"));
  scene.emitters[0].shape = Box{.min = {0, 0, 0}, .max = {1, 1, 1}};
  scene.emitters[0].velocity = {1, 1e-3, 0};
  BOOST_CHECK_EXCEPTION(Inflow{scene}, BadInput, refused("axis of the grid"));
  scene.emitters[0].shape = HalfSpace{};
  BOOST_CHECK_EXCEPTION(Inflow{scene}, BadInput, refused("must be bounded"));
  scene.emitters[0].shape = Wedge{};
  BOOST_CHECK_EXCEPTION(Inflow{scene}, BadInput, refused("must be bounded"));
  scene = pouring(3);
  for (const double per_cell : {1e12, 1e40, 1e305}) {
    scene.emitters[0].particles_per_cell = per_cell;
    BOOST_CHECK_EXCEPTION(Inflow{scene}, BadInput, refused("particles_per_cell"));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
