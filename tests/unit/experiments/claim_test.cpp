#include "experiments/figures/claim.h"
#include "experiments/figures/figure.h"
#include "experiments/figures/judging.h"
#include "reference/interface/base/error.h"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

using namespace repose;
using namespace repose::experiments;
namespace fs = std::filesystem;

namespace {

Number number_of(std::string name, Kind kind, Verdict verdict) {
  return {.name = std::move(name),
          .value = 1.0,
          .unit = "1",
          .expected = "something",
          .kind = kind,
          .source = "a test",
          .verdict = verdict};
}

Outcome outcome(std::vector<Number> numbers) {
  FigureResult result;
  result.numbers = std::move(numbers);
  return outcome_of(to_json(figures().front(), Preset::smoke, result));
}

const Number held = number_of("held", Kind::paper_claim, Verdict::pass);
const Number failed = number_of("failed", Kind::paper_claim, Verdict::fail);
const Number beside = number_of("beside", Kind::measured, Verdict::fail);
const Number sane = number_of("sane", Kind::sanity, Verdict::pass);
const Number unasked = number_of("unasked", Kind::sanity, Verdict::undecided);
const Number insane = number_of("insane", Kind::sanity, Verdict::fail);
const Number nothing = number_of("nothing", Kind::paper_claim, Verdict::undecided);
const Number open = open_here(failed, "resolution: nine cells, 16 are needed");

bool says(const Outcome& outcome, const std::string& part) {
  return outcome.words.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(claim)

BOOST_AUTO_TEST_CASE(
    one_number_that_fails_refutes_a_claim_and_one_that_the_preset_cannot_decide_leaves_it_open) {
  BOOST_TEST((outcome({held}).claim == Claim::held));
  BOOST_TEST((outcome({held, nothing}).claim == Claim::held));
  BOOST_TEST((outcome({held, open}).claim == Claim::undecided));
  BOOST_TEST(says(outcome({held, open}), "nine cells"));
  BOOST_TEST((outcome({held, open, failed}).claim == Claim::not_held));
  BOOST_TEST((outcome({nothing}).claim == Claim::undecided));
  BOOST_TEST((outcome({}).claim == Claim::undecided));
}

/// What a number left open was before is forgotten: it neither passes nor fails.
BOOST_AUTO_TEST_CASE(a_number_left_open_has_no_verdict_but_a_reason) {
  BOOST_TEST((open.verdict == Verdict::undecided));
  BOOST_TEST((open_here(held, "x").verdict == Verdict::undecided));
  BOOST_TEST(exit_code({held, open}) == 0);
  BOOST_TEST(exit_code({open}) == 3);
  FigureResult result;
  result.numbers = {open};
  const auto json = to_json(figures().front(), Preset::smoke, result);
  BOOST_TEST(json.at("numbers").at(0).at("undecided_because") == open.open_because);
  BOOST_TEST(describe({open}).find("nine cells") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(other_numbers_that_fail_are_named_beside_a_claim_that_holds) {
  const Outcome with = outcome({held, beside});
  BOOST_TEST((with.claim == Claim::held));
  BOOST_TEST(says(with, "beside the claim, beside does not hold"));
  BOOST_TEST((outcome({beside}).claim == Claim::undecided));
  Number closed = number_of("closed", Kind::closed_form, Verdict::fail);
  BOOST_TEST((outcome({held, closed}).claim == Claim::held));
  closed.of_claim = true;
  BOOST_TEST((outcome({held, closed}).claim == Claim::not_held));
}

/// Neither as a pass, in the claim, the exit code or the table; and one that fails is no refutation but an alarm.
BOOST_AUTO_TEST_CASE(a_sanity_row_never_counts) {
  for (const auto& numbers :
       std::vector<std::vector<Number>>{{held}, {failed}, {nothing}, {held, open}, {beside}, {}}) {
    for (const Number& row : {sane, unasked}) {
      auto with = numbers;
      with.push_back(row);
      BOOST_TEST(outcome(with).words == outcome(numbers).words);
      BOOST_TEST((outcome(with).claim == outcome(numbers).claim));
      BOOST_TEST(exit_code(with) == exit_code(numbers));
    }
  }
  BOOST_TEST(exit_code({sane}) == 3);
  BOOST_TEST(describe({sane}).find("pass") == std::string::npos);
  for (const Number& number : {held, failed}) {
    BOOST_TEST((outcome({number, insane}).claim == Claim::undecided));
    BOOST_TEST(says(outcome({number, insane}), "insane"));
    BOOST_TEST(exit_code({number, insane}) == 1);
  }
}

/// A result from before numbers said whether they decide.
BOOST_AUTO_TEST_CASE(older_results_go_by_their_kinds) {
  const auto with = [](const char* kind, const char* verdict) {
    return outcome_of({{"numbers", {{{"name", "x"}, {"kind", kind}, {"verdict", verdict}}}}}).claim;
  };
  BOOST_TEST((with("paper claim", "pass") == Claim::held));
  BOOST_TEST((with("paper claim", "fail") == Claim::not_held));
  BOOST_TEST((with("closed form", "fail") == Claim::undecided));
}

BOOST_AUTO_TEST_CASE(a_line_tells_the_run_from_what_is_kept) {
  const Outcome now{Claim::undecided, "cannot be decided"};
  KeptOutcome kept{
      .outcome = {Claim::held, "holds"}, .preset = "desk", .revision = "abc", .date = "2026-01-31"};
  BOOST_TEST(claim_line("smoke", now, nullptr) == "at smoke (this run): cannot be decided");
  BOOST_TEST(claim_line("smoke", now, &kept) ==
             "at smoke (this run): cannot be decided. At desk (kept from 2026-01-31, revision abc): holds");
  BOOST_TEST(claim_line("desk", {Claim::held, "holds in all"}, &kept) == "at desk (this run): holds in all");
  const std::string other = claim_line("desk", now, &kept);
  BOOST_TEST(other.find("Otherwise than kept from 2026-01-31") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(claims_are_counted_by_outcome) {
  ClaimCounts counts;
  for (const Claim one :
       {Claim::held, Claim::held, Claim::held, Claim::not_held, Claim::undecided, Claim::undecided})
    counts.add(one);
  BOOST_TEST(describe(counts) == "claims: 3 held, 1 not held, 2 undecided");
}

/// Every figure has a kept outcome at desk, and none is kept of a figure that is not there.
BOOST_AUTO_TEST_CASE(kept_outcomes_are_those_of_the_figures) {
  const auto kept = kept_outcomes();
  std::set<std::string> ids;
  for (const Figure& figure : figures()) ids.insert(std::string(figure.id));
  for (const auto& [figure, one] : kept) {
    BOOST_TEST((ids.erase(figure) == 1), figure);
    BOOST_TEST(one.preset == "desk", figure);
    BOOST_TEST(!one.outcome.words.empty());
  }
  BOOST_TEST(ids.empty());
}

BOOST_AUTO_TEST_CASE(kept_outcomes_that_cannot_be_read_are_refused_with_their_line) {
  const fs::path file = fs::temp_directory_path() / "repose_outcomes_test.toml";
  const auto refused = [&](const std::string& text, const std::string& part) {
    std::ofstream(file) << text;
    BOOST_CHECK_EXCEPTION(kept_outcomes(file), BadInput, [&](const BadInput& error) {
      return std::string(error.what()).find(part) != std::string::npos;
    });
  };
  const std::string good =
      "[[outcome]]\nfigure = 'a'\npreset = 'desk'\nwords = 'w'\nrevision = 'r'\ndate = 'd'\n";
  refused("x = ", ":1:");
  refused("x = 1\n", "no [[outcome]]");
  refused(good, "claim");
  refused(good + "claim = 'perhaps'\n", "perhaps");
  std::ofstream(file) << good << "claim = 'not held'\n";
  const auto kept = kept_outcomes(file);
  BOOST_TEST_REQUIRE(kept.size() == 1U);
  BOOST_TEST((kept.at("a").outcome.claim == Claim::not_held));
  fs::remove(file);
}

BOOST_AUTO_TEST_SUITE_END()
