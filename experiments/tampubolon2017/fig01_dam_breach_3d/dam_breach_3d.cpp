#include "experiments/tampubolon2017/fig01_dam_breach_3d/dam_breach_3d.h"

#include "experiments/tampubolon2017/fig01_dam_breach_3d/erosion.h"
#include "reference/interface/methods/mixture.h"

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr std::string_view breach_id = "tampubolon2017/fig01_dam_breach_3d";

FigureResult run_erosion(const FigureRequest& request) {
  const DamSetup setup = breach_setup(request.preset);
  return run_and_judge(
      request, breach_id, erosion_cases(request.preset),
      [&](const DamCase& one) { return dam(setup, one, request); },
      [&](const std::vector<DamRun>& runs) { return judge_erosion(runs, setup.past, request.preset); },
      write_dam_tables,
      {{.file = "dam.png",
        .caption =
            "The dam from the side at the start, after a quarter, a half and all of the time; sand from "
            "dry to wet.",
        .alt =
            "Rows of pictures: water leans on a dam of sand, soaks it from its wet face and makes it slump."},
       {.file = "history.png",
        .caption = "Fronts, water past the dam and cohesion of the sand in time; thin: another seed.",
        .alt =
            "Three panels of lines: fronts that advance, a share that rises late, a cohesion that falls."}});
}

}  // namespace

Figure dam_breach_3d() {
  return {
      .id = breach_id,
      .title = "A dam breach",
      .method = method::mixture.name,
      .starred = false,
      .claim = "Water slowly erodes a dam: as it seeps in, the sand loses its cohesion until the dam breaks.",
      .smoke = "h 100 mm, 3500 particles, 1 s; some seconds",
      .desk = "h 80 mm, 6900 particles, 8 s, 2 seeds, and h 40 mm, 55 000 particles; some minutes",
      .paper = "h 40 mm, 2 seeds, and h 20 mm (printed: 10), 440 000 particles; hours",
      .run = run_erosion};
}

}  // namespace repose::experiments::tampubolon2017
