#pragma once

#include "reference/interface/scene/scene.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace repose {

/// No run ends that has more frames, or more steps in a frame: decades on the fastest machine. A slip of the pen.
inline constexpr double most_frames = 1e9;
inline constexpr double most_steps_of_a_frame = 1e9;

/// Chooses Δt, the same way for every solver:
///     Δt ≤ max_dt,   (speed + ‖g‖ Δt) Δt ≤ cfl · h,   Δt ≤ bounds of the scene's method,   t + Δt ≤ end of frame
/// The third are those that need no state (SchemeTable). Every bound holds as computed in double. Near the
/// end of a frame, what is left is halved where one step is too short and two are enough: no step is shorter than half
/// the bound in force.
///
/// A frame's last step satisfies time + Δt == frame_end in double, so that a runner whose time is advanced by
/// += Δt meets frame ends exactly:
///     for frame = 1 … frames():
///       while (time < frame_time(frame)) { Δt = next(time, speed, frame_time(frame)).dt; … }
class StepControl {
 public:
  /// @throws std::logic_error for a scene of no method
  explicit StepControl(const Scene& scene);

  struct Choice {
    double dt = 0.0;              ///< [s]
    std::string_view limited_by;  ///< "max_dt", "cfl", "frame" or the key of a bound of the method
  };

  /// @param time at the start of the step [s]
  /// @param max_speed largest particle speed [m/s]
  /// @param frame_end when the current frame ends [s], > time
  /// @throws std::invalid_argument if the speed is not finite or the frame is over
  /// @throws std::runtime_error if the step is too small to advance the time, or so small that the rest of the frame
  ///         needs more than most_steps_of_a_frame
  Choice next(double time, double max_speed, double frame_end) const;

  /// The bound in force where no frame ends soon. @throws std::invalid_argument if the speed is not finite
  Choice bound(double max_speed) const;

  /// End of frame n (n = 0 is the start): n / frame_rate [s].
  double frame_time(std::int64_t frame) const;
  /// Number of frames that cover the scene's duration: the least n with frame_time(n) ≥ duration.
  std::int64_t frames() const;

 private:
  Scene scene_;
  std::vector<StepBound> of_method_;
};

/// Why a run of this scene would not end, as far as the scene tells: its frames, or the steps that a frame needs at
/// the speeds of the start.
struct Unending {
  std::string_view key;  ///< of the scene, the one to change
  double value = 0.0;
  std::string allowed;  ///< what the value must be
};
std::optional<Unending> unending(const Scene& scene);

}  // namespace repose
