#pragma once

#include "validation/crosscheck/run_case.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace repose::invariants {

/// What a case compared, of each quantity the value nearest to its bound or furthest beyond it, and what it exercised.
/// Every bound carries its argument where it is formed.
class Ledger {
 public:
  /// @param subject what the quantities belong to, in a report the "stage": "shapes", "emitters"
  explicit Ledger(std::string subject) : subject_(std::move(subject)) {}

  /// |got − expected| ≤ bound, both finite; equal values need no bound. @param at where [m]
  void near(std::string_view quantity, double got, double expected, double bound,
            const Point& at = Point::Zero());
  void near(std::string_view quantity, const Point& got, const Point& expected, double bound,
            const Point& at = Point::Zero());
  /// low ≤ got ≤ high: no further than half the width from the middle.
  void within(std::string_view quantity, double got, double low, double high,
              const Point& at = Point::Zero());
  /// The same bits; but for the sign of zero.
  void equal(std::string_view quantity, double got, double expected, const Point& at = Point::Zero()) {
    near(quantity, got, expected, 0.0, at);
  }
  /// Something that is true or false.
  void holds(std::string_view quantity, bool is_true, const Point& at = Point::Zero()) {
    near(quantity, is_true ? 1.0 : 0.0, 1.0, 0.0, at);
  }

  /// A case in lock-step that must pass: where it differs, the place of its first difference is that of this case.
  /// @param what it is, in words
  void include(const crosscheck::CaseReport& report, std::string_view what);

  /// Counts what the case must have exercised at least so often to be worth a pass.
  void needs(std::string_view counter, double least) { needs_[std::string(counter)] = least; }
  void saw(std::string_view counter, double times = 1.0) { counters_[std::string(counter)] += times; }
  double seen(std::string_view counter) const;

  /// Verdict, worst values, counters, what is missing. Nothing compared at all is mistrusted.
  void write(crosscheck::CaseReport& report) const;

 private:
  crosscheck::FieldResult& find(std::string_view quantity);

  std::string subject_;
  std::vector<crosscheck::FieldResult> quantities_;  ///< in the order in which they came up
  std::optional<crosscheck::Divergence> included_;   ///< the first of all
  crosscheck::Counters counters_;
  crosscheck::Counters needs_;
};

}  // namespace repose::invariants
