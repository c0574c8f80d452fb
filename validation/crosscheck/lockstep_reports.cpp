// What a solver says about a step besides its fields: headers of states, step reports, and steps taken in one piece.
#include "reference/interface/scene/step_control.h"
#include "validation/crosscheck/lockstep_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <typeinfo>

namespace repose::crosscheck {

namespace {

constexpr std::string_view advance_stage = "advance";

/// A field that one of two states alone has.
FieldResult absent(const Field& field) {
  FieldResult result = unequal(field.name, field.unit, 0.0, 0.0);
  result.place = field.place;
  result.values = 0;
  result.note = "only one of the two states has this field";
  return result;
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

double of(const Counters& counters, std::string_view name) {
  const auto found = counters.find(name);
  return found == counters.end() ? 0.0 : found->second;
}

}  // namespace

std::optional<FieldResult> LockstepDriver::report_difference(const StepReport& expected,
                                                             const StepReport& got) const {
  if (!same_bits(expected.dt, got.dt)) return unequal("report dt", "s", expected.dt, got.dt);
  if (!same_bits(expected.max_speed, got.max_speed))
    return unequal("report max_speed", "m/s", expected.max_speed, got.max_speed);
  if (expected.particles != got.particles)
    return unequal_count("particles", expected.particles, got.particles);
  for (std::size_t row = 0; row < judge_->method.counters.size(); ++row)
    if (expected.counts[row] != got.counts[row])
      return unequal_count(judge_->method.counters[row].column, expected.counts[row], got.counts[row]);
  return std::nullopt;
}

/// A step by a solver's own stages.
StepReport LockstepDriver::stepwise(Solver& solver, double dt) const {
  const auto list = solver.boundaries();
  StepReport sum = solver.run(list[0], list[1], dt);
  for (std::size_t i = 1; i + 1 < list.size(); ++i)
    method::add(judge_->method, sum.counts, solver.run(list[i], list[i + 1], dt).counts);
  return sum;
}

bool LockstepDriver::may_be_cut() const {
  return judge_->cuts && std::any_of(judge_->method.stages.begin(), judge_->method.stages.end(),
                                     [&](const method::StageRow& stage) {
                                       return method::takes(scene_, stage) &&
                                              stage.kind == method::Kind::solved;
                                     });
}

std::uint64_t LockstepDriver::cuts_of(const StepReport& report) const {
  return judge_->cuts ? report.counts[*judge_->cuts] : 0;
}

std::optional<FieldResult> first_unequal(const Snapshot& a, const Snapshot& b) {
  for (const Field& right : b.fields)
    if (a.find(right.name) == nullptr) return absent(right);
  for (const Field& left : a.fields)
    if (b.find(left.name) == nullptr) return absent(left);
  if (auto elements = unequal_elements(a, b, false)) return elements;
  for (const Field& left : a.fields) {
    const Field* right = b.find(left.name);
    if (right->value.size() != left.value.size() || right->components != left.components)
      return unequal(left.name, left.unit, static_cast<double>(left.value.size()),
                     static_cast<double>(right->value.size()));
    for (std::size_t i = 0; i < left.value.size(); ++i) {
      if (same_bits(left.value[i], right->value[i])) continue;
      FieldResult result = unequal(left.name, left.unit, left.value[i], right->value[i]);
      result.place = left.place;
      result.worst.id = a.id(left.place, i / static_cast<std::size_t>(left.components));
      result.worst.component = static_cast<int>(i % static_cast<std::size_t>(left.components));
      return result;
    }
  }
  return std::nullopt;
}

bool LockstepDriver::differs(FieldResult field, std::string_view stage, std::string_view message,
                             Divergence context, Lockstep& result) const {
  context.stage = std::string(stage);
  context.field = std::move(field);
  context.message = std::string(message);
  result.divergence = std::move(context);
  return false;
}

bool LockstepDriver::same_header(const Snapshot& expected, const Snapshot& got, std::string_view stage,
                                 const Divergence& context, Lockstep& result) const {
  std::optional<FieldResult> wrong;
  if (!same_bits(expected.time, got.time)) wrong = unequal("time", "s", expected.time, got.time);
  if (!same_bits(expected.dt, got.dt)) wrong = unequal("dt", "s", expected.dt, got.dt);
  if (expected.step != got.step)
    wrong = unequal("step", "-", static_cast<double>(expected.step), static_cast<double>(got.step));
  if (!wrong && expected.at != got.at) wrong = unequal("boundary", "-", 0.0, 0.0);
  if (!wrong && expected.method != got.method) wrong = unequal("method", "-", 0.0, 0.0);
  if (!wrong) return true;
  return differs(std::move(*wrong), stage, fmt::format("states at {} and {}", expected.at, got.at), context,
                 result);
}

bool LockstepDriver::same_report(const StepReport& expected, const StepReport& got, std::string_view stage,
                                 const Counters& ties_before, const Divergence& context,
                                 Lockstep& result) const {
  if (!same_bits(expected.dt, got.dt))
    return differs(unequal("report dt", "s", expected.dt, got.dt), stage, "", context, result);
  // A norm of d squares: 2d roundings.
  const double roundings = arithmetic_.g(2.0 * scene_.dim()) * expected.max_speed;
  if (context.from == boundary::step_start && !(std::abs(expected.max_speed - got.max_speed) <= roundings))
    return differs(unequal("report max_speed", "m/s", expected.max_speed, got.max_speed), stage, "", context,
                   result);
  if (expected.particles != got.particles)
    return differs(unequal_count("particles", expected.particles, got.particles), stage, "0 undecided",
                   context, result);
  for (std::size_t row = 0; row < judge_->counts.size(); ++row) {
    const CountRule& rule = judge_->counts[row];
    if (!rule.each_stage) continue;
    const double left = static_cast<double>(expected.counts[row]);
    const double right = static_cast<double>(got.counts[row]);
    const double ties = rule.ties.empty() ? 0.0 : of(result.counters, rule.ties) - of(ties_before, rule.ties);
    if (!(std::abs(left - right) <= ties))
      return differs(
          unequal_count(judge_->method.counters[row].column, expected.counts[row], got.counts[row]), stage,
          fmt::format("{} undecided", ties), context, result);
  }
  if (auto count = none_of_one(*judge_, arithmetic_, expected.counts, got.counts))
    return differs(std::move(*count), stage, "none is none for both", context, result);
  return true;
}

bool LockstepDriver::counts_own_elements(const StepReport& got, const Snapshot& state,
                                         const Divergence& context, Lockstep& result) const {
  if (!judge_->own_count) return true;
  const auto& [row, place, at] = *judge_->own_count;
  // Later stretches need not meet all of them.
  if (std::find(at.begin(), at.end(), state.at) == at.end()) return true;
  const std::size_t own = state.count(place);
  if (got.counts[row] == own) return true;
  return differs(unequal_count(judge_->method.counters[row].column, own, got.counts[row]), state.at,
                 "against the candidate's own state", context, result);
}

bool LockstepDriver::fused_step(const Snapshot& state, double dt, double offered, Lockstep& result) {
  const Divergence context = context_of(state, boundary::step_start, dt);
  const StepControl control(scene_);
  std::array<double, 2> chosen{};
  std::array<StepReport, 2> reports;
  for (Solver* solver : {&reference_, &candidate_}) {
    const bool judged = solver == &candidate_;
    const std::string_view who = judged ? "candidate: advance() against its own stages"
                                        : "reference: advance() against its own stages";
    double& step = chosen[judged ? 1 : 0];
    try {
      // Speeds may differ by rounding, the Δt of both must not: the controller is not what is compared here.
      solver->load(state);
      const StepReport whole = solver->advance([&](double speed) {
        step = std::min(offered, control.next(state.time, speed, state.time + 1.0).dt);
        return judged ? chosen[0] : step;
      });
      reports[judged ? 1 : 0] = whole;
      const Snapshot fused = solver->save(boundary::step_start, true);
      solver->load(state);
      const StepReport sum = stepwise(*solver, whole.dt);
      const Snapshot staged = solver->save(boundary::step_start, true);
      if (!same_header(staged, fused, advance_stage, context, result)) return false;
      if (auto field = first_unequal(staged, fused))
        return differs(std::move(*field), advance_stage, who, context, result);
      // A step that was cut is another than that of the stages, which cut nothing.
      if (cuts_of(whole) == 0 || !may_be_cut())
        if (auto field = report_difference(sum, whole))
          return differs(std::move(*field), advance_stage, who, context, result);
      if (!same_bits(solver->time(), fused.time))
        return differs(unequal("time()", "s", fused.time, solver->time()), advance_stage, who, context,
                       result);
      if (solver->positions() != fused.get(field::x).value)
        return differs(unequal("positions()", "m", 0.0, 0.0), advance_stage, "other than those of save()",
                       context, result);
      if (solver->steps() != fused.step || solver->particles() != fused.particles())
        return differs(unequal("steps() or particles()", "-", static_cast<double>(fused.step),
                               static_cast<double>(solver->steps())),
                       advance_stage, who, context, result);
    } catch (const SimulationError& error) {
      return differs(unequal("error", "", 0.0, 0.0), advance_stage, fmt::format("{}: {}", who, error.what()),
                     context, result);
    }
  }
  // The largest speed went into both: a step limited by it may differ by its rounding, others by nothing.
  const double slack = arithmetic_.g(4.0 * scene_.dim() + 8.0) * chosen[0];
  if (!(std::abs(chosen[0] - chosen[1]) <= slack))
    return differs(unequal("dt chosen", "s", chosen[0], chosen[1]), advance_stage, "", context, result);
  // A solve fails for one of them alone only where it hangs by a hair whether it does: no case is meant to.
  const std::array cuts{cuts_of(reports[0]), cuts_of(reports[1])};
  if (cuts[0] != cuts[1])
    return differs(unequal_count(judge_->method.counters[*judge_->cuts].column, cuts[0], cuts[1]),
                   advance_stage, "", context, result);
  if (!same_bits(reports[0].dt, reports[1].dt) || (cuts[0] > 0 && reports[0].dt != dt))
    return differs(unequal("report dt", "s", reports[0].dt, reports[1].dt), advance_stage, "", context,
                   result);
  if (judge_->cuts) result.counters["step cuts"] += static_cast<double>(cuts[0]);
  return true;
}

bool LockstepDriver::guarded_stretch(const Snapshot& state, Boundary from, Boundary to, double dt,
                                     Lockstep& result) {
  try {
    return stretch(state, from, to, dt, result);
  } catch (const BadInput&) {
    throw;
  } catch (const std::exception& error) {
    // What a solver says that it cannot do (sums(), probes) leaves the case without a judgement.
    if (typeid(error) == typeid(std::logic_error)) throw;
    Divergence context = context_of(state, from, dt);
    context.stage = std::string(to);
    context.field.field = "exception";
    context.field.failing = 1;
    context.field.worst.ratio = std::numeric_limits<double>::infinity();
    context.message = error.what();
    result.divergence = std::move(context);
    return false;
  }
}

}  // namespace repose::crosscheck
