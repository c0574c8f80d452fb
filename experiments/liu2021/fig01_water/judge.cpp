#include "experiments/liu2021/fig01_water/judge.h"

#include "experiments/figures/judging.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace repose::experiments::liu2021 {

namespace {

constexpr const char* settled = "water at rest under its own weight, erratum L14";

using Part = double SplashFrame::*;

double mean(const SplashRun& run, Part part) {
  double sum = 0.0;
  const std::vector<SplashFrame> last = at_rest(run);
  for (const SplashFrame& frame : last) sum += frame.*part;
  return last.empty() ? not_a_number : sum / static_cast<double>(last.size());
}

/// The room that the water takes over the volume that J tells; nan where no frame at rest looked at it.
double room_over_volume(const SplashRun& run) {
  double room = 0.0, volume = 0.0;
  for (const SplashFrame& frame : at_rest(run)) {
    if (!(frame.room > 0.0)) continue;
    room += frame.room;
    volume += frame.volume;
  }
  return room / volume;
}

/// Of several runs the value furthest from what is expected.
double furthest(const std::vector<const SplashRun*>& runs, double expected,
                const std::function<double(const SplashRun&)>& of, std::string& each) {
  double worst = expected;
  for (const SplashRun* run : runs) {
    const double value = of(*run);
    if (!(std::abs(value - expected) <= std::abs(worst - expected))) worst = value;
    each += fmt::format("{}{:.4g}", each.empty() ? "" : ", ", value);
  }
  return worst;
}

/// The same as soon as all water has been poured, before it hits anything.
double room_over_volume_as_poured(const SplashRun& run) {
  const double poured = run.run.scene.emitters.front().stop;
  for (const SplashFrame& frame : run.frames)
    if (frame.room > 0.0 && frame.time >= poured) return frame.room / frame.volume;
  return not_a_number;
}

std::string_view name_of(bool tension) { return tension ? "with_tension" : "without_tension"; }

std::vector<const SplashRun*> some(const std::vector<SplashRun>& runs, bool tension) {
  std::vector<const SplashRun*> found;
  for (const SplashRun& run : runs)
    if (run.chosen.tension == tension) found.push_back(&run);
  return found;
}

struct Expected {
  std::string_view name, unit, note;
  double value = 0.0, within = 0.0;
  bool of_claim = false;
  std::function<double(const SplashRun&)> of;
};

Number judge_one(const std::vector<const SplashRun*>& runs, bool tension, const Expected& what) {
  std::string each;
  const double value = furthest(runs, what.value, what.of, each);
  return {.name = fmt::format("{}_{}", what.name, name_of(tension)),
          .value = value,
          .unit = std::string(what.unit),
          .expected = fmt::format("{:.5g} ± {:.2g}", what.value, what.within),
          .kind = Kind::closed_form,
          .source = settled,
          .verdict = pass_if_finite(value, std::abs(value - what.value) <= what.within),
          .note = fmt::format("{}; each seed: {}", what.note, each),
          .of_claim = what.of_claim && tension};
}

Number judge_lost(const std::vector<SplashRun>& runs) {
  double lost = 0.0;
  for (const SplashRun& run : runs)
    for (const SplashFrame& frame : at_rest(run))
      lost = std::max(lost, std::abs(water_column_of(run.run.scene).height * width - frame.particles));
  return {.name = "particles_lost",
          .value = lost,
          .unit = "1",
          .expected = "0",
          .kind = Kind::paper_claim,
          .source = "Liu 2021, §5: the water collides with the bottom, left and right boundary",
          .verdict = pass_if(lost == 0.0),
          .note = "of 3000; largest over runs and the last 5 s"};
}

Number judge_rest(const std::vector<SplashRun>& runs) {
  double largest = 0.0;
  for (const SplashRun& run : runs) {
    const exact::WaterColumn column = water_column_of(run.run.scene);
    largest = std::max(largest, mean(run, &SplashFrame::motion) / (column.gravity * column.height));
  }
  return {.name = "motion_at_rest",
          .value = largest,
          .unit = "1",
          .expected = "≤ 0.01",
          .kind = Kind::sanity,
          .source = "pressure and height are those of water at rest",
          .verdict = pass_if_finite(largest, largest <= 0.01),
          .note = "kinetic energy over the mass and g H; largest over runs, mean over the last 5 s"};
}

}  // namespace

std::vector<Number> judge(const std::vector<SplashRun>& runs, Preset preset) {
  const exact::WaterColumn column = water_column_of(runs.front().run.scene);
  const double h = runs.front().run.scene.grid.h;
  const double centre = water_centre_of(column);
  std::vector<Number> numbers{judge_lost(runs)};
  for (const bool tension : {true, false}) {
    const std::vector<const SplashRun*> of = some(runs, tension);
    numbers.push_back(
        judge_one(of, tension,
                  {.name = "pressure_at_the_bottom",
                   .unit = "Pa",
                   .note = "twice the mean over all particles, which rises evenly to the bottom; the cells "
                           "at the floor may err by "
                           ".75 h/H of it (settled water of `repose verify`)",
                   .value = column.pressure(0.0),
                   .within = 1.5 * h / column.height * 0.5 * column.pressure(0.0),
                   .of_claim = true,
                   .of = [](const SplashRun& run) { return 2.0 * mean(run, &SplashFrame::pressure); }}));
    numbers.push_back(judge_one(of, tension,
                                {.name = "settled_height",
                                 .unit = "m",
                                 .note = "from the height of the centre of mass; half a cell is allowed",
                                 .value = column.y(column.height),
                                 .within = 0.5 * h,
                                 .of_claim = true,
                                 .of = [&](const SplashRun& run) {
                                   return mean(run, &SplashFrame::centre) / centre * column.y(column.height);
                                 }}));
    numbers.push_back(
        judge_one(of, tension,
                  {.name = "volume_told_by_J",
                   .unit = "1",
                   .note = "Σ V⁰J over Σ V⁰; half a cell of height is allowed",
                   .value = column.y(column.height) / column.height,
                   .within = 0.5 * h / column.height,
                   .of_claim = false,
                   .of = [](const SplashRun& run) { return mean(run, &SplashFrame::volume); }}));
    numbers.push_back(judge_one(
        of, tension,
        {.name = "room_over_volume_told_by_J",
         .unit = "1",
         .note =
             "room: of nodes more than half as dense as most of the water; half a cell of height is allowed",
         .value = 1.0,
         .within = 0.5 * h / column.height,
         .of_claim = false,
         .of = room_over_volume}));
    numbers.push_back(judge_one(of, tension,
                                {.name = "room_over_volume_told_by_J_as_poured",
                                 .unit = "1",
                                 .note = "the same as soon as all water has been poured, in free fall",
                                 .value = 1.0,
                                 .within = 0.5 * h / column.height,
                                 .of_claim = false,
                                 .of = room_over_volume_as_poured}));
  }
  if (preset == Preset::smoke)
    for (Number& number : numbers)
      if (number.kind == Kind::closed_form)
        number = open_here(std::move(number), "a third of the printed time, one seed");
  numbers.push_back(judge_rest(runs));
  return numbers;
}

}  // namespace repose::experiments::liu2021
