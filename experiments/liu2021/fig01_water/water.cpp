#include "experiments/liu2021/fig01_water/water.h"

#include "experiments/liu2021/fig01_water/judge.h"
#include "experiments/run/interrupt.h"
#include "reference/interface/methods/mpm.h"
#include "validation/file_output.h"

#include <fmt/format.h>

namespace repose::experiments::liu2021 {

namespace {

constexpr std::string_view id = "liu2021/fig01_water";

void write_tables(const std::vector<SplashRun>& runs, const std::filesystem::path& folder) {
  std::string history = "tension,seed,time_s,particles,centre_m,motion_m2_s2,volume,room,pressure_pa\n";
  std::string rows = "tension,seed,height_m,pressure_pa,expected_pa,particles\n";
  std::string drops = "tension,time_s,x_m,y_m,pressure_pa\n";
  for (const SplashRun& run : runs) {
    const SplashCase& of = run.chosen;
    const exact::WaterColumn column = water_column_of(run.run.scene);
    for (const SplashFrame& frame : run.frames)
      history +=
          fmt::format("{:d},{},{},{},{},{},{},{},{}\n", of.tension, of.seed, frame.time, frame.particles,
                      frame.centre, frame.motion, frame.volume, frame.room, frame.pressure);
    for (const SplashRow& row : run.rows)
      rows += fmt::format("{:d},{},{},{},{},{}\n", of.tension, of.seed, row.height, row.pressure,
                          column.pressure(row.height), row.particles);
    if (of.seed != runs.front().chosen.seed) continue;
    for (const Drop& drop : run.drops)
      drops += fmt::format("{:d},{},{:.6g},{:.6g},{:.4g}\n", of.tension, drop.time, drop.at.x(), drop.at.y(),
                           drop.pressure);
  }
  replace_file(folder / "history.csv", history);
  replace_file(folder / "metrics.csv", rows);
  replace_file(folder / "particles.csv", drops);
}

FigureResult run(const FigureRequest& request) {
  const InterruptGuard guard;
  std::vector<SplashRun> runs;
  FigureResult result;
  for (const SplashCase& one : splash_cases(request.preset)) {
    runs.push_back(splash(one, request));
    result.interrupted = runs.back().run.summary.interrupted || runs.back().calm.summary.interrupted;
    if (result.interrupted) return result;
  }
  result.numbers = judge(runs, request.preset);
  write_tables(runs, request.folder);
  std::vector<const SceneRun*> all;
  for (const SplashRun& one : runs)
    for (const SceneRun* part : {&one.run, &one.calm}) all.push_back(part);
  result.provenance = record_runs(all, id, request);
  add_plots(
      result, "liu2021/fig01_water/plot.py", request,
      {{.file = "splash.png",
        .caption =
            "The water as it enters, hits the ground, runs up the walls and lies at rest; above with the "
            "printed tension, below without.",
        .alt = "Two rows of square boxes. A band of water falls, spreads over the floor, splashes at the "
               "walls and "
               "ends as a flat layer."},
       {.file = "rest.png",
        .caption = "Pressure at rest by height, and over time the height of the centre of mass and the "
                   "volume, against their closed "
                   "forms; the volume by the room that the water takes and by J.",
        .alt = "Left, points along a falling straight line; right, a curve that swings and comes to a "
               "horizontal "
               "line."}});
  return result;
}

}  // namespace

Figure water() {
  return {
      .id = id,
      .title = "Water poured into a box",
      .method = method::mpm.name,
      .starred = false,
      .claim =
          "Water that falls from the top hits the ground and the walls and stays within them; at rest "
          "its pressure "
          "and height are those of its weight.",
      .smoke =
          "as printed, 3000 particles, h 2, but 10 s and 14 s of PIC, one seed, with and without tension; "
          "some seconds",
      .desk = "30 s as printed and 40 s of PIC, 3 seeds; about two minutes",
      .paper = "as desk with 10 seeds; some minutes",
      .run = run};
}

}  // namespace repose::experiments::liu2021
