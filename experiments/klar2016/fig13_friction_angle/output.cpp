#include "experiments/klar2016/fig13_friction_angle/output.h"

#include "experiments/figures/plot.h"
#include "experiments/klar2016/fig13_friction_angle/judge_parts.h"
#include "experiments/picture/label.h"
#include "experiments/picture/picture.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/file_output.h"
#include "validation/metrics/effective_angle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace repose::experiments::klar2016 {

namespace {

/// Every run with the word that tells it from the others of its angle.
void for_each_run(const Series& series, const std::function<void(const Collapse&, std::string_view)>& visit) {
  for (const Collapse& run : series.angles) visit(run, "angle");
  for (const Collapse& run : series.repeats) visit(run, "seed");
  for (const Collapse& run : series.steps) visit(run, "step");
  for (const Collapse& run : series.outermost) visit(run, "outermost");
  if (series.reference) visit(*series.reference, "reference");
  for (const Collapse& run : series.nudged) visit(run, "nudged");
  if (series.printed_dt) visit(*series.printed_dt, "printed_dt");
}

}  // namespace

void write_tables(const Series& series, const std::filesystem::path& folder) {
  std::string metrics =
      "run,solver,friction_angle_deg,seed,particles,height_m,highest_m,runout98_m,front_m,foot_m,flank_angle_"
      "deg,"
      "flank_error_deg,sector_angle_least_deg,sector_angle_most_deg,effective_angle_deg,effective_slope_deg,"
      "steepest_slope_deg,loosening,gap_m,surface_volume_gain,rest_time_s,kinetic_energy_J,steps,largest_dt_"
      "s,courant,inside,tip,"
      "surface,fall_energy_J,rest_share\n";
  std::string profiles = "run,friction_angle_deg,seed,radius_m,surface_m,packed_m\n";
  std::string history =
      "run,friction_angle_deg,seed,time_s,height_m,runout98_m,centre_height_m,kinetic_energy_J\n";
  for_each_run(series, [&](const Collapse& run, std::string_view kind) {
    const double phi = run.friction_angle_deg * degree;
    const auto [least, most] = std::minmax_element(run.sector_angle.begin(), run.sector_angle.end());
    const PileShape& end = run.end();
    metrics += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", kind,
        run.solver, run.friction_angle_deg, run.seed, run.grains.size(), end.height.percentile_98,
        end.height.highest, end.runout.percentile_98, end.runout.front, run.foot, run.flank.angle / degree,
        run.flank.standard_error / degree, *least / degree, *most / degree,
        metrics::effective_angle(phi, 3) / degree, metrics::effective_slope(phi, 3) / degree,
        metrics::steepest_slope(phi) / degree, run.loosening, run.gap,
        metrics::volume_below(run.profile, 3) / run.start_volume - 1.0, run.rest_time,
        end.motion.kinetic_energy, run.summary.steps, run.summary.largest_dt, run.courant,
        run.summary.total.counts[counter::inside], run.summary.total.counts[counter::tip],
        run.summary.total.counts[counter::surface], run.fall_energy(), column_rest_share);
    for (std::size_t ring = 0; ring < run.profile.radius.size(); ++ring) {
      profiles += fmt::format("{},{},{},{},{},{}\n", kind, run.friction_angle_deg, run.seed,
                              run.profile.radius[ring], run.profile.surface[ring], run.profile.packed[ring]);
    }
    for (std::size_t frame = 0; frame < run.frames.size(); ++frame) {
      const PileShape& shape = run.frames[frame];
      history += fmt::format("{},{},{},{},{},{},{},{}\n", kind, run.friction_angle_deg, run.seed,
                             run.frame_time[frame], shape.height.percentile_98, shape.runout.percentile_98,
                             shape.motion.centre.y(), shape.motion.kinetic_energy);
    }
  });
  replace_file(folder / "metrics.csv", metrics);
  replace_file(folder / "profiles.csv", profiles);
  replace_file(folder / "history.csv", history);
}

