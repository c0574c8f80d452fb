#pragma once

#include "experiments/picture/picture.h"

namespace repose::experiments {

/// A picture of one colour.
Image plain_image(int width, int height, const Colour& colour);

/// Mixes a colour into a pixel; outside the picture nothing happens. @param share in [0, 1]
void blend(Image& image, int column, int row, const Colour& colour, double share);

/// Everything in pixels from the upper left corner; edges are blended over one pixel.
void paint_disk(Image& image, const Eigen::Vector2d& middle, double radius, const Colour& colour);
void paint_rectangle(Image& image, const Eigen::Vector2d& low, const Eigen::Vector2d& high,
                     const Colour& colour);

/// Copies a picture into another one, its upper left corner at a pixel.
void paint_image(Image& image, const Image& part, int column, int row);

}  // namespace repose::experiments
