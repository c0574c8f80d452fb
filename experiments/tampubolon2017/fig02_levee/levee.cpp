#include "experiments/tampubolon2017/fig02_levee/levee.h"

#include "experiments/tampubolon2017/fig01_dam_breach_3d/erosion.h"
#include "experiments/tampubolon2017/fig02_levee/failure.h"
#include "reference/interface/methods/mixture.h"

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr std::string_view levee_id = "tampubolon2017/fig02_levee";

FigureResult run_levees(const FigureRequest& request) {
  const DamSetup setup = breach_setup(request.preset);
  return run_and_judge(
      request, levee_id, levee_cases(request.preset),
      [&](const DamCase& one) { return dam(setup, one, request); },
      [&](const std::vector<DamRun>& runs) { return judge_levees(runs, request.preset); }, write_dam_tables,
      {{.file = "levees.png",
        .caption = "Levees from the side at the start, after a quarter, a half and all of the time, "
                   "strong ones to the left; "
                   "sand from dry to wet.",
        .alt = "Four columns of pictures: levees that cohere less slump to a slope, those with less "
               "drag are soaked and "
               "let water run out at their foot."},
       {.file = "history.png",
        .caption = "Fronts, water past the levee and cohesion of the sand in time; thin: another seed.",
        .alt = "Three panels of lines, one per levee and seed; those with less drag run ahead."}});
}

}  // namespace

Figure levee() {
  return {.id = levee_id,
          .title = "A levee of four strengths",
          .method = method::mixture.name,
          .starred = false,
          .claim = "A levee fails more easily with lower drag and with lower cohesion.",
          .smoke = "h 100 mm, 3500 particles, 1 s; some seconds",
          .desk = "h 80 mm, 6900 particles, 8 s, 2 seeds; some minutes",
          .paper = "h 40 mm (printed: 10), 55 000 particles; an hour",
          .run = run_levees};
}

}  // namespace repose::experiments::tampubolon2017
