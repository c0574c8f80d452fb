#include "experiments/tampubolon2017/fig04_dam_2d/dam_2d.h"

#include "experiments/tampubolon2017/fig04_dam_2d/reversible.h"
#include "reference/interface/methods/mixture.h"

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr std::string_view dam_2d_id = "tampubolon2017/fig04_dam_2d";

FigureResult run_reversible(const FigureRequest& request) {
  const ReversibleSetup setup = reversible_setup(request.preset);
  return run_and_judge(
      request, dam_2d_id, reversible_cases(setup),
      [&](const DamCase& one) { return dam(setup.dam, one, request); },
      [&](const std::vector<DamRun>& runs) { return judge_reversible(setup, runs, request.preset); },
      write_dam_tables,
      {{.file = "dams.png",
        .caption = "The dam at the start, after a quarter, a half and all of the time, without the "
                   "reversible term and "
                   "with it by mass and by volume; sand from dry to wet.",
        .alt = "Rows of pictures: water pushes a dam away and soaks it, with the term sooner than without it "
               "and by "
               "mass and by volume alike."},
       {.file = "history.png",
        .caption = "Fronts, mixing and cohesion in time, with and without the term; thin: another seed.",
        .alt = "Three panels of lines; by mass and by volume lie on each other, apart from those without the "
               "term."}});
}

}  // namespace

Figure dam_2d() {
  return {.id = dam_2d_id,
          .title = "A dam breach in two dimensions",
          .method = method::mixture.name,
          .starred = false,
          .claim =
              "The reversible term of the exchange of momentum has only a subtle effect on the bulk dynamics "
              "of a dam breach.",
          .smoke = "h 50 mm, 3500 particles, 1.2 s; some seconds",
          .desk = "h 40 and 20 mm, 5500 and 22 000 particles, 4 s; two minutes",
          .paper = "h 12.5 mm (printed: 11.5), 57 000 particles; some ten minutes",
          .run = run_reversible};
}

}  // namespace repose::experiments::tampubolon2017
