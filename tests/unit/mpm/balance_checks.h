#pragma once

#include "tests/unit/mpm/scenes.h"

#include <Eigen/Core>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <random>

/// What any balance of nodes is tried by, of one phase or of two.
namespace repose::test {

/// Uniform in [−speed, speed] on all unknowns of a system [m/s].
template <int d, class System>
Eigen::VectorXd random_field(const System& system, double speed, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Eigen::VectorXd v(static_cast<Eigen::Index>(d * system.nodes()));
  for (double& one : v) one = draw(random, -speed, speed);
  return v;
}

/// Demands that what is left of a balance at v is the slope of the system's energy along a way, by Richardson's rule. The system
/// stands at v afterwards. @param allowed error over Σ |R_i way_i|
template <class System>
void require_slope_of_energy(System& system, const Eigen::VectorXd& v, const Eigen::VectorXd& way,
                             double allowed) {
  const auto at = [&](double share) {
    BOOST_REQUIRE(!system.move_to(v + share * way));
    return system.energy().value;
  };
  const auto central = [&](double share) { return (at(share) - at(-share)) / (2.0 * share); };
  constexpr double step = 0.02;
  const double slope = (4.0 * central(0.5 * step) - central(step)) / 3.0;
  BOOST_REQUIRE(!system.move_to(v));
  const double expected = system.residual().dot(way);
  const double size = system.residual().cwiseAbs().dot(way.cwiseAbs());
  BOOST_TEST(std::abs(expected) > 1e-3 * size);  // premise
  BOOST_TEST(std::abs(slope - expected) <= allowed * size + 2.0 * system.energy().rounding / step);
}

}  // namespace repose::test
