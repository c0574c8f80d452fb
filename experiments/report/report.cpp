#include "experiments/report/report.h"

#include "experiments/figures/figure.h"
#include "experiments/report/bench.h"
#include "experiments/report/bounds.h"
#include "experiments/report/html.h"
#include "experiments/report/mutants.h"
#include "reference/interface/base/error.h"
#include "validation/json_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

namespace repose::experiments {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Found {
  fs::path file;
  json content;
};

struct Results {
  std::vector<Found> figures;
  std::vector<Found> verifications;
  std::vector<Found> speeds;   ///< of `repose bench`
  std::vector<Found> mutants;  ///< of tests/mutants.sh
};

/// Runs what reads or shows a result; notes why it cannot, in one line that begins with the file.
bool succeeds(const fs::path& file, std::vector<std::string>& left_out, const std::function<void()>& show) {
  try {
    look_into(file, "a whole result", show);
    return true;
  } catch (const BadInput& error) {
    left_out.emplace_back(error.what());
    return false;
  }
}

/// All result files, by path. Other JSON files are passed over.
Results find_results(const fs::path& folder, std::vector<std::string>& left_out) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw BadInput(folder.string() + ": no such folder");
  std::vector<fs::path> files;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code unknown;  // gone since it was listed
    if (entry->is_regular_file(unknown) && entry->path().extension() == ".json")
      files.push_back(entry->path());
  }
  if (error) throw BadInput(fmt::format("{}: {}", folder.string(), error.message()));
  std::sort(files.begin(), files.end());
  Results results;
  for (const fs::path& file : files) {
    json content;
    if (!succeeds(file, left_out, [&] { content = read_json(file); })) continue;
    if (content.contains("figure") && content.contains("numbers")) {
      results.figures.push_back({file, std::move(content)});
    } else if (content.contains("summary") && content.contains("cases")) {
      results.verifications.push_back({file, std::move(content)});
    } else if (content.contains("machine") && content.contains("rows")) {
      results.speeds.push_back({file, std::move(content)});
    } else if (content.contains("summary") && content.contains("mutants")) {
      results.mutants.push_back({file, std::move(content)});
    }
  }
  return results;
}

using Counts = std::map<std::string, int, std::less<>>;

Counts count_verdicts(const json& list) {
  Counts counts;
  for (const json& entry : list) ++counts[entry.at("verdict").get<std::string>()];
  return counts;
}

int count_of(const Counts& counts, std::string_view verdict) {
  const auto found = counts.find(verdict);
  return found == counts.end() ? 0 : found->second;
}

std::string anchor(const json& figure) {
  std::string id = figure.at("figure").get<std::string>();
  std::replace(id.begin(), id.end(), '/', '-');
  return escape_html(id);
}

/// One bad verdict decides; without any that passed, nothing is decided.
std::string_view worst_verdict(const Counts& counts, std::string_view bad) {
  if (count_of(counts, bad) > 0) return bad;
  return count_of(counts, "pass") > 0 ? "pass" : "undecided";
}

std::string counts_cell(const Counts& counts) {
  std::string parts;
  for (const auto& [verdict, count] : counts) {
    parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", count, escape_html(verdict));
  }
  return parts;
}

/// A row that can fail through a fault of the program alone: that it holds is no pass.
bool is_sanity(const json& number) { return number.at("kind") == to_string(Kind::sanity); }

/// How many numbers hold, by what their expectation rests on: a claim of a paper that fails says something
/// else than a closed form that does.
std::string kinds_cell(const json& numbers) {
  std::vector<std::pair<std::string, Counts>> kinds;  // in order of appearance
  for (const json& number : numbers) {
    const auto kind = number.at("kind").get<std::string>();
    if (is_sanity(number)) continue;
    auto found =
        std::find_if(kinds.begin(), kinds.end(), [&](const auto& entry) { return entry.first == kind; });
    if (found == kinds.end()) found = kinds.insert(kinds.end(), {kind, {}});
    ++found->second[number.at("verdict").get<std::string>()];
  }
  std::string parts;
  for (const auto& [kind, counts] : kinds) {
    const int pass = count_of(counts, "pass");
    const int open = count_of(counts, "undecided");
    parts +=
        fmt::format("{}{}: {} of {} hold{}", parts.empty() ? "" : "<br>", escape_html(kind), pass,
                    pass + count_of(counts, "fail"), open > 0 ? fmt::format(", {} undecided", open) : "");
  }
  return parts;
}

