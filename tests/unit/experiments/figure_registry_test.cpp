#include "experiments/figures/figure.h"
#include "reference/interface/base/error.h"
#include "validation/solvers.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <set>

using namespace repose;
using namespace repose::experiments;

BOOST_AUTO_TEST_SUITE(figure_registry)

BOOST_AUTO_TEST_CASE(every_figure_is_whole_and_found_by_its_id) {
  std::set<std::string_view> ids;
  BOOST_TEST_REQUIRE(!figures().empty());
  for (const Figure& figure : figures()) {
    BOOST_TEST(ids.insert(figure.id).second);
    BOOST_TEST(figure.id.find('/') != std::string_view::npos);
    BOOST_TEST(!figure.title.empty());
    BOOST_TEST(!figure.claim.empty());
    BOOST_TEST((figure.run != nullptr));
    BOOST_CHECK_NO_THROW(usual_solver(figure.method));  // the one it runs where nobody names another
    for (const Preset preset : {Preset::smoke, Preset::desk, Preset::paper})
      BOOST_TEST(!figure.cost(preset).empty());
    BOOST_TEST(find_figure(figure.id) == &figure);
  }
  BOOST_TEST(find_figure("klar2016/fig99_none") == nullptr);
}

BOOST_AUTO_TEST_CASE(a_misspelt_figure_is_recognized_and_nonsense_is_not) {
  const std::string meant = "klar2016/fig13_friction_angle";
  for (const char* typed :
       {"klar2016/fig13", "fig13_friction_angle", "klar2016/fig13_frictoin_angle", "friction"}) {
    const auto near = nearest_figures(typed);
    BOOST_TEST_CONTEXT(typed) {
      BOOST_TEST_REQUIRE(!near.empty());
      BOOST_TEST(near.front() == meant);
    }
  }
  BOOST_TEST(nearest_figures("zzzz").empty());
  BOOST_TEST(nearest_figures("").empty());
}

BOOST_AUTO_TEST_CASE(presets_go_by_name) {
  for (const Preset preset : {Preset::smoke, Preset::desk, Preset::paper}) {
    BOOST_TEST((preset_from(to_string(preset)) == preset));
  }
  BOOST_CHECK_THROW(preset_from("large"), BadInput);
}

BOOST_AUTO_TEST_CASE(a_failed_number_decides_the_exit_code_whatever_its_kind) {
  const auto number = [](Verdict verdict, Kind kind) { return Number{.kind = kind, .verdict = verdict}; };
  const Number pass = number(Verdict::pass, Kind::closed_form);
  const Number open = number(Verdict::undecided, Kind::measured);
  BOOST_TEST(exit_code({pass, open}) == 0);
  BOOST_TEST(exit_code({open}) == 3);
  BOOST_TEST(exit_code({}) == 3);
  for (const Kind kind :
       {Kind::paper_claim, Kind::closed_form, Kind::measured, Kind::regression, Kind::sanity}) {
    BOOST_TEST(exit_code({pass, open, number(Verdict::fail, kind)}) == 1);
  }
}

BOOST_AUTO_TEST_CASE(results_have_the_names_that_readers_rely_on) {
  FigureResult result;
  result.numbers.push_back({.name = "height",
                            .value = 0.02,
                            .unit = "m",
                            .expected = "> 0.01",
                            .kind = Kind::closed_form,
                            .source = "a test",
                            .verdict = Verdict::pass,
                            .note = ""});
  result.numbers.push_back({.name = "angle", .value = std::nan(""), .kind = Kind::paper_claim});
  result.provenance = {{"solver", "optimized"}};
  const auto json = to_json(figures().front(), Preset::smoke, result);
  BOOST_TEST(json.at("figure") == figures().front().id);
  BOOST_TEST(json.at("preset") == "smoke");
  BOOST_TEST(json.at("provenance").at("solver") == "optimized");
  const auto& first = json.at("numbers").at(0);
  for (const char* key : {"name", "value", "unit", "expected", "kind", "source", "verdict", "note",
                          "decides_claim", "undecided_because"}) {
    BOOST_TEST(first.contains(key), key);
  }
  BOOST_TEST(first.at("kind") == "closed form");
  BOOST_TEST(first.at("verdict") == "pass");
  BOOST_TEST(json.at("numbers").at(1).at("value").is_null());
  BOOST_TEST(json.at("numbers").at(1).at("verdict") == "undecided");
}

BOOST_AUTO_TEST_CASE(files_of_figures_are_found_beside_the_source) {
  BOOST_TEST(std::filesystem::exists(figure_file("klar2016/fig13_friction_angle/plot.py")));
  BOOST_CHECK_THROW(figure_file("klar2016/none.toml"), BadInput);
}

BOOST_AUTO_TEST_SUITE_END()
