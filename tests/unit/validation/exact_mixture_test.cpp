// What the problems of sand and water with known answers see.
#include "reference/interface/methods/mixture_options.h"
#include "validation/crosscheck/report.h"
#include "validation/exact/exact.h"
#include "validation/faults/faulty_solver.h"
#include "validation/faults/mixture/faults.h"
#include "validation/faults/zoo.h"
#include "validation/solvers.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace data = boost::unit_test::data;

namespace {

using namespace repose;
using namespace repose::exact;
using crosscheck::CaseName;
using crosscheck::CaseReport;

/// The first plane case in double of a problem.
CaseName case_of(std::string_view problem) {
  for (const CaseName& name : exact_names())
    if (name.scenario == problem && name.setup.dim == 2 && name.setup.precision == Precision::double_)
      return name;
  throw std::logic_error("no such case");
}

CaseReport judged(const CaseName& name, const std::function<void(Scene&)>& change) {
  return run_exact(name, [&](const Scene& scene, const SolverOptions& options) {
    Scene other = scene;
    change(other);
    return make_solver("optimized", other, options);
  });
}

/// With one stage replaced by the plain model's, and a mistake in it or none.
CaseReport judged_with(const CaseName& name, const faults::Fault& fault, bool planted) {
  return run_exact(name, [&](const Scene& scene, const SolverOptions& options) {
    return faults::make_faulty_solver(make_solver("optimized", scene, options), scene,
                                      faults::mixture_model(), Precision::double_, fault.stage,
                                      planted ? fault.mistake : faults::no_mistake);
  });
}

struct Planted {
  const char* fault;
  const char* problem;
  const char* seen;  ///< in which quantity
};

std::ostream& operator<<(std::ostream& to, const Planted& one) { return to << one.fault; }

constexpr const char* grains_by_mass =
    "acceleration of grains over g, grains twice as dense as water, term mass";
constexpr const char* water_by_mass =
    "acceleration of water over g, grains twice as dense as water, term mass";

const Planted all_planted[] = {
    {"term_of_rest_volume", "grains_in_still_water", grains_by_mass},
    {"term_by_other_mass", "grains_in_still_water", grains_by_mass},
    {"term_without_share", "grains_in_still_water", grains_by_mass},
    {"term_pushes_both", "grains_in_still_water", water_by_mass},
    {"term_pushes_both", "momentum_of_both", "momentum of both [kg m/s], term mass"},
    {"wet_in_the_union", "wetness", "saturation 1 h from water 0 h behind a node"},
    {"cohesion_one_step_late", "wetness",
     "cohesion left there over that of dry sand, linear, at 1 h and 0 h"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(exact_mixture)

BOOST_DATA_TEST_CASE(mistakes_in_what_couples_two_phases_are_seen_against_closed_forms,
                     data::make(all_planted), one) {
  const CaseName name = case_of(one.problem);
  const faults::Fault& fault = faults::fault_named(one.fault);
  const CaseReport right = judged_with(name, fault, false);
  BOOST_TEST(crosscheck::name_of(right.verdict) == "pass", crosscheck::row(right));
  const CaseReport wrong = judged_with(name, fault, true);
  BOOST_TEST_REQUIRE(crosscheck::name_of(wrong.verdict) == "differs", crosscheck::row(wrong));
  BOOST_TEST(wrong.lockstep.divergence->field.field == one.seen);
}

BOOST_AUTO_TEST_CASE(water_that_is_a_little_too_stiff_does_not_bear_what_it_should) {
  const CaseName name = case_of("grains_in_still_water");
  const CaseReport wrong =
      judged(name, [](Scene& scene) { scene.materials[1].water_stiffness *= 1.0 + 1e-9; });
  BOOST_TEST(crosscheck::name_of(wrong.verdict) == "differs", crosscheck::row(wrong));
}

BOOST_AUTO_TEST_CASE(a_little_gravity_moves_what_one_pressure_leaves_at_rest) {
  const CaseName name = case_of("grains_under_one_pressure");
  BOOST_TEST(crosscheck::name_of(judged(name, [](Scene&) {}).verdict) == "pass");
  const CaseReport wrong = judged(name, [](Scene& scene) { scene.gravity.x() = 1e-6; });
  BOOST_TEST(crosscheck::name_of(wrong.verdict) == "differs", crosscheck::row(wrong));
}

/// [ERRATA T22]: of a threshold that no node has, all grains are dry.
BOOST_AUTO_TEST_CASE(grains_that_need_more_water_are_not_as_wet) {
  const CaseReport wrong =
      judged(case_of("wetness"), [](Scene& scene) { mixture_options(scene).wet_mass = 1e3; });
  BOOST_TEST(crosscheck::name_of(wrong.verdict) == "differs", crosscheck::row(wrong));
}

BOOST_AUTO_TEST_SUITE_END()
