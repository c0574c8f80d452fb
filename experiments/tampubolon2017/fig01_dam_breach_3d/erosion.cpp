#include "experiments/tampubolon2017/fig01_dam_breach_3d/erosion.h"

#include "experiments/figures/judging.h"

#include <cmath>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr const char* said =
    "Tampubolon 2017, Figure 1: water slowly erodes a dam, its cohesivity decreases, it eventually breaks";

std::string of_run(const DamRun& run) {
  return fmt::format("h_{}mm_seed_{}", word(fmt::format("{:.3g}", 1e3 * run.chosen.spacing)),
                     run.chosen.seed);
}

Number claimed(std::string name, double value, std::string unit, std::string expected, Verdict verdict,
               std::string note) {
  return {.name = std::move(name),
          .value = value,
          .unit = std::move(unit),
          .expected = std::move(expected),
          .kind = Kind::paper_claim,
          .source = said,
          .verdict = verdict,
          .note = std::move(note)};
}

/// What does not happen within the run's time is a failure of a claim that it does.
Verdict within_the_run(double time, double after) { return pass_if(time > after); }

void judge_run(std::vector<Number>& numbers, const DamRun& run, double past) {
  const double flood = flood_time(run.scene, past), first = first_past(run);
  numbers.push_back(claimed(
      "breach_" + of_run(run), first, "s",
      fmt::format("> {:.2g}, within {:g}", flood, run.frames.back().time), within_the_run(first, flood),
      fmt::format(
          "first drop past x {:g} m; without a dam the water's front would be there after {:.2g} s; one "
          "per cent of the water after {:.3g} s",
          past, flood, share_past(run, 0.01))));
  double at_breach = not_a_number;
  for (const DamFrame& frame : run.frames)
    if (frame.time == first) at_breach = frame.cohesion;
  const double at_first = run.frames.at(1).cohesion;
  numbers.push_back(claimed(
      "cohesion_at_breach_" + of_run(run), at_breach, "1", fmt::format("< {:.3g}", at_first),
      pass_if_finite(at_breach, at_breach < at_first),
      fmt::format("mean c_C of the sand over that of dry sand when the first drop is past; the bound is that "
                  "after {:g} s, for water is felt at once up to 3 h away [ERRATA T22]",
                  run.frames.at(1).time)));
  const double falls = crest_below(run, fallen_crest);
  numbers.push_back(claimed(
      "crest_falls_" + of_run(run), falls, "s", fmt::format("within {:g}", run.frames.back().time),
      within_the_run(falls, 0.0),
      fmt::format(
          "when all but 2 % of the sand lie below {:g} of the dam's height of {:g} m, which its weight alone "
          "shortens by {:.2g} of it; at the end it is {:.3g} m high and {:.2g} of the sand is past x {:g} m",
          fallen_crest, dam_height(run.scene), static_strain_of_dam(run.scene), run.frames.back().crest,
          run.frames.back().past[of_sand], past)));
}

}  // namespace

DamSetup breach_setup(Preset preset) {
  DamSetup setup{.scene = "tampubolon2017/fig01_dam_breach_3d/fig01_dam_breach_3d.toml",
                 .duration = 8.0,
                 .frame_rate = 50.0,
                 .look_every = 1.0,
                 .past = 2.6};
  if (preset != Preset::smoke) return setup;
  setup.duration = 1.0;
  setup.look_every = 0.5;
  return setup;
}

double breach_spacing(Preset preset) {
  return preset == Preset::smoke ? 0.1 : preset == Preset::desk ? 0.08 : 0.04;
}

std::vector<DamCase> erosion_cases(Preset preset) {
  const DamCase usual{.name = "dam", .spacing = breach_spacing(preset), .kappa = 1.57e5, .cohesion = 3000.0};
  if (preset == Preset::smoke) return {usual};
  std::vector<DamCase> cases{usual, usual, usual};
  cases[1].seed = 2;
  cases[2].spacing *= 0.5;
  return cases;
}

double flood_time(const Scene& scene, double past) {
  const Box& reservoir = std::get<Box>(scene.seeds.back().shape);
  const double depth = reservoir.max.y() - reservoir.min.y();
  return (past - reservoir.max.x()) / (2.0 * std::sqrt(scene.gravity.norm() * depth));
}

std::vector<Number> judge_erosion(const std::vector<DamRun>& runs, double past, Preset preset) {
  std::vector<Number> numbers;
  for (const DamRun& run : runs) judge_run(numbers, run, past);
  for (Number& number : numbers)
    if (preset == Preset::smoke && number.decides_claim())
      number = open_here(std::move(number), "six cells in the dam's width, and an eighth of the time");
  for (Number& number : judge_balances(runs)) numbers.push_back(std::move(number));
  return numbers;
}

}  // namespace repose::experiments::tampubolon2017
