#include "experiments/run/recorded_run.h"

#include "experiments/run/interrupt.h"
#include "experiments/run/run_folder.h"
#include "experiments/run/step_table.h"
#include "reference/interface/base/error.h"
#include "reference/interface/methods/all.h"
#include "reference/interface/particles/sampling.h"
#include "reference/interface/scene/step_control.h"
#include "reference/interface/scene_file/scene_file.h"
#include "reference/interface/snapshot_check.h"
#include "validation/file_output.h"
#include "validation/states/state_file.h"

#include <fmt/format.h>

#include <optional>

namespace repose::experiments {

namespace {

/// The options that decide a run's bits; threads, frames and what is kept do not.
RunFolder::Identity identity(const Solver& solver, const Scene& scene, const SolverOptions& options) {
  return {.scene = scene_to_toml(scene),
          .options = fmt::format("[repose.run]\nsolver = {}\nprecision = {}\nsimd = {}\n",
                                 toml_string(solver.name()), toml_string(to_string(options.precision)),
                                 toml_string(options.simd))};
}

std::string_view to_string(KeepStates states) {
  switch (states) {
    case KeepStates::every:
      return "every";
    case KeepStates::last:
      return "last";
    case KeepStates::none:
      return "none";
  }
  return "";
}

/// Writes states as the options say and knows the latest.
class StateRecorder {
 public:
  StateRecorder(const RunFolder& folder, const Solver& solver, const Scene& scene,
                const RecordedRunOptions& options)
      : folder_(folder), solver_(solver), scene_(scene), keep_(options.states) {
    origin_.solver = solver.name();
    origin_.precision = experiments::to_string(options.solver.precision);
    origin_.build = build();
  }

  void resumed_from(const RunFolder::LastState& from) {
    written_step_ = from.state.snapshot.step;
    last_ = from.file;
    // Killed between a frame's state and the end of the checkpoint before it.
    if (last_ != folder_.checkpoint()) folder_.remove_checkpoint();
  }

  void frame(std::int64_t frame) {
    if (keep_ == KeepStates::none) return;
    write(folder_.state(frame), frame);
    if (keep_ == KeepStates::last) folder_.remove_other_states(frame);
    folder_.remove_checkpoint();  // it lies before this frame's end
  }

  void interrupted(std::int64_t frame) {
    if (written_step_ != solver_.steps()) write(folder_.checkpoint(), frame);
  }

  /// A run to its end leaves nothing to go on from but the states that were asked for.
  void finished() { folder_.remove_checkpoint(); }

  const std::filesystem::path& last() const { return last_; }

 private:
  void write(const std::filesystem::path& file, std::int64_t frame) {
    origin_.frame = frame;
    write_state(file, solver_.save(boundary::step_start, true), scene_, origin_);
    written_step_ = solver_.steps();
    last_ = file;
  }

  const RunFolder& folder_;
  const Solver& solver_;
  const Scene& scene_;
  KeepStates keep_;
  StateOrigin origin_;
  std::int64_t written_step_ = -1;
  std::filesystem::path last_;
};

/// The number of completed frames stands in the file beside the snapshot, and decides when the next one ends.
void require_place_in_run(const RunFolder::LastState& stored, const Scene& scene) {
  const auto refuse = [&](std::string_view why) {
    throw BadInput(fmt::format("{}: no usable state: {}", stored.file.string(), why));
  };
  const Snapshot& snapshot = stored.state.snapshot;
  if (snapshot.at != boundary::step_start)
    refuse(fmt::format("a run goes on from step_start, not from {}", snapshot.at));
  const std::int64_t frame = stored.state.origin.frame;
  constexpr std::int64_t most = std::int64_t{1}
                                << 40;  // far from where + 1 or the conversion to double would fail
  const StepControl control(scene);
  if (frame < 0 || frame > most || control.frame_time(frame) > snapshot.time ||
      control.frame_time(frame + 1) <= snapshot.time)
    refuse(
        fmt::format("its time {} s does not lie behind {} frames and before the next", snapshot.time, frame));
}

}  // namespace

RecordedRun run_recorded(Solver& solver, const Scene& scene, const RecordedRunOptions& options,
                         const Observers& observers) {
  const InterruptGuard guard;  // until the checkpoint is written
  RecordedRun run;
  run.provenance = provenance(scene, solver.name(), options.solver);
  const std::int64_t frames = options.frames < 0 ? StepControl(scene).frames() : options.frames;
  const RunFolder::Identity who = identity(solver, scene, options.solver);

  // Everything that can be wrong with the input is found before the first byte is written.
  std::optional<RunFolder::LastState> stored;
  if (options.resume) {
    RunFolder::require_same_run(options.out, who);
    stored = RunFolder::last_state(options.out, run.notes);
    if (!stored) run.notes.emplace_back("no complete state found: starting from the beginning");
  } else {
    RunFolder::require_unused(options.out);
  }
  if (stored) {
    if (scene_hash(std::string_view(stored->state.scene)) != run.provenance.scene_hash ||
        stored->state.origin.solver != solver.name() ||
        stored->state.origin.precision != run.provenance.precision) {
      throw BadInput(fmt::format("--resume: the last state in {} is of another run", options.out.string()));
    }
    load_from_file(solver, stored->state.snapshot, stored->file.string());
    require_place_in_run(*stored, scene);
    run.resumed_from_step = stored->state.snapshot.step;
  } else {
    const NothingToKeep nothing_yet;
    solver.load(sample(scene));
  }

  const RunFolder folder(options.out);
  folder.remove_unfinished();
  if (!options.resume) {
    RunFolder::require_unused(options.out);  // still, now that nobody else can take it
    folder.record(who, fmt::format("threads = {}\nframes = {}\nstates = {}\nsums = {}\n\n{}",
                                   options.solver.threads, frames, toml_string(to_string(options.states)),
                                   toml_string(keep_sums_names[static_cast<std::size_t>(options.sums)]),
                                   to_toml(run.provenance, "repose.provenance")));
  }
  require_writable("--out", folder.checkpoint());
  StepTable steps(folder.steps(), method::of(scene), solver.steps());
  SumsTable sums(folder.sums(), scene, options.sums, solver.steps());
  StateRecorder states(folder, solver, scene, options);
  const std::int64_t first_frame = stored ? stored->state.origin.frame : 0;
  if (stored) states.resumed_from(*stored);

  const auto on_step = [&](const StepRecord& record) {
    steps.append(record);
    sums.step(solver);
    if (observers.step) observers.step(record);
  };
  const auto on_frame = [&](std::int64_t frame, const Solver& at) {
    sums.frame(at);
    sums.sync();
    steps.sync();  // before the state: a state never knows more steps than the table
    states.frame(frame);
    return observers.frame ? observers.frame(frame, at) : Go::on;
  };
  try {
    run.summary =
        simulate(solver, scene, {.frames = frames, .first_frame = first_frame, .progress = options.progress},
                 {.step = on_step, .frame = on_frame});
  } catch (const SimulationError&) {
    steps.sync();  // the rows that led to the failure
    sums.sync();
    throw;
  }
  steps.sync();
  sums.sync();
  if (run.summary.interrupted) {
    states.interrupted(run.summary.frames);
  } else {
    states.finished();
  }
  run.last_state = states.last();
  run.provenance.wall_seconds = run.summary.wall_seconds;
  run.provenance.particle_steps_per_s = run.summary.particle_steps_per_s();
  run.provenance.peak_memory_bytes = run.summary.peak_memory_bytes;
  return run;
}

}  // namespace repose::experiments
