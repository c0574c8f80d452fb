#include "experiments/tampubolon2017/table2_performance/performance.h"

#include "experiments/bench/disturbance.h"
#include "experiments/bench/table2_blocks.h"
#include "experiments/figures/judging.h"
#include "experiments/run/console.h"
#include "experiments/run/interrupt.h"
#include "experiments/run/provenance.h"
#include "experiments/tampubolon2017/table2_performance/block.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/file_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr const char* of_table =
    "Tampubolon 2017, Table 2, whose machine and number of cores are not printed";

/// What the paper has beside it, and no bound.
Number beside(const Table2Row& row, std::string_view what, double value, std::string unit, double theirs) {
  return {.name = row_word(row) + std::string(what),
          .value = value,
          .unit = std::move(unit),
          .expected = fmt::format("no bound; the paper's is {:.4g}", theirs),
          .kind = Kind::regression,
          .source = of_table};
}

std::string steps_note(const Table2Timing& timing, const Extrapolated& ours) {
  const Table2Row& row = *timing.row;
  const double stated = steps_per_frame(row, row.dt);
  std::string note = fmt::format(
      "{:.0f} steps a frame of 1/{:.0f} s, at most {:.3g} s long ({}); {:.0f} at the printed Δt {:.3g} s, c "
      "Δt/h "
      "{:.2f}",
      ours.steps_per_frame, row.frame_rate, timing.controller_dt, timing.limited_by, stated, row.dt,
      printed_courant(row));
  if (timing.frame_steps.empty()) {
    note += fmt::format("; {} steps timed", timing.steps);
  } else {
    note += fmt::format("; frames timed: {}", timing.frame_steps.size());
  }
  if (timing.fewer > 1.0)
    note += fmt::format("; by {} particles of {:.4g}, extrapolated by their number", timing.particles,
                        row.particles);
  const std::uint64_t newton = timing.counts[counter::newton_iterations];
  if (newton > 0 && timing.steps > 0)
    note += fmt::format(
        "; {:.1f} Newton and {:.1f} MINRES iterations a step, Δt halved {} times",
        static_cast<double>(newton) / static_cast<double>(timing.steps),
        static_cast<double>(timing.counts[counter::gmres_iterations]) / static_cast<double>(timing.steps),
        timing.counts[counter::step_cuts]);
  if (timing_of(timing.disturbed) == Timing::disturbed)
    note +=
        fmt::format("; disturbed: other work may have added {:.0f} % of the time", 100.0 * timing.disturbed);
  return note;
}

void add_times(const Table2Timing& timing, int threads, std::vector<Number>& numbers) {
  const Table2Row& row = *timing.row;
  const Extrapolated ours = extrapolate(timing, threads);
  Number frame = beside(row, "_time_per_frame", ours.frame, "s", row.seconds_per_frame);
  frame.note = steps_note(timing, ours);
  numbers.push_back(std::move(frame));

  const double theirs = paper_ns_per_particle_step(row);
  Number step = beside(row, "_time_per_particle_step", ours.ns / threads, "ns", theirs);
  step.note = fmt::format(
      "on {} threads; the paper's at the printed Δt and {:.0f} frames per second, so an upper bound where it "
      "took "
      "more steps",
      threads, row.frame_rate);
  numbers.push_back(std::move(step));

  Number core = beside(row, "_time_per_particle_step_core", ours.ns, "ns", theirs);
  core.expected = fmt::format("no bound; the paper's is {:.4g} times its number of cores", theirs);
  core.note = fmt::format("{:.4g} ns of processor time; {:.0f} % of the grains yield", ours.processor_ns,
                          100.0 * timing.yielding);
  numbers.push_back(std::move(core));

  numbers.push_back(
      {.name = row_word(row) + "_cores_for_the_papers_time_per_frame",
       .value = ours.processor_frame / row.seconds_per_frame,
       .unit = "1",
       .expected = "no bound; the paper prints no number of cores",
       .kind = Kind::regression,
       .source = of_table,
       .note = fmt::format("{:.4g} s of processor time a frame, which other work changes little, over "
                           "the paper's {:.4g} s",
                           ours.processor_frame, row.seconds_per_frame)});

  if (!row.sand.unilateral || timing.steps == 0) return;
  const double kept = static_cast<double>(timing.counts[counter::unconverged]);
  numbers.push_back({.name = row_word(row) + "_solves_kept",
                     .value = kept / static_cast<double>(timing.steps),
                     .unit = "1",
                     .expected = "no bound; the paper tells of no tolerance",
                     .kind = Kind::regression,
                     .source = "share of the steps whose solve ends with more left than its tolerance "
                               "[Tam17 §4.2]"});
}

