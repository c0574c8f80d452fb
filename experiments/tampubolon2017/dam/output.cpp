#include "experiments/tampubolon2017/dam/dam.h"
#include "validation/file_output.h"

#include <fmt/format.h>

#include <cmath>

namespace repose::experiments::tampubolon2017 {

void write_dam_tables(const std::vector<DamRun>& runs, const std::filesystem::path& folder) {
  std::string history =
      "run,h_m,seed,time_s,sand_front_m,water_front_m,sand_farthest_m,water_farthest_m,sand_past,water_past,"
      "mixed,cohesion,crest_m\n";
  std::string metrics =
      "run,h_m,seed,kappa,cohesion_pa,particles,steps,courant,step_seconds,sand_kg,water_kg,first_past_s,"
      "percent_past_s,sand_front_m,water_front_m,mixed,cohesion\n";
  std::string balances =
      "run,h_m,seed,time_s,sand_mass_error,water_mass_error,drag_error,drag_kg_m_s,reversible_error,"
      "reversible_kg_m_s,step_error,reach\n";
  std::string grains = "run,h_m,time_s,x_m,y_m,z_m,species,dry,diameter_m\n";
  for (const DamRun& run : runs) {
    const DamCase& of = run.chosen;
    const std::string name = fmt::format("{},{},{}", of.name, of.spacing, of.seed);
    for (const DamFrame& f : run.frames)
      history += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", name, f.time, f.front[of_sand],
                             f.front[of_water], f.farthest[of_sand], f.farthest[of_water], f.past[of_sand],
                             f.past[of_water], f.mixed, f.cohesion, f.crest);
    const DamFrame& end = run.frames.back();
    metrics += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", name, of.kappa, of.cohesion,
                           run.summary.particles, run.summary.steps, run.courant, run.summary.step_seconds,
                           run.mass[of_sand], run.mass[of_water], first_past(run), share_past(run, 0.01),
                           end.front[of_sand], end.front[of_water], end.mixed, end.cohesion);
    for (const Balance& b : run.balances)
      balances += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", name, b.time, b.mass_error[of_sand],
                              b.mass_error[of_water], b.drag_error, b.drag_given, b.reversible_error,
                              b.reversible_given, b.step_error, b.reach);
    if (of.seed != runs.front().chosen.seed) continue;
    const double diameter =
        of.spacing / std::pow(run.scene.seeds.front().particles_per_cell, 1.0 / run.scene.dim());
    for (const DamShot& shot : run.shots)
      for (const DamGrain& grain : shot.grains)
        grains += fmt::format("{},{},{:.4g},{:.5g},{:.5g},{:.5g},{},{:.3g},{:.4g}\n", of.name, of.spacing,
                              shot.time, grain.at.x(), grain.at.y(), grain.at.z(),
                              species_name[grain.species], grain.dry, diameter);
  }
  replace_file(folder / "history.csv", history);
  replace_file(folder / "metrics.csv", metrics);
  replace_file(folder / "balances.csv", balances);
  replace_file(folder / "particles.csv", grains);
}

}  // namespace repose::experiments::tampubolon2017
