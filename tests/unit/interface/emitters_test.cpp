#include "reference/interface/emitters.h"

#include "reference/interface/error.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace data = boost::unit_test::data;

namespace repose {
namespace {

/// A spout that pours downwards, from a disk in 3D and a slot in 2D.
Scene pouring(int dim, double share = 1.0) {
  Scene scene;
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

/// Volume in = rate · time, to the grains of one layer; mass follows.
BOOST_DATA_TEST_CASE(volume_enters_at_the_given_rate_between_start_and_stop,
                     dimensions* data::make({1.0, 0.4}), dim, share) {
  const Scene scene = pouring(dim, share);
  const Inflow inflow(scene);
  const double rate = scene.emitters[0].rate;
  const double V0 = inflow.columns()[0].V0;
  // The wanted number of particles per cell of material at rest, to 1 %.
  const double cell = std::pow(0.05, dim);
  BOOST_TEST(V0 * scene.emitters[0].particles_per_cell == cell, boost::test_tools::tolerance(0.011));
  const auto volume = [&](double from, double to) {
    double sum = 0.0;
    const Snapshot state = inflow.between(from, to);
    for (const double V : state.get(field::volume).value) sum += V;
    return sum;
  };
  BOOST_TEST(volume(0.0, 0.3) == 0.0);
  BOOST_TEST(volume(1.1, 9.0) == 0.0);
  // A period carries exactly rate · period/speed.
  const double period = inflow.columns()[0].period / 2.0;
  if (0.3 + period < 1.1)
    BOOST_TEST(volume(0.0, 0.3 + period * (1.0 - 1e-9)) == rate * period,
               boost::test_tools::tolerance(1e-12));
  BOOST_TEST(volume(0.0, 9.0) == rate * 0.8, boost::test_tools::tolerance(0.05));
  const Snapshot all = inflow.between(0.0, 9.0);
  for (const double m : all.get(field::mass).value) BOOST_TEST(m == 2000.0 * V0);
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
  const auto& column = inflow.columns()[0];
  const double t = 0.3 + column.grains[7].behind / column.speed;
  BOOST_TEST(inflow.between(0.0, t).particles() == 7U);
  BOOST_TEST(inflow.between(0.0, std::nextafter(t, 9.0)).particles() == 8U);
  BOOST_TEST(inflow.between(t, 2.0).particles() == all - 7U);
}

/// Grains of different steps, carried on at their velocity, keep their distance, also where the column
/// repeats.
BOOST_DATA_TEST_CASE(no_two_grains_overlap, dimensions* data::make({1.0, 0.4}), dim, share) {
  Scene scene = pouring(dim, share);
  scene.emitters[0].stop = 100.0;
  const Inflow inflow(scene);
  const double radius = inflow.columns()[0].radius;
  const double step = inflow.columns()[0].period / 2.0 / 12.0;
  const double end = 0.3 + 16 * step;  // a third of the column has come twice
  std::vector<Point> points;
  for (int n = 0; n < 16; ++n) {
    const double to = 0.3 + step * (n + 1);
    for (const Point& x : places(inflow.between(0.3 + step * n, to), dim)) {
      points.push_back(x + (end - to) * scene.emitters[0].velocity);
    }
  }
  BOOST_TEST(points.size() > inflow.columns()[0].grains.size() * 5 / 4);
  BOOST_TEST(closest(points) >= radius * (1.0 - 1e-9));
  BOOST_TEST(closest(points) <= 1.1 * radius);
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
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
