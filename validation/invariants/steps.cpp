#include "reference/interface/methods/mpm_options.h"
#include "validation/invariants/invariants.h"
#include "validation/invariants/plain.h"

#include "reference/interface/scene/step_control.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace repose::invariants {

namespace {

/// A scene of one to three materials, whose stiffest need not be the first nor the one of the largest modulus.
Scene stepped_scene(Dice& dice, int dim) {
  Scene scene;
  scene.scheme = MpmOptions{};
  scene.grid.dim = dim;
  scene.grid.h = std::exp(dice.between(-6.0, 0.0));
  scene.grid.cells = {20, 20, dim == 3 ? 20 : 1};
  const int materials = dice.whole(1, 3);
  for (int k = 0; k < materials; ++k) {
    Material m;
    m.name = "m" + std::to_string(k);
    m.density = std::exp(dice.between(3.0, 9.0));
    m.youngs_modulus = std::exp(dice.between(8.0, 16.0));
    m.poisson_ratio = dice.between(-0.5, 0.45);
    scene.materials.push_back(m);
  }
  if (dice.flip()) {
    scene.gravity = dice.direction(dim);
    scene.gravity *= std::exp(dice.between(0.0, 9.0));
  }
  scene.step.max_dt = std::exp(dice.between(-9.0, -3.0));
  scene.step.cfl = dice.between(0.1, 1.0);
  mpm_options(scene).elastic_bound = dice.between(0.2, 1.5);
  mpm_options(scene).integrator = dice.whole(0, 2) == 0 ? Integrator::implicit_ : Integrator::explicit_;
  scene.frame_rate = 1.0;
  scene.duration = 1.0;
  return scene;
}

/// Speed of waves by the modulus of plane waves [m/s].
double plain_wave_speed(const Material& m) {
  const double nu = m.poisson_ratio;
  return std::sqrt(m.youngs_modulus * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu)) / m.density);
}

/// Largest Δt at which a particle of this speed, helped by gravity, moves no further than reach: by bisection.
double plain_cfl(double speed, double g, double reach) {
  double low = 0.0, high = 1e9;
  if ((speed + g * high) * high <= reach) return high;
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    ((speed + g * middle) * middle <= reach ? low : high) = middle;
  }
  return low;
}

/// Each of the documented bounds by its formula, and the least of them named.
void limits_of_steps(int dim, Ledger& ledger) {
  for (const char* limit : {"limited by max_dt", "limited by cfl", "limited by elastic_bound"})
    ledger.needs(limit, 30);
  ledger.needs("implicit steps beyond the elastic bound", 30);
  ledger.needs("cfl where gravity decides", 10);
  ledger.needs("fastest waves in another than the first material", 20);
  ledger.needs("fastest waves not in the largest modulus", 20);
  Dice dice(41);
  for (int n = 0; n < 600; ++n) {
    const Scene scene = stepped_scene(dice, dim);
    const double h = scene.grid.h;
    const double speed = n % 4 == 0 ? 0.0 : std::exp(dice.between(-3.0, 6.0));
    double c = 0.0, largest = 0.0;
    std::size_t fastest = 0, hardest = 0;
    for (std::size_t k = 0; k < scene.materials.size(); ++k) {
      if (plain_wave_speed(scene.materials[k]) > c) c = plain_wave_speed(scene.materials[fastest = k]);
      if (scene.materials[k].youngs_modulus > largest) largest = scene.materials[hardest = k].youngs_modulus;
    }
    const double elastic = mpm_options(scene).elastic_bound * h / c;
    const double g = std::sqrt(scene.gravity.x() * scene.gravity.x() + scene.gravity.y() * scene.gravity.y() +
                               scene.gravity.z() * scene.gravity.z());
    const double cfl = plain_cfl(speed, g, scene.step.cfl * h);
    const bool is_implicit = mpm_options(scene).integrator == Integrator::implicit_;
    double least = std::min(scene.step.max_dt, cfl);
    std::string_view name = least == scene.step.max_dt ? "max_dt" : "cfl";
    if (is_implicit && elastic < least) ledger.saw("implicit steps beyond the elastic bound");
    if (!is_implicit && elastic < least) {
      least = elastic;
      name = "elastic_bound";
    }
    const StepControl control(scene);
    const StepControl::Choice bound = control.bound(speed);
    // Root, modulus and speed take some ten roundings each.
    ledger.near("dt over the bound of " + std::string(name), bound.dt / least, 1.0, 40.0 * 0x1p-53);
    ledger.holds("name of the bound in force", bound.limited_by == name);
    ledger.saw("limited by " + std::string(name));
    if (name == "cfl" && g * least > 0.1 * speed) ledger.saw("cfl where gravity decides");
    if (name == "elastic_bound") {
      if (fastest != 0) ledger.saw("fastest waves in another than the first material");
      if (fastest != hardest) ledger.saw("fastest waves not in the largest modulus");
      // As computed in double, whatever the formula: never beyond.
      ledger.holds("c dt within the bound as computed",
                   wave_speed(scene.materials[fastest]) * bound.dt <= mpm_options(scene).elastic_bound * h);
    }
    // Far from the frame's end the step is the bound itself.
    ledger.equal("dt far from the frame's end", control.next(0.0, speed, 1e6 * least).dt, bound.dt);
  }
}

