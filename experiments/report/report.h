#pragma once

#include "experiments/figures/claim.h"

#include <filesystem>
#include <string>
#include <vector>

namespace repose::experiments {

/// One web page with all results found below a folder: every result.json of figures and every JSON file that
/// `repose verify`, `repose bench` or tests/mutants.sh wrote. First a line per figure that says in words whether its claim holds, at the preset of its run
/// and as kept with the source; then the verdicts, then each figure with its claim, numbers, plots, pictures and
/// provenance. The page needs no other file and no network: pictures are inside it.
struct Report {
  std::string html;
  int figures = 0;
  int verifications = 0;
  int failed = 0;                        ///< numbers and cases that do not hold
  std::vector<std::string> claim_lines;  ///< one per figure, its id first
  ClaimCounts claims;
  /// Files that are damaged or lack something, one line each; the page names them
  std::vector<std::string> left_out;
};

/// @throws BadInput if there is no folder, or nothing in it that can be shown
Report make_report(const std::filesystem::path& folder);

}  // namespace repose::experiments
