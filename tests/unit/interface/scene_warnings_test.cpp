#include "reference/interface/particles/scene_warnings.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>

namespace data = boost::unit_test::data;

namespace repose {
namespace {

constexpr double h = 0.02;

Scene with_collider(const Shape& shape, int dim, bool hollow = false) {
  Scene scene;
  scene.grid.dim = dim;
  scene.grid.h = h;
  scene.colliders = {{.name = "plate", .shape = shape, .hollow = hollow}};
  return scene;
}

bool warns(const Shape& shape, int dim, bool hollow = false) {
  return !warnings(with_collider(shape, dim, hollow)).empty();
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

BOOST_AUTO_TEST_SUITE(scene_warnings_test)

BOOST_AUTO_TEST_CASE(the_thickness_of_a_solid_is_its_least_extent) {
  const auto thick = [](const Shape& shape, int dim) {
    return thickness({.name = "a", .shape = shape}, dim).value();
  };
  const Box box{.min = {0, 0, 0}, .max = {3, 2, 1}};
  BOOST_TEST(thick(box, 3) == 1.0);
  BOOST_TEST(thick(box, 2) == 2.0);  // z does not count
  BOOST_TEST(thick(Sphere{.centre = {1, 1, 1}, .radius = 3}, 3) == 6.0);
  BOOST_TEST(thick(Sphere{.centre = {1, 1, 0}, .radius = 3}, 2) == 6.0);
  const Cylinder disk{.centre = {0, 0, 0}, .axis = {1, 0, 0}, .radius = 3, .half_length = 0.5};
  BOOST_TEST(thick(disk, 3) == 1.0);
  const Cylinder rod{.centre = {0, 0, 0}, .axis = {0, 0, 1}, .radius = 0.5, .half_length = 3};
  BOOST_TEST(thick(rod, 3) == 1.0);
  const Cylinder in_plane{.centre = {0, 0, 0}, .axis = {0, 0, 1}, .radius = 3, .half_length = 0};
  BOOST_TEST(thick(in_plane, 2) == 6.0);
}

/// On both sides of the bound, for each shape and dimension; 2 h as decimal fractions round is still enough.
BOOST_DATA_TEST_CASE(solids_below_two_spacings_are_warned_of, data::make({2, 3}), dim) {
  for (const double share : {0.05, 0.5, 0.99, 1.0, 1.01, 10.0}) {
    const double thick = 2.0 * h * share;
    const bool thin = share < 1.0;
    BOOST_TEST(warns(Box{.min = {0, 0.1, 0}, .max = {1, 0.1 + thick, 1}}, dim) == thin);
    BOOST_TEST(warns(Sphere{.centre = {0, 0, 0}, .radius = 0.5 * thick}, dim) == thin);
    BOOST_TEST(
        warns(Cylinder{.centre = {0, 0, 0}, .axis = {0, 0, 1}, .radius = 0.5 * thick, .half_length = 1},
              dim) == thin);
    // What is solid outside has no other side.
    BOOST_TEST(!warns(Box{.min = {0, 0.1, 0}, .max = {1, 0.1 + thick, 1}}, dim, true));
  }
  BOOST_TEST(warns(Cylinder{.centre = {0, 0, 0}, .axis = {1, 0, 0}, .radius = 1, .half_length = 0.5 * h}, 3));
  BOOST_TEST(!warns(HalfSpace{}, dim));
  BOOST_TEST(!warns(Wedge{.angle = 0.1}, dim));
}

BOOST_AUTO_TEST_CASE(a_warning_of_a_thin_solid_names_it_its_thickness_and_the_spacing) {
  Scene scene = with_collider(Box{.min = {0.1, 0.39, 0}, .max = {0.9, 0.405, 0}}, 2);
  scene.colliders.push_back({.name = "floor", .shape = HalfSpace{}});
  scene.colliders.push_back({.name = "pin", .shape = Sphere{.centre = {0, 0, 0}, .radius = 0.005}});
  const auto found = warnings(scene);
  BOOST_REQUIRE(found.size() == 2U);
  for (const char* part : {"\"plate\"", "0.015 m", "h = 0.02 m"}) BOOST_TEST(says(found[0], part), found[0]);
  for (const char* part : {"\"pin\"", "0.01 m", "h = 0.02 m"}) BOOST_TEST(says(found[1], part), found[1]);
  BOOST_TEST(!says(found[0], "\n"));
}

BOOST_DATA_TEST_CASE(an_emitter_that_stops_before_its_first_particle_is_warned_of, data::make({2, 3}), dim) {
  Scene scene;
  scene.grid.dim = dim;
  scene.grid.h = h;
  const double grain = std::pow(h, dim) / 4.0;
  Emitter drip{};
  drip.name = "drip";
  drip.shape = Box{.min = {0, 0, 0}, .max = {1, 1, 1}};
  drip.velocity = Point(0, -1, 0);
  drip.particles_per_cell = 4;
  drip.rate = grain / 10.0;  // the first comes after 5 s
  drip.start = 1.0;
  drip.stop = 6.001;
  scene.emitters = {drip};
  BOOST_TEST(warnings(scene).empty());
  scene.emitters[0].stop = 5.999;
  const auto found = warnings(scene);
  BOOST_REQUIRE(found.size() == 1U);
  for (const char* part : {"\"drip\"", "6 s", "5.999 s"}) BOOST_TEST(says(found[0], part), found[0]);
  scene.emitters[0].rate = 5e-324;
  BOOST_TEST(warnings(scene).size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
