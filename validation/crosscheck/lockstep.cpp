#include "validation/crosscheck/lockstep.h"

#include "validation/crosscheck/lockstep_parts.h"
#include "validation/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <stdexcept>

namespace repose::crosscheck {

namespace {

bool is_one_stage(const Solver& reference, Boundary from, Boundary to) {
  const auto list = reference.boundaries();
  const auto at = std::find(list.begin(), list.end(), from);
  return at != list.end() && at + 1 != list.end() && *(at + 1) == to;
}

}  // namespace

void count(const Judge& judge, Counters& counters, const StepReport& report) {
  for (std::size_t row = 0; row < judge.counts.size(); ++row)
    if (const std::string_view name = judge.counts[row].exercised; !name.empty())
      counters[std::string(name)] += static_cast<double>(report.counts[row]);
}

LockstepDriver::LockstepDriver(const Scene& scene, Solver& candidate, Solver& reference)
    : scene_(scene),
      candidate_(candidate),
      reference_(reference),
      arithmetic_(arithmetic(scene, candidate.rounding(), reference.rounding())) {}

bool LockstepDriver::keeps(std::string_view boundary) const {
  const auto list = candidate_.boundaries();
  return std::find(list.begin(), list.end(), boundary) != list.end();
}

const method::StageRow& LockstepDriver::stage_ending(Boundary at) const {
  const method::StageRow* const found = method::stage_ending(judge_->method, scene_, at);
  if (found == nullptr) throw std::logic_error(fmt::format("no stage of the method ends at '{}'", at));
  return *found;
}

Divergence context_of(const Snapshot& state, Boundary from, double dt) {
  return {.step = state.step,
          .stage = "",
          .from = std::string(from),
          .field = {},
          .others = {},
          .message = "",
          .state = state,
          .dt = dt};
}

bool LockstepDriver::solved_stretch(const Snapshot& state, Boundary from, Boundary to, double dt,
                                    Lockstep& result) {
  Divergence context = context_of(state, from, dt);
  Snapshot held;
  if (!exchange(state, from, context, held, result)) return false;
  SolvedStage stage{.scene = scene_,
                    .candidate = candidate_,
                    .reference = reference_,
                    .arithmetic = arithmetic_,
                    .from = from,
                    .to = to,
                    .held = held,
                    .dt = dt,
                    .counters = result.counters,
                    .compare =
                        [&](const Snapshot& expected, const Snapshot& got,
                            const std::vector<FieldBound>& bounds, std::string_view message) {
                          if (compare(expected, got, bounds, to, context, result)) return true;
                          result.divergence->message = std::string(message);
                          return false;
                        },
                    .differs =
                        [&](FieldResult field, std::string_view message) {
                          return differs(std::move(field), to, message, context, result);
                        }};
  if (judge_->solved == nullptr)
    throw std::logic_error(fmt::format("nobody judges the solve that ends at {}", to));
  const bool same = judge_->solved(stage);
  if (!stage.candidate_error && !stage.reference_error) return same;
  judge_errors(stage.candidate_error, stage.reference_error, std::move(context), result);
  return false;
}

bool LockstepDriver::stretch(const Snapshot& state, Boundary from, Boundary to, double dt, Lockstep& result) {
  if (is_one_stage(reference_, from, to) && stage_ending(to).kind == method::Kind::solved)
    return solved_stretch(state, from, to, dt, result);
  Divergence context = context_of(state, from, dt);
  Snapshot held;
  if (!exchange(state, from, context, held, result)) return false;
  std::optional<SimulationError> candidate_error;
  std::optional<SimulationError> reference_error;
  const Counters ties_before = result.counters;
  StepReport candidate_report;
  StepReport reference_report;
  try {
    candidate_report = candidate_.run(from, to, dt);
  } catch (const SimulationError& error) {
    candidate_error = error;
  }
  std::vector<FieldBound> bounds;
  Snapshot before = reference_.save(from, false);
  try {
    Carried carried;
    const auto list = reference_.boundaries();
    auto at = std::find(list.begin(), list.end(), from);
    while (at != list.end() && *at != to) {
      const Boundary start = *at;
      ++at;
      const StepReport report = reference_.run(start, *at, dt);
      count(*judge_, result.counters, report);
      if (start == from) {
        reference_report = report;
      } else {
        method::add(judge_->method, reference_report.counts, report.counts);
      }
      Snapshot after = reference_.save(*at, false);
      const Stage stage{scene_, arithmetic_, dt, before, after, reference_, carried};
      if (judge_->exercised != nullptr) judge_->exercised(stage, result.counters);
      if (judge_->undecided != nullptr && stage_ending(*at).kind == method::Kind::decided)
        judge_->undecided(stage, undecided_);
      for (FieldBound& computed : judge_->computed(stage, result.counters)) {
        std::vector<double>& error = carried[computed.field];
        error.clear();
        for (const Bound& bound : computed.bound) error.push_back(bound.total());
        std::erase_if(bounds, [&](const FieldBound& old) { return old.field == computed.field; });
        bounds.push_back(std::move(computed));
      }
      before = std::move(after);
    }
  } catch (const SimulationError& error) {
    reference_error = error;
  }
  if (candidate_error || reference_error) {
    judge_errors(candidate_error, reference_error, std::move(context), result);
    return false;
  }
  const Snapshot got = candidate_.save(to, false);
  note_shown(got);
  if (!same_header(before, got, to, context, result)) return false;
  // Fields the stretch computed have their bound; all others only went through storage.
  std::erase_if(bounds, [&](const FieldBound& bound) { return before.find(bound.field) == nullptr; });
  for (const Field& field : before.fields) {
    const bool computed = std::any_of(bounds.begin(), bounds.end(),
                                      [&](const FieldBound& bound) { return bound.field == field.name; });
    if (!computed) bounds.push_back(judge_->stored(scene_, arithmetic_, field));
  }
  return compare(before, got, bounds, to, context, result) &&
         same_report(reference_report, candidate_report, to, ties_before, context, result) &&
         counts_own_elements(candidate_report, got, context, result);
}

void LockstepDriver::begin(const Snapshot& start) {
  judge_ = &judged(start.method).judge;
  lacking_shown_ = false;
}

void LockstepDriver::take_decisions(const Snapshot& got, Boundary at, Snapshot& state) const {
  const bool same = same_elements(got, state);
  for (const Field& field : got.fields) {
    const method::FieldRow* const row = method::find_field(judge_->method, field.name);
    if (row != nullptr && (!same || made_by(*row) == at)) state.set(field);
  }
  if (same) return;
  state.listed = got.listed;
  state.next_id = got.next_id;
}

/// One step from `state`, which becomes the state behind it. False where the solvers part.
bool LockstepDriver::step(Snapshot& state, double dt, double offered, Lockstep& result) {
  const auto list = candidate_.boundaries();
  const Snapshot start_of_step = state;
  if (judge_->isolated != nullptr)
    for (const Isolated& part : judge_->isolated(list, state, dt))
      if (!guarded_stretch(part.state, boundary::step_start, list[1], part.dt, result)) return false;
  for (std::size_t i = 0; i + 1 < list.size(); ++i) {
    if (!guarded_stretch(state, list[i], list[i + 1], dt, result)) return false;
    const bool last = i + 2 == list.size();
    const Boundary next = last ? boundary::step_start : list[i + 1];
    const Divergence context = context_of(state, list[i], dt);
    state = reference_.save(next, false);
    const Snapshot got = candidate_.save(next, false);
    if (!same_header(state, got, next, context, result)) return false;
    if (stage_ending(list[i + 1]).kind == method::Kind::decided) take_decisions(got, list[i + 1], state);
  }
  if (!fused_step(start_of_step, dt, offered * dt, result)) return false;
  for (const auto& [stage, threads] : candidate_.stage_threads()) {
    double& most = result.counters[fmt::format("{}{}", threads_in, stage)];
    most = std::max(most, static_cast<double>(threads));
  }
  return true;
}

Lockstep LockstepDriver::run(const Snapshot& start, double dt, int steps, double offered,
                             const std::function<bool(const Lockstep&, int done)>& goes_on) {
  Lockstep result;
  begin(start);
  Snapshot state = start;
  for (int done = 0; done < steps || (goes_on && goes_on(result, done)); ++done)
    if (!step(state, dt, offered, result)) return result;
  result.last = std::move(state);
  return result;
}

Lockstep LockstepDriver::replay(const Snapshot& state, double dt) {
  Lockstep result;
  begin(state);
  const auto list = candidate_.boundaries();
  const auto at = std::find(list.begin(), list.end(), state.at);
  if (at == list.end() || at + 1 == list.end())
    throw BadInput(
        fmt::format("solver '{}' cannot be started at boundary '{}'", candidate_.name(), state.at));
  if (guarded_stretch(state, *at, *(at + 1), dt, result) && *at == boundary::step_start)
    fused_step(state, dt, dt, result);
  return result;
}

}  // namespace repose::crosscheck
