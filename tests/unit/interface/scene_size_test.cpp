#include "reference/interface/particles/scene_size.h"

#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/particles/emitters.h"
#include "reference/interface/particles/sampling.h"
#include "reference/interface/scene/scene_names.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace repose {
namespace {

namespace data = boost::unit_test::data;

Scene scene_of(int dim) {
  Scene s;
  s.scheme = MpmOptions{};
  s.grid = {.dim = dim, .h = 0.1, .cells = {20, 20, dim == 3 ? 20 : 1}};
  s.materials = {{.name = "sand", .density = 1600, .youngs_modulus = 1e5, .poisson_ratio = 0.3}};
  s.duration = 1.0;
  s.frame_rate = 10.0;
  return s;
}

Seed body(const Shape& shape, Sampling sampling, double particles_per_cell) {
  Seed s;
  s.name = "body";
  s.where = "s.toml:7";
  s.shape = shape;
  s.sampling = sampling;
  s.particles_per_cell = particles_per_cell;
  s.seed = 1;
  return s;
}

std::vector<Shape> shapes() {
  return {Box{.min = {0.3, 0.3, 0.3}, .max = {1.1, 0.9, 1.3}}, Sphere{.centre = {1, 1, 1}, .radius = 0.4},
          Cylinder{.centre = {1, 1, 1}, .axis = Point::UnitZ(), .radius = 0.35, .half_length = 0.3}};
}

BOOST_AUTO_TEST_SUITE(scene_size_test)

/// Both sides: an estimate that is too low lets everything through, one that is too high refuses what could be run. A
/// lattice counts its points inside a round shape to some of those on its surface; Poisson-disk samples meet their
/// number to 1 %.
BOOST_DATA_TEST_CASE(the_estimate_is_what_sampling_gives,
                     data::make({2, 3}) * data::xrange(3) *
                         data::make({"poisson_disk", "regular", "jittered"}) * data::make({4.0, 7.5, 30.0}),
                     dim, shape, name, particles_per_cell) {
  Sampling sampling = Sampling::poisson_disk;
  for (const auto& [known, value] : names::sampling) {
    if (known == name) sampling = value;
  }
  Scene scene = scene_of(dim);
  scene.seeds = {body(shapes()[static_cast<std::size_t>(shape)], sampling, particles_per_cell)};
  const auto sizes = body_sizes(scene, scene.duration, 1);
  BOOST_REQUIRE(sizes.size() == 1U);
  const auto found = static_cast<double>(sample(scene).particles());
  BOOST_TEST(found > 100.0);
  BOOST_TEST(std::abs(sizes[0].particles - found) <= 0.12 * found);
  BOOST_TEST(sizes[0].where == "s.toml:7: seed \"body\"");
}

BOOST_DATA_TEST_CASE(an_emitter_counts_until_it_stops_or_the_run_ends, data::make({2, 3}), dim) {
  Scene scene = scene_of(dim);
  Emitter e;
  e.name = "spout";
  e.shape = Box{.min = {0.5, 1.5, 0.5}, .max = {0.9, 1.6, 0.9}};
  e.velocity = {0, -1, 0};
  e.rate = dim == 2 ? 0.4 : 0.16;
  e.start = 0.1;
  e.stop = 0.6;
  e.particles_per_cell = 8.0;
  e.seed = 1;
  scene.emitters = {e};
  for (const double end : {1.0, 0.3}) {
    const double estimate = body_sizes(scene, end, 1)[0].particles;
    const auto found = static_cast<double>(Inflow(scene).between(0.0, end).particles());
    BOOST_TEST(found > 60.0);
    BOOST_TEST(std::abs(estimate - found) <= 0.05 * found);
  }
  BOOST_TEST(body_sizes(scene, 0.05, 1)[0].particles == 0.0);
}

/// Nodes of a block are those of its cells, its border and a stencil; a few scattered grains have a stencil each.
BOOST_AUTO_TEST_CASE(nodes_follow_the_body_not_the_domain) {
  Scene scene = scene_of(3);
  scene.grid.cells = {1000, 1000, 1000};
  mpm_options(scene).kernel = Kernel::quadratic;
  scene.seeds = {body(Box{.min = {1, 1, 1}, .max = {3, 3, 3}}, Sampling::regular, 8.0)};
  BOOST_TEST(body_sizes(scene, 1.0, 1)[0].nodes == 23.0 * 23.0 * 23.0, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(body_sizes(scene, 1.0, 4)[0].nodes == 29.0 * 29.0 * 29.0, boost::test_tools::tolerance(1e-9));
  scene.seeds = {body(Box{.min = {1, 1, 1}, .max = {91, 91, 91}}, Sampling::regular, 1e-6)};
  const BodySize sparse = body_sizes(scene, 1.0, 1)[0];
  BOOST_TEST(sparse.particles == 729.0);  // nine per axis
  BOOST_TEST(sparse.nodes == 729.0 * 27.0);
}

/// What overflows is infinite or not a number, never a small one.
BOOST_AUTO_TEST_CASE(counts_that_cannot_be_are_not_small) {
  for (const Sampling sampling : {Sampling::poisson_disk, Sampling::regular, Sampling::jittered}) {
    for (const double per_cell : {1e18, 1e300, 1e308}) {
      Scene scene = scene_of(3);
      scene.seeds = {body(shapes()[0], sampling, per_cell)};
      BOOST_TEST(!(body_sizes(scene, 1.0, 1)[0].particles < 1e18));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
