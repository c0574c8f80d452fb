#include "validation/exact/exact.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/crosscheck/report.h"
#include "validation/faults/faulty_solver.h"
#include "validation/faults/mpm/faults.h"
#include "validation/faults/zoo.h"
#include "validation/solvers.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <functional>
#include <string_view>

namespace {

using namespace repose;
using namespace repose::exact;
using crosscheck::CaseName;
using crosscheck::CaseReport;

/// The first case of a problem whose setup is as asked.
CaseName case_of(std::string_view problem, const std::function<bool(const crosscheck::Setup&)>& fits) {
  for (const CaseName& name : exact_names())
    if (name.scenario == problem && fits(name.setup)) return name;
  throw std::logic_error("no such case");
}

bool apic_in_double(const crosscheck::Setup& setup) {
  return crosscheck::transfer_of(setup) == Transfer::apic && setup.precision == Precision::double_;
}

bool plane_in_double(const crosscheck::Setup& setup) {
  return setup.dim == 2 && setup.precision == Precision::double_;
}

/// A case judged with a solver of a scene that is a little another.
CaseReport judged(const CaseName& name, std::string_view solver, const std::function<void(Scene&)>& change) {
  return run_exact(name, [&](const Scene& scene, const SolverOptions& options) {
    Scene other = scene;
    change(other);
    return make_solver(solver, other, options);
  });
}

void must_pass_then_differ(const CaseName& name, std::string_view field,
                           const std::function<void(Scene&)>& change) {
  const CaseReport right = judged(name, "optimized", [](Scene&) {});
  BOOST_TEST(crosscheck::name_of(right.verdict) == "pass", crosscheck::row(right));
  const CaseReport wrong = judged(name, "optimized", change);
  BOOST_TEST(crosscheck::name_of(wrong.verdict) == "differs", crosscheck::row(wrong));
  if (wrong.lockstep.divergence) BOOST_TEST(wrong.lockstep.divergence->field.field == field);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exact_problems_judge)

BOOST_AUTO_TEST_CASE(a_little_gravity_stops_a_translation_from_being_one) {
  must_pass_then_differ(case_of("translation", apic_in_double), "velocity [m/s]",
                        [](Scene& scene) { scene.gravity.y() = 1e-6; });
}

BOOST_AUTO_TEST_CASE(a_place_wrapped_by_a_cell_too_far_is_no_translation) {
  const CaseName name = case_of("translation", apic_in_double);
  for (const bool planted : {false, true}) {
    const CaseReport report = run_exact(name, [&](const Scene& scene, const SolverOptions& options) {
      return faults::make_faulty_solver(
          make_solver("optimized", scene, options), scene, faults::mpm_model(), Precision::double_, "update",
          planted ? faults::fault_named("wrapped_by_a_cell").mistake : faults::no_mistake);
    });
    BOOST_TEST(crosscheck::name_of(report.verdict) == (planted ? "differs" : "pass"),
               crosscheck::row(report));
  }
}

BOOST_AUTO_TEST_CASE(two_per_cent_of_stiffness_change_a_wave) {
  for (const std::string_view wave : {"wave_of_compression", "wave_of_shear"})
    must_pass_then_differ(case_of(wave, plane_in_double), "displacement over its largest",
                          [](Scene& scene) { scene.materials[0].youngs_modulus *= 1.02; });
}

/// Long, and of no code that other tests here do not run: without sanitizers alone.
BOOST_AUTO_TEST_CASE(one_degree_of_friction_moves_the_steepest_slope,
                     *boost::unit_test::enable_if<REPOSE_SANITIZED == 0>()) {
  must_pass_then_differ(case_of("endless_slope", plane_in_double),
                        "steepest slope that holds [deg], H/h = 8, c dt/h = 0.4",
                        [](Scene& scene) { scene.materials[0].friction.h0 += 1.0 * degree; });
}

bool plane_in_double_by_one_thread(const crosscheck::Setup& setup) {
  return plane_in_double(setup) && setup.threads == 1;
}

/// A case judged with a solver whose return of sand has a mistake or none.
CaseReport judged_with_fault(const CaseName& name, const char* fault) {
  return run_exact(name, [&](const Scene& scene, const SolverOptions& options) {
    return faults::make_faulty_solver(
        make_solver("optimized", scene, options), scene, faults::mpm_model(), Precision::double_,
        "plasticity", fault != nullptr ? faults::fault_named(fault).mistake : faults::no_mistake);
  });
}

BOOST_AUTO_TEST_CASE(volume_that_is_not_kept_forgotten_or_kept_with_the_wrong_sign_is_not_given_back) {
  const CaseName name = case_of("opened_and_closed", plane_in_double_by_one_thread);
  const char* const open = "v_c when open, e_c = 0, 4 steps";
  must_pass_then_differ(name, open, [](Scene& scene) { scene.materials[0].volume_correction = false; });
  must_pass_then_differ(name, "q, e_c = 0, 4 steps", [](Scene& scene) {
    scene.materials[0].hardening_apart = HardeningApart::opening_and_closing;
  });
  BOOST_TEST(crosscheck::name_of(judged_with_fault(name, nullptr).verdict) == "pass");
  const CaseReport report = judged_with_fault(name, "volume_correction_reset");
  BOOST_TEST_REQUIRE(crosscheck::name_of(report.verdict) == "differs");
  BOOST_TEST(report.lockstep.divergence->field.field == "p/K when closed, e_c = 0, 4 steps");
  // No state can have a v_c below 0: it is refused as it is loaded.
  BOOST_TEST(crosscheck::name_of(judged_with_fault(name, "v_c_sign").verdict) == "refused");
}

BOOST_AUTO_TEST_CASE(an_account_of_volume_that_does_not_balance_is_seen) {
  const CaseName name = case_of("volume_accounted", plane_in_double_by_one_thread);
  BOOST_TEST(crosscheck::name_of(judged_with_fault(name, nullptr).verdict) == "pass");
  const CaseReport report = judged_with_fault(name, "volume_correction_reset");
  BOOST_TEST_REQUIRE(crosscheck::name_of(report.verdict) == "differs");
  BOOST_TEST(report.lockstep.divergence->field.field == "tr eps + v_c, e_c = 0");
}

BOOST_AUTO_TEST_CASE(what_was_measured_is_told_beside_what_is_due) {
  const CaseName name = case_of("wave_of_shear", plane_in_double);
  const nlohmann::json one = crosscheck::to_json({judged(name, "reference", [](Scene&) {})})["cases"][0];
  BOOST_TEST(one["suite"].get<std::string>() == "exact");
  BOOST_REQUIRE(!one["measured"].empty());
  for (const auto& quantity : one["measured"]) {
    BOOST_TEST(quantity["passes"].get<bool>());
    BOOST_TEST(std::abs(quantity["measured"].get<double>() - quantity["expected"].get<double>()) <=
               quantity["bound"].get<double>());
  }
}

BOOST_AUTO_TEST_SUITE_END()