/// Of every figure the outcome of its claim in words.
void add_claims(Report& report, const std::vector<Found>& figures) {
  const auto kept = kept_outcomes();
  for (const Found& found : figures) {
    const auto id = found.content.at("figure").get<std::string>();
    const Outcome outcome = outcome_of(found.content);
    const auto before = kept.find(id);
    report.claims.add(outcome.claim);
    report.claim_lines.push_back(id + " " +
                                 claim_line(shown(found.content.at("preset")), outcome,
                                            before == kept.end() ? nullptr : &before->second));
  }
}

std::string claims_section(const Report& report) {
  if (report.claim_lines.empty()) return {};
  std::string items;
  for (const std::string& line : report.claim_lines) items += "<li>" + escape_html(line) + "</li>\n";
  return fmt::format("<h2 id=\"claims\">Do the papers' claims hold?</h2>\n<ul>\n{}</ul>\n<p>{}</p>\n", items,
                     describe(report.claims));
}

std::string summary_table(const Results& results) {
  std::string rows;
  for (const Found& found : results.verifications) {
    const json& summary = found.content.at("summary");
    rows += fmt::format(
        "<tr><th scope=\"row\"><a href=\"#verification\">Verification: fast against readable "
        "solver</a></th><td>{}</td><td>{}</td><td>{} s</td></tr>\n",
        verdict_badge(worst_verdict(count_verdicts(found.content.at("cases")), "differs")),
        counts_cell(count_verdicts(found.content.at("cases"))), shown(summary.value("seconds", json())));
  }
  for (const Found& found : results.figures) {
    const json& figure = found.content;
    const json& provenance = figure.at("provenance");
    rows += fmt::format(
        "<tr><th scope=\"row\"><a href=\"#{}\">{}</a><br><span class=\"soft name\">{}, preset "
        "{}</span></th><td>{}</td><td>{}</td><td>{} s</td></tr>\n",
        anchor(figure), escape_html(figure.value("title", figure.at("figure").get<std::string>())),
        escape_html(figure.at("figure").get<std::string>()), escape_html(shown(figure.at("preset"))),
        verdict_badge(to_string(outcome_of(figure).claim)), kinds_cell(figure.at("numbers")),
        shown(provenance.value("wall_seconds", json())));
  }
  return "<h2 id=\"verdicts\">Verdicts</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th "
         "scope=\"col\">What</th><th "
         "scope=\"col\">Verdict</th><th scope=\"col\">Counts</th><th "
         "scope=\"col\">Time</th></tr></thead>\n<tbody>\n" +
         rows + "</tbody></table></div>\n";
}

std::string numbers_table(const json& numbers) {
  std::string rows;
  for (const json& number : numbers) {
    const std::string unit = number.at("unit") == "1" ? "" : " " + shown(number.at("unit"));
    std::string note = number.value("note", "");
    if (const auto because = number.value("undecided_because", ""); !because.empty()) {
      note = fmt::format("cannot be decided here: {}{}{}", because, note.empty() ? "" : ". ", note);
    }
    rows += fmt::format(
        "<tr><th scope=\"row\"><span class=\"name\">{}</span></th><td class=\"number\">{}{}</td><td>{}</td>"
        "<td>{}<br><span class=\"soft\">{}</span></td><td>{}</td></tr>\n",
        escape_html(shown(number.at("name"))), escape_html(shown(number.at("value"))), escape_html(unit),
        verdict_badge(is_sanity(number) && number.at("verdict") == "pass" ? "sanity"
                                                                          : shown(number.at("verdict"))),
        escape_html(shown(number.at("expected"))), escape_html(note),
        escape_html(fmt::format("{}: {}", shown(number.at("kind")), shown(number.at("source")))));
  }
  return "<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">Number</th><th "
         "scope=\"col\">Value</th><th "
         "scope=\"col\">Verdict</th><th scope=\"col\">Expected</th><th "
         "scope=\"col\">Source</th></tr></thead>\n<tbody>\n" +
         rows + "</tbody></table></div>\n";
}

