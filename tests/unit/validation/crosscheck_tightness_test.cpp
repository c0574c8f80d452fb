#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/crosscheck/tightness.h"
#include "validation/solvers.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace {

using namespace repose;
using namespace repose::crosscheck;

CaseReport report_of(std::string name, Precision precision, std::string stage, std::string_view field,
                     double ratio, std::size_t unequal = 1) {
  CaseReport report;
  report.name = std::move(name);
  report.suite = "lockstep";
  report.setup = MpmSetup{.precision = precision};
  Worst worst;
  worst.stage = std::move(stage);
  worst.field.field = std::string(field);
  worst.field.measured = field != field::plastic_case;
  worst.field.values = 10;
  worst.field.unequal = unequal;
  worst.field.worst.ratio = ratio;
  report.lockstep.worst = {worst};
  return report;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_tightness)

BOOST_AUTO_TEST_CASE(the_largest_ratio_over_all_cases_is_kept_by_boundary_field_and_precision) {
  const auto all = tightness({report_of("a", Precision::single_, "forces", "p_star", 0.2),
                              report_of("b", Precision::single_, "forces", "p_star", 0.5),
                              report_of("c", Precision::single_, "forces", "p_star", 0.3),
                              report_of("d", Precision::double_, "forces", "p_star", 0.9),
                              report_of("e", Precision::single_, "p2g", "p_i", 0.1)});
  BOOST_REQUIRE(all.size() == 3U);
  BOOST_TEST(all[0].field == "p_i");  // in the order of a step
  BOOST_TEST(all[1].ratio == 0.5);
  BOOST_TEST(all[1].case_name == "b");
  BOOST_TEST(all[1].values == 30U);
  BOOST_TEST(all[1].unequal == 3U);
  BOOST_TEST((all[2].precision == Precision::double_));
  BOOST_TEST(all[2].ratio == 0.9);
}

BOOST_AUTO_TEST_CASE(a_field_that_differs_but_never_by_a_hundredth_of_its_bound_is_loose) {
  const auto loose = [](double ratio, std::size_t unequal) {
    return tightness({report_of("a", Precision::double_, "forces", "p_star", ratio, unequal)})
        .front()
        .loose();
  };
  BOOST_TEST(loose(0.0099, 5));
  BOOST_TEST(!loose(0.01, 5));
  BOOST_TEST(!loose(0.0, 0));  // equal to the bit: nothing was measured
  const std::string table =
      tightness_table(tightness({report_of("a", Precision::double_, "forces", "p_star", 0.002),
                                 report_of("b", Precision::single_, "forces", "p_star", 0.5),
                                 report_of("c", Precision::single_, "g2p", "v", 0.0, 0)}));
  BOOST_TEST(table.find("0.002 loose") != std::string::npos);
  BOOST_TEST(table.find("1 loose") != std::string::npos);
  BOOST_TEST(table.find("g2p") == std::string::npos);
  BOOST_TEST(tightness_table({}).empty());
}

BOOST_AUTO_TEST_CASE(claims_of_bits_and_numbers_of_plastic_cases_have_no_share) {
  CaseReport bits = report_of("a", Precision::double_, "p2g", "m_i", 0.0);
  bits.suite = "bits";
  BOOST_TEST(
      tightness({bits, report_of("b", Precision::double_, "plasticity", field::plastic_case, 0.3)}).empty());
}

BOOST_AUTO_TEST_CASE(a_ratio_without_a_finite_bound_is_null_in_json) {
  const nlohmann::json json = to_json(
      tightness({report_of("a", Precision::double_, "p2g", "m_i", std::numeric_limits<double>::infinity()),
                 report_of("a", Precision::double_, "p2g", "p_i", 0.004)}));
  BOOST_TEST(json[0].at("largest_ratio").is_null());
  BOOST_TEST(json[1].at("largest_ratio").get<double>() == 0.004);
  BOOST_TEST(json[1].at("loose").get<bool>());
  BOOST_TEST(json[1].at("case").get<std::string>() == "a");
}

/// What the fast solver's rounding reaches: no bound of what a stage computes is more than fifty times as wide. Of p_tilde in
/// double both solvers ask bodies for the same distances and mostly get the same bits: what they may differ by is not met.
BOOST_AUTO_TEST_CASE(rounding_reaches_a_fiftieth_of_every_bound) {
  const Factory fast = [](const Scene& scene, const SolverOptions& options) {
    return make_solver("optimized", scene, options);
  };
  const Factory readable = [](const Scene& scene, const SolverOptions& options) {
    return make_solver("reference", scene, options);
  };
  std::vector<CaseReport> reports;
  for (const char* scenario :
       {"mixed_states", "volume_correction", "large_stretches", "friction_slide", "far_from_origin"})
    for (const Precision precision : {Precision::single_, Precision::double_})
      for (const Kernel kernel : {Kernel::quadratic, Kernel::cubic}) {
        const Setup setup =
            MpmSetup{.dim = kernel == Kernel::quadratic ? 2 : 3, .kernel = kernel, .precision = precision};
        reports.push_back(run_case(make_case(scenario, setup), fast, readable));
        BOOST_TEST(name_of(reports.back().verdict) == "pass", reports.back().name);
      }
  constexpr std::pair<std::string_view, std::string_view> computed[] = {{"p2g", field::m_i},
                                                                        {"p2g", field::p_i},
                                                                        {"forces", field::p_star},
                                                                        {"collisions", field::p_bar},
                                                                        {"friction", field::p_tilde},
                                                                        {"g2p", field::v_bar},
                                                                        {"g2p", field::grad_v},
                                                                        {"g2p", field::v},
                                                                        {"g2p", field::C},
                                                                        {"update", field::x},
                                                                        {"update", field::F_trial},
                                                                        {"plasticity", field::F},
                                                                        {"plasticity", field::q},
                                                                        {"plasticity", field::v_c}};
  const auto all = tightness(reports);
  for (const auto& [stage, name] : computed)
    for (const Precision precision : {Precision::single_, Precision::double_}) {
      const auto found =
          std::find_if(all.begin(), all.end(), [&, &stage = stage, &name = name](const Tightness& one) {
            return one.stage == stage && one.field == name && one.precision == precision;
          });
      BOOST_REQUIRE((found != all.end()));
      const bool met = name != field::p_tilde || precision == Precision::single_;
      BOOST_TEST(found->ratio > (met ? 0.02 : 0.0), stage << " " << name << " " << name_of(precision)
                                                          << " took " << found->ratio << " of its bound");
      BOOST_TEST(found->ratio <= 1.0);
    }
}

BOOST_AUTO_TEST_SUITE_END()
