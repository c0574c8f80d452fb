#pragma once

#include "reference/interface/scene/scene.h"
#include "validation/metrics/pile.h"

namespace repose::experiments {

/// A scene in which one emitter pours sand straight down on level ground, in numbers.
struct InflowPile {
  metrics::Axis axis;         ///< through the middle of the opening, foot on the ground
  double drop = 0.0;          ///< from the opening to the ground [m]
  double speed = 0.0;         ///< with which sand leaves the opening [m/s]
  double fall_speed = 0.0;    ///< of free fall from the opening to the ground, √(speed² + 2 g drop) [m/s]
  double poured_until = 0.0;  ///< when the last sand leaves the opening [s]
  double landed = 0.0;        ///< when it would reach the bare ground [s]
  double sand = 0.0;          ///< Σ V⁰ at the end of pouring [m³], in 2D [m²]
  double mass = 0.0;          ///< of it [kg]
};

/// @throws std::invalid_argument unless the scene has one emitter, pouring down, and a half-space as first collider
InflowPile inflow_pile(const Scene& scene);

/// Replaces the grid spacing of a scene and keeps its domain. @throws std::invalid_argument if the domain is not a
/// whole number of cells
void set_spacing(Scene& scene, double spacing);

}  // namespace repose::experiments
