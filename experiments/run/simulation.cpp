#include "experiments/run/simulation.h"

#include "experiments/run/interrupt.h"
#include "experiments/run/progress.h"
#include "experiments/run/provenance.h"
#include "reference/interface/methods/all.h"
#include "reference/interface/particles/emitters.h"
#include "reference/interface/scene/step_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

namespace repose::experiments {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void add(RunSummary& summary, const StepRecord& record) {
  const StepReport& report = record.report;
  StepReport& total = summary.total;
  summary.smallest_dt = summary.steps == 0 ? report.dt : std::min(summary.smallest_dt, report.dt);
  summary.largest_dt = std::max(summary.largest_dt, report.dt);
  ++summary.steps;
  summary.particle_steps += report.particles;
  ++summary.limited_by[std::string(record.limited_by)];
  total.dt += report.dt;
  total.max_speed = std::max(total.max_speed, report.max_speed);
  total.particles = report.particles;
  method::add(*summary.method, total.counts, report.counts);
}

/// Appends what passed the openings during the step that began at `from`. Returns how many that are.
std::uint64_t let_in(Solver& solver, const Inflow& inflow, double from) {
  const Snapshot entering = inflow.between(from, solver.time());
  if (entering.particles() > 0) solver.append(entering);
  return entering.particles();
}

void add(RunSummary::Solids& solids, const InsideSolids& seen, double time) {
  solids.at_end = seen.particles;
  solids.most = std::max(solids.most, seen.particles);
  if (seen.deepest <= solids.deepest.deepest) return;
  solids.deepest = seen;
  solids.deepest_time = time;
}

std::string describe(const RunSummary::Solids& solids) {
  if (solids.most == 0) return "particles inside solids: none\n";
  return fmt::format(
      "particles inside solids: {} at the end, at most {}; deepest {:.3g} m in \"{}\" at {:.6g} s\n",
      solids.at_end, solids.most, solids.deepest.deepest, solids.deepest.collider, solids.deepest_time);
}

}  // namespace

double RunSummary::particle_steps_per_s() const {
  return step_seconds > 0.0 ? static_cast<double>(particle_steps) / step_seconds : 0.0;
}

RunSummary simulate(Solver& solver, const Scene& scene, const RunSettings& settings,
                    const Observers& observers) {
  const InterruptGuard guard;
  const StepControl control(scene);
  std::optional<Inflow> inflow;
  if (!scene.emitters.empty()) inflow.emplace(scene);
  const auto start = Clock::now();
  const std::int64_t frames = settings.frames < 0 ? control.frames() : settings.frames;
  ProgressLine progress(settings.progress, settings.label);
  ProgressLine::State shown{
      .frames = frames, .start_time = solver.time(), .end_time = control.frame_time(frames)};
  RunSummary summary;
  summary.method = &method::of(scene);
  summary.frames = settings.first_frame;
  solver.stage_seconds();  // what it measured before this run is not this run's

  const auto visit = [&](std::int64_t frame) {
    if (observers.frame && observers.frame(frame, solver) == Go::stop) summary.stopped = true;
  };
  const auto look_at_solids = [&] {
    InsideSolids seen = inside_solids(solver, scene);
    add(summary.solids, seen, solver.time());
    return seen;
  };
  if (settings.first_frame == 0 && solver.steps() == 0) visit(0);
  // A signal that came while a state was loaded or written: what is on the disk is all there is.
  const auto note_signal = [&] {
    summary.interrupted = summary.frames < frames && InterruptGuard::requested();
  };
  note_signal();

  while (summary.frames < frames && !summary.stopped && !summary.interrupted) {
    const double frame_end = control.frame_time(summary.frames + 1);
    while (solver.time() < frame_end && !summary.interrupted) {
      StepRecord record{.step = solver.steps(), .time = solver.time()};
      const auto step_start = Clock::now();
      record.report = solver.advance([&](double max_speed) {
        const auto choice = control.next(record.time, max_speed, frame_end);
        record.limited_by = choice.limited_by;
        return choice.dt;
      });
      summary.step_seconds += seconds_since(step_start);
      add(summary, record);
      // Before anybody sees the state, so that a state at the end of a step holds all that came in until then.
      if (inflow) summary.entered += let_in(solver, *inflow, record.time);
      if (solver.time() >= frame_end) record.solids = look_at_solids();
      if (observers.step) observers.step(record);
      shown.frame = summary.frames;
      shown.time = solver.time();
      shown.steps = solver.steps();
      shown.particle_steps_per_s = summary.particle_steps_per_s();
      progress.update(shown);
      summary.interrupted = InterruptGuard::requested();
    }
    if (solver.time() < frame_end) break;
    ++summary.frames;
    visit(summary.frames);
    note_signal();
  }

  // Within a frame, or without a step.
  if (summary.steps == 0 || solver.time() > control.frame_time(summary.frames)) look_at_solids();
  summary.particles = solver.particles();
  summary.end_time = solver.time();
  summary.stage_seconds = solver.stage_seconds();
  summary.wall_seconds = seconds_since(start);
  summary.peak_memory_bytes = peak_memory_bytes();
  return summary;
}

