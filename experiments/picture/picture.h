#pragma once

#include "reference/interface/base/types.h"
#include "reference/interface/scene/shapes.h"

#include <Eigen/Geometry>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace repose::experiments {

/// Colour as shown, sRGB in [0, 1].
using Colour = std::array<float, 3>;

/// Rows from the top, three bytes per pixel, sRGB.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;
};

/// A matte ball.
struct Ball {
  Eigen::Vector3f centre;  ///< [m]
  float radius = 0.0F;     ///< [m]
  Colour colour{};
};

/// A rigid body among the balls. What faces the eye is drawn; where that would hide balls, they shine through. Of a
/// hollow body, solid all around the shape, the far walls are drawn: one looks into it. It throws no shadow.
struct Body {
  Shape shape;  ///< at rest
  bool hollow = false;
  Colour colour{0.62F, 0.64F, 0.67F};
  float cover = 0.5F;  ///< of balls behind it, in (0, 1]
  /// From the scene to the frame of the shape at rest
  Eigen::Isometry3d to_rest = Eigen::Isometry3d::Identity();
  std::optional<Bounds> limits{};  ///< where it is drawn, as of a half-space, which has no end [m]
};

/// A word painted over the picture, centred at a point of the scene.
struct Label {
  std::string text;          ///< in UTF-8
  Point at = Point::Zero();  ///< [m]
};

/// What is seen and from where. y is up; the floor is a plane of constant height without end.
struct View {
  int width = 1600;  ///< [pixels]
  int height = 600;
  int samples = 3;                         ///< per axis and pixel
  Point eye = Point(0.0, 1.0, 3.0);        ///< [m]
  Point target = Point::Zero();            ///< middle of the picture [m]
  double field_of_view = 0.3;              ///< across the width [rad]
  double floor = 0.0;                      ///< height of the floor [m]; −infinity: there is none
  Point to_light = Point(-0.5, 1.0, 0.6);  ///< any length
  /// How near surfaces darken each other [m]; 0: four radii of the first ball
  double occlusion_radius = 0.0;
};

/// Draws balls on a floor: exact spheres in a depth buffer, a distant light whose shadows blur over five radii of the
/// smallest ball (a heap throws a shadow, a single ball hardly one), light from the
/// sky dimmed where near surfaces shut it out. Equal input gives an equal picture.
Image draw(std::span<const Ball> balls, std::span<const Body> bodies, std::span<const Label> labels,
           const View& view);
inline Image draw(std::span<const Ball> balls, std::span<const Label> labels, const View& view) {
  return draw(balls, {}, labels, view);
}

/// Whether this build can write PNG files.
bool can_write_png();

/// @throws std::runtime_error with the reason
void write_png(const Image& image, const std::filesystem::path& file);

/// Colour of sand grain number `id`: yellow 225/169/95 for 85 %, brown 107/84/30 for 10 %, white for 5 % of all,
/// chosen by a hash of the number  [Klar16 §9]
Colour grain_colour(std::uint64_t id);

}  // namespace repose::experiments
