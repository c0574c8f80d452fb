#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/metrics/occupied.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>

namespace {

namespace data = boost::unit_test::data;
using namespace repose;

constexpr double cell = 0.125;

Scene room(int dim) {
  Scene scene;
  MpmOptions options;
  options.kernel = Kernel::quadratic;
  scene.scheme = options;
  scene.grid = {.dim = dim, .h = cell, .cells = {24, 24, dim == 3 ? 24 : 1}};
  return scene;
}

/// Two particles per h and axis over a block of 8 cells from 4 h on, moved apart by a factor; V⁰ as before.
Snapshot block(int dim, double apart) {
  Snapshot state;
  std::vector<double> x, volume;
  const int along = 16;
  for (int i = 0; i < along; ++i)
    for (int j = 0; j < along; ++j)
      for (int k = 0; k < (dim == 3 ? along : 1); ++k) {
        for (const int n : {i, j}) x.push_back(4.0 * cell + apart * 0.5 * cell * (n + 0.5));
        if (dim == 3) x.push_back(4.0 * cell + apart * 0.5 * cell * (k + 0.5));
        volume.push_back(std::pow(0.5 * cell, dim));
      }
  state.set(
      {.name = std::string(field::mass), .unit = "kg", .value = std::vector<double>(volume.size(), 1.0)});
  state.set({.name = std::string(field::x), .unit = "m", .components = dim, .value = x});
  state.set({.name = std::string(field::volume), .unit = "m^d", .value = volume});
  return state;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(metrics_occupied)

/// A block that stands on planes of nodes: each of its 8 cells per axis holds particles, and of its nodes those on the
/// border are half full, which is not more than half.
BOOST_DATA_TEST_CASE(a_block_occupies_what_it_fills, data::make({2, 3}), dim) {
  const metrics::Occupied found = metrics::occupied(block(dim, 1.0), room(dim));
  const double whole = std::pow(8.0 * cell, dim);
  BOOST_TEST(found.by_cells == whole, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(found.by_density >= std::pow(7.0 * cell, dim) * (1.0 - 1e-12));
  BOOST_TEST(found.by_density <= std::pow(9.0 * cell, dim) * (1.0 + 1e-12));
}

/// The same grains a quarter further apart along each axis take 1.25^d of it, by either measure to a cell along the border.
BOOST_DATA_TEST_CASE(grains_that_are_further_apart_occupy_more, data::make({2, 3}), dim) {
  const Scene scene = room(dim);
  const metrics::Occupied close = metrics::occupied(block(dim, 1.0), scene);
  const metrics::Occupied apart = metrics::occupied(block(dim, 1.25), scene);
  const double due = std::pow(10.0 * cell, dim);
  for (const auto measure : {&metrics::Occupied::by_cells, &metrics::Occupied::by_density}) {
    BOOST_TEST((apart.*measure) >= std::pow(9.0 * cell, dim) * (1.0 - 1e-12));
    BOOST_TEST((apart.*measure) <= std::pow(11.0 * cell, dim) * (1.0 + 1e-12));
    BOOST_TEST((apart.*measure) > (close.*measure));
  }
  BOOST_TEST(apart.by_cells == due, boost::test_tools::tolerance(1e-12));
}

/// A grain on its own is a cell, and no volume by density beside a heap.
BOOST_AUTO_TEST_CASE(a_stray_grain_is_a_cell_and_no_dense_node) {
  const Scene scene = room(2);
  Snapshot state = block(2, 1.0);
  const metrics::Occupied before = metrics::occupied(state, scene);
  state.get(field::mass).value.push_back(1.0);
  for (const double x : {20.3 * cell, 20.4 * cell}) state.get(field::x).value.push_back(x);
  state.get(field::volume).value.push_back(0.25 * cell * cell);
  const metrics::Occupied with_it = metrics::occupied(state, scene);
  BOOST_TEST(with_it.by_cells - before.by_cells == cell * cell, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(with_it.by_density == before.by_density);
}

BOOST_AUTO_TEST_SUITE_END()
