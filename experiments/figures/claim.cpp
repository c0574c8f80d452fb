#include "experiments/figures/claim.h"

#include "experiments/figures/figure.h"
#include "reference/interface/base/error.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <nlohmann/json.hpp>
#include <vector>

namespace repose::experiments {

namespace {

using nlohmann::json;

/// The first names of a list and how many more there are.
std::string some(const std::vector<std::string>& names) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t k = 0; k < names.size() && k < most; ++k) text += (k == 0 ? "" : ", ") + names[k];
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

/// A figure's numbers by what they say of its claim.
struct Sorted {
  std::vector<std::string> held;
  std::vector<std::string> failed;
  std::vector<std::string> open;  ///< at this preset
  std::string open_because;       ///< of the first
  int undecided = 0;              ///< for other reasons, such as scatter
  std::vector<std::string> failed_beside;
  std::vector<std::string> not_sane;

  std::size_t all() const {
    return held.size() + failed.size() + open.size() + static_cast<std::size_t>(undecided);
  }
};

Sorted sorted(const json& numbers) {
  Sorted by;
  for (const json& number : numbers) {
    const auto name = number.at("name").get<std::string>();
    const auto kind = number.at("kind").get<std::string>();
    const auto verdict = number.at("verdict").get<std::string>();
    const auto because = number.value("undecided_because", "");
    if (kind == to_string(Kind::sanity)) {
      if (verdict == "fail") by.not_sane.push_back(name);
    } else if (!number.value("decides_claim", kind == to_string(Kind::paper_claim))) {
      if (verdict == "fail") by.failed_beside.push_back(name);
    } else if (verdict == "pass") {
      by.held.push_back(name);
    } else if (verdict == "fail") {
      by.failed.push_back(name);
    } else if (!because.empty()) {
      if (by.open.empty()) by.open_because = because;
      by.open.push_back(name);
    } else {
      ++by.undecided;
    }
  }
  return by;
}

Outcome decide(const Sorted& by) {
  if (!by.not_sane.empty()) {
    return {Claim::undecided, "cannot be judged, for the run itself is wrong: " + some(by.not_sane)};
  }
  if (!by.failed.empty()) {
    return {Claim::not_held, fmt::format("does not hold in {} of {} numbers: {}", by.failed.size(), by.all(),
                                         some(by.failed))};
  }
  if (!by.open.empty()) {
    return {Claim::undecided,
            fmt::format("{}cannot be decided: {} ({})",
                        by.held.empty() ? ""
                                        : fmt::format("holds in {} of {} numbers and otherwise ",
                                                      by.held.size(), by.all()),
                        some(by.open), by.open_because)};
  }
  if (by.all() == 0) return {Claim::undecided, "has no number that a run could refute"};
  if (by.held.empty()) return {Claim::undecided, "has no number that could be decided"};
  if (by.all() == 1) return {Claim::held, "holds in its one number"};
  if (by.undecided == 0) return {Claim::held, fmt::format("holds in all {} numbers", by.held.size())};
  return {Claim::held,
          fmt::format("holds in {} of {} numbers, {} undecided", by.held.size(), by.all(), by.undecided)};
}

}  // namespace

std::string_view to_string(Claim claim) {
  if (claim == Claim::held) return "held";
  return claim == Claim::not_held ? "not held" : "undecided";
}

Outcome outcome_of(const json& result) {
  const Sorted by = sorted(result.at("numbers"));
  Outcome outcome = decide(by);
  if (!by.failed_beside.empty()) {
    outcome.words += fmt::format("; beside the claim, {} do{} not hold", some(by.failed_beside),
                                 by.failed_beside.size() == 1 ? "es" : "");
  }
  return outcome;
}

std::map<std::string, KeptOutcome, std::less<>> kept_outcomes(const std::filesystem::path& file) {
  std::map<std::string, KeptOutcome, std::less<>> kept;
  toml::table root;
  try {
    root = toml::parse_file(file.string());
  } catch (const toml::parse_error& error) {
    throw BadInput(fmt::format("{}:{}: {}", file.string(), error.source().begin.line, error.description()));
  }
  const toml::array* entries = root["outcome"].as_array();
  if (entries == nullptr) throw BadInput(file.string() + ": no [[outcome]] in it");
  for (const toml::node& node : *entries) {
    const auto text = [&](const char* key) {
      const toml::table* entry = node.as_table();
      const auto value = entry == nullptr ? std::nullopt : (*entry)[key].value<std::string>();
      if (!value) {
        throw BadInput(fmt::format("{}:{}: an [[outcome]] needs the text '{}'", file.string(),
                                   node.source().begin.line, key));
      }
      return *value;
    };
    KeptOutcome one{.outcome = {.claim = Claim::undecided, .words = text("words")},
                    .preset = text("preset"),
                    .revision = text("revision"),
                    .date = text("date")};
    const std::string claim = text("claim");
    if (claim == to_string(Claim::held)) {
      one.outcome.claim = Claim::held;
    } else if (claim == to_string(Claim::not_held)) {
      one.outcome.claim = Claim::not_held;
    } else if (claim != to_string(Claim::undecided)) {
      throw BadInput(fmt::format("{}:{}: claim '{}': allowed are held, not held, undecided", file.string(),
                                 node.source().begin.line, claim));
    }
    kept[text("figure")] = std::move(one);
  }
  return kept;
}

std::map<std::string, KeptOutcome, std::less<>> kept_outcomes() {
  std::filesystem::path file;
  try {
    file = figure_file("outcomes.toml");
  } catch (const BadInput&) {
    return {};
  }
  return kept_outcomes(file);
}

std::string claim_line(std::string_view preset, const Outcome& outcome, const KeptOutcome* kept) {
  std::string line = fmt::format("at {} (this run): {}", preset, outcome.words);
  if (kept == nullptr) return line;
  if (kept->preset == preset) {
    if (kept->outcome.claim == outcome.claim) return line;
    return line + fmt::format(". Otherwise than kept from {}, revision {}: {}", kept->date, kept->revision,
                              kept->outcome.words);
  }
  return line + fmt::format(". At {} (kept from {}, revision {}): {}", kept->preset, kept->date,
                            kept->revision, kept->outcome.words);
}

void ClaimCounts::add(Claim claim) {
  ++(claim == Claim::held ? held : claim == Claim::not_held ? not_held : undecided);
}

std::string describe(const ClaimCounts& counts) {
  return fmt::format("claims: {} held, {} not held, {} undecided", counts.held, counts.not_held,
                     counts.undecided);
}

}  // namespace repose::experiments
