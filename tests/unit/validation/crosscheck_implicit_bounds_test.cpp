#include "reference/interface/methods/mpm.h"
#include "tests/unit/validation/crosscheck_bounds.h"
#include "validation/crosscheck/mpm/implicit_bounds.h"

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace {

using namespace repose;
using namespace repose::crosscheck;

/// Bounds of the impulses of a grain at rest, by how far apart the two solvers may have it.
BalanceBounds bounds_at(const Grain& grain, const Snapshot& state, double position) {
  Arithmetic arithmetic = grain.arithmetic_with({double_unit, "F"});
  arithmetic.position = position;
  const BalanceProbe probe{
      grain.c.scene, arithmetic, state,    std::vector<double>(2 * state.count(Place::node), 0.0),
      0.0,           {},         Grain::dt};
  Counters unused;
  return balance_bounds(probe, unused);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_implicit_bounds)

/// Impulse Δt V⁰ τ ∇w of a grain at rest: moved by δx, ∇w changes by second derivatives of weights, each 2/h² at most, two to a
/// component, and by a kink of 3/h² per axis of the quadratic kernel: (4 + 6) δx/h², with h = ½ m.
BOOST_AUTO_TEST_CASE(a_moved_grain_changes_its_impulse_by_second_derivatives_of_weights) {
  Grain grain;
  const double eps = -0.02;
  std::vector<double>& F = grain.c.start.get(field::F).value;
  F[0] = F[3] = std::exp(eps);
  const Snapshot state = state_at(grain, boundary::p2g);
  const Lame l = lame(grain.c.scene.materials[0]);
  const double norm = std::sqrt(2.0) * -eps;
  // ‖1⁻¹‖ of a 3 × 3 matrix is √3; returning the strain may multiply the stress by exp ‖ε‖.
  const double stress = std::exp(norm) * (2.0 * l.mu + 2.0 * l.lambda) * norm * std::sqrt(3.0);
  for (const double way : {1e-3, 1e-6}) {
    const BalanceBounds at_one_place = bounds_at(grain, state, 0.0);
    const BalanceBounds moved = bounds_at(grain, state, way);
    BOOST_REQUIRE(moved.impulse.size() == 9U);
    for (std::size_t n = 0; n < moved.impulse.size(); ++n) {
      const double expected = Grain::dt * Grain::volume * stress * 10.0 * way / (Grain::h * Grain::h);
      BOOST_TEST(std::abs(moved.impulse[n] - at_one_place.impulse[n] - expected) <= 1e-6 * expected);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
