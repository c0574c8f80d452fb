#include "experiments/bench/mpm/block.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/scene/step_control.h"
#include "validation/solvers.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <numeric>

using namespace repose;
using namespace repose::experiments;
namespace data = boost::unit_test::data;

namespace {

double sum(const Field& field) { return std::accumulate(field.value.begin(), field.value.end(), 0.0); }

/// Largest speed over the first 0.05 s.
double largest_speed(const BenchBlock& block) {
  const auto solver = make_solver("optimized", block.scene, {});
  solver->load(block.state);
  const StepControl control(block.scene);
  double largest = 0.0;
  while (solver->time() < 0.05) {
    solver->advance([&](double speed) {
      largest = std::max(largest, speed);
      return control.next(solver->time(), speed, control.frame_time(1)).dt;
    });
  }
  return largest;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bench_scene)

BOOST_DATA_TEST_CASE(a_block_has_the_wanted_density_and_its_walls_hold_it, data::make({2, 3}), dim) {
  const std::int64_t wanted = dim == 3 ? 8 * 8 * 8 * 8 : 4 * 8 * 8;
  const BenchBlock block = bench_block(dim, Kernel::cubic, wanted, Motion::rest);
  BOOST_TEST(block.state.particles() == static_cast<std::size_t>(wanted));
  // The volume of unstressed sand: a cube of 1 m that its weight has compressed, by ρ g H/2(λ + 2μ) = 2.3 %
  // on average.
  BOOST_TEST(sum(block.state.get(field::volume)) == 1.023, boost::test_tools::tolerance(2e-3));
  for (const Collider& wall : block.scene.colliders) {
    const Field& x = block.state.get(field::x);
    for (std::size_t p = 0; p < block.state.particles(); ++p) {
      Point at = Point::Zero();
      for (int a = 0; a < dim; ++a)
        at[a] = x.value[p * static_cast<std::size_t>(dim) + static_cast<std::size_t>(a)];
      BOOST_REQUIRE(signed_distance(wall, at, 0.0, {.dim = dim}).phi > 0.0);
    }
  }
}

/// "Barely moves" and "well into its collapse", in numbers: free fall over 0.05 s reaches 0.49 m/s.
BOOST_DATA_TEST_CASE(at_rest_nearly_nothing_moves_and_in_flow_it_falls, data::make({2, 3}), dim) {
  BenchBlock rest = bench_block(dim, Kernel::quadratic, 2000, Motion::rest);
  BOOST_TEST(largest_speed(rest) < 0.15);
  BenchBlock flow = bench_block(dim, Kernel::quadratic, 2000, Motion::flow);
  run_into_flow(flow, 1, {});
  BOOST_TEST(flow.state.time == 0.0);
  BOOST_TEST(largest_speed(flow) > 1.0);
}

BOOST_AUTO_TEST_SUITE_END()
