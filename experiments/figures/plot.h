#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace repose::experiments {

/// What became of a figure's plots. They are extra: a figure without them has all its numbers.
struct PlotOutcome {
  bool drawn = false;
  std::string reason;  ///< why not, in plain words
};

/// Runs a figure's Python script, given by its path below experiments/, on the folder with the figure's
/// tables. Takes the first interpreter that has numpy and matplotlib: $REPOSE_PYTHON, python3 of the path,
/// /usr/bin/python3.
PlotOutcome run_plot_script(std::string_view script, const std::filesystem::path& folder);

}  // namespace repose::experiments
