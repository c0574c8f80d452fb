#pragma once

#include "experiments/bench/statistics.h"
#include "experiments/bench/table2_rows.h"
#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"
#include "reference/interface/solver.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace repose::experiments {

/// How long a row's scene is run. Either steps, each as long as the controller lets it be, in repetitions; or whole frames from
/// the start, each a repetition.
struct Table2Pace {
  int frames = 0;  ///< 0: steps
  int steps = 10;  ///< of a repetition; as many before the first warm up
  int repeat = 5;
};

/// What the timed steps of a row came to.
struct Table2Timing {
  const Table2Row* row = nullptr;
  Scene scene;
  std::size_t particles = 0;
  double fewer = 1.0;                       ///< particles of the row over those asked for
  double controller_dt = 0.0;               ///< largest Δt of the timed steps, as taken [s]
  std::string_view limited_by{};            ///< what chose it
  std::vector<double> step_seconds{};       ///< wall, mean of each repetition
  std::vector<double> processor_seconds{};  ///< the same of all threads together; may be empty
  std::vector<std::int64_t> frame_steps{};  ///< of each frame, where whole ones were run
  double disturbed = -1.0;                  ///< median of the repetitions' disturbed_share()
  StepReport last{};                        ///< of the last step
  double yielding = 0.0;                    ///< share of the grains that yield in it [-]
  Counts counts{};                          ///< of all timed steps
  std::int64_t steps = 0;                   ///< timed
  std::string failure{};                    ///< what ended it early, if something did
  bool interrupted = false;                 ///< by a signal
};

/// How far a run is.
struct Table2Progress {
  std::int64_t frame = 0;  ///< the one it is in, from 1; 0 where steps are timed
  std::int64_t steps = 0;  ///< done, also those that warm up
  double time = 0.0;       ///< [s]
};

/// Runs the scene of a row from a state and times it.
/// @param fewer    as in Table2Timing
/// @param progress called after every step; may be empty
Table2Timing time_steps(const Table2Row& row, const Scene& scene, Snapshot start, double fewer,
                        const Table2Pace& pace, std::string_view solver, const SolverOptions& options,
                        const std::function<void(const Table2Progress&)>& progress = {});

/// A row's times, extrapolated to its full number of particles.
struct Extrapolated {
  Spread step;                   ///< wall time of a step of the full row [s]
  double ns = 0.0;               ///< per particle, step and core
  double processor_ns = 0.0;     ///< processor time per particle and step, which other work changes little
  double steps_per_frame = 0.0;  ///< as run, or at the controller's Δt
  double frame = 0.0;            ///< of the frames that were run, or of that many steps [s]
  double processor_frame = 0.0;  ///< the same in processor time [s]
  double frame_printed = 0.0;    ///< at the printed Δt [s]
};
Extrapolated extrapolate(const Table2Timing& timing, int threads);

}  // namespace repose::experiments
