#include "experiments/klar2016/fig13_friction_angle/friction_angle.h"

#include "experiments/klar2016/fig13_friction_angle/column.h"
#include "experiments/klar2016/fig13_friction_angle/judge.h"
#include "experiments/klar2016/fig13_friction_angle/output.h"
#include "experiments/run/interrupt.h"
#include "experiments/run/memory_limit.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/scene/materials.h"
#include "validation/solvers.h"

#include <fmt/format.h>

#include <limits>

namespace repose::experiments::klar2016 {

namespace {

constexpr double printed_courant = 1.47;  // c Δt/h of Table 2's Δt 10⁻⁴ s, h 1 mm and Table 3's material
constexpr std::uint64_t nudges[]{1, 2, 3};  // seeds of what moves start positions by one rounding

/// Runs columns one after the other.
class Queue {
 public:
  Queue(const FigureRequest& request, const Setup& setup, std::size_t total)
      : request_(request), setup_(setup), total_(total) {}

  /// @returns false if a signal stopped the run
  bool run(std::vector<Collapse>& runs, const Scene& scene, double angle, CollapseSettings settings) {
    require_memory(scene, scene.title, settings.solver, settings.options, settings.frames,
                   request_.memory_limit_bytes);
    settings.progress = request_.progress;
    settings.label = fmt::format("{}/{} φ {:g}° {}", ++done_, total_, angle, settings.solver);
    runs.push_back(collapse(scene, angle, settings));
    return !runs.back().summary.interrupted;
  }

  /// The solver asked for, until the sand is at rest. @param courant c Δt/h, not above the controller's; 0: that
  bool run(std::vector<Collapse>& runs, double angle, std::uint64_t seed, double courant = 0.0) {
    Scene scene = column_scene(setup_, angle, seed);
    if (courant > 0.0) mpm_options(scene).elastic_bound = courant;
    return run(runs, scene, angle, asked());
  }

  CollapseSettings asked() const { return {.solver = request_.solver, .options = request_.options}; }

 private:
  const FigureRequest& request_;
  const Setup& setup_;
  std::size_t total_;
  std::size_t done_ = 0;
};

/// The middle angle with smaller steps, and the outermost angles with one of these.
bool run_step_sizes(Queue& queue, const Setup& chosen, Series& series) {
  for (const double courant : chosen.courants) {
    if (!queue.run(series.steps, middle(series).friction_angle_deg, 1, courant)) return false;
  }
  if (chosen.outermost_courant == 0.0) return true;
  for (const Collapse* of : {&series.angles.front(), &series.angles.back()}) {
    if (!queue.run(series.outermost, of->friction_angle_deg, 1, chosen.outermost_courant)) return false;
  }
  return true;
}

/// The middle angle by the readable solver, and by the other one again with start positions moved by one rounding.
bool run_twins(Queue& queue, const Setup& chosen, Series& series) {
  const double angle = middle(series).friction_angle_deg;
  const Scene scene = column_scene(chosen, angle, 1);
  std::vector<Collapse> readable;
  const bool whole = queue.run(readable, scene, angle,
                               {.solver = std::string(judging_solver(method::mpm.name)),
                                .options = {},
                                .frames = chosen.reference_frames});
  series.reference = std::move(readable.front());
  if (!whole) return false;
  for (const std::uint64_t seed : nudges) {
    CollapseSettings settings = queue.asked();
    settings.frames = chosen.reference_frames;
    settings.nudged_by_seed = seed;
    if (!queue.run(series.nudged, scene, angle, settings)) return false;
  }
  return true;
}

bool run_printed_step(Queue& queue, const Setup& chosen, Series& series) {
  const double angle = middle(series).friction_angle_deg;
  Scene scene = column_scene(chosen, angle, 1);
  mpm_options(scene).elastic_bound = printed_courant;
  scene.step.max_dt = std::numeric_limits<double>::max();
  CollapseSettings settings = queue.asked();
  settings.keep_failure = true;
  std::vector<Collapse> printed;
  const bool whole = queue.run(printed, scene, angle, settings);
  series.printed_dt = std::move(printed.front());
  return whole;
}

/// @returns false if a signal stopped a run
bool run_series(const FigureRequest& request, Series& series) {
  const Setup chosen = setup(request.preset);
  const bool with_reference =
      chosen.reference_frames > 0 && request.solver != judging_solver(method::mpm.name);
  const std::size_t smaller_steps = chosen.courants.size() + (chosen.outermost_courant > 0.0 ? 2 : 0);
  Queue queue(
      request, chosen,
      7 + smaller_steps + (with_reference ? 1 + std::size(nudges) : 0) + (request.printed_dt ? 1 : 0));
  for (const double angle : {20.0, 25.0, 30.0, 35.0, 40.0}) {
    if (!queue.run(series.angles, angle, 1)) return false;
  }
  for (const std::uint64_t seed : {2U, 3U}) {
    if (!queue.run(series.repeats, middle(series).friction_angle_deg, seed)) return false;
  }
  return run_step_sizes(queue, chosen, series) && (!with_reference || run_twins(queue, chosen, series)) &&
         (!request.printed_dt || run_printed_step(queue, chosen, series));
}

FigureResult run(const FigureRequest& request) {
  const InterruptGuard guard;
  Series series;
  FigureResult result;
  result.interrupted = !run_series(request, series);
  if (result.interrupted) return result;
  result.numbers = judge(series);
  write_tables(series, request.folder);
  result.provenance = write_record(series, request);
  draw_pictures(series, request, result);
  return result;
}

}  // namespace

Figure friction_angle() {
  return {.id = "klar2016/fig13_friction_angle",
          .title = "Friction angle and the shape of a pile",
          .method = method::mpm.name,
          .starred = true,
          .claim =
              "Columns of dry sand collapse on the ground. A larger friction angle, 20 to 40 degrees, gives "
              "a taller "
              "pile with steeper sides.",
          .smoke = "h 4 mm, 4 particles per cell, 2300 particles; half a minute",
          .desk = "h 2 mm, 8 particles per cell, 37 500 particles; some minutes",
          .paper = "h 1 mm, 32 particles per cell, 1.2 million particles, as Table 2 prints; many hours",
          .run = run};
}

}  // namespace repose::experiments::klar2016