nlohmann::json write_record(const Series& series, const FigureRequest& request) {
  const Collapse& first = middle(series);
  Provenance whole = first.provenance;
  double step_seconds = 0.0;
  double particle_steps = 0.0;
  whole.wall_seconds = 0.0;
  nlohmann::json runs = nlohmann::json::array();
  std::string list;
  for_each_run(series, [&](const Collapse& run, std::string_view kind) {
    whole.wall_seconds += run.provenance.wall_seconds;
    whole.peak_memory_bytes = std::max(whole.peak_memory_bytes, run.provenance.peak_memory_bytes);
    if (run.solver == first.solver) {
      step_seconds += run.summary.step_seconds;
      particle_steps += static_cast<double>(run.summary.particle_steps);
    }
    runs.push_back({{"run", kind},
                    {"friction_angle_deg", run.friction_angle_deg},
                    {"seed", run.seed},
                    {"solver", run.solver},
                    {"scene_hash", run.provenance.scene_hash},
                    {"steps", run.summary.steps},
                    {"courant", run.courant},
                    {"simulated_s", run.summary.end_time},
                    {"wall_s", run.provenance.wall_seconds},
                    {"particle_steps_per_s", run.provenance.particle_steps_per_s}});
    list += fmt::format(
        "\n[[repose.runs]]\nrun = {}\nsolver = {}\nfriction_angle_deg = {}\nseed = {}\nelastic_bound = {}\n"
        "scene_hash = {}\n",
        toml_string(kind), toml_string(run.solver), run.friction_angle_deg, run.seed,
        mpm_options(run.scene).elastic_bound, toml_string(run.provenance.scene_hash));
  });
  whole.particle_steps_per_s = step_seconds > 0.0 ? particle_steps / step_seconds : 0.0;
  replace_file(
      request.folder / "run.toml",
      fmt::format("{}\n[repose]\nfigure = \"klar2016/fig13_friction_angle\"\npreset = \"{}\"\n{}\n{}",
                  scene_to_toml(first.scene), to_string(request.preset), list,
                  to_toml(whole, "repose.provenance")));
  nlohmann::json provenance = to_json(whole);
  provenance["runs"] = runs;
  return provenance;
}

namespace {

/// All piles in a row, seen from slightly above.
void draw_piles(const Series& series, const FigureRequest& request, FigureResult& result) {
  double widest = 0.0;
  for (const Collapse& run : series.angles) widest = std::max(widest, run.end().runout.percentile_98);
  const double pitch = 2.25 * widest;
  const Column column = column_of(middle(series).scene);
  std::vector<Ball> balls;
  std::vector<Label> labels;
  for (std::size_t k = 0; k < series.angles.size(); ++k) {
    const Collapse& run = series.angles[k];
    const double place =
        pitch * (static_cast<double>(k) - 0.5 * static_cast<double>(series.angles.size() - 1));
    const double volume = run.start_volume / static_cast<double>(run.grains.size());
    const auto radius = static_cast<float>(0.55 * std::cbrt(volume));
    for (std::size_t p = 0; p < run.grains.size(); ++p) {
      const Point at = run.grains[p] - column.axis.foot + place * Point::UnitX();
      balls.push_back({.centre = at.cast<float>(), .radius = radius, .colour = grain_colour(p)});
    }
    labels.push_back(
        {.text = fmt::format("φ = {:g}°", run.friction_angle_deg), .at = Point(place, -0.42 * widest, 0.0)});
  }
  const double width = pitch * static_cast<double>(series.angles.size());
  View view;
  view.width = 1800;
  view.height = 300;
  view.target = Point(0.0, 0.008 * width, 0.0);
  view.eye = Point(0.0, 0.34 * width, 2.6 * width);
  view.field_of_view = 2.0 * std::atan(0.5 * width / (view.eye - view.target).norm());
  view.to_light = Point(-1.0, 0.9, 0.45);
  view.occlusion_radius = 0.08 * widest;
  write_png(draw(balls, labels, view), request.folder / "piles.png");
  result.pictures.push_back(
      {.file = "piles.png",
       .caption =
           "The piles at rest, every particle a matte ball in the three colours and shares of Klár 2016 §9.",
       .alt = fmt::format(
           "Five piles of sand side by side. From left to right the friction angle is 20, 25, 30, 35 and 40 "
           "degrees and the measured height {:.1f}, {:.1f}, {:.1f}, {:.1f} and {:.1f} millimetres.",
           height_mm(series.angles[0]), height_mm(series.angles[1]), height_mm(series.angles[2]),
           height_mm(series.angles[3]), height_mm(series.angles[4]))});
}

/// Run-out and height against the step.
void add_step_plot(const Series& series, const FigureRequest& request, FigureResult& result) {
  const PlotOutcome plot = run_plot_script("klar2016/fig13_friction_angle/plot_steps.py", request.folder);
  if (!plot.drawn) {
    result.notes.push_back("no plot of the dependence on the step: " + plot.reason);
    return;
  }
  const Collapse& base = middle(series);
  result.pictures.push_back(
      {.file = "steps.png",
       .caption = fmt::format(
           "Run-out and height of the pile of {:g}° against c Δt/h, down to {:.3g}; the scatter of seeds "
           "beside them.",
           base.friction_angle_deg, series.steps.back().courant),
       .alt = fmt::format("Left: run-out in millimetres against c Δt/h on a logarithmic scale, {:.1f} at "
                          "{:.2g} and {:.1f} at "
                          "{:.2g}. Right: height in millimetres against the same.",
                          runout_mm(series.steps.back()), series.steps.back().courant, runout_mm(base),
                          base.courant)});
}

}  // namespace

