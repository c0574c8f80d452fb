#pragma once

#include "experiments/run/inside_solids.h"
#include "reference/interface/method.h"
#include "reference/interface/scene/scene.h"
#include "reference/interface/solver.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace repose::experiments {

/// One completed step.
struct StepRecord {
  std::int64_t step = 0;          ///< completed steps before it
  double time = 0.0;              ///< at its start [s]
  std::string_view limited_by{};  ///< what chose Δt (StepControl::Choice)
  StepReport report{};
  std::optional<InsideSolids> solids{};  ///< at its end, of the last step of a frame; no other step looks
};

enum class Go : unsigned char { on, stop };

/// Who looks at a run. Empty functions are not called.
struct Observers {
  /// After every step.
  std::function<void(const StepRecord& record)> step{};
  /// After every frame, and as frame 0 before the first step. The solver stands at step_start: save(step_start, …)
  /// gives the state. Go::stop ends the run, for example when the sand has come to rest.
  std::function<Go(std::int64_t frame, const Solver& solver)> frame{};
};

struct RunSettings {
  std::int64_t frames = -1;      ///< run to the end of this frame; −1: the scene's duration
  std::int64_t first_frame = 0;  ///< completed frames of the state loaded, when a run is resumed
  bool progress = false;         ///< a progress line on stderr, where that is a terminal
  std::string label{};           ///< in front of the progress line
};

/// What a run did. Of a resumed run: since it was resumed.
struct RunSummary {
  const method::Method* method = nullptr;  ///< whose steps they were
  std::int64_t frames = 0;                 ///< completed frames, counted from the scene's start
  std::int64_t steps = 0;
  std::uint64_t particles = 0;
  std::uint64_t entered = 0;  ///< of the particles, let in by emitters
  std::uint64_t particle_steps = 0;
  StepReport total;  ///< counts summed over the steps; max_speed is the largest, dt the simulated time [s]
  double smallest_dt = 0.0;                                     ///< [s]; 0 when there was no step
  double largest_dt = 0.0;                                      ///< [s]
  std::map<std::string, std::int64_t, std::less<>> limited_by;  ///< steps by what chose their Δt
  double end_time = 0.0;                                        ///< simulated [s]
  /// Particles inside solids. Looked at at the end of every frame, and of the run.
  struct Solids {
    std::uint64_t at_end = 0;   ///< at the end of the run
    std::uint64_t most = 0;     ///< whenever it was looked
    InsideSolids deepest;       ///< when the deepest particle was seen
    double deepest_time = 0.0;  ///< [s]
  };
  Solids solids;
  double wall_seconds = 0.0;  ///< observers included
  double step_seconds = 0.0;  ///< inside the solver's steps
  std::uint64_t peak_memory_bytes = 0;
  /// As the solver names its stages; may be empty
  std::vector<std::pair<std::string, double>> stage_seconds;
  bool interrupted = false;  ///< by SIGINT or SIGTERM; the solver stands after a complete step
  bool stopped = false;      ///< by an observer

  double particle_steps_per_s() const;
};

/// Runs a loaded solver over a scene, frame by frame, with Δt from the scene's StepControl. What the scene's emitters
/// let in during a step is appended at its end. On SIGINT or SIGTERM the step in progress is finished and the summary
/// says so; what is kept then is the caller's choice. The steps taken depend on the solver's state and first_frame
/// alone, so a run resumed from any complete step repeats the bits.
///
///     const Snapshot start = sample(scene);
///     auto solver = make_solver("reference", scene, {});
///     solver->load(start);
///     const RunSummary summary = simulate(*solver, scene, {.progress = true}, {.frame = record_metrics});
///
/// @throws SimulationError from the solver
RunSummary simulate(Solver& solver, const Scene& scene, const RunSettings& settings,
                    const Observers& observers);

/// A few lines for people.
std::string describe(const RunSummary& summary);

nlohmann::json to_json(const RunSummary& summary);

}  // namespace repose::experiments
