#include "validation/invariants/ledger.h"

#include <fmt/format.h>

#include <algorithm>

namespace repose::invariants {

using crosscheck::FieldResult;

FieldResult& Ledger::find(std::string_view quantity) {
  const auto found = std::find_if(quantities_.begin(), quantities_.end(),
                                  [&](const FieldResult& one) { return one.field == quantity; });
  if (found != quantities_.end()) return *found;
  FieldResult fresh;
  fresh.field = std::string(quantity);
  fresh.place = Place::scene;
  fresh.worst.ratio = -1.0;
  return quantities_.emplace_back(std::move(fresh));
}

void Ledger::near(std::string_view quantity, double got, double expected, double bound, const Point& at) {
  FieldResult& result = find(quantity);
  crosscheck::Value value;
  value.id = static_cast<std::int64_t>(result.values);
  value.got = got;
  value.expected = expected;
  value.bound.rounding = bound;
  value.ratio = crosscheck::ratio_to_bound(expected, got, bound);
  value.position = at;
  ++result.values;
  if (got != expected) ++result.unequal;
  if (!(value.ratio <= 1.0)) ++result.failing;
  if (!(value.ratio <= result.worst.ratio)) result.worst = value;
}

void Ledger::near(std::string_view quantity, const Point& got, const Point& expected, double bound,
                  const Point& at) {
  for (int axis = 0; axis < 3; ++axis) near(quantity, got[axis], expected[axis], bound, at);
}

void Ledger::within(std::string_view quantity, double got, double low, double high, const Point& at) {
  near(quantity, got, 0.5 * (low + high), 0.5 * (high - low), at);
}

void Ledger::include(const crosscheck::CaseReport& report, std::string_view what) {
  if (report.lockstep.divergence) {
    if (included_) return;
    included_ = report.lockstep.divergence;
    included_->message += fmt::format("{}{}", included_->message.empty() ? "" : "; ", what);
    return;
  }
  holds(
      report.shortfalls.empty() ? std::string(what) : fmt::format("{}: {}", what, report.shortfalls.front()),
      report.verdict == crosscheck::Verdict::pass);
}

double Ledger::seen(std::string_view counter) const {
  const auto found = counters_.find(counter);
  return found == counters_.end() ? 0.0 : found->second;
}

void Ledger::write(crosscheck::CaseReport& report) const {
  report.lockstep.divergence = included_;
  for (const FieldResult& quantity : quantities_) {
    report.lockstep.worst.push_back({subject_, quantity});
    if (quantity.passes()) continue;
    if (report.lockstep.divergence) {
      report.lockstep.divergence->others.push_back(quantity.field);
      continue;
    }
    crosscheck::Divergence divergence;
    divergence.stage = subject_;
    divergence.field = quantity;
    report.lockstep.divergence = std::move(divergence);
  }
  report.lockstep.counters = counters_;
  for (const auto& [counter, least] : needs_) {
    if (seen(counter) < least)
      report.shortfalls.push_back(fmt::format("{}: {} of at least {}", counter, seen(counter), least));
  }
  if (quantities_.empty() && !included_) report.shortfalls.emplace_back("nothing was compared");
  report.verdict = report.lockstep.divergence   ? crosscheck::Verdict::differs
                   : !report.shortfalls.empty() ? crosscheck::Verdict::mistrusted
                                                : crosscheck::Verdict::pass;
}

}  // namespace repose::invariants