void draw_pictures(const Series& series, const FigureRequest& request, FigureResult& result) {
  if (can_write_png()) {
    draw_piles(series, request, result);
    if (!can_label())
      result.notes.push_back(
          "no labels on the picture of the piles: this build has no cairo (install libcairo2-dev and build "
          "again)");
  } else {
    result.notes.push_back(
        "no picture of the piles: this build has no PNG (install libpng-dev and build again)");
  }
  const PlotOutcome plots = run_plot_script("klar2016/fig13_friction_angle/plot.py", request.folder);
  if (!plots.drawn) {
    result.notes.push_back("no plots: " + plots.reason);
    return;
  }
  result.pictures.push_back(
      {.file = "height_runout.png",
       .caption = fmt::format("Height and run-out of the piles at rest against the friction angle, with {} "
                              "at {}° and {} at {}°.",
                              step_words(series.angles.front()), angle_name(series.angles.front()),
                              step_words(series.angles.back()), angle_name(series.angles.back())),
       .alt = "Two curves against the friction angle from 20 to 40 degrees: the pile's height in "
              "millimetres and its run-out in millimetres, at 30 degrees those of other seeds too."});
  if (!series.steps.empty()) add_step_plot(series, request, result);
  result.pictures.push_back(
      {.file = "profiles.png",
       .caption = "Surface of the piles at rest, averaged over the azimuth, and the start column.",
       .alt = "Surface height in millimetres against radius in millimetres, one curve for each of the "
              "five friction angles, with the outline of the column they started from."});
  result.pictures.push_back(
      {.file = "angles.png",
       .caption = "Flank angle against the friction angle, beside what the same nominal angle means in "
                  "other states of stress.",
       .alt = "Measured flank angles against nominal friction angles, with the line of equal angles, the "
              "slope of the effective angle in plane strain up to 42.2 degrees, and the steepest slope "
              "the model can hold up to 36.9 degrees."});
  result.pictures.push_back(
      {.file = "history.png",
       .caption = "Run-out and kinetic energy over time.",
       .alt = "Run-out in millimetres and kinetic energy as a share of the energy the column had to fall, "
              "over time in seconds, one curve per friction angle; the energy falls below the bound of "
              "rest."});
}

}  // namespace repose::experiments::klar2016
