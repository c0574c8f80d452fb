#include "reference/interface/base/error.h"
#include "reference/interface/base/grid.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/scene/materials.h"
#include "reference/interface/snapshot.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace repose {
namespace {

BOOST_AUTO_TEST_SUITE(vocabulary_test)

/// E = 2.6, ν = 0.3: μ = 2.6/2.6 = 1, λ = 0.78/(1.3 · 0.4) = 1.5; c = √(3.5/ρ).
BOOST_AUTO_TEST_CASE(lame_parameters_are_those_of_plane_strain) {
  const Material m{.name = "m", .density = 3.5, .youngs_modulus = 2.6, .poisson_ratio = 0.3};
  BOOST_TEST(lame(m).mu == 1.0, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(lame(m).lambda == 1.5, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(wave_speed(m) == 1.0, boost::test_tools::tolerance(1e-15));
}

/// Another way round: uniaxial stress gives E = μ(3λ + 2μ)/(λ + μ) and ν = λ/(2(λ + μ)) back.
BOOST_AUTO_TEST_CASE(lame_parameters_give_the_moduli_back) {
  for (const double nu : {-0.9, -0.2, 0.0, 0.25, 0.49}) {
    const Lame l = lame({.name = "m", .density = 1, .youngs_modulus = 7e4, .poisson_ratio = nu});
    BOOST_TEST(l.mu * (3 * l.lambda + 2 * l.mu) / (l.lambda + l.mu) == 7e4,
               boost::test_tools::tolerance(1e-12));
    BOOST_TEST(std::abs(l.lambda / (2 * (l.lambda + l.mu)) - nu) <= 1e-14);
  }
}

BOOST_AUTO_TEST_CASE(largest_friction_angle_is_that_of_the_curve) {
  for (const FrictionLaw f : {FrictionLaw{0.6, 0.16, 0.2, 0.17}, FrictionLaw{0.6, 0, 0.3, 0.1},
                              FrictionLaw{0.5, 2, 5, 0}, FrictionLaw{0.4, 0, 0, 0.1}}) {
    double largest = 0.0;
    for (int i = 0; i <= 200000; ++i) {
      const double q = 0.001 * i;
      largest = std::max(largest, f.h0 + (f.h1 * q - f.h3) * std::exp(-f.h2 * q));
    }
    BOOST_TEST(std::abs(largest_friction_angle(f) - largest) <= 1e-6);
  }
  BOOST_TEST(largest_friction_angle({0.6, 0.1, 0, 0}) == std::numeric_limits<double>::infinity());
}

BOOST_AUTO_TEST_CASE(node_ids_count_every_node_once) {
  for (const int dim : {2, 3}) {
    const Grid grid{.dim = dim, .h = 0.5, .domain_min = {1, 2, 0}, .cells = {3, 2, dim == 3 ? 4 : 1}};
    const std::int64_t z_margin = dim == 3 ? Grid::margin : 0;
    const std::int64_t z_last = dim == 3 ? 4 + Grid::margin : 0;
    std::int64_t expected = 0;
    for (std::int64_t i = -Grid::margin; i <= 3 + Grid::margin; ++i) {
      for (std::int64_t j = -Grid::margin; j <= 2 + Grid::margin; ++j) {
        for (std::int64_t k = -z_margin; k <= z_last; ++k) {
          BOOST_TEST(grid.node_id(i, j, k) == expected);
          BOOST_TEST((grid.node_index(expected) == std::array<std::int64_t, 3>{i, j, k}));
          ++expected;
        }
      }
    }
    BOOST_TEST(expected == grid.nodes(0) * grid.nodes(1) * grid.nodes(2));
    BOOST_TEST((grid.node_position(grid.node_id(0, 0, 0)) == grid.domain_min));
    BOOST_TEST((grid.domain_max() == Point(2.5, 3, dim == 3 ? 2 : 0)));
    BOOST_TEST((grid.node_position(grid.node_id(3, 2, dim == 3 ? 4 : 0)) == grid.domain_max()));
  }
}

/// 4096³ cells have 6.9e10 nodes, more than 32 bits.
BOOST_AUTO_TEST_CASE(node_ids_of_large_grids_do_not_overflow) {
  const Grid grid{.dim = 3, .h = 1, .cells = {4096, 4096, 4096}};
  const std::int64_t last = 4096 + Grid::margin;
  BOOST_TEST(grid.node_id(last, last, last) == 4101LL * 4101 * 4101 - 1);
  BOOST_TEST((grid.node_index(grid.node_id(last, 0, last)) == std::array<std::int64_t, 3>{last, 0, last}));
}

BOOST_AUTO_TEST_CASE(snapshots_find_replace_and_erase_fields) {
  Snapshot s;
  BOOST_TEST(s.particles() == 0U);
  s.set({.name = "mass", .unit = "kg", .value = {1, 2, 3}});
  s.set({.name = "x", .unit = "m", .components = 2, .value = {0, 0, 1, 1, 2, 2}});
  BOOST_TEST(s.particles() == 3U);
  s.set({.name = "mass", .unit = "kg", .value = {4, 5}});
  BOOST_TEST(s.fields.size() == 2U);
  BOOST_TEST(s.get(field::mass).value.back() == 5.0);
  s.erase("x");
  s.erase("x");
  BOOST_TEST(s.find("x") == nullptr);
  try {
    s.get("x");
    BOOST_ERROR("a missing field was found");
  } catch (const std::out_of_range& error) {
    BOOST_TEST(std::string(error.what()) == "no field 'x' in a snapshot at step_start");
  }
}

BOOST_AUTO_TEST_CASE(simulation_errors_name_particle_step_and_boundary) {
  const SimulationError error("inverted particle", 17, 4, boundary::update);
  BOOST_TEST(std::string(error.what()) == "inverted particle (particle 17, step 4, boundary update)");
  BOOST_TEST((error.particle == 17 && error.step == 4 && error.boundary == "update"));
  BOOST_TEST(std::string(SimulationError("grid full", -1, 4, "p2g").what()) ==
             "grid full (step 4, boundary p2g)");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
