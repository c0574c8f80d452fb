#include "experiments/report/bounds.h"

#include "experiments/report/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

namespace repose::experiments {

namespace {

using nlohmann::json;

/// One field at one boundary, in both precisions; null: not compared, or never different.
struct Row {
  std::string name;
  const json* single = nullptr;
  const json* both_double = nullptr;
};

std::vector<Row> rows_of(const json& bounds) {
  std::vector<Row> rows;
  for (const json& one : bounds) {
    if (one.at("unequal").get<std::size_t>() == 0) continue;
    const std::string name = one.at("stage").get<std::string>() + " " + one.at("field").get<std::string>();
    auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& other) { return other.name == name; });
    if (row == rows.end()) row = rows.insert(rows.end(), {name});
    (one.at("precision") == "float" ? row->single : row->both_double) = &one;
  }
  return rows;
}

// The plot: a line per field, a ratio from 10⁻⁴ to 1 along it.
constexpr double left = 210.0, width = 440.0, line_height = 18.0, top = 28.0, least = 1e-4;

double place(double ratio) {
  return left + width * (1.0 - std::log10(std::clamp(ratio, least, 1.0)) / std::log10(least));
}

/// A dot, filled for float; nothing without a finite ratio.
std::string dot(const json* one, double y) {
  if (one == nullptr || !one->at("largest_ratio").is_number()) return {};
  const bool single = one->at("precision") == "float";
  return fmt::format(
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" stroke=\"var(--link)\" fill=\"{}\"><title>{}: "
      "{}</title></circle>\n",
      place(one->at("largest_ratio").get<double>()), y, single ? "var(--link)" : "var(--page)",
      single ? "float" : "double", shown(one->at("largest_ratio")));
}

std::string plot(const std::vector<Row>& rows) {
  const double bottom = top + line_height * static_cast<double>(rows.size());
  std::string svg = fmt::format(
      "<svg viewBox=\"0 0 680 {:.0f}\" role=\"img\" font-size=\"12\" fill=\"var(--ink)\" "
      "aria-label=\"largest share of "
      "its bound that each field took, by boundary, in float and in double\">\n",
      bottom + 26.0);
  for (const double ratio : {1e-4, 1e-3, 1e-2, 1e-1, 1.0})
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"var(--line)\"/><text "
        "x=\"{0:.1f}\" "
        "y=\"{3}\" text-anchor=\"middle\">{4:g}</text>\n",
        place(ratio), top - 6.0, bottom, bottom + 14.0, ratio);
  svg += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"var(--fail)\" "
      "opacity=\".12\"/><text "
      "x=\"{:.1f}\" y=\"14\" fill=\"var(--fail)\">loose</text><text x=\"{:.1f}\" y=\"14\" "
      "text-anchor=\"end\">● "
      "float  ○ double</text>\n",
      left, top - 6.0, place(1e-2) - left, bottom - top + 6.0, left, left + width);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const double y = top + line_height * (static_cast<double>(n) + 0.5);
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left - 10.0,
                       y + 4.0, escape_html(rows[n].name));
    svg += dot(rows[n].single, y) + dot(rows[n].both_double, y);
  }
  return svg + "</svg>\n";
}

std::string cell(const json* one) {
  if (one == nullptr) return "<td class=\"number\">–</td>";
  const bool loose = one->at("loose").get<bool>();
  return fmt::format("<td class=\"number\" title=\"{}\">{}{}</td>", escape_html(shown(one->at("case"))),
                     escape_html(shown(one->at("largest_ratio"))),
                     loose ? " <strong class=\"open\">loose</strong>" : "");
}

}  // namespace

std::string bounds_html(const json& bounds) {
  const std::vector<Row> rows = rows_of(bounds);
  if (rows.empty()) return {};
  std::string table;
  for (const Row& row : rows)
    table += fmt::format("<tr><th scope=\"row\"><span class=\"name\">{}</span></th>{}{}</tr>\n",
                         escape_html(row.name), cell(row.single), cell(row.both_double));
  return fmt::format(
      "<h3>How tight the bounds are</h3>\n<p>The largest share of its bound that a field took at a boundary, "
      "over all "
      "cases. Above 1 a case differs. A field that stays below a hundredth is marked: there a mistake may be "
      "a hundred "
      "times what rounding does before it shows.</p>\n<figure>{}<figcaption>Largest |fast − readable| / "
      "bound, by "
      "boundary and field</figcaption></figure>\n<div class=\"scroll\"><table>\n<thead><tr><th "
      "scope=\"col\">Boundary "
      "and field</th><th scope=\"col\">Float</th><th "
      "scope=\"col\">Double</th></tr></thead>\n<tbody>\n{}</tbody></table>"
      "</div>\n",
      plot(rows), table);
}

}  // namespace repose::experiments
