#include "experiments/picture/canvas.h"

#include <algorithm>
#include <cmath>

namespace repose::experiments {

namespace {

std::size_t first_byte(const Image& image, int column, int row) {
  return 3 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
              static_cast<std::size_t>(column));
}

/// Pixels of an axis that an interval can touch; of a place far outside: none.
struct Pixels {
  int first;
  int last;
};
Pixels touched(double low, double high, int size) {
  const double end = static_cast<double>(size);
  return {static_cast<int>(std::floor(std::clamp(low - 1.0, 0.0, end))),
          static_cast<int>(std::ceil(std::clamp(high + 1.0, 0.0, end))) - 1};
}

}  // namespace

Image plain_image(int width, int height, const Colour& colour) {
  Image image{.width = width, .height = height, .rgb = {}};
  image.rgb.resize(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (std::size_t i = 0; i < image.rgb.size(); ++i) {
    image.rgb[i] = static_cast<std::uint8_t>(std::lround(255.0F * colour[i % 3]));
  }
  return image;
}

void blend(Image& image, int column, int row, const Colour& colour, double share) {
  if (column < 0 || row < 0 || column >= image.width || row >= image.height || !(share > 0.0)) return;
  const std::size_t byte = first_byte(image, column, row);
  for (std::size_t channel = 0; channel < 3; ++channel) {
    const double old = image.rgb[byte + channel];
    const double mixed = old + (255.0 * static_cast<double>(colour[channel]) - old) * std::min(share, 1.0);
    image.rgb[byte + channel] = static_cast<std::uint8_t>(std::lround(mixed));
  }
}

void paint_disk(Image& image, const Eigen::Vector2d& middle, double radius, const Colour& colour) {
  const Pixels columns = touched(middle.x() - radius, middle.x() + radius, image.width);
  const Pixels rows = touched(middle.y() - radius, middle.y() + radius, image.height);
  // A disk below a pixel in size keeps its share of ink.
  const double most = std::min(1.0, 4.0 * radius * radius);
  for (int row = rows.first; row <= rows.last; ++row) {
    for (int column = columns.first; column <= columns.last; ++column) {
      const double away = (Eigen::Vector2d(column + 0.5, row + 0.5) - middle).norm();
      blend(image, column, row, colour, std::clamp(std::max(radius, 0.5) + 0.5 - away, 0.0, most));
    }
  }
}

void paint_rectangle(Image& image, const Eigen::Vector2d& low, const Eigen::Vector2d& high,
                     const Colour& colour) {
  const Pixels columns = touched(low.x(), high.x(), image.width);
  const Pixels rows = touched(low.y(), high.y(), image.height);
  const auto share = [](double from, double to, int pixel) {
    return std::clamp(std::min(to, pixel + 1.0) - std::max(from, static_cast<double>(pixel)), 0.0, 1.0);
  };
  for (int row = rows.first; row <= rows.last; ++row) {
    for (int column = columns.first; column <= columns.last; ++column) {
      blend(image, column, row, colour, share(low.x(), high.x(), column) * share(low.y(), high.y(), row));
    }
  }
}

void paint_image(Image& image, const Image& part, int column, int row) {
  const int columns = std::min(part.width, image.width - column);
  for (int k = 0; k < std::min(part.height, image.height - row); ++k) {
    const auto from = part.rgb.begin() + static_cast<std::ptrdiff_t>(first_byte(part, 0, k));
    std::copy(from, from + 3 * columns,
              image.rgb.begin() + static_cast<std::ptrdiff_t>(first_byte(image, column, row + k)));
  }
}

}  // namespace repose::experiments
