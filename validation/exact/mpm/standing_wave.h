#pragma once

#include "reference/interface/snapshot.h"
#include "validation/exact/exact.h"

#include <cstdint>
#include <vector>

namespace repose::exact {

constexpr int particles_of_wave = 4;  ///< per axis of a cell

/// A standing wave along the first axis of a box without ends, of one length of the box, whose particles move along
/// `moving`: 0, of compression, or 1, of shear.
struct Wave {
  Scene scene;
  int moving = 0;
  double k = 0.0;       ///< wave number [1/m]
  double c = 0.0;       ///< speed of the wave [m/s]
  double speed = 0.0;   ///< largest one of a particle at the start [m/s]
  double dt = 0.0;      ///< [s]
  double phase = 0.37;  ///< puts no node of the wave onto the seam [rad]
};

/// One of an elastic body, or of water that is about as stiff, of small amplitude, which is less in double.
Wave wave(const crosscheck::Setup& setup, MaterialKind kind, int moving, std::int64_t cells);

/// How its particles move.
struct WaveMotion {
  /// Amplitude of their displacement in the wave's shape, from their places at the start, before and behind each step [m]
  std::vector<double> displacement;
  /// Over the first period the largest root of the mean square, over the particles, of how far they are from where a continuum
  /// would have them, over its largest displacement: with ω = ck, u = speed/ω sin(ωt) in the wave's shape and along its motion
  double misfit = 0.0;
};
WaveMotion wave_motion(const Trial& trial, const Wave& w, double periods);

/// When the displacement, which begins at 0, comes back to 0 the second time: a period [s]; 0 if it does not.
double period_of(const std::vector<double>& displacement, double dt);

}  // namespace repose::exact
