#include "tests/unit/optimized/grains.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>

/// Volume gained while grains are apart, and what it does to hardening, over many steps [Tam17 §4.3.4; ERRATA T2, T38].
namespace repose::optimized_tests {

namespace data = boost::unit_test::data;

namespace {

/// Adds increments to the strain of one grain, step by step, turned into F and back at each.
struct Path {
  int dim;
  Grain grain;
  int last_case = 0;

  void add(const Vec<3>& increment) {
    grain.strain += increment;
    const Found found = after_plasticity(dim, {grain}, {grain.material}, Precision::double_);
    grain.strain = found.strain[0].diagonal();
    grain.q = found.q[0];
    grain.v_c = found.v_c[0];
    last_case = static_cast<int>(found.plastic_case[0]);
  }
};

}  // namespace

/// Strains, traces and v_c of six steps, from the formulas by hand; without cohesion and with the tip at tr ε = .002.
BOOST_DATA_TEST_CASE(volume_gained_is_given_back_step_by_step, data::make({2, 3}) * data::make({0.0, 0.002}),
                     dim, e_c) {
  const std::array<std::array<double, 2>, 6> increments{
      {{.01, .01}, {-.004, .002}, {-.03, -.01}, {.006, -.006}, {.03, .02}, {-.03, -.03}}};
  const std::array<int, 6> cases{2, 2, 1, 1, 2, 1};
  const double plane[6][3] = {{0, 0, .02},       {0, 0, .018}, {-.021, -.001, 0},
                              {-.015, -.007, 0}, {0, 0, .028}, {-.016, -.016, 0}};
  const double space[6][2] = {{0, .03}, {0, .027}, {-.033, 0}, {-.033, 0}, {0, .042}, {-.048, 0}};
  Path path{dim, {.material = plain_sand(dim, e_c)}};
  double gained = 0.0;
  for (std::size_t k = 0; k < 6; ++k) {
    const auto [x, y] = increments[k];
    const Vec<3> increment(x, y, dim == 3 ? 0.5 * (x + y) : 0.0);
    path.add(increment);
    gained += increment.sum();
    BOOST_TEST_CONTEXT("step " << k + 1) {
      BOOST_TEST(path.last_case == cases[k]);
      const Grain& g = path.grain;
      const bool open = cases[k] == 2;
      BOOST_TEST(std::abs(g.strain.sum() + g.v_c - gained) <= 1e-14);
      if (dim == 2) {
        BOOST_TEST(std::abs(g.strain[0] - (open ? e_c / 2 : plane[k][0])) <= 1e-14);
        BOOST_TEST(std::abs(g.strain[1] - (open ? e_c / 2 : plane[k][1])) <= 1e-14);
        BOOST_TEST(std::abs(g.v_c - (open ? plane[k][2] - e_c : 0.0)) <= 1e-14);
      } else {
        BOOST_TEST(std::abs(g.strain.sum() - (open ? e_c : space[k][0])) <= 1e-14);
        BOOST_TEST(std::abs(g.v_c - (open ? space[k][1] - e_c : 0.0)) <= 1e-14);
      }
    }
  }
}

/// 5 % apart and 8 % together leave 3 %, in steps of any size. So does hardening, .05/√2 less the tip's share; with the
/// gap's closing counted it is .0692964646 in ten steps each way [ERRATA T38].
BOOST_DATA_TEST_CASE(hardening_of_opened_grains_does_not_depend_on_the_step,
                     data::make({1, 10, 100}) * data::make({0.0, 0.002}), steps, e_c) {
  for (const auto rule : {HardeningApart::opening, HardeningApart::opening_and_closing}) {
    Path path{2, {.material = plain_sand(2, e_c)}};
    path.grain.material.hardening_apart = rule;
    for (const double total : {0.05, -0.08})
      for (int k = 0; k < steps; ++k) path.add(total / (2.0 * steps) * Vec<3>(1, 1, 0));
    BOOST_TEST(std::abs(path.grain.strain.sum() + 0.03) <= 1e-14 * steps);
    BOOST_TEST(path.grain.v_c == 0.0);
    const double opening = (0.05 - e_c) / std::sqrt(2.0);
    if (rule == HardeningApart::opening || steps == 1)
      BOOST_TEST(std::abs(path.grain.q - opening) <= 1e-14 * steps);
    else
      BOOST_TEST(path.grain.q > 1.8 * opening);
    if (rule == HardeningApart::opening_and_closing && steps == 10 && e_c == 0.0)
      BOOST_TEST(std::abs(path.grain.q - 0.0692964646) <= 1e-10);
  }
}

}  // namespace repose::optimized_tests