/// Nested values as rows "outer, inner"; a list of tables is left to the JSON file.
void provenance_rows(const json& value, const std::string& prefix, std::string& rows) {
  for (const auto& [key, inner] : value.items()) {
    const std::string name = prefix.empty() ? key : prefix + ", " + key;
    if (inner.is_object()) {
      provenance_rows(inner, name, rows);
    } else if (!(inner.is_array() && !inner.empty() && inner.front().is_object())) {
      std::string text;
      if (inner.is_array()) {
        for (const json& element : inner) text += (text.empty() ? "" : ", ") + shown(element);
      } else {
        text = shown(inner);
      }
      rows += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escape_html(name),
                          escape_html(text));
    }
  }
}

std::string provenance_section(const json& provenance) {
  std::string rows;
  provenance_rows(provenance, "", rows);
  return "<details open><summary>Provenance</summary><div class=\"scroll\"><table>\n<thead><tr><th "
         "scope=\"col\">Key</th><th "
         "scope=\"col\">Value</th></tr></thead>\n<tbody>\n" +
         rows + "</tbody></table></div></details>\n";
}

/// A picture that cannot be read is left out.
std::string figure_section(const Found& found, std::vector<std::string>& left_out) {
  const json& figure = found.content;
  std::string html =
      fmt::format("<h2 id=\"{}\">{}</h2>\n<p class=\"soft name\">{} · preset {}</p>\n", anchor(figure),
                  escape_html(figure.value("title", figure.at("figure").get<std::string>())),
                  escape_html(shown(figure.at("figure"))), escape_html(shown(figure.at("preset"))));
  if (figure.contains("claim")) {
    html += fmt::format("<p class=\"claim\"><strong>The paper says:</strong> {}</p>\n",
                        escape_html(shown(figure.at("claim"))));
  }
  std::string wide;
  std::string plots;
  for (const json& picture : figure.value("pictures", json::array())) {
    const std::string name = picture.at("file").get<std::string>();
    const fs::path file = found.file.parent_path() / fs::path(name).filename();
    std::string address;
    if (!succeeds(file, left_out, [&] { address = data_address(file); })) continue;
    std::string& group = name == "piles.png" ? wide : plots;
    group += fmt::format("<figure><img src=\"{}\" alt=\"{}\"><figcaption>{}</figcaption></figure>\n", address,
                         escape_html(picture.value("alt", "")), escape_html(picture.value("caption", "")));
  }
  html += wide + "<h3>Numbers</h3>\n" + numbers_table(figure.at("numbers"));
  for (const json& note : figure.value("notes", json::array())) {
    html += fmt::format("<p><strong>Note:</strong> {}</p>\n", escape_html(shown(note)));
  }
  if (!plots.empty()) html += "<h3>Plots</h3>\n<div class=\"plots\">\n" + plots + "</div>\n";
  return html + provenance_section(figure.at("provenance"));
}

