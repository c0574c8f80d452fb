#pragma once

#include "validation/crosscheck/run_case.h"

#include <nlohmann/json_fwd.hpp>

namespace repose::crosscheck {

/// How much of its bound one field took at one boundary, over all cases of one precision.
struct Tightness {
  std::string stage;
  std::string field;
  Precision precision = Precision::double_;
  std::size_t values = 0;   ///< compared
  std::size_t unequal = 0;  ///< of these, not the same number
  double ratio = 0.0;       ///< largest |candidate − reference| / bound
  std::string case_name;    ///< where that was

  /// A finding: solvers differ, yet never by a hundredth of what they may, so that a mistake 100 times larger than what
  /// rounding did passes. Not so where all values are equal: nothing was measured there.
  bool loose() const { return unequal > 0 && ratio < loose_below; }

  static constexpr double loose_below = 0.01;
};

/// Of the cases in lock-step, in the order in which a step meets boundaries and fields; float before double. The number of
/// a plastic case has no measure and is left out.
std::vector<Tightness> tightness(const std::vector<CaseReport>& reports);

/// Fields that differ anywhere, one line each, with the largest ratio in float and in double; "" without any.
std::string tightness_table(const std::vector<Tightness>& all);

/// [{"stage", "field", "precision", "values", "unequal", "largest_ratio", "case", "loose"}]; a ratio without a finite bound
/// is null.
nlohmann::json to_json(const std::vector<Tightness>& all);

}  // namespace repose::crosscheck
