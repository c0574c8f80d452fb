#include "experiments/klar2016/fig16_hardening/hardening.h"

#include "experiments/klar2016/fig16_hardening/widening.h"
#include "experiments/run/interrupt.h"
#include "reference/interface/methods/mpm.h"
#include "validation/file_output.h"

#include <fmt/format.h>

#include <cmath>

namespace repose::experiments::klar2016 {

namespace {

constexpr std::string_view id = "klar2016/fig16_hardening";

void write_tables(const std::vector<HardeningRun>& runs, const std::filesystem::path& folder) {
  std::string metrics = "solver,spacing_m,particles,steps,largest_decrease_of_q,curve_error,slipped_states\n";
  for (const HardeningRun& run : runs) {
    metrics += fmt::format("{},{},{},{},{},{},{}\n", run.solver, run.scene.grid.h, run.summary.particles,
                           run.summary.steps, run.largest_decrease, run.curve_error, run.slipped);
  }
  const HardeningRun& run = runs.front();
  std::string history = "marked,time_s,q,friction_angle_deg,x_m,y_m,tau_1_Pa,tau_2_Pa\n";
  for (const HardeningFrame& frame : run.frames) {
    for (std::size_t k = 0; k < 3; ++k) {
      const MarkedState& s = frame.marked[k];
      history += fmt::format("{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.5g},{:.5g}\n", k + 1, frame.time, s.q,
                             s.friction_angle / degree, s.at.x(), s.at.y(), s.tau_1, s.tau_2);
    }
  }
  std::string slips = "q,angle_deg\n";
  for (const SlippedState& s : run.slips) slips += fmt::format("{:.6g},{:.8g}\n", s.q, s.angle / degree);
  const double diameter = run.scene.grid.h / std::sqrt(run.scene.seeds.front().particles_per_cell);
  std::string grains = "x_m,y_m,diameter_m,q,marked\n";
  for (std::size_t p = 0; p < run.x.size(); ++p) {
    std::size_t mark = 0;
    for (std::size_t k = 0; k < 3; ++k) mark = run.marked[k] == p ? k + 1 : mark;
    grains +=
        fmt::format("{:.6g},{:.6g},{:.4g},{:.5g},{}\n", run.x[p].x(), run.x[p].y(), diameter, run.q[p], mark);
  }
  replace_file(folder / "metrics.csv", metrics);
  replace_file(folder / "history.csv", history);
  replace_file(folder / "slips.csv", slips);
  replace_file(folder / "particles.csv", grains);
}

FigureResult run(const FigureRequest& request) {
  const InterruptGuard guard;
  const HardeningSetup setup = hardening_setup(request.preset);
  FigureResult result;
  const std::vector<HardeningRun> runs = run_beside_readable(
      request, setup.spacing, setup.reference_spacing, [&](const FigureRequest& asked, double spacing) {
        return collapse_hardening(hardening_scene(spacing, setup.duration), asked);
      });
  if (runs.empty()) {
    result.interrupted = true;
    return result;
  }
  result.numbers = judge(runs);
  write_tables(runs, request.folder);
  result.provenance = record_runs(scene_runs(runs), id, request);
  add_plots(
      result, "klar2016/fig16_hardening/plot.py", request,
      {{.file = "marked.png",
        .caption = "The pile at the end, coloured by hardening state, with the three marked particles; their "
                   "hardening states over time; their cones at start and end.",
        .alt =
            "Top: the collapsed column coloured by q with three marks. Below left: q of the three particles "
            "against time, never falling. Below right: three pairs of wedges in the plane of principal "
            "stresses, "
            "each wider at the end than at the start."},
       {.file = "curve.png",
        .caption =
            "Friction angle that the stress of slipping particles shows, against their hardening state, on "
            "the printed curve.",
        .alt = "Dots of friction angle in degrees against q lie on the curve that starts at 25 degrees, "
               "rises to "
               "42.9 at q 4.4 and then falls towards 35."}});
  return result;
}

}  // namespace

Figure hardening() {
  return {.id = id,
          .title = "Hardening widens the cone of each particle",
          .method = method::mpm.name,
          .starred = false,
          .claim =
              "In a collapsing column every particle hardens as it deforms plastically: its friction angle "
              "follows "
              "the printed curve and its cone becomes wider.",
          .smoke = "h 10 mm, 3200 particles, and 800 with the readable solver; some seconds",
          .desk = "h 5 mm, 12 800 particles, and 3200 with the readable solver; about half a minute",
          .paper = "h 2.5 mm, 51 200 particles (the paper prints no set-up); some minutes",
          .run = run};
}

}  // namespace repose::experiments::klar2016