/// Frames are met to the bit by a time that is advanced by += Δt; no step breaks the bound of its speed; none is shorter
/// than half of it but a rest that earlier, longer bounds left; and with one bound throughout a frame takes no more steps
/// than it must.
void ends_of_frames(int dim, Ledger& ledger) {
  ledger.needs("frames", 1000);
  ledger.needs("steps halved before a frame's end", 100);
  ledger.needs("whole last steps", 50);
  Dice dice(42);
  for (const double rate : {24.0, 25.0, 30.0, 59.94, 1000.0, 1.0 / 3.0, 7.3}) {
    for (const bool varies : {false, true}) {
      Scene scene = stepped_scene(dice, dim);
      scene.gravity.setZero();
      mpm_options(scene).integrator = Integrator::implicit_;
      scene.frame_rate = rate;
      scene.step.max_dt = 1.0 / rate / dice.between(0.5, 12.0);
      scene.step.cfl = 1.0;
      const StepControl control(scene);
      double time = 0.0;
      for (int frame = 1; frame <= 100; ++frame) {
        const double begin = time, end = frame / rate;
        ledger.equal("time of a frame", control.frame_time(frame), end);
        int steps = 0;
        while (time < end && steps < 1000) {
          // Up to half as much again as moves a cell in max_dt: cfl decides a third of the time.
          const double speed = varies ? dice.between(0.0, 1.5 * scene.grid.h / scene.step.max_dt) : 0.0;
          const double bound = std::min(scene.step.max_dt, speed > 0.0 ? scene.grid.h / speed : 1e300);
          const StepControl::Choice choice = control.next(time, speed, end);
          const double left = end - time;
          // A last step is end − time to an ulp of the time.
          const double ulp = 4.0 * 0x1p-53 * end;
          ledger.within("dt over its bound", choice.dt / bound, std::min(0.5, left / bound) - ulp / bound,
                        1.0 + 8.0 * 0x1p-53);
          // One bound throughout, and frames of half of it or more: no step is a sliver, the last one least of all.
          if (!varies)
            ledger.within("dt over a bound that stays", choice.dt / bound, 0.5 - ulp / bound,
                          1.0 + 8.0 * 0x1p-53);
          const bool is_last = time + choice.dt == end;
          const bool is_cut = choice.dt < bound * (1.0 - 1e-9);
          if (is_cut) ledger.holds("a cut step is named after the frame", choice.limited_by == "frame");
          if (is_cut && !is_last) ledger.saw("steps halved before a frame's end");
          if (is_last && choice.dt > 0.999 * left && left <= bound) ledger.saw("whole last steps");
          time += choice.dt;
          ++steps;
        }
        ledger.equal("time at the end of a frame", time, end);
        ledger.saw("frames");
        if (varies) continue;
        const double bounds = (end - begin) / scene.step.max_dt;
        // Where a whole number of bounds fits, rounding decides.
        if (std::abs(bounds - std::round(bounds)) > 1e-9)
          ledger.equal("steps of a frame", steps, std::ceil(bounds));
      }
    }
  }
}

/// As many frames as it takes to cover the duration, counted one by one.
void number_of_frames(int, Ledger& ledger) {
  ledger.needs("durations", 200);
  Dice dice(43);
  for (int n = 0; n < 300; ++n) {
    Scene scene = stepped_scene(dice, 2);
    scene.frame_rate = n % 2 == 0 ? 24.0 : dice.between(0.5, 100.0);
    scene.duration = n % 3 == 0 ? dice.whole(1, 400) / scene.frame_rate : dice.between(0.01, 20.0);
    std::int64_t frames = 0;
    while (static_cast<double>(frames) / scene.frame_rate < scene.duration) ++frames;
    ledger.equal("frames", static_cast<double>(StepControl(scene).frames()), static_cast<double>(frames));
    ledger.saw("durations");
  }
  // What never ends is known from the scene: a frame of 10⁹ steps is the most, and 10⁹ frames are.
  Scene scene = stepped_scene(dice, 2);
  mpm_options(scene).integrator = Integrator::implicit_;
  scene.gravity.setZero();
  scene.step.max_dt = 1e-3;
  for (const double share : {0.99, 1.01}) {
    scene.frame_rate = 1.0 / (share * 1e6);
    scene.duration = 1e6;
    ledger.holds("10^9 steps of a frame", unending(scene).has_value() == (share > 1.0));
    scene.frame_rate = 1000.0;
    scene.duration = share * 1e6;
    ledger.holds("10^9 frames", unending(scene).has_value() == (share > 1.0));
  }
  scene.duration = 1.0;
  scene.frame_rate = 1.0;
  Seed seed;
  seed.shape = Box{.min = {0, 0, 0}, .max = {6, 8, 0}};
  seed.spin = {0, 0, 1};
  scene.seeds = {seed};
  scene.grid.h = 1.0;
  scene.step.cfl = 1.0;
  // The corner, 5 m from the centre, moves 5 m in a radian.
  for (const double share : {0.99, 1.01}) {
    scene.seeds[0].spin.z() = share * 1e9 / 5.0;
    ledger.holds("10^9 cells a frame at the start", unending(scene).has_value() == (share > 1.0));
  }
}

}  // namespace

void add_steps(std::vector<Invariant>& all) {
  all.push_back({"limits_of_steps",
                 "each bound of the time step by its formula, and which is in force",
                 "step control",
                 {2, 3},
                 limits_of_steps});
  all.push_back({"ends_of_frames",
                 "frames are met to the bit, without slivers and without a step too many",
                 "step control",
                 {2},
                 ends_of_frames});
  all.push_back({"number_of_frames",
                 "how many frames a duration takes, and which runs never end",
                 "step control",
                 {},
                 number_of_frames});
}

}  // namespace repose::invariants
