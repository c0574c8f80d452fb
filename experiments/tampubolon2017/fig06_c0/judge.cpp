#include "experiments/figures/judging.h"
#include "experiments/tampubolon2017/fig06_c0/openings.h"

#include <algorithm>
#include <cmath>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr const char* opening_caption =
    "Tampubolon 2017, caption of Figure 6: as c₀ increases the envelopes become increasingly poor "
    "approximations of the cone, and volume is lost";

using OccupiedMeasure = double metrics::Occupied::*;
constexpr OccupiedMeasure loss_measures[] = {&metrics::Occupied::by_cells, &metrics::Occupied::by_density};

using Then = const OpeningFrame* (OpeningRun::*)() const;

const OpeningRun* run_with(const std::vector<OpeningRun>& runs, const OpeningCase& chosen) {
  const auto found =
      std::find_if(runs.begin(), runs.end(), [&](const OpeningRun& run) { return run.chosen == chosen; });
  return found == runs.end() ? nullptr : &*found;
}

/// The runs of a reading that differ in c₀ alone, rising.
std::vector<const OpeningRun*> series(const std::vector<OpeningRun>& runs, const OpeningReading& reading,
                                      Integrator integrator) {
  std::vector<const OpeningRun*> found;
  for (const double c0 : opening_c0())
    if (const OpeningRun* run = run_with(runs, {reading, c0, integrator})) found.push_back(run);
  return found;
}

std::string series_name(const OpeningReading& reading, Integrator integrator) {
  return fmt::format("{}{}", reading.name, integrator == Integrator::explicit_ ? "_explicit" : "");
}

/// What erratum T37 adopts. The claim is of the energy, which is the same in both kinds of steps.
bool is_adopted(const OpeningReading& reading) { return reading == opening_readings().front(); }

std::string losses(const OpeningRun& run, Then then) {
  const std::string c0 = fmt::format("c₀ {:g}", run.chosen.c0.value_or(0.0));
  const OpeningFrame* frame = (run.*then)();
  if (frame == nullptr) return fmt::format("{} ended at {:.3f} s", c0, run.summary.end_time);
  return fmt::format("{}: {:.3f} by cells, {:.3f} by density", c0, run.loss(frame, loss_measures[0]),
                     run.loss(frame, loss_measures[1]));
}

/// Change of the loss over a series and its largest step the other way; nan where a run did not come so far.
struct Growth {
  double whole = not_a_number;     ///< from the first to the last, by the measure that sees less of it
  double back = not_a_number;      ///< from one to the next, by the measure that sees more of it
  double resolved = not_a_number;  ///< by the worst of them
  std::string each;
};

Growth growth_of(const std::vector<const OpeningRun*>& of, Then then) {
  Growth growth;
  bool complete = true;
  for (const OpeningRun* run : of) {
    complete = complete && (run->*then)() != nullptr;
    growth.resolved = std::fmax(growth.resolved, run->resolved((run->*then)()));
    growth.each += (growth.each.empty() ? "" : "; ") + losses(*run, then);
  }
  if (!complete || of.size() < 2) return growth;
  const auto loss = [&](const OpeningRun* run, OccupiedMeasure measure) {
    return run->loss((run->*then)(), measure);
  };
  for (const OccupiedMeasure measure : loss_measures) {
    growth.whole = std::fmin(growth.whole, loss(of.back(), measure) - loss(of.front(), measure));
    for (std::size_t k = 1; k < of.size(); ++k)
      growth.back = std::fmax(growth.back, loss(of[k - 1], measure) - loss(of[k], measure));
  }
  return growth;
}

void judge_growth(std::vector<Number>& numbers, const std::vector<const OpeningRun*>& of, Then then,
                  std::string_view when) {
  if (of.empty()) return;
  const OpeningCase& chosen = of.front()->chosen;
  const Growth growth = growth_of(of, then);
  const std::string name = fmt::format("{}_{}", series_name(chosen.reading, chosen.integrator), when);
  const Kind kind = is_adopted(chosen.reading) ? Kind::paper_claim : Kind::measured;
  numbers.push_back(
      {.name = "loss_grows_from_c0_1p1_to_3_" + name,
       .value = growth.whole,
       .unit = "1",
       .expected = growth.whole == growth.whole ? fmt::format("> {:.2g}", growth.resolved) : "> 0",
       .kind = kind,
       .source = opening_caption,
       .verdict = pass_if_finite(growth.whole, growth.whole > growth.resolved),
       .note =
           "loss of volume over that of the grains, by the measure that sees less growth; " + growth.each});
  numbers.push_back(
      {.name = "loss_falls_from_one_c0_to_the_next_" + name,
       .value = growth.back,
       .unit = "1",
       .expected = growth.back == growth.back ? fmt::format("< {:.2g}", growth.resolved) : "< 0",
       .kind = kind,
       .source = opening_caption,
       .verdict = pass_if_finite(growth.back, growth.back < growth.resolved),
       .note = "largest step the other way between neighbours, by either measure"});
}