std::string verification_section(const std::vector<Found>& verifications) {
  if (verifications.empty()) return {};
  std::string html =
      "<h2 id=\"verification\">Verification</h2>\n<p>At every stage of every step the fast solver starts "
      "from "
      "the readable solver's state, and what both make of it must agree within a bound derived from "
      "rounding. Where an answer is known in closed form, what was measured stands beside it. What both "
      "share, "
      "from scene files to emitters, is held against a second, plain way: the invariants at the end.</p>\n";
  for (const Found& found : verifications) {
    std::string rows;
    for (const json& entry : found.content.at("cases")) {
      const auto cell = [&](const char* key) { return escape_html(shown(entry.value(key, json()))); };
      rows += fmt::format(
          "<tr><th scope=\"row\"><span class=\"name\">{}</span></th><td>{}</td><td>{}</td><td>{}</td><td "
          "class=\"number\">{}</td></tr>\n",
          cell("name"), verdict_badge(shown(entry.at("verdict"))), cell("stage"), cell("field"),
          cell("worst_ratio_to_bound"));
      for (const json& one : entry.value("measured", json::array())) {
        const auto text = [&](const char* key) { return escape_html(shown(one.value(key, json()))); };
        rows += fmt::format(
            "<tr><td colspan=\"2\">{}</td><td colspan=\"3\">measured {}, due {} to within {}</td></tr>\n",
            text("name"), text("measured"), text("expected"), text("bound"));
      }
    }
    html +=
        "<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">Case</th><th "
        "scope=\"col\">Verdict</th><th "
        "scope=\"col\">Stage</th><th scope=\"col\">Field</th><th scope=\"col\">Worst error / "
        "bound</th></tr></thead>\n<tbody>\n" +
        rows + "</tbody></table></div>\n" + bounds_html(found.content.value("bounds", json::array()));
  }
  return html;
}

/// What was left out, at the top: a page without it would look like all there was.
std::string left_out_section(const std::vector<std::string>& left_out) {
  if (left_out.empty()) return {};
  std::string items;
  for (const std::string& what : left_out) items += fmt::format("<li>{}</li>\n", escape_html(what));
  return fmt::format(
      "<h2 id=\"left-out\">Left out</h2>\n<p>Files that could not be shown:</p>\n<ul>\n{}</ul>\n", items);
}

std::string sections(const Results& results, std::vector<std::string>& left_out) {
  std::string html = summary_table(results);
  for (const Found& found : results.figures) html += figure_section(found, left_out);
  html += verification_section(results.verifications);
  for (const Found& found : results.mutants) html += mutants_html(found.content);
  for (const Found& found : results.speeds) html += bench_html(found.content);
  return html;
}

/// Keeps the results that can be shown: each is shown alone first.
void leave_out_damaged(Results& results, std::vector<std::string>& left_out) {
  for (const auto list : {&Results::figures, &Results::verifications, &Results::speeds, &Results::mutants}) {
    std::erase_if(results.*list, [&](const Found& found) {
      Results alone;
      (alone.*list).push_back(found);
      std::vector<std::string> pictures;  // noted when the page is made
      return !succeeds(found.file, left_out, [&] {
        sections(alone, pictures);
        Report unused;
        add_claims(unused, alone.figures);
      });
    });
  }
}

}  // namespace

Report make_report(const fs::path& folder) {
  Report report;
  Results results = find_results(folder, report.left_out);
  leave_out_damaged(results, report.left_out);
  if (results.figures.empty() && results.verifications.empty() && results.speeds.empty() &&
      results.mutants.empty()) {
    throw BadInput(
        report.left_out.empty()
            ? folder.string() + ": no results in it; `repose reproduce` and `repose verify --json` make them"
            : fmt::format("{}: no whole result in it: {}", folder.string(), report.left_out.front()));
  }
  report.figures = static_cast<int>(results.figures.size());
  report.verifications = static_cast<int>(results.verifications.size());
  for (const Found& found : results.figures)
    report.failed += count_of(count_verdicts(found.content.at("numbers")), "fail");
  for (const Found& found : results.verifications)
    report.failed += count_of(count_verdicts(found.content.at("cases")), "differs");
  add_claims(report, results.figures);
  const std::string body = sections(results, report.left_out);
  report.html = page_head("Repose: results") +
                "<h1>Repose: results</h1>\n<p class=\"lead\">Sand simulation, checked: published figures "
                "reproduced in "
                "numbers, and the fast solver held against the readable one.</p>\n" +
                claims_section(report) + left_out_section(report.left_out) + body +
                "</main>\n</body>\n</html>\n";
  return report;
}

}  // namespace repose::experiments
