#include "experiments/tampubolon2017/fig02_levee/failure.h"

#include "experiments/figures/judging.h"
#include "experiments/tampubolon2017/fig01_dam_breach_3d/erosion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr const char* caption =
    "Tampubolon 2017, Figure 2: lower drag and lower cohesion make a levee fail more easily";
constexpr std::array drags{1.57e5, 3.9e4};       // κ [kg/(m³ s)]
constexpr std::array cohesions{3000.0, 1000.0};  // [Pa]

std::string kappa_word(double kappa) { return fmt::format("kappa_{:.0f}", 1e-3 * kappa); }
std::string cohesion_word(double cohesion) { return fmt::format("c_{:.0f}kpa", 1e-3 * cohesion); }

using Time = double (*)(const DamRun& run);
double breach_of(const DamRun& run) { return first_past(run); }
double fall_of(const DamRun& run) { return crest_below(run, fallen_crest); }

std::vector<const DamRun*> runs_of(const std::vector<DamRun>& runs, double kappa, double cohesion) {
  std::vector<const DamRun*> found;
  for (const DamRun& run : runs)
    if (run.chosen.kappa == kappa && run.chosen.cohesion == cohesion && !run.frames.empty())
      found.push_back(&run);
  return found;
}

std::string each(const std::vector<const DamRun*>& runs, Time time) {
  std::string text;
  for (const DamRun* run : runs) {
    const double at = time(*run);
    text += text.empty() ? "" : ", ";
    text +=
        std::isnan(at) ? fmt::format("not within {:g}", run->frames.back().time) : fmt::format("{:.3g}", at);
  }
  return text;
}

/// By how much the weaker levees fail sooner than the stronger ones, the least over pairs of seeds. What has not happened when a
/// run ends counts as that time for the stronger ones, and decides nothing of a pair in which it has happened in neither.
Number judge_sooner(std::string name, const std::vector<const DamRun*>& strong,
                    const std::vector<const DamRun*>& weak, Time time, std::string what) {
  double least = strong.empty() || weak.empty() ? not_a_number : std::numeric_limits<double>::infinity();
  double frame = 0.0;
  for (const DamRun* a : strong)
    for (const DamRun* b : weak) {
      const double end = a->frames.back().time, sooner = time(*b), later = time(*a);
      const bool neither = std::isnan(sooner) && std::isnan(later);
      least = neither
                  ? not_a_number
                  : std::min(least, (std::isnan(later) ? end : later) - (std::isnan(sooner) ? end : sooner));
      frame = 1.0 / a->scene.frame_rate;
    }
  return {.name = std::move(name),
          .value = least,
          .unit = "s",
          .expected = fmt::format("> {:g}", frame),
          .kind = Kind::paper_claim,
          .source = caption,
          .verdict = pass_if_finite(least, least > frame),
          .note = fmt::format(
              "{}: {} s of the stronger, {} s of the weaker levee, by seeds; the least difference, "
              "of which a frame is resolved",
              what, each(strong, time), each(weak, time))};
}

}  // namespace

std::vector<DamCase> levee_cases(Preset preset) {
  const std::uint64_t seeds = preset == Preset::smoke ? 1 : 2;
  std::vector<DamCase> cases;
  for (const double kappa : drags)
    for (const double cohesion : cohesions)
      for (std::uint64_t seed = 1; seed <= seeds; ++seed)
        cases.push_back({.name = kappa_word(kappa) + "_" + cohesion_word(cohesion),
                         .spacing = breach_spacing(preset),
                         .kappa = kappa,
                         .cohesion = cohesion,
                         .seed = seed});
  return cases;
}

std::vector<Number> judge_levees(const std::vector<DamRun>& runs, Preset preset) {
  struct Measure {
    std::string_view name;
    Time time;
    std::string what;
  };
  const std::array measures{
      Measure{"breaches", breach_of, "the first drop past the levee"},
      Measure{"falls", fall_of,
              fmt::format("all but 2 % of the sand below {:g} of the levee's height", fallen_crest)}};
  std::vector<Number> numbers;
  for (const Measure& measure : measures) {
    for (const double cohesion : cohesions)
      numbers.push_back(judge_sooner(
          fmt::format("less_drag_{}_sooner_{}", measure.name, cohesion_word(cohesion)),
          runs_of(runs, drags[0], cohesion), runs_of(runs, drags[1], cohesion), measure.time, measure.what));
    for (const double kappa : drags)
      numbers.push_back(
          judge_sooner(fmt::format("less_cohesion_{}_sooner_{}", measure.name, kappa_word(kappa)),
                       runs_of(runs, kappa, cohesions[0]), runs_of(runs, kappa, cohesions[1]), measure.time,
                       measure.what));
  }
  for (Number& number : numbers)
    if (preset == Preset::smoke)
      number = open_here(std::move(number), "six cells in the levee's width, and an eighth of the time");
  for (Number& number : judge_balances(runs)) numbers.push_back(std::move(number));
  return numbers;
}

}  // namespace repose::experiments::tampubolon2017
