#pragma once

#include "reference/interface/scene.h"

#include <cstdint>
#include <string_view>

namespace repose {

/// Chooses Δt, the same way for every solver:
///     Δt ≤ max_dt,   (speed + ‖g‖ Δt) Δt ≤ cfl · h,   c Δt ≤ elastic_bound · h,   t + Δt ≤ end of frame
/// with c = √((λ+2μ)/ρ) of the stiffest material; the third bound holds for explicit steps only. Every bound
/// holds as computed in double. Near the end of a frame, what is left is halved where one step is too short
/// and two are enough: no step is shorter than half the bound in force.
///
/// A frame's last step satisfies time + Δt == frame_end in double, so that a runner whose time is advanced by
/// += Δt meets frame ends exactly:
///     for frame = 1 … frames():
///       while (time < frame_time(frame)) { Δt = next(time, speed, frame_time(frame)).dt; … }
class StepControl {
 public:
  explicit StepControl(const Scene& scene);

  struct Choice {
    double dt = 0.0;              ///< [s]
    std::string_view limited_by;  ///< "max_dt", "cfl", "elastic_bound" or "frame"
  };

  /// @param time at the start of the step [s]
  /// @param max_speed largest particle speed [m/s]
  /// @param frame_end when the current frame ends [s], > time
  /// @throws std::invalid_argument if the speed is not finite or the frame is over
  /// @throws std::runtime_error if the step is too small to advance the time
  Choice next(double time, double max_speed, double frame_end) const;

  /// End of frame n (n = 0 is the start): n / frame_rate [s].
  double frame_time(std::int64_t frame) const;
  /// Number of frames that cover the scene's duration: the least n with frame_time(n) ≥ duration.
  std::int64_t frames() const;

 private:
  Scene scene_;
  double elastic_dt_ = 0.0;
};

}  // namespace repose