/// Rows that ran to their end, of all that were asked for.
Number judge_ends(const std::vector<Table2Timing>& timings) {
  std::string failed;
  int ended = 0;
  for (const Table2Timing& timing : timings) {
    if (timing.failure.empty()) {
      ++ended;
    } else {
      failed += fmt::format("{}{}: {}", failed.empty() ? "" : "; ", timing.row->name, timing.failure);
    }
  }
  const auto all = static_cast<int>(timings.size());
  return {.name = "rows_run_to_their_end",
          .value = static_cast<double>(ended),
          .unit = "1",
          .expected = fmt::format("{}", all),
          .kind = Kind::sanity,
          .source = "a row whose steps fail has no time per frame",
          .verdict = pass_if(ended == all),
          .note = failed};
}

FigureResult run_table2(const FigureRequest& request) {
  const InterruptGuard guard;
  const auto start = std::chrono::steady_clock::now();
  const Table2Scale scale = table2_scale(request.preset);
  const auto rows = table2_rows();
  FigureResult result;
  std::vector<Table2Timing> timings;
  double particle_steps = 0.0, seconds = 0.0;
  for (const std::size_t k : by_work(rows)) {
    timings.push_back(time_row(rows[k], scale, request));
    const Table2Timing timing = timings.back();
    result.interrupted = timing.interrupted;
    particle_steps += static_cast<double>(timing.particles) * static_cast<double>(timing.steps);
    for (std::size_t n = 0; n < timing.step_seconds.size(); ++n)
      seconds += timing.step_seconds[n] *
                 static_cast<double>(timing.frame_steps.empty() ? scale.pace.steps : timing.frame_steps[n]);
    // What is done is kept, whatever becomes of the longer rows.
    std::sort(timings.begin(), timings.end(),
              [](const Table2Timing& a, const Table2Timing& b) { return a.row < b.row; });
    write_table2(timings, request.options.threads, request.folder);
    if (result.interrupted) return result;
  }
  if (request.progress) tell("\r\033[K");
  result.numbers = judge_table2(timings, request.options.threads);
  result.notes = {
      "The paper prints neither shapes nor domains, frames per second, units, particles per cell, c_E, c_C, "
      "processor "
      "or cores: a block of each row's number of particles stands for its scene, sheared at 2 1/s, at 24 "
      "frames per second.",
      fmt::format("{} of {} rows were disturbed by other work on the machine.",
                  std::count_if(timings.begin(), timings.end(),
                                [](const Table2Timing& timing) {
                                  return timing_of(timing.disturbed) == Timing::disturbed;
                                }),
                  timings.size())};
  Provenance whole = provenance(timings.front().scene, request.solver, request.options);
  whole.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  whole.particle_steps_per_s = seconds > 0.0 ? particle_steps / seconds : 0.0;
  whole.peak_memory_bytes = peak_memory_bytes();
  result.provenance = to_json(whole);
  replace_file(request.folder / "run.toml",
               scene_to_toml(timings.front().scene) + "\n" + to_toml(whole, "repose"));
  return result;
}

}  // namespace

std::vector<Number> judge_table2(const std::vector<Table2Timing>& timings, int threads) {
  std::vector<Number> numbers;
  for (const Table2Timing& timing : timings)
    if (!timing.step_seconds.empty()) add_times(timing, threads, numbers);
  numbers.push_back(judge_ends(timings));
  numbers.push_back(judge_count(timings));
  return numbers;
}

Figure table2_performance() {
  return {.id = "tampubolon2017/table2_performance",
          .title = "Time per frame of ten scenes of sand and water",
          .method = method::mpm.name,
          .starred = false,
          .claim =
              "Ten scenes of sand, two of them with water, of 9400 to 3 million particles take 0.67 to 269 "
              "seconds of "
              "wall time per frame in explicit and semi-implicit steps.",
          .smoke = "a thousandth of each row's particles, no less than 400, 9 steps; some seconds",
          .desk = "a tenth of each row's particles, no more than 100 000, one frame; some minutes",
          .paper = "the rows' own numbers of particles, 10 frames; some hours, most of them for the 3D dam",
          .run = run_table2};
}

}  // namespace repose::experiments::tampubolon2017
