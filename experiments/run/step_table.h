#pragma once

#include "experiments/run/simulation.h"
#include "reference/interface/method.h"
#include "validation/file_output.h"

#include <cstdint>
#include <filesystem>

namespace repose::experiments {

/// steps.csv: one row per step, numbers in the shortest form that reads back to the same bits. A column for each of the
/// method's counters. The columns
/// inside_solids (particles inside solids at the step's end) and deepest_inside_solids_m (how far the deepest of them is
/// from the surface) are filled in the last row of each frame and empty in the others: a look costs as much as 0.6 steps
/// on one thread (192 000 particles, six colliders).
class StepTable {
 public:
  /// Begins the table, or continues it behind the rows of the first `steps` steps; rows of later steps, complete or
  /// cut off, are dropped.
  /// @throws BadInput if fewer rows are there or it is not such a table  @throws WriteError
  StepTable(const std::filesystem::path& file, const method::Method& method, std::int64_t steps);

  void append(const StepRecord& record);
  /// All rows so far are on the disk afterwards.
  void sync() { out_.sync(); }

 private:
  std::size_t rows_;  ///< of the method's table of counters
  OutputFile out_;
};

}  // namespace repose::experiments
