#include "experiments/report/html.h"
#include "experiments/report/report.h"
#include "reference/interface/base/error.h"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

using namespace repose;
using namespace repose::experiments;
namespace fs = std::filesystem;

namespace {

/// A folder of its own that goes with the test.
struct Folder {
  fs::path path;
  Folder() : path(fs::temp_directory_path() / fs::path("repose_report_test_" + std::to_string(count++))) {
    fs::remove_all(path);
    fs::create_directories(path / "klar2016/fig");
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  void write(const std::string& name, const std::string& text) const { std::ofstream(path / name) << text; }
  static inline int count = 0;
};

nlohmann::json figure_result() {
  return {
      {"figure", "klar2016/fig"},
      {"title", "A <figure>"},
      {"claim", "sand & piles"},
      {"preset", "smoke"},
      {"provenance", {{"solver", "optimized"}, {"wall_seconds", 1.5}, {"machine", {{"cpu", "a \"cpu\""}}}}},
      {"numbers",
       {{{"name", "height"},
         {"value", 12.345678},
         {"unit", "mm"},
         {"expected", "> 3"},
         {"kind", "paper claim"},
         {"source", "print"},
         {"verdict", "fail"},
         {"note", "a note"}},
        {{"name", "angle"},
         {"value", nullptr},
         {"unit", "1"},
         {"expected", "none"},
         {"kind", "regression"},
         {"source", "us"},
         {"verdict", "undecided"},
         {"note", ""}}}},
      {"pictures", {{{"file", "plot.png"}, {"caption", "a plot"}, {"alt", "two curves"}}}}};
}

std::size_t occurrences(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(report_page)

BOOST_AUTO_TEST_CASE(base64_has_the_vectors_of_its_standard) {
  BOOST_TEST(base64("") == "");
  BOOST_TEST(base64("f") == "Zg==");
  BOOST_TEST(base64("fo") == "Zm8=");
  BOOST_TEST(base64("foo") == "Zm9v");
  BOOST_TEST(base64("foob") == "Zm9vYg==");
  BOOST_TEST(base64("fooba") == "Zm9vYmE=");
  BOOST_TEST(base64("foobar") == "Zm9vYmFy");
  BOOST_TEST(base64("\xff\xfe\xfd") == "//79");
}

BOOST_AUTO_TEST_CASE(a_page_holds_figures_verification_and_their_pictures) {
  const Folder folder;
  folder.write("klar2016/fig/result.json", figure_result().dump());
  folder.write("klar2016/fig/plot.png", "foobar");
  folder.write("other.json", "{\"something\": 1}");
  folder.write("verify.json",
               R"({"summary": {"pass": 1, "differs": 1, "mistrusted": 0, "seconds": 2}, "cases": [
                   {"name": "good", "verdict": "pass", "stage": "", "field": "", "worst_ratio_to_bound": 0.125},
                   {"name": "bad", "verdict": "differs", "stage": "p2g", "field": "m_i", "worst_ratio_to_bound": 7.5}]})");
  const Report report = make_report(folder.path);
  BOOST_TEST(report.figures == 1);
  BOOST_TEST(report.verifications == 1);
  BOOST_TEST(report.failed == 2);
  for (const char* part : {"A &lt;figure&gt;", "sand &amp; piles", "12.35 mm", "&gt; 3", "a note",
                           "alt=\"two curves\"", "data:image/png;base64,Zm9vYmFy", "paper claim: 0 of 1 hold",
                           "regression: 0 of 0 hold, 1 undecided", "a &quot;cpu&quot;", "7.5", "p2g"}) {
    BOOST_TEST((report.html.find(part) != std::string::npos), part);
  }
  BOOST_TEST(report.html.find("Verdicts") < report.html.find("paper says"));
  BOOST_TEST(occurrences(report.html, "<th scope=\"col\">") > 9U);
  BOOST_TEST(occurrences(report.html, "<table>") == occurrences(report.html, "</table>"));
  BOOST_TEST(occurrences(report.html, "<img ") == occurrences(report.html, " alt=\""));
}

BOOST_AUTO_TEST_CASE(a_page_shows_how_tight_bounds_are_and_marks_loose_ones) {
  const auto bound = [](const char* stage, const char* precision, nlohmann::json ratio, int unequal,
                        bool loose) {
    return nlohmann::json{{"stage", stage},         {"field", "p_star"},  {"precision", precision},
                          {"values", 10},           {"unequal", unequal}, {"largest_ratio", std::move(ratio)},
                          {"case", "one_particle"}, {"loose", loose}};
  };
  const Folder folder;
  nlohmann::json result = {{"summary", {{"seconds", 2}}}, {"cases", nlohmann::json::array()}};
  result["cases"].push_back({{"name", "good"}, {"verdict", "pass"}});
  result["bounds"] = {bound("forces", "float", 0.25, 4, false), bound("forces", "double", 0.0021, 3, true),
                      bound("collisions", "double", nullptr, 1, false),
                      bound("friction", "double", 0.0, 0, false)};
  folder.write("verify.json", result.dump());
  const std::string html = make_report(folder.path).html;
  BOOST_TEST((html.find("How tight the bounds are") != std::string::npos));
  BOOST_TEST(occurrences(html, "<svg") == 1U);
  BOOST_TEST(occurrences(html, "<circle") == 2U);  // none without a finite ratio
  BOOST_TEST(occurrences(html, "forces p_star") == 2U);
  BOOST_TEST(occurrences(html, "collisions p_star") == 2U);
  BOOST_TEST((html.find("friction p_star") == std::string::npos));  // equal to the bit
  BOOST_TEST(occurrences(html, "class=\"open\">loose") == 1U);
  BOOST_TEST((html.find("0.0021") != std::string::npos));
}

/// A figure that holds, one that does not, one that is open and one with nothing but a sanity row.
BOOST_AUTO_TEST_CASE(a_page_opens_with_a_line_per_claim_and_counts_them) {
  const Folder folder;
  const auto write = [&](const char* name, const char* kind, const char* verdict, const char* because) {
    nlohmann::json result = figure_result();
    result["figure"] = std::string("klar2016/") + name;
    result["pictures"] = nlohmann::json::array();
    result["numbers"] = {{{"name", "x"},
                          {"value", 1.0},
                          {"unit", "1"},
                          {"expected", "1"},
                          {"kind", kind},
                          {"source", "a test"},
                          {"verdict", verdict},
                          {"note", ""},
                          {"decides_claim", std::string(kind) == "paper claim"},
                          {"undecided_because", because}}};
    folder.write(std::string("klar2016/fig/") + name + ".json", result.dump());
  };
  write("a_holds", "paper claim", "pass", "");
  write("b_fails", "paper claim", "fail", "");
  write("c_open", "paper claim", "undecided", "duration: too short");
  write("d_sane", "sanity", "pass", "");
  const Report report = make_report(folder.path);
  BOOST_TEST(describe(report.claims) == "claims: 1 held, 1 not held, 2 undecided");
  BOOST_TEST_REQUIRE(report.claim_lines.size() == 4U);
  BOOST_TEST(report.claim_lines[0] == "klar2016/a_holds at smoke (this run): holds in its one number");
  for (const std::string& line : report.claim_lines) {
    BOOST_TEST((report.html.find(line) < report.html.find("Verdicts")), line);
  }
  BOOST_TEST(report.html.find("duration: too short") != std::string::npos);
  BOOST_TEST(report.html.find("sanity: ") != std::string::npos);        // in the table of numbers
  BOOST_TEST(report.html.find("sanity: 1 of 1") == std::string::npos);  // and not in the counts
}

/// Nothing that a browser would fetch: no address but data and places within the page.
BOOST_AUTO_TEST_CASE(a_page_asks_for_nothing) {
  const Folder folder;
  folder.write("klar2016/fig/result.json", figure_result().dump());
  folder.write("klar2016/fig/plot.png", "foobar");
  const std::string html = make_report(folder.path).html;
  BOOST_TEST(html.find("http") == std::string::npos);
  BOOST_TEST(html.find("<script") == std::string::npos);
  BOOST_TEST(html.find("<link") == std::string::npos);
  BOOST_TEST(html.find("url(") == std::string::npos);
  BOOST_TEST(occurrences(html, "src=\"") == occurrences(html, "src=\"data:"));
  BOOST_TEST(occurrences(html, "href=\"") == occurrences(html, "href=\"#"));
}

BOOST_AUTO_TEST_CASE(folders_without_usable_results_are_refused) {
  const Folder folder;
  BOOST_CHECK_THROW(make_report(folder.path), BadInput);
  BOOST_CHECK_THROW(make_report(folder.path / "none"), BadInput);
  folder.write("klar2016/fig/result.json", "{ broken");
  BOOST_CHECK_THROW(make_report(folder.path), BadInput);
  folder.write("klar2016/fig/result.json",
               R"({"figure": "a", "numbers": [{"name": "x"}], "provenance": {}})");
  BOOST_CHECK_THROW(make_report(folder.path), BadInput);
}

/// One bad file of many: the others are shown, and the page says what is missing.
BOOST_AUTO_TEST_CASE(damaged_results_are_left_out_and_named) {
  for (const std::string bad :
       {"", "{ broken", "{\"a\": 1e999}", R"({"figure": "a", "numbers": [{"name": "x"}], "provenance": {}})",
        R"({"figure": 3, "numbers": []})", R"({"figure": "a", "numbers": 7, "provenance": 8})",
        R"({"summary": 1, "cases": [{"verdict": null}]})", R"({"machine": {}, "rows": [1]})"}) {
    const Folder folder;
    folder.write("klar2016/fig/result.json", figure_result().dump());
    folder.write("klar2016/fig/plot.png", "foobar");
    folder.write("bad.json", bad);
    const Report report = make_report(folder.path);
    BOOST_TEST(report.figures == 1);
    BOOST_TEST(report.verifications == 0);
    BOOST_TEST(report.failed == 1);
    BOOST_REQUIRE_EQUAL(report.left_out.size(), 1U);
    const std::string& said = report.left_out.front();
    BOOST_TEST((said.starts_with((folder.path / "bad.json").string() + ": ") &&
                said.find('\n') == std::string::npos),
               said);
    BOOST_TEST(said.find("json.exception") == std::string::npos, said);
    BOOST_TEST(report.html.find("Left out") < report.html.find("Verdicts"));
    BOOST_TEST(report.html.find("bad.json") != std::string::npos);
    BOOST_TEST(report.html.find("A &lt;figure&gt;") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(planted_mistakes_are_shown_with_their_rates_and_survivors_first) {
  const Folder folder;
  const auto rate = [](int run, int verify, int noticed, int placed, int right) {
    return nlohmann::json{
        {"run", run}, {"verify", verify}, {"noticed", noticed}, {"placed", placed}, {"right", right}};
  };
  const auto mutant = [](const char* name, const char* by, const char* stage) {
    return nlohmann::json{
        {"name", name},   {"room", "shared"},      {"list", "written"}, {"kind", "sign"},
        {"what", "a<b"},  {"file", "f.cpp"},       {"by", by},          {"case", "c"},
        {"stage", stage}, {"wanted_stage", "p2g"}, {"place", ""},       {"argument", "it <is> so"}};
  };
  const nlohmann::json none = rate(0, 0, 0, 0, 0);
  const nlohmann::json result{
      {"revision", "abc123"},
      {"summary",
       {{"written",
         {{"reference", rate(8, 7, 8, 5, 4)}, {"optimized", none}, {"shared", none}, {"harness", none}}},
        {"drawn",
         {{"reference", none}, {"optimized", none}, {"shared", rate(3, 1, 2, 0, 0)}, {"harness", none}}}}},
      {"mutants",
       {mutant("seen", "verify", "forces"), mutant("same", "equivalent", ""),
        mutant("lost", "survived", "")}}};
  folder.write("mutants.json", result.dump());
  const std::string html = make_report(folder.path).html;
  for (const char* part :
       {"abc123", "written, readable solver", "7 of 8 (88 %)", "8 of 8 (100 %)", "4 of 5 (80 %)",
        "drawn, code of both solvers", "2 of 3 (67 %)", "a&lt;b", "it &lt;is&gt; so", "forces"})
    BOOST_TEST((html.find(part) != std::string::npos), part);
  BOOST_TEST(html.find("written, fast solver") == std::string::npos);
  BOOST_TEST(html.find(">lost<") < html.find(">seen<"));
  nlohmann::json damaged = result;
  damaged["mutants"][1].erase("what");
  folder.write("damaged.json", damaged.dump());
  BOOST_TEST_REQUIRE(make_report(folder.path).left_out.size() == 1U);
  BOOST_TEST(make_report(folder.path).left_out.front().find("damaged.json") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_figure_without_its_picture_is_shown_and_the_picture_named) {
  const Folder folder;
  folder.write("klar2016/fig/result.json", figure_result().dump());
  for (const bool empty : {false, true}) {
    if (empty) folder.write("klar2016/fig/plot.png", "");
    const Report report = make_report(folder.path);
    BOOST_TEST(report.figures == 1);
    BOOST_REQUIRE_EQUAL(report.left_out.size(), 1U);
    BOOST_TEST(report.left_out.front().find("plot.png") != std::string::npos);
    BOOST_TEST(report.html.find("12.35 mm") != std::string::npos);
    BOOST_TEST(report.html.find("<img ") == std::string::npos);
  }
  folder.write("klar2016/fig/plot.png", "foobar");
  BOOST_TEST(make_report(folder.path).left_out.empty());
  BOOST_TEST(make_report(folder.path).html.find("Left out") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
