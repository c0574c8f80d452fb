#pragma once

#include "experiments/picture/state_picture.h"

#include <Eigen/Geometry>

#include <vector>

/// Parts of draw_state().
namespace repose::experiments::state_picture {

/// A particle to be drawn.
struct Grain {
  Point at = Point::Zero();  ///< [m]
  double size = 0.0;         ///< edge of a cell of its volume [m]
  Colour colour{};
};

struct Frame {
  const StoredState& state;
  const Scene& scene;
  const StatePictureOptions& options;
  std::vector<Grain> grains;
};

inline constexpr Colour body_colour{0.62F, 0.64F, 0.67F};
inline constexpr Colour opening_colour{0.25F, 0.45F, 0.80F};

/// Sizes of the text below a picture [pixels].
struct Footer {
  double text = 0.0;  ///< height of digits
  double line = 0.0;  ///< from one line to the next
  int height = 0;
  std::vector<std::vector<Legend::Entry>> rows;  ///< entries of the legend, as many as fit in a line
};
Footer footer(const Frame& frame, const Legend& legend);
/// Paints it at the bottom of a picture.
void paint_footer(Image& image, const Frame& frame, const Legend& legend, const Footer& footer);

/// Paints a length with its name into the footer of a plane's picture. @returns the width that it takes [pixels]
double paint_ruler(Image& image, const Frame& frame, const Footer& footer);

/// Pixels above the footer.
Image draw_plane(const Frame& frame, int width, int height);
Image draw_space(const Frame& frame, int width, int height);
/// Turns a scene so that up, the axis nearest to where gravity comes from, is y, as pictures have it.
Eigen::Quaterniond upright(const Point& gravity);
/// A collider where it is at a time [s], in a picture's axes.
Body body_of(const Collider& collider, double time, const Eigen::Quaterniond& turn);
/// Whether a body in a picture's axes is ground: level, and what is above it is free.
bool is_ground(const Body& body);
/// Height over width that the scene's shape asks for.
double plane_shape(const Frame& frame);

}  // namespace repose::experiments::state_picture
