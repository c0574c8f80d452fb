// How both solvers are loaded with one state, and how states and errors of the two are compared.
#include "validation/crosscheck/lockstep.h"
#include "validation/crosscheck/lockstep_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace repose::crosscheck {

namespace {

constexpr std::string_view load_prefix = "load ";

void remember(Lockstep& result, std::string_view stage, const FieldResult& field) {
  for (Worst& worst : result.worst) {
    if (worst.stage != stage || worst.field.field != field.field) continue;
    worst.field.values += field.values;
    worst.field.unequal += field.unequal;
    if (field.worst.ratio > worst.field.worst.ratio) {
      worst.field.worst = field.worst;
      worst.field.note = field.note;
    }
    return;
  }
  result.worst.push_back({std::string(stage), field});
}

/// Where a difference stands in the order in which a mistake spreads; one of a set with the first field of its elements.
std::size_t order_of(const Judge& judge, const FieldResult& result) {
  const auto& rows = judge.method.fields;
  const auto of_set = std::find_if(rows.begin(), rows.end(), [&](const method::FieldRow& row) {
    return names::of(row.place).several == result.field;
  });
  return judge.place_of(of_set == rows.end() ? result.field : of_set->name);
}

}  // namespace

const Worst* Lockstep::closest() const {
  const Worst* result = nullptr;
  for (const Worst& one : worst) {
    // One rounding of storage against a bound of three: a third, always, and of no interest beside a stage.
    // Where rounding decides a choice its number has no measure: ties are counted.
    if (one.stage.rfind(load_prefix, 0) == 0 || !one.field.measured) continue;
    if (result == nullptr || one.field.worst.ratio > result->field.worst.ratio) result = &one;
  }
  return result;
}

const Judge::MayLack* LockstepDriver::may_lack() const {
  return judge_->may_lack && !keeps(judge_->may_lack->without) ? &*judge_->may_lack : nullptr;
}

void LockstepDriver::note_shown(const Snapshot& state) {
  if (judge_->may_lack && state.find(judge_->may_lack->field) != nullptr) lacking_shown_ = true;
}

bool LockstepDriver::lacks(std::string_view field, const Snapshot& got) const {
  return got.find(field) == nullptr && !lacking_shown_;
}

bool LockstepDriver::compare(const Snapshot& expected, const Snapshot& got,
                             const std::vector<FieldBound>& bounds, std::string_view stage,
                             Divergence context, Lockstep& result) {
  AbsentBound absent;
  if (judge_->absent != nullptr)
    absent = [&](std::int64_t id, std::string_view name) {
      return judge_->absent(scene_, arithmetic_, context.dt, expected, id, name);
    };
  std::vector<FieldResult> failing;
  for (const FieldBound& bound : bounds) {
    // What the candidate never has apart is judged by runs that isolate it.
    if (const auto* lacking = may_lack(); lacking != nullptr && bound.field == lacking->field)
      if (lacks(lacking->field, got)) continue;
    FieldResult field = compare_field(scene_, expected, got, bound, absent, undecided_);
    remember(result, stage, field);
    if (const ChoiceField* choice = judge_->choice(field.field); choice != nullptr && field.unequal > 0)
      result.counters[std::string(choice->unequal)] += static_cast<double>(field.unequal);
    if (!field.passes()) failing.push_back(std::move(field));
  }
  if (auto elements = unequal_elements(expected, got, judge_->absent != nullptr, undecided_))
    failing.push_back(std::move(*elements));
  if (failing.empty()) return true;
  std::stable_sort(failing.begin(), failing.end(), [&](const FieldResult& a, const FieldResult& b) {
    return order_of(*judge_, a) < order_of(*judge_, b);
  });
  context.stage = std::string(stage);
  context.field = failing.front();
  for (std::size_t i = 1; i < failing.size(); ++i) context.others.push_back(failing[i].field);
  result.divergence = std::move(context);
  return false;
}

/// Loads both solvers with what the candidate really holds of a state.
bool LockstepDriver::exchange(const Snapshot& state, Boundary from, const Divergence& context, Snapshot& held,
                              Lockstep& result) {
  undecided_ = {};
  // What the candidate really holds is what both start from.
  candidate_.load(state);
  held = candidate_.save(from, false);
  note_shown(held);
  std::vector<FieldBound> stored;
  for (const Field& field : state.fields) {
    if (field.name.rfind(field::native_prefix, 0) == 0 || judge_->choice(field.name) != nullptr) continue;
    stored.push_back(judge_->stored(scene_, arithmetic_, field));
  }
  const std::string stage = fmt::format("{}{}", load_prefix, from);
  if (!same_header(state, held, stage, context, result)) return false;
  if (!compare(state, held, stored, stage, context, result)) return false;
  if (judge_->may_lack)
    if (const Field* given = state.find(judge_->may_lack->field);
        given != nullptr && held.find(given->name) == nullptr)
      held.set(*given);
  reference_.load(held);
  // Nobody can demand that of a solver that stores another strain.
  if (arithmetic_.reference_keeps_strain) return true;
  const Snapshot returned = reference_.save(from, false);
  if (!same_header(held, returned, stage, context, result)) return false;
  if (auto unequal = first_unequal(held, returned))
    return differs(std::move(*unequal), stage, "the reference does not hand back what it was loaded with",
                   context, result);
  return true;
}

/// Both solvers must stop, for the same particle at the same boundary.
void LockstepDriver::judge_errors(const std::optional<SimulationError>& candidate_error,
                                  const std::optional<SimulationError>& reference_error, Divergence context,
                                  Lockstep& result) const {
  const bool same =
      candidate_error && reference_error && candidate_error->particle == reference_error->particle &&
      (candidate_error->boundary == reference_error->boundary || !keeps(reference_error->boundary));
  if (same) {
    result.refused = reference_error;
    return;
  }
  context.stage = reference_error ? reference_error->boundary : candidate_error->boundary;
  context.field.field = "error";
  context.field.failing = 1;
  context.field.worst.ratio = std::numeric_limits<double>::infinity();
  context.message =
      fmt::format("reference: {}; candidate: {}", reference_error ? reference_error->what() : "goes on",
                  candidate_error ? candidate_error->what() : "goes on");
  result.divergence = std::move(context);
  return;
}

}  // namespace repose::crosscheck