std::string describe(const RunSummary& s) {
  std::string limits;
  for (const auto& [what, count] : s.limited_by)
    limits += fmt::format("{}{} {}", limits.empty() ? "" : ", ", what, count);
  std::string out = fmt::format("{} frames, {:.6g} s simulated, {} particles, {} steps\n", s.frames,
                                s.end_time, s.particles, s.steps);
  if (s.steps > 0) {
    out += fmt::format("Δt {:.3g} to {:.3g} s, limited by: {}\n", s.smallest_dt, s.largest_dt, limits);
    out += s.method->describe(s.total.counts, s.particle_steps);
  }
  out += describe(s.solids);
  out += fmt::format("wall time {} ({} in steps), {:.3g} particle-steps/s, peak memory {}\n",
                     human_time(s.wall_seconds), human_time(s.step_seconds), s.particle_steps_per_s(),
                     human_bytes(s.peak_memory_bytes));
  return out;
}

nlohmann::json to_json(const RunSummary& s) {
  nlohmann::json stages = nlohmann::json::object();
  for (const auto& [stage, seconds] : s.stage_seconds) stages[stage] = seconds;
  nlohmann::json result = {{"frames", s.frames},
                           {"steps", s.steps},
                           {"particles", s.particles},
                           {"entered", s.entered},
                           {"particle_steps", s.particle_steps},
                           {"end_time_s", s.end_time},
                           {"smallest_dt_s", s.smallest_dt},
                           {"largest_dt_s", s.largest_dt},
                           {"limited_by", s.limited_by},
                           {"max_speed_m_per_s", s.total.max_speed},
                           {"inside_solids", s.solids.at_end},
                           {"most_inside_solids", s.solids.most},
                           {"deepest_inside_solids_m", s.solids.deepest.deepest},
                           {"deepest_inside_solids_collider", s.solids.deepest.collider},
                           {"deepest_inside_solids_time_s", s.solids.deepest_time},
                           {"wall_seconds", s.wall_seconds},
                           {"step_seconds", s.step_seconds},
                           {"particle_steps_per_s", s.particle_steps_per_s()},
                           {"peak_memory_bytes", s.peak_memory_bytes},
                           {"stages", stages},
                           {"interrupted", s.interrupted},
                           {"stopped", s.stopped}};
  for (std::size_t row = 0; row < s.method->counters.size(); ++row) {
    const method::CounterRow& counter = s.method->counters[row];
    result[fmt::format("{}{}", counter.largest ? "max_" : "", counter.column)] = s.total.counts[row];
  }
  return result;
}

}  // namespace repose::experiments
