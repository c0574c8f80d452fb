#include "experiments/cli/commands.h"
#include "reference/interface/base/error.h"

#include <CLI/CLI.hpp>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace repose;

/// Exit code of `repose verify` with these arguments.
int verify(const std::string& arguments) {
  CLI::App app;
  int exit_code = -1;
  cli::add_verify(app, exit_code);
  app.parse("verify " + arguments);
  return exit_code;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(command_verify)

BOOST_AUTO_TEST_CASE(a_case_that_passes_exits_with_0) {
  BOOST_TEST(verify("--case one_particle/apic --quiet") == 0);
}

BOOST_AUTO_TEST_CASE(an_invariant_that_holds_exits_with_0) {
  BOOST_TEST(verify("--suite invariants --case dyadic_sampling --quiet") == 0);
  BOOST_TEST(verify("--case random_numbers --precision float --quiet") == 0);  // not a matter of any solver
  BOOST_CHECK_THROW(verify("--suite invariants --case one_particle"), BadInput);
  BOOST_CHECK_THROW(verify("--case random_numbers --state state.json"), BadInput);
}

BOOST_AUTO_TEST_CASE(a_planted_fault_exits_with_1) {
  BOOST_TEST(verify("--fault stencil_node_dropped --precision double --quiet") == 1);
}

BOOST_AUTO_TEST_CASE(what_is_unknown_is_refused) {
  BOOST_CHECK_THROW(verify("--case no_such_case"), BadInput);
  BOOST_CHECK_THROW(verify("--candidate nobody"), BadInput);
  BOOST_CHECK_THROW(verify("--fault no_such_fault"), BadInput);
  BOOST_CHECK_THROW(verify("--case one_particle/apic --simd no_such_set"), BadInput);
  BOOST_CHECK_THROW(verify("--suite everything"), CLI::ValidationError);
  BOOST_CHECK_THROW(verify("--threads 0"), CLI::ValidationError);
  BOOST_CHECK_THROW(verify("--jobs 0"), CLI::ValidationError);
}

BOOST_AUTO_TEST_CASE(a_reference_without_sums_cannot_judge) {
  BOOST_TEST(
      verify(
          "--case one_particle/pic --reference optimized --candidate reference --precision double --quiet") ==
      3);
}

BOOST_AUTO_TEST_CASE(results_are_written_as_json) {
  const auto file = std::filesystem::temp_directory_path() / "repose_verify_test.json";
  BOOST_TEST(verify("--case empty --quiet --json " + file.string()) == 0);
  std::ifstream in(file);
  const nlohmann::json json = nlohmann::json::parse(in);
  std::filesystem::remove(file);
  BOOST_TEST(json["summary"]["pass"].get<int>() == 4);
  BOOST_TEST(json["cases"][0]["verdict"].get<std::string>() == "pass");
  BOOST_TEST(json["cases"][0]["long"].get<bool>() == false);
}

/// All that is written but times: the same cases in the same order, with the same counts and ratios.
BOOST_AUTO_TEST_CASE(results_do_not_depend_on_how_many_cases_run_at_a_time) {
  const auto file = std::filesystem::temp_directory_path() / "repose_verify_jobs_test.json";
  std::vector<nlohmann::json> documents;
  for (const char* jobs : {"1", "2", "7"}) {
    BOOST_TEST(verify("--case corner --quiet --jobs " + std::string(jobs) + " --json " + file.string()) == 0);
    std::ifstream in(file);
    nlohmann::json json = nlohmann::json::parse(in);
    json["summary"].erase("seconds");
    for (nlohmann::json& one : json["cases"]) one.erase("seconds");
    documents.push_back(std::move(json));
  }
  std::filesystem::remove(file);
  BOOST_TEST(documents[0]["cases"].size() > 7U);  // premise
  BOOST_TEST((documents[1] == documents[0]));
  BOOST_TEST((documents[2] == documents[0]));
}

BOOST_AUTO_TEST_CASE(long_cases_run_only_when_they_are_asked_for) {
  BOOST_CHECK_EXCEPTION(verify("--case large_implicit/"), BadInput, [](const BadInput& error) {
    return std::string(error.what()) == "only long cases match 'large_implicit/'; they need --long";
  });
  BOOST_TEST(verify("--case large_implicit/ --long --list") == 0);
}

BOOST_AUTO_TEST_CASE(the_largest_share_of_its_bound_of_every_field_is_written) {
  const auto file = std::filesystem::temp_directory_path() / "repose_verify_bounds_test.json";
  BOOST_TEST(verify("--case one_particle --quiet --json " + file.string()) == 0);
  std::ifstream in(file);
  const nlohmann::json json = nlohmann::json::parse(in);
  std::filesystem::remove(file);
  const nlohmann::json& bounds = json.at("bounds");
  for (const char* precision : {"float", "double"}) {
    const bool found = std::any_of(bounds.begin(), bounds.end(), [&](const nlohmann::json& one) {
      return one.at("stage") == "p2g" && one.at("field") == "p_i" && one.at("precision") == precision &&
             one.at("largest_ratio").is_number() && one.at("values").get<int>() > 0;
    });
    BOOST_TEST(found, precision);
  }
}

BOOST_AUTO_TEST_SUITE_END()
