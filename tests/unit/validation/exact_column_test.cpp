// The closed form of settled sand against printed numbers, and what its problem sees.
#include "validation/exact/mpm/sand_column.h"

#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/report.h"
#include "validation/exact/exact.h"
#include "validation/solvers.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <functional>
#include <stdexcept>

namespace {

using namespace repose;
using namespace repose::exact;

/// M = E where ν = 0.
SandColumn column_of_stiffness(double M) {
  SandColumn c{{}, 9.81, 1.0};
  c.sand.density = 2000.0;
  c.sand.youngs_modulus = M;
  return c;
}

crosscheck::CaseReport judged_column(const std::function<void(Scene&)>& change) {
  for (const crosscheck::CaseName& name : exact_names()) {
    if (name.scenario != "settled_sand") continue;
    return run_exact(name, [&](const Scene& scene, const SolverOptions& options) {
      Scene other = scene;
      change(other);
      return make_solver("optimized", other, options);
    });
  }
  throw std::logic_error("no such case");
}

void must_differ_at(const char* quantity, const std::function<void(Scene&)>& change) {
  const crosscheck::CaseReport report = judged_column(change);
  BOOST_TEST(crosscheck::name_of(report.verdict) == "differs", crosscheck::row(report));
  if (report.lockstep.divergence) BOOST_TEST(report.lockstep.divergence->field.field == quantity);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exact_column)

BOOST_AUTO_TEST_CASE(settled_sand_has_the_known_height_and_is_one_of_its_own_differences) {
  BOOST_TEST(std::abs(column_of_stiffness(1e5).y(1.0) - 0.917270) < 1e-6);
  BOOST_TEST(std::abs(column_of_stiffness(1e6).y(1.0) - 0.990378) < 1e-6);
  for (const double M : {1e5, 1e6}) {
    const SandColumn c = column_of_stiffness(M);
    BOOST_TEST(c.y(0.0) == 0.0);
    BOOST_TEST(c.F(1.0) == 1.0);
    for (const double Y : {0.1, 0.5, 0.9}) {
      BOOST_TEST(std::abs((c.y(Y + 1e-4) - c.y(Y - 1e-4)) / 2e-4 - c.F(Y)) < 1e-7);
      BOOST_TEST(std::abs(std::log(c.F(Y)) / c.F(Y) + c.load(Y)) < 1e-12);
    }
  }
}

/// Along a ray of strains c₀ of a hundredth changes nothing that is seen, and the stress is that of equal strains: with a, b = 0, it
/// has its largest, 1.205632716 times Hencky's, at 5/6 of where the multiplier is whole.                            [ERRATA T36]
BOOST_AUTO_TEST_CASE(a_weight_has_one_strain_below_the_largest_stress_of_the_fall) {
  for (const int dim : {2, 3}) {
    SandColumn c = column_of_stiffness(1e6);
    BOOST_CHECK_THROW(c.settled_alike_below(dim), std::logic_error);
    c.sand.unilateral = Unilateral{.a = -3e-3, .b = 0.0, .c0 = 0.01};
    const double whole = 3e-3 * std::sqrt(static_cast<double>(dim));
    const double largest = 1.205632716 * 5.0 / 6.0 * whole * std::exp(5.0 / 6.0 * whole);
    BOOST_TEST(std::abs(c.load(c.settled_alike_below(dim)) / largest - 1.0) < 1e-4);
  }
}

BOOST_AUTO_TEST_CASE(sand_whose_long_steps_come_to_another_rest_is_seen) {
  BOOST_TEST(crosscheck::name_of(judged_column([](Scene&) {}).verdict) == "pass");
  const auto long_steps = [](const Scene& scene) {
    return mpm_options(scene).integrator == Integrator::semi_implicit;
  };
  must_differ_at("surface beside the explicit one over the settlement, hencky, H/h = 8", [&](Scene& scene) {
    if (long_steps(scene)) scene.gravity *= 1.003;
  });
  must_differ_at("surface beside the explicit one over the settlement, unilateral, H/h = 8",
                 [&](Scene& scene) {
                   if (long_steps(scene) && mpm_options(scene).energy == Energy::unilateral)
                     scene.gravity *= 1.003;
                 });
  // The multiplier would reach all of the column.
  must_differ_at("surface beside the explicit one over the settlement, unilateral, H/h = 8",
                 [&](Scene& scene) {
                   if (long_steps(scene)) scene.materials[0].unilateral->a *= 4.0;
                 });
}

/// By steps of either kind alike.
BOOST_AUTO_TEST_CASE(softer_sand_does_not_settle_where_it_should) {
  must_differ_at("height's misfit over H, hencky, H/h = 8",
                 [](Scene& scene) { scene.materials[0].youngs_modulus *= 0.7; });
}

BOOST_AUTO_TEST_SUITE_END()
