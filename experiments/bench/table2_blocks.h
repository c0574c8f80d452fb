#pragma once

#include "experiments/bench/table2_timing.h"
#include "experiments/figures/figure.h"
#include "reference/interface/scene/scene.h"

#include <filesystem>
#include <string>
#include <vector>

namespace repose::experiments {

/// Cells between the walls of a row's block and the border of its domain.
inline constexpr int table2_margin = 4;

/// A floor and walls around the domain, table2_margin within its border.
void add_table2_walls(Scene& scene);

/// Between which shares of a row's number a block's number of particles may lie [-]: each of its bodies holds a whole number of
/// them along each axis, up to half a one too few or too many.
struct CountRange {
  double least = 1.0;
  double most = 1.0;
};
CountRange allowed_count(const Table2Row& row, const Scene& scene);

/// The largest error of the rows' numbers of particles over what is allowed: a sanity row.
Number judge_count(const std::vector<Table2Timing>& timings);

/// A row's name as names of numbers and files have it.
std::string row_word(const Table2Row& row);

/// Writes metrics.csv, a line per row, and each row's scene.
void write_table2(const std::vector<Table2Timing>& timings, int threads, const std::filesystem::path& folder);

}  // namespace repose::experiments
