#pragma once

#include "experiments/picture/picture.h"
#include "experiments/picture/state_colours.h"
#include "validation/states/state_file.h"

#include <optional>
#include <string>

namespace repose::experiments {

/// Part of the plane that a picture in 2D shows [m].
struct Window {
  double x_min = 0.0;
  double y_min = 0.0;
  double x_max = 0.0;
  double y_max = 0.0;
};

struct StatePictureOptions {
  std::string colour{};                ///< as colour_names() has them; empty: the first that the method has
  std::optional<ColourRange> range{};  ///< of the colours' scale; by default that of the state
  int width = 1200;                    ///< [pixels]
  int height = 0;                      ///< [pixels], legend included; 0: as the scene's shape asks
  std::optional<Window> window{};      ///< 2D; by default the scene's domain
  std::optional<Point> eye{};          ///< 3D [m]; by default where the whole domain is in view
  std::optional<Point> target{};       ///< 3D: middle of the picture [m]; by default that of the domain
  double field_of_view = 0.45;         ///< 3D: across the width [rad]
};

/// Draws a state: particles of their size, rigid bodies and openings of emitters where they are at that time, below them
/// title, time and what the colours mean. In 3D up is where gravity comes from, along the nearest axis; the ground, a
/// half-space that faces up, is drawn without end, other half-spaces as far as the domain goes and only where they
/// face the eye. Particles at no place, or far outside the domain, are left out and counted below the picture.
/// Equal input gives an equal picture.
/// @throws BadInput for a state or options that cannot be drawn
Image draw_state(const StoredState& state, const Scene& scene, const StatePictureOptions& options);

}  // namespace repose::experiments
