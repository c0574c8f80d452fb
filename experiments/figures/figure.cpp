#include "experiments/figures/figure.h"

#include "reference/interface/base/edit_distance.h"
#include "reference/interface/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace repose::experiments {

namespace {

nlohmann::json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

}  // namespace

std::string_view Figure::cost(Preset preset) const {
  if (preset == Preset::smoke) return smoke;
  return preset == Preset::desk ? desk : paper;
}

const Figure* find_figure(std::string_view id) {
  const auto& all = figures();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Figure& f) { return f.id == id; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> nearest_figures(std::string_view id) {
  std::vector<std::pair<std::size_t, std::string>> scored;
  for (const Figure& figure : figures()) {
    const bool contained = !id.empty() && figure.id.find(id) != std::string_view::npos;
    const std::string_view short_id = figure.id.substr(figure.id.find('/') + 1);
    // A misspelt id shares half of its letters with the one that is meant, with its paper or without.
    const std::size_t whole = edit_distance(id, figure.id), alone = edit_distance(id, short_id);
    if (contained || whole <= figure.id.size() / 2 || alone <= short_id.size() / 2) {
      scored.emplace_back(contained ? 0 : std::min(whole, alone), std::string(figure.id));
    }
  }
  std::sort(scored.begin(), scored.end());
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < scored.size() && i < 3; ++i) ids.push_back(scored[i].second);
  return ids;
}

std::string_view to_string(Preset preset) {
  if (preset == Preset::smoke) return "smoke";
  return preset == Preset::desk ? "desk" : "paper";
}

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::paper_claim:
      return "paper claim";
    case Kind::closed_form:
      return "closed form";
    case Kind::measured:
      return "measured";
    case Kind::regression:
      return "regression";
    case Kind::sanity:
      return "sanity";
  }
  return "";
}

std::string_view to_string(Verdict verdict) {
  if (verdict == Verdict::pass) return "pass";
  return verdict == Verdict::fail ? "fail" : "undecided";
}

Preset preset_from(std::string_view name) {
  for (const Preset preset : {Preset::smoke, Preset::desk, Preset::paper}) {
    if (name == to_string(preset)) return preset;
  }
  throw BadInput(fmt::format("preset '{}' is unknown: allowed are smoke, desk, paper", name));
}

nlohmann::json to_json(const Figure& figure, Preset preset, const FigureResult& result) {
  nlohmann::json json{{"figure", figure.id},         {"title", figure.title},
                      {"claim", figure.claim},       {"starred", figure.starred},
                      {"preset", to_string(preset)}, {"provenance", result.provenance},
                      {"notes", result.notes}};
  json["numbers"] = nlohmann::json::array();
  for (const Number& number : result.numbers) {
    json["numbers"].push_back({{"name", number.name},
                               {"value", number_or_null(number.value)},
                               {"unit", number.unit},
                               {"expected", number.expected},
                               {"kind", to_string(number.kind)},
                               {"source", number.source},
                               {"verdict", to_string(number.verdict)},
                               {"note", number.note},
                               {"decides_claim", number.decides_claim()},
                               {"undecided_because", number.open_because}});
  }
  json["pictures"] = nlohmann::json::array();
  for (const Picture& picture : result.pictures) {
    json["pictures"].push_back({{"file", picture.file}, {"caption", picture.caption}, {"alt", picture.alt}});
  }
  return json;
}

std::string describe(const std::vector<Number>& numbers) {
  std::size_t width = 4;
  for (const Number& number : numbers) width = std::max(width, number.name.size());
  std::string text;
  for (const Number& number : numbers) {
    const std::string unit = number.unit == "1" ? "" : " " + number.unit;
    const std::string value = std::isfinite(number.value) ? fmt::format("{:.4g}", number.value) : "–";
    // What cannot fail is not shown as passed.
    const bool sane = number.kind == Kind::sanity && number.verdict == Verdict::pass;
    text += fmt::format("  {:<9}  {:<{}}  {:>10}{:<6}  expected {}\n",
                        sane ? "(sanity)" : to_string(number.verdict), number.name, width, value, unit,
                        number.expected);
    if (!number.open_because.empty()) {
      text +=
          fmt::format("  {:<9}  {:<{}}  cannot be decided here: {}\n", "", "", width, number.open_because);
    }
  }
  return text;
}

std::filesystem::path figure_file(std::string_view path) {
  namespace fs = std::filesystem;
  const char* variable = std::getenv("REPOSE_EXPERIMENTS");
  for (const fs::path& folder :
       {fs::path(variable == nullptr ? "" : variable), fs::path(REPOSE_EXPERIMENTS_DIR)}) {
    std::error_code error;
    if (!folder.empty() && fs::is_regular_file(folder / path, error)) return folder / path;
  }
  throw BadInput(
      fmt::format("{}: not found in {}; set REPOSE_EXPERIMENTS to the folder experiments/ of the source",
                  path, REPOSE_EXPERIMENTS_DIR));
}

int exit_code(const std::vector<Number>& numbers) {
  if (std::any_of(numbers.begin(), numbers.end(), [](const Number& n) { return n.verdict == Verdict::fail; }))
    return 1;
  const bool judged = std::any_of(numbers.begin(), numbers.end(), [](const Number& n) {
    return n.verdict == Verdict::pass && n.kind != Kind::sanity;
  });
  return judged ? 0 : 3;
}

}  // namespace repose::experiments