Number judge_ended(const std::vector<const OpeningRun*>& of, const OpeningReading& reading,
                   Integrator integrator) {
  int ended = 0;
  std::string each;
  for (const OpeningRun* run : of)
    if (run->failure) {
      ++ended;
      const OpeningFrame& last = run->frames.back();
      each += fmt::format(
          "; c₀ {:g} at {:.3f} s: {}; {:.2f} of the sand without stress and least J {:.2g} at {:.2f} s",
          run->chosen.c0.value_or(0.0), run->summary.end_time, *run->failure, last.none, last.least_J,
          last.time);
    }
  return {.name = "runs_ended_early_" + series_name(reading, integrator),
          .value = static_cast<double>(ended),
          .unit = "1",
          .expected = "0",
          .kind = Kind::measured,
          .source = "the paper shows all four blocks to a later frame",
          .verdict = pass_if(ended == 0),
          .note = fmt::format("of {} runs{}", of.size(), each)};
}

/// Whether the energy bears the block at all, whatever the steps.
Number judge_bearing(const OpeningReading& reading) {
  std::string each;
  double best = not_a_number;
  for (const double c0 : opening_c0()) {
    const Bearing borne = bearing({reading, c0});
    best = std::fmax(best, borne.on_the_cone);
    each +=
        fmt::format("; c₀ {:g}: {:.3g} on the cone, {:.3g} confined", c0, borne.on_the_cone, borne.confined);
  }
  return {.name = fmt::format("borne_on_the_cone_{}", reading.name),
          .value = best,
          .unit = "1",
          .expected = "≥ 1, else the energy does not bear the block",
          .kind = Kind::closed_form,
          .source = "[Tam17 Eq.7] on the surface of the cone",
          .verdict = pass_if(best >= 1.0),
          .note = "largest vertical stress over ρ g L of the block, by the best c₀" + each};
}

/// How far the best of a reading falls, beside sand that nothing bears and sand of Hencky's energy.
void judge_fall(std::vector<Number>& numbers, const std::vector<OpeningRun>& runs,
                const OpeningReading& reading) {
  const OpeningRun* best = run_with(runs, {reading, opening_c0().front()});
  const OpeningRun* hencky = nullptr;
  for (const OpeningRun& run : runs)
    if (!run.chosen.c0 && run.chosen.reading.density == reading.density) hencky = &run;
  if (best == nullptr || hencky == nullptr) return;
  const double value = best->fallen(best->at_early()), by_hencky = hencky->fallen(hencky->at_early());
  const double start = hencky->frames.front().height;
  const OpeningFrame* then = hencky->at_early();
  const double bound =
      then == nullptr ? not_a_number : by_hencky + 0.5 * hencky->scene.grid.h / (start - then->unborne);
  numbers.push_back(
      {.name = "fallen_until_0p15s_" + name_of(best->chosen),
       .value = value,
       .unit = "1",
       .expected = fmt::format("≤ {:.3g}", bound),
       .kind = Kind::measured,
       .source = "the same block with Hencky's energy in semi-implicit steps, and half a cell",
       .verdict = pass_if_finite(value * bound, value <= bound),
       .note = fmt::format("mean descent of the grains over that of grains that nothing bears; with Hencky's "
                           "energy {:.3g}",
                           by_hencky)});
}

}  // namespace

std::vector<Number> judge(const std::vector<OpeningRun>& runs, Preset preset) {
  std::vector<Number> numbers;
  for (const OpeningReading& reading : opening_readings())
    for (const Integrator integrator : {Integrator::semi_implicit, Integrator::explicit_}) {
      const auto of = series(runs, reading, integrator);
      judge_growth(numbers, of, &OpeningRun::at_early, "at_0p15s");
      judge_growth(numbers, of, &OpeningRun::at_end, "at_the_end");
      numbers.push_back(judge_ended(of, reading, integrator));
    }
  for (const OpeningReading& reading : opening_readings()) judge_fall(numbers, runs, reading);
  if (preset == Preset::smoke)
    for (Number& number : numbers)
      number = open_here(std::move(number), "twelve cells of height, two of four c₀, and not to the end");
  for (const OpeningReading& reading : opening_readings()) numbers.push_back(judge_bearing(reading));
  return numbers;
}

}  // namespace repose::experiments::tampubolon2017
