#pragma once

#include "experiments/run/provenance.h"
#include "experiments/run/simulation.h"
#include "experiments/run/sums_table.h"
#include "reference/interface/scene/scene.h"
#include "reference/interface/solver.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace repose::experiments {

/// Which frames' states stay on the disk. An interruption inside a frame always leaves a checkpoint.
enum class KeepStates : unsigned char { every, last, none };

struct RecordedRunOptions {
  std::filesystem::path out{};  ///< folder of the run; see RunFolder
  SolverOptions solver{};       ///< what the solver was made with
  KeepStates states = KeepStates::every;
  KeepSums sums = KeepSums::frame;
  bool resume = false;       ///< continue from the last complete state in `out`
  std::int64_t frames = -1;  ///< as RunSettings::frames; a resumed run may have more or fewer than before
  bool progress = false;
};

struct RecordedRun {
  RunSummary summary;
  Provenance provenance;                ///< wall time, rate and memory included
  std::int64_t resumed_from_step = -1;  ///< −1: it was not resumed
  std::filesystem::path last_state;     ///< the latest written; empty if there is none
  std::vector<std::string> notes;       ///< for people: damaged files passed over, …
};

/// Runs a scene from its start, or on from where it stopped, and records it in a folder: scene, options, provenance,
/// a table of steps, one of sums and the states. A run that was killed and resumed leaves the same bytes in the tables and in
/// states/ as one that was not. `observers` see the run beside the recording.
/// @param solver fresh from its factory; loaded here
/// @throws BadInput before anything is written  @throws WriteError  @throws SimulationError, the last state is kept
RecordedRun run_recorded(Solver& solver, const Scene& scene, const RecordedRunOptions& options,
                         const Observers& observers = {});

}  // namespace repose::experiments
