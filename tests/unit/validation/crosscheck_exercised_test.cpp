#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "tests/unit/validation/crosscheck_wrapper.h"
#include "validation/crosscheck/mpm/exercised.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/crosscheck/run_case.h"
#include "validation/solvers.h"

#include <boost/test/unit_test.hpp>

#include <string>

namespace {

using namespace repose;
using namespace repose::crosscheck;

Case case_of(std::string_view scenario, int dim = 2) { return make_case(scenario, MpmSetup{.dim = dim}); }

/// A solver that tells of a second thread from a certain step on.
class LateHelper : public Wrapper {
 public:
  LateHelper(std::unique_ptr<Solver> inner, std::int64_t from) : Wrapper(std::move(inner)), from_(from) {}
  std::vector<std::pair<std::string, int>> stage_threads() override {
    return {{"p2g", steps() > from_ ? 2 : 1}};
  }

 private:
  std::int64_t from_;
};

CaseReport run(const Case& c, std::int64_t helped_from = -1) {
  const Factory reference = [](const Scene& scene, const SolverOptions& options) {
    return make_solver("reference", scene, options);
  };
  const Factory candidate = [&](const Scene& scene, const SolverOptions& options) -> std::unique_ptr<Solver> {
    auto inner = make_solver("reference", scene, options);
    if (helped_from < 0) return inner;
    return std::make_unique<LateHelper>(std::move(inner), helped_from);
  };
  return run_case(c, candidate, reference);
}

double counted(const CaseReport& report, const std::string& counter) {
  const auto found = report.lockstep.counters.find(counter);
  return found == report.lockstep.counters.end() ? 0.0 : found->second;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_exercised)

/// A counter that counted everything would trust every case.
BOOST_AUTO_TEST_CASE(a_single_floor_at_rest_counts_no_branch_that_needs_more) {
  const CaseReport report = run(case_of("floor_separating"));
  BOOST_TEST(counted(report, "contacts with body 0") > 0.0);
  BOOST_TEST(counted(report, "contacts with body 0") == counted(report, "contacts"));
  for (const char* counter :
       {"contacts with body 1", "contacts on spinning bodies", "contacts on moving bodies",
        "contacts only after another's push", "contacts by the body's own way",
        "nodes held by two oblique bodies", "nodes where order matters", "surface with h1 = 0 < h3",
        "surface beyond 43 degrees", "material 1 surface"})
    BOOST_TEST(counted(report, counter) == 0.0, counter);
}

BOOST_AUTO_TEST_CASE(
    walls_at_right_angles_are_not_oblique_and_their_order_does_not_matter_to_what_they_push) {
  Case c = case_of("room_corner");
  c.scene.colliders[0].shape = HalfSpace{Point(-0.1213, 0, 0), Point::UnitX()};
  const CaseReport square = run(c);
  BOOST_TEST(counted(square, "nodes in two bodies") > 0.0);
  BOOST_TEST(counted(square, "nodes where order matters") == 0.0);
  BOOST_TEST(counted(square, "nodes held by two oblique bodies") == 0.0);
  const CaseReport leaning = run(case_of("room_corner"));
  BOOST_TEST(counted(leaning, "nodes where order matters") > 0.0);
}

BOOST_AUTO_TEST_CASE(what_a_body_reaches_by_its_own_way_or_behind_another_is_told_apart) {
  Case c = case_of("reached_by_push");
  BOOST_TEST(counted(run(c), "contacts only after another's push") > 0.0);
  BOOST_TEST(counted(run(c), "contacts on moving bodies") > 0.0);
  // Without the one that shoves nobody is pushed.
  c.scene.colliders.erase(c.scene.colliders.begin());
  BOOST_TEST(counted(run(c), "contacts only after another's push") == 0.0);
  Case ram = case_of("entered_within_step");
  BOOST_TEST(counted(run(ram), "contacts by the body's own way") > 0.0);
  BOOST_TEST(counted(run(ram), "contacts on spinning bodies") > 0.0);
}

BOOST_AUTO_TEST_CASE(materials_and_cases_add_up_to_all_particles) {
  const Case c = case_of("three_materials");
  const CaseReport report = run(c);
  double sum = 0.0;
  for (const char* k : {"material 0 ", "material 1 ", "material 2 "})
    for (const char* word : {"inside", "tip", "surface", "elastic"})
      sum += counted(report, std::string(k) + word);
  BOOST_TEST(sum == static_cast<double>(c.steps) * static_cast<double>(c.start.particles()));
  BOOST_TEST(counted(report, "material 1 elastic") > 0.0);
  BOOST_TEST(counted(report, "material 0 elastic") == 0.0);
}

/// All else that the case needs is met by the two other materials, and by wet grains whose gap opens.
BOOST_AUTO_TEST_CASE(cohesive_grains_that_give_back_volume_are_told_apart) {
  Case c = case_of("volume_given_back");
  const CaseReport all = run(c);
  BOOST_TEST(name_of(all.verdict) == "pass");
  for (const std::string counter : {"volume given back", "volume given back in part"}) {
    BOOST_TEST(counted(all, "cohesive " + counter) > 0.0);
    BOOST_TEST(counted(all, "cohesive " + counter) < counted(all, counter));
  }
  for (std::size_t p = 0; p < c.start.particles(); ++p)
    if (c.start.get(field::material).value[p] == 1.0) c.start.get(field::v_c).value[p] = 0.0;
  const CaseReport none = run(c);
  BOOST_TEST(name_of(none.verdict) == "mistrusted");
  BOOST_TEST(!none.shortfalls.empty());
  for (const std::string& one : none.shortfalls) BOOST_TEST(one.starts_with("cohesive volume given back"));
}

/// Rubber has no region, and would be counted as sand before the fall.
BOOST_AUTO_TEST_CASE(regions_are_those_of_sand_alone) {
  const Case c = case_of("unilateral_regions");
  double sand = 0.0, rubber = 0.0;
  for (const double k : c.start.get(field::material).value)
    (c.scene.materials.at(static_cast<std::size_t>(k)).kind == MaterialKind::sand ? sand : rubber) += 1.0;
  BOOST_TEST(rubber > 0.0);
  const CaseReport report = run(c);
  double sum = 0.0;
  for (const char* region : {"region A", "region B", "region C"}) sum += counted(report, region);
  BOOST_TEST(sum == static_cast<double>(c.steps) * sand);
}

BOOST_AUTO_TEST_CASE(gaps_are_named_by_their_decade) {
  BOOST_TEST(gap_name(0.0) == "equal");
  BOOST_TEST(gap_name(0.99e-12) == "equal");
  BOOST_TEST(gap_name(1.01e-12) == "1e-12");
  BOOST_TEST(gap_name(0.99e-9) == "1e-12");
  BOOST_TEST(gap_name(1.01e-9) == "1e-9");
  BOOST_TEST(gap_name(0.99e-3) == "1e-6");
  BOOST_TEST(gap_name(1.01e-3) == "apart");
}

/// The premise of nearly_equal_stretches: with motion no pair of the trial state would be that close.
BOOST_AUTO_TEST_CASE(a_velocity_gradient_takes_near_stretches_apart) {
  Case c = case_of("nearly_equal_stretches");
  const CaseReport still = run(c);
  BOOST_TEST(counted(still, "equal inside") > 0.0);
  Field& v = c.start.get(field::v);
  for (std::size_t i = 0; i < v.value.size(); ++i) v.value[i] = 0.5 * static_cast<double>(i * i % 7);
  BOOST_TEST(counted(run(c), "equal inside") == 0.0);
}

BOOST_AUTO_TEST_CASE(a_case_goes_on_until_its_needs_are_met_or_its_steps_are_used_up) {
  Case c = case_of("one_particle");
  c.steps = 1;
  c.needs = {{"threads in p2g", 2}};
  const auto steps_done = [](const CaseReport& report) { return report.lockstep.last.step; };
  // Without leave to go on it is mistrusted at once.
  BOOST_TEST(name_of(run(c, 2).verdict) == "mistrusted");
  c.most_steps = 6;
  const CaseReport late = run(c, 2);
  BOOST_TEST(name_of(late.verdict) == "pass");
  BOOST_TEST(steps_done(late) == 3);
  const CaseReport never = run(c, 100);
  BOOST_TEST(name_of(never.verdict) == "mistrusted");
  BOOST_TEST(steps_done(never) == 6);
  // Who tells of no threads has one: nothing is asked of it.
  const CaseReport serial = run(c);
  BOOST_TEST(name_of(serial.verdict) == "pass");
  BOOST_TEST(steps_done(serial) == 1);
}

BOOST_AUTO_TEST_SUITE_END()
