#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace repose::experiments {

/// What became of a figure's claim.
enum class Claim : unsigned char { held, not_held, undecided };

std::string_view to_string(Claim claim);  ///< "held", "not held", "undecided"

/// The outcome of a figure in one line.
struct Outcome {
  Claim claim = Claim::undecided;
  std::string words;  ///< "holds in all 12 numbers; beside the claim, x does not hold"
};

/// Whether a figure's claim holds, from its result.json. Only the numbers that decide it are asked: one that fails
/// refutes it; one that the preset cannot decide leaves it open; else one that passes is enough, since numbers with
/// nothing to compare refute nothing. Sanity rows are counted nowhere, but one that fails takes the judgement away.
/// Other numbers that fail are named beside it.
/// @throws nlohmann::json::exception if the result lacks what every result has
Outcome outcome_of(const nlohmann::json& result);

/// An outcome kept from an earlier run.
struct KeptOutcome {
  Outcome outcome;
  std::string preset;
  std::string revision;  ///< of the source that ran
  std::string date;      ///< yyyy-mm-dd
};

/// Outcomes that are kept with the source, by figure: `outcomes.toml` below experiments/.
/// @throws BadInput naming file and line
std::map<std::string, KeptOutcome, std::less<>> kept_outcomes(const std::filesystem::path& file);
/// The same of the file that comes with the source; nothing for a program that was moved away from it.
std::map<std::string, KeptOutcome, std::less<>> kept_outcomes();

/// "at smoke (this run): holds in all 9 numbers. At desk (kept from 2026-01-31, revision 0123abc): holds". The second part
/// is left out where the run itself had that preset.
/// @param kept of this figure; nullptr if there is none
std::string claim_line(std::string_view preset, const Outcome& outcome, const KeptOutcome* kept);

/// Claims counted by their outcome.
struct ClaimCounts {
  int held = 0;
  int not_held = 0;
  int undecided = 0;

  void add(Claim claim);
};

std::string describe(const ClaimCounts& counts);  ///< "claims: 3 held, 1 not held, 2 undecided"

}  // namespace repose::experiments
