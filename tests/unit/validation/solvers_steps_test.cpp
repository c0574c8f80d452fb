// Which solver takes which steps.
#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/plain_balance.h"
#include "validation/solvers.h"

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

namespace repose {
namespace {

Scene scene_of(Integrator integrator, Energy energy) {
  Scene scene;
  scene.grid = {.dim = 2, .h = 0.1, .cells = {10, 10, 1}};
  scene.scheme = MpmOptions{.integrator = integrator, .energy = energy};
  Material sand;
  sand.name = "sand";
  sand.density = 2200.0;
  sand.youngs_modulus = 1e5;
  sand.poisson_ratio = 0.3;
  sand.friction.h0 = 0.5;
  sand.unilateral = Unilateral{.a = -0.01, .b = 0.0, .c0 = 0.1};
  scene.materials = {sand};
  return scene;
}

BOOST_AUTO_TEST_SUITE(solvers_steps)

/// When the solver is made, in one line that names one that can.
BOOST_AUTO_TEST_CASE(the_fast_solver_refuses_steps_that_it_has_not_and_names_one_that_has) {
  const auto refusal = [](const Scene& scene) -> std::string {
    try {
      make_solver("optimized", scene);
    } catch (const BadInput& error) {
      return error.what();
    }
    return "accepted";
  };
  for (const Energy energy : {Energy::hencky, Energy::unilateral}) {
    const Scene scene = scene_of(Integrator::semi_implicit, energy);
    BOOST_TEST(
        refusal(scene) ==
        "solver 'optimized' takes no steps with integrator = \"semi_implicit\": take --solver reference");
    BOOST_TEST((!takes_steps_of("optimized", scene) && takes_steps_of("reference", scene)));
    BOOST_CHECK_NO_THROW(make_solver("reference", scene));
  }
  const Scene unilateral = scene_of(Integrator::implicit_, Energy::unilateral);
  BOOST_TEST(
      refusal(unilateral) ==
      "solver 'optimized' takes no steps with integrator = \"implicit\" and energy = \"unilateral\": take "
      "--solver reference");
  BOOST_CHECK_NO_THROW(make_solver("reference", unilateral));
  for (const Scene& scene :
       {scene_of(Integrator::implicit_, Energy::hencky), scene_of(Integrator::explicit_, Energy::hencky),
        scene_of(Integrator::explicit_, Energy::unilateral)}) {
    BOOST_TEST(refusal(scene) == "accepted");
    BOOST_TEST(takes_steps_of("optimized", scene));
  }
}

BOOST_AUTO_TEST_CASE(the_judge_of_solves_does_not_judge_what_it_has_no_formulas_of) {
  for (const Scene& scene : {scene_of(Integrator::semi_implicit, Energy::hencky),
                             scene_of(Integrator::implicit_, Energy::unilateral)})
    BOOST_CHECK_THROW(crosscheck::PlainBalance(scene, Snapshot{}, 1e-3), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
