#include "experiments/picture/canvas.h"
#include "experiments/picture/label.h"
#include "experiments/picture/state_picture_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace repose::experiments::state_picture {

namespace {

constexpr Colour paper{0.985F, 0.985F, 0.98F};
constexpr Colour beyond{0.90F, 0.91F, 0.92F};  ///< what lies outside the domain
constexpr Colour ink{0.25F, 0.26F, 0.28F};

Window window_of(const Frame& frame) {
  if (frame.options.window) return *frame.options.window;
  const Point low = frame.scene.grid.domain_min;
  const Point high = frame.scene.grid.domain_max();
  return {.x_min = low.x(), .y_min = low.y(), .x_max = high.x(), .y_max = high.y()};
}

/// Where points of the plane fall.
class Map {
 public:
  Map(const Window& window, int width, int height)
      : scale_(std::min(width / (window.x_max - window.x_min), height / (window.y_max - window.y_min))),
        left_(0.5 * width - 0.5 * scale_ * (window.x_min + window.x_max)),
        bottom_(0.5 * height + 0.5 * scale_ * (window.y_min + window.y_max)) {}
  double scale() const { return scale_; }  ///< [pixels/m]
  Eigen::Vector2d to_pixel(const Point& x) const {
    return {left_ + scale_ * x.x(), bottom_ - scale_ * x.y()};
  }
  Point to_scene(double column, double row) const {
    return {(column - left_) / scale_, (bottom_ - row) / scale_, 0.0};
  }

 private:
  double scale_;
  double left_;
  double bottom_;
};

/// Fills where a distance [pixels] is negative and draws its zero as a line.
void paint_region(Image& image, int column, int row, double distance, const Colour& fill, double fill_share,
                  const Colour& line) {
  if (!std::isfinite(distance)) return;
  blend(image, column, row, fill, fill_share * std::clamp(0.5 - distance, 0.0, 1.0));
  blend(image, column, row, line, std::clamp(1.6 - std::abs(distance), 0.0, 1.0));
}

void paint_bodies(Image& image, const Frame& frame, const Map& map) {
  const Scene& scene = frame.scene;
  const double time = frame.state.snapshot.time;
  const Bounds domain{.min = scene.grid.domain_min, .max = scene.grid.domain_max()};
  for (int row = 0; row < image.height; ++row) {
    for (int column = 0; column < image.width; ++column) {
      const Point x = map.to_scene(column + 0.5, row + 0.5);
      const double outside = map.scale() * signed_distance(Box{domain.min, domain.max}, x, 2).phi;
      blend(image, column, row, beyond, std::clamp(0.5 + outside, 0.0, 1.0));
      double solid = std::numeric_limits<double>::infinity();  // of all bodies together
      for (const Collider& body : scene.colliders)
        solid = std::min(solid, signed_distance(body, x, time, scene.grid).phi);
      paint_region(image, column, row, map.scale() * solid, body_colour, 0.75, ink);
      for (const Emitter& emitter : scene.emitters) {
        if (time > emitter.stop) continue;
        paint_region(image, column, row, map.scale() * signed_distance(emitter.shape, x, 2).phi,
                     opening_colour, 0.25, opening_colour);
      }
    }
  }
}

}  // namespace

double plane_shape(const Frame& frame) {
  const Window window = window_of(frame);
  return (window.y_max - window.y_min) / (window.x_max - window.x_min);
}

double paint_ruler(Image& image, const Frame& frame, const Footer& footer) {
  const Map map(window_of(frame), image.width, image.height - footer.height);
  const double text = footer.text;
  // A length of 1, 2 or 5 times a power of ten that takes some sixth of the width.
  const double longest = image.width / 5.0 / map.scale();
  const double power = std::pow(10.0, std::floor(std::log10(longest)));
  const double length = power * (longest >= 5.0 * power ? 5.0 : longest >= 2.0 * power ? 2.0 : 1.0);
  const std::string label = fmt::format("{:g} m", length);
  const auto size = static_cast<float>(text);
  const double pixels = length * map.scale();
  const double wide = std::max(pixels, static_cast<double>(text_length(label, size)));
  const double middle = image.width - 1.2 * text - 0.5 * wide;
  const double top = image.height - footer.height + 0.4 * text;
  paint_text(image, label, {static_cast<float>(middle), static_cast<float>(top + 0.5 * footer.line)}, size);
  const Eigen::Vector2d bar(middle - 0.5 * pixels, top + 0.9 * footer.line + 0.4 * text);
  paint_rectangle(image, bar, bar + Eigen::Vector2d(pixels, 0.2 * text), ink);
  for (const double end : {0.0, pixels - 2.0}) {
    paint_rectangle(image, bar + Eigen::Vector2d(end, -0.3 * text),
                    bar + Eigen::Vector2d(end + 2.0, 0.5 * text), ink);
  }
  return wide + 2.4 * text;
}

Image draw_plane(const Frame& frame, int width, int height) {
  Image image = plain_image(width, height, paper);
  const Map map(window_of(frame), width, height);
  paint_bodies(image, frame, map);
  for (const Grain& grain : frame.grains) {
    const Eigen::Vector2d middle = map.to_pixel(grain.at);
    const double radius = 0.56 * map.scale() * grain.size;
    // A rim, where there is room for it, sets white grains off from paper.
    Colour rim = grain.colour;
    for (float& channel : rim) channel *= 0.65F;
    paint_disk(image, middle, radius, radius > 2.0 ? rim : grain.colour);
    if (radius > 2.0) paint_disk(image, middle, radius - std::min(0.16 * radius, 1.5), grain.colour);
  }
  return image;
}

}  // namespace repose::experiments::state_picture
