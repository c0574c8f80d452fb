#include "validation/crosscheck/lockstep.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/lockstep_parts.h"
#include "validation/crosscheck/mpm/exercised.h"
#include "validation/crosscheck/mpm/stage_bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

namespace repose::crosscheck {

namespace {

constexpr std::string_view load_prefix = "load ";

/// Where a field stands in the order in which a mistake spreads. What probes of a solve tell is seen before the answer.
std::size_t rank(std::string_view name) {
  constexpr std::array probed{impulse_field, impulse_change_field, residual_field};
  const auto place = static_cast<std::size_t>(std::find(probed.begin(), probed.end(), name) - probed.begin());
  const std::size_t answer = method::rank(method::mpm, field::p_star);
  if (place < probed.size()) return answer + place;
  const std::size_t own = method::rank(method::mpm, name);
  return own < answer ? own : own + probed.size();
}

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

}  // namespace

void count(Counters& counters, const StepReport& report) {
  counters["inside"] += static_cast<double>(report.inside);
  counters["tip"] += static_cast<double>(report.tip);
  counters["surface"] += static_cast<double>(report.surface);
  counters["massless forces"] += static_cast<double>(report.massless);
}

const Worst* Lockstep::closest() const {
  const Worst* result = nullptr;
  for (const Worst& one : worst) {
    // One rounding of storage against a bound of three: a third, always, and of no interest beside a stage.
    // Where rounding decides a plastic case its number has no measure: ties are counted.
    if (one.stage.rfind(load_prefix, 0) == 0 || one.field.field == field::plastic_case) continue;
    if (result == nullptr || one.field.worst.ratio > result->field.worst.ratio) result = &one;
  }
  return result;
}

LockstepDriver::LockstepDriver(const Scene& scene, Solver& candidate, Solver& reference)
    : scene_(scene),
      candidate_(candidate),
      reference_(reference),
      arithmetic_(arithmetic(scene, candidate.rounding(), reference.rounding())),
      balance_arithmetic_(arithmetic(scene, reference.rounding(), reference.rounding())) {}

bool LockstepDriver::keeps(std::string_view boundary) const {
  const auto list = candidate_.boundaries();
  return std::find(list.begin(), list.end(), boundary) != list.end();
}

void LockstepDriver::note_shown(const Snapshot& state) {
  if (state.find(field::p_i) != nullptr) momentum_shown_ = true;
}

bool LockstepDriver::lacks_momentum(const Snapshot& got) const {
  return got.find(field::p_i) == nullptr && !momentum_shown_;
}

bool LockstepDriver::compare(const Snapshot& expected, const Snapshot& got,
                             const std::vector<FieldBound>& bounds, std::string_view stage,
                             Divergence context, Lockstep& result) {
  const AbsentNodeBound absent = [&](std::int64_t node, std::string_view name) {
    return absent_node_bound(scene_, arithmetic_, context.dt, expected, node, name);
  };
  std::vector<FieldResult> failing;
  for (const FieldBound& bound : bounds) {
    // A momentum the candidate never has apart is judged by the run with Δt = 0.
    if (bound.field == field::p_i && !keeps(boundary::p2g) && lacks_momentum(got)) continue;
    FieldResult field = compare_field(scene_, expected, got, bound, absent);
    remember(result, stage, field);
    if (field.field == field::plastic_case && field.unequal > 0)
      result.counters["plastic cases that differ"] += static_cast<double>(field.unequal);
    if (!field.passes()) failing.push_back(std::move(field));
  }
  if (failing.empty()) return true;
  std::stable_sort(failing.begin(), failing.end(),
                   [](const FieldResult& a, const FieldResult& b) { return rank(a.field) < rank(b.field); });
  context.stage = std::string(stage);
  context.field = failing.front();
  for (std::size_t i = 1; i < failing.size(); ++i) context.others.push_back(failing[i].field);
  result.divergence = std::move(context);
  return false;
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

/// Loads both solvers with what the candidate really holds of a state.
bool LockstepDriver::exchange(const Snapshot& state, Boundary from, const Divergence& context, Snapshot& held,
                              Lockstep& result) {
  // What the candidate really holds is what both start from.
  candidate_.load(state);
  held = candidate_.save(from, false);
  note_shown(held);
  std::vector<FieldBound> stored;
  for (const Field& field : state.fields) {
    if (field.name.rfind(field::native_prefix, 0) == 0 || field.name == field::plastic_case) continue;
    stored.push_back(stored_bound(scene_, arithmetic_, field));
  }
  const std::string stage = fmt::format("{}{}", load_prefix, from);
  if (!same_header(state, held, stage, context, result)) return false;
  if (!compare(state, held, stored, stage, context, result)) return false;
  if (const Field* momentum = state.find(field::p_i); momentum != nullptr && held.find(field::p_i) == nullptr)
    held.set(*momentum);
  reference_.load(held);
  // Nobody can demand that of a solver that stores another strain.
  if (reference_.rounding().strain != "F") return true;
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

bool LockstepDriver::stretch(const Snapshot& state, Boundary from, Boundary to, double dt, Lockstep& result) {
  if (mpm_options(scene_).integrator == Integrator::implicit_ && from == boundary::p2g &&
      to == boundary::collisions)
    return solve_stretch(state, dt, result);
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
      count(result.counters, report);
      if (start == from) {
        reference_report = report;
      } else {
        add_counts(reference_report, report);
      }
      Snapshot after = reference_.save(*at, false);
      const Stage stage{scene_, arithmetic_, dt, before, after, reference_, carried};
      count_exercised(stage, result.counters);
      for (FieldBound& computed : stage_bounds(stage, result.counters)) {
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
    if (!computed) bounds.push_back(stored_bound(scene_, arithmetic_, field));
  }
  return compare(before, got, bounds, to, context, result) &&
         same_report(reference_report, candidate_report, to, ties_before, context, result) &&
         counts_own_nodes(candidate_report, got, context, result);
}

/// One step from `state`, which becomes the state behind it. False where the solvers part.
bool LockstepDriver::step(Snapshot& state, double dt, double offered, Lockstep& result) {
  const auto list = candidate_.boundaries();
  const Snapshot start_of_step = state;
  if (!keeps(boundary::p2g)) {
    const Boundary next = list[1];
    if (!guarded_stretch(state, boundary::step_start, next, 0.0, result)) return false;
    Snapshot at_rest = state;
    for (double& value : at_rest.get(field::v).value) value = 0.0;
    for (double& value : at_rest.get(field::C).value) value = 0.0;
    if (!guarded_stretch(at_rest, boundary::step_start, next, dt, result)) return false;
  }
  for (std::size_t i = 0; i + 1 < list.size(); ++i) {
    if (!guarded_stretch(state, list[i], list[i + 1], dt, result)) return false;
    const Boundary next = list[i + 1] == boundary::plasticity ? boundary::step_start : list[i + 1];
    const Divergence context = context_of(state, list[i], dt);
    state = reference_.save(next, false);
    if (!same_header(state, candidate_.save(next, false), next, context, result)) return false;
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
  momentum_shown_ = false;
  Snapshot state = start;
  for (int done = 0; done < steps || (goes_on && goes_on(result, done)); ++done)
    if (!step(state, dt, offered, result)) return result;
  result.last = std::move(state);
  return result;
}

Lockstep LockstepDriver::replay(const Snapshot& state, double dt) {
  Lockstep result;
  momentum_shown_ = false;
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
