#include "experiments/klar2016/fig13_friction_angle/friction_angle.h"

#include "experiments/common/interrupt.h"
#include "experiments/klar2016/fig13_friction_angle/column.h"
#include "experiments/klar2016/fig13_friction_angle/judge.h"
#include "experiments/klar2016/fig13_friction_angle/output.h"
#include "reference/interface/materials.h"

#include <fmt/format.h>

#include <limits>

namespace repose::experiments::klar2016 {

namespace {

constexpr double printed_courant = 1.47;  // c Δt/h of Table 2's Δt 10⁻⁴ s, h 1 mm and Table 3's material

/// Runs columns one after the other until one is interrupted.
class Queue {
 public:
  Queue(const FigureRequest& request, const Setup& setup, int total)
      : request_(request), setup_(setup), total_(total) {}

  Collapse run(double angle, std::uint64_t seed) {
    return run(column_scene(setup_, angle, seed), angle, request_.solver, request_.options, false);
  }

  Collapse run(const Scene& scene, double angle, const std::string& solver, const SolverOptions& options,
               bool keep_failure, std::int64_t frames = -1) {
    const std::string label = fmt::format("{}/{} φ {:g}° {}", ++done_, total_, angle, solver);
    Collapse result = collapse(scene, angle, solver, options, request_.progress, label, keep_failure, frames);
    interrupted_ = interrupted_ || result.summary.interrupted;
    return result;
  }

  bool interrupted() const { return interrupted_; }

 private:
  const FigureRequest& request_;
  const Setup& setup_;
  int total_;
  int done_ = 0;
  bool interrupted_ = false;
};

FigureResult run(const FigureRequest& request) {
  const InterruptGuard guard;
  const Setup chosen = setup(request.preset);
  const bool with_reference = chosen.reference_frames > 0 && request.solver != "reference";
  Queue queue(request, chosen, 7 + (with_reference ? 1 : 0) + (request.printed_dt ? 1 : 0));
  Series series;
  FigureResult result;
  result.interrupted = true;
  for (const double angle : {20.0, 25.0, 30.0, 35.0, 40.0}) {
    series.angles.push_back(queue.run(angle, 1));
    if (queue.interrupted()) return result;
  }
  const double angle = middle(series).friction_angle_deg;
  for (const std::uint64_t seed : {2U, 3U}) {
    series.repeats.push_back(queue.run(angle, seed));
    if (queue.interrupted()) return result;
  }
  if (with_reference) {
    series.reference =
        queue.run(column_scene(chosen, angle, 1), angle, "reference", {}, false, chosen.reference_frames);
    if (queue.interrupted()) return result;
  }
  if (request.printed_dt) {
    Scene scene = column_scene(chosen, angle, 1);
    scene.step.elastic_bound = printed_courant;
    scene.step.max_dt = std::numeric_limits<double>::max();
    series.printed_dt = queue.run(scene, angle, request.solver, request.options, true);
    if (queue.interrupted()) return result;
  }
  result.interrupted = false;
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
          .starred = true,
          .claim =
              "Columns of dry sand collapse on the ground. A larger friction angle, 20 to 40 degrees, gives "
              "a taller "
              "pile with steeper sides.",
          .smoke = "h 4 mm, 4 particles per cell, 2300 particles; under 20 s",
          .desk = "h 2 mm, 8 particles per cell, 37 500 particles; about 2 minutes",
          .paper = "h 1 mm, 32 particles per cell, 1.2 million particles, as Table 2 prints; many hours",
          .run = run};
}

}  // namespace repose::experiments::klar2016
