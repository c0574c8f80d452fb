#include "experiments/report/mutants.h"

#include "experiments/report/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace repose::experiments {

namespace {

using nlohmann::json;

/// "7 of 8 (88 %)".
std::string share_cell(int part, int whole) {
  if (whole == 0) return "–";
  return fmt::format("{} of {} ({:.0f} %)", part, whole, 100.0 * part / whole);
}

constexpr std::array<std::string_view, 4> rooms{"reference", "optimized", "shared", "harness"};

std::string_view room_in_words(std::string_view room) {
  if (room == "reference") return "readable solver";
  if (room == "optimized") return "fast solver";
  if (room == "shared") return "code of both solvers";
  if (room == "harness") return "comparison and metrics";
  return room;
}

std::string rate_rows(const json& summary) {
  std::string rows;
  for (const std::string_view list : {"written", "drawn"})
    for (const std::string_view room : rooms) {
      const json& rate = summary.at(list).at(room);
      const int run = rate.at("run");
      if (run == 0) continue;
      rows += fmt::format(
          "<tr><th scope=\"row\">{}, {}</th><td class=\"number\">{}</td><td class=\"number\">{}</td><td "
          "class=\"number\">{}</td></tr>\n",
          list, room_in_words(room), share_cell(rate.at("verify"), run), share_cell(rate.at("noticed"), run),
          share_cell(rate.at("right"), rate.at("placed")));
    }
  return rows;
}

std::string mutant_row(const json& mutant) {
  const auto cell = [&](const char* key) { return escape_html(shown(mutant.at(key))); };
  const bool survived = mutant.at("by") == "survived";
  return fmt::format(
      "<tr><th scope=\"row\"><span class=\"name\">{}</span><br><span class=\"soft\">{}: "
      "{}</span></th><td>{}</td>"
      "<td>{}</td><td>{}</td><td class=\"name\">{}</td></tr>\n",
      cell("name"), cell("file"), cell("what"), survived ? verdict_badge("fail") + " survived" : cell("by"),
      cell("stage"), cell("wanted_stage"), mutant.at("by") == "equivalent" ? cell("argument") : cell("case"));
}

}  // namespace

std::string mutants_html(const json& result) {
  std::vector<json> mutants = result.at("mutants");
  std::stable_partition(mutants.begin(), mutants.end(),
                        [](const json& mutant) { return mutant.at("by") == "survived"; });
  std::string rows;
  for (const json& mutant : mutants) rows += mutant_row(mutant);
  return fmt::format(
      "<h2 id=\"mutants\">Planted mistakes</h2>\n<p>Mistakes planted into the sources one at a time, at "
      "revision "
      "<code>{}</code>: written by people who had not read the checks, and drawn by a seed from the lines of "
      "the numerics. "
      "A mistake that nobody notices is a check to write.</p>\n<div class=\"scroll\"><table>\n<thead><tr><th "
      "scope=\"col\">Planted in</th><th scope=\"col\">Noticed by <code>repose verify</code></th><th "
      "scope=\"col\">By all "
      "tests</th><th scope=\"col\">At the right "
      "boundary</th></tr></thead>\n<tbody>\n{}</tbody></table></div>\n<details>"
      "<summary>All {}</summary><div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">Mistake</th><th "
      "scope=\"col\">Noticed by</th><th scope=\"col\">At</th><th scope=\"col\">Wanted</th><th "
      "scope=\"col\">First "
      "case</th></tr></thead>\n<tbody>\n{}</tbody></table></div></details>\n",
      escape_html(shown(result.at("revision"))), rate_rows(result.at("summary")), mutants.size(), rows);
}

}  // namespace repose::experiments
