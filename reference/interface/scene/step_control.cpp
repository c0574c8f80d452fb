#include "reference/interface/scene/step_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace repose {

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// Largest Δt that, as computed in double, satisfies (speed + g Δt) Δt ≤ reach: the positive root of
/// g Δt² + speed Δt = reach in the form in which nothing cancels, less the ulps by which it is rounded up.
double cfl_dt(double speed, double g, double reach) {
  const double denominator = speed + std::sqrt(speed * speed + 4.0 * g * reach);
  if (denominator == 0.0) return unlimited;
  double dt = 2.0 * reach / denominator;
  while ((speed + g * dt) * dt > reach) dt = std::nextafter(dt, 0.0);
  return dt;
}

/// A step with time + Δt == end in double, next to end − time; 0 where only a longer step than `limit` would do.
double step_to(double end, double time, double limit) {
  const double difference = end - time;
  for (const double dt :
       {difference, std::nextafter(difference, 0.0), std::nextafter(difference, unlimited)}) {
    if (dt <= limit && time + dt == end) return dt;
  }
  return 0.0;
}

/// Upper bound of the speeds with which particles start [m/s].
double start_speed(const Scene& scene) {
  double fastest = 0.0;
  for (const Seed& seed : scene.seeds) {
    const Bounds box = bounds(seed.shape, scene.dim());
    const double radius = (0.5 * (box.max - box.min)).stableNorm();
    fastest = std::max(fastest, seed.velocity.stableNorm() + seed.spin.stableNorm() * radius);
  }
  for (const Emitter& emitter : scene.emitters) fastest = std::max(fastest, emitter.velocity.stableNorm());
  return std::min(fastest, std::numeric_limits<double>::max());
}

}  // namespace

StepControl::StepControl(const Scene& scene)
    : scene_(scene), of_method_(scene.scheme.table().step_bounds(scene)) {}

StepControl::Choice StepControl::bound(double max_speed) const {
  if (!std::isfinite(max_speed) || max_speed < 0.0) {
    throw std::invalid_argument(fmt::format("largest speed {} m/s is not a finite number >= 0", max_speed));
  }
  Choice choice{.dt = scene_.step.max_dt, .limited_by = "max_dt"};
  const double cfl = cfl_dt(max_speed, scene_.gravity.norm(), scene_.step.cfl * scene_.grid.h);
  if (cfl < choice.dt) choice = {.dt = cfl, .limited_by = "cfl"};
  for (const StepBound& bound : of_method_)
    if (bound.dt < choice.dt) choice = {.dt = bound.dt, .limited_by = bound.key};
  return choice;
}

StepControl::Choice StepControl::next(double time, double max_speed, double frame_end) const {
  Choice choice = bound(max_speed);
  if (!(frame_end > time)) {
    throw std::invalid_argument(
        fmt::format("the frame's end {} s is not after the time {} s", frame_end, time));
  }
  const double left = frame_end - time;
  if (left <= choice.dt) {
    const double last = step_to(frame_end, time, choice.dt);
    if (last > 0.0) return {.dt = last, .limited_by = "frame"};
  }
  if (left < 2.0 * choice.dt) choice = {.dt = 0.5 * left, .limited_by = "frame"};
  if (!(time + choice.dt > time)) {
    throw std::runtime_error(fmt::format("a step of {} s (limited by {}) does not advance the time {} s",
                                         choice.dt, choice.limited_by, time));
  }
  if (left > most_steps_of_a_frame * choice.dt) {
    throw std::runtime_error(
        fmt::format("steps of {:.3g} s (limited by {} at a speed of {:.3g} m/s): what is left of the frame, "
                    "{:.3g} s, needs {:.3g}",
                    choice.dt, choice.limited_by, max_speed, left, left / choice.dt));
  }
  return choice;
}

double StepControl::frame_time(std::int64_t frame) const {
  return static_cast<double>(frame) / scene_.frame_rate;
}

std::int64_t StepControl::frames() const {
  // The product rounds; the quotients decide.
  auto n = static_cast<std::int64_t>(std::ceil(scene_.duration * scene_.frame_rate));
  while (n > 0 && frame_time(n - 1) >= scene_.duration) --n;
  while (frame_time(n) < scene_.duration) ++n;
  return n;
}

std::optional<Unending> unending(const Scene& scene) {
  const double frames = scene.duration * scene.frame_rate;
  if (!(frames <= most_frames)) {
    return Unending{"duration", scene.duration,
                    fmt::format("at most {:g} frames of 1/frame_rate; it is {:.3g}", most_frames, frames)};
  }
  const StepControl::Choice bound = StepControl(scene).bound(start_speed(scene));
  const double frame = 1.0 / scene.frame_rate;
  if (frame <= most_steps_of_a_frame * bound.dt) return {};
  return Unending{
      "frame_rate", scene.frame_rate,
      fmt::format(
          "such that a frame takes at most {:g} steps; steps of {:.3g} s, limited by {}, make it {:.3g}",
          most_steps_of_a_frame, bound.dt, bound.limited_by, frame / bound.dt)};
}

}  // namespace repose
