#include "experiments/picture/shadow.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace repose::experiments {

namespace {

constexpr int largest_map = 3000;  // texels per axis: 36 MB
constexpr float softness = 5.0F;   // radius of the disk in grain radii
constexpr int samples = 5;         // times the samples of a pixel

}  // namespace

ShadowMap::ShadowMap(std::span<const Ball> balls, const Point& to_light) {
  const Point light = to_light.normalized();
  const Point side = light.cross(std::abs(light.y()) < 0.9 ? Point::UnitY() : Point::UnitX()).normalized();
  axes_.row(0) = side.cast<float>();
  axes_.row(1) = light.cross(side).cast<float>();
  axes_.row(2) = light.cast<float>();
  if (balls.empty()) return;

  // Cover all balls with texels of a third of a grain, fewer where the map would grow too large.
  Eigen::Vector2f low = Eigen::Vector2f::Constant(std::numeric_limits<float>::max());
  Eigen::Vector2f high = -low;
  float radius = std::numeric_limits<float>::max();
  for (const Ball& ball : balls) {
    const Eigen::Vector2f c = (axes_ * ball.centre).head<2>();
    low = low.cwiseMin(c - Eigen::Vector2f::Constant(ball.radius));
    high = high.cwiseMax(c + Eigen::Vector2f::Constant(ball.radius));
    radius = std::min(radius, ball.radius);
  }
  const Eigen::Vector2f extent = high - low;
  texel_size_ = std::max(radius / 3.0F, extent.maxCoeff() / static_cast<float>(largest_map));
  bias_ = 1.2F * radius + texel_size_;
  corner_ = low;
  columns_ = static_cast<int>(extent.x() / texel_size_) + 1;
  rows_ = static_cast<int>(extent.y() / texel_size_) + 1;
  nearest_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_),
                  -std::numeric_limits<float>::max());

  for (const Ball& ball : balls) {
    const Eigen::Vector3f c = axes_ * ball.centre;
    const Eigen::Vector2f middle = (c.head<2>() - corner_) / texel_size_;
    const float r = ball.radius / texel_size_;
    const int first_row = std::max(0, static_cast<int>(middle.y() - r));
    const int last_row = std::min(rows_ - 1, static_cast<int>(middle.y() + r));
    const int first_column = std::max(0, static_cast<int>(middle.x() - r));
    const int last_column = std::min(columns_ - 1, static_cast<int>(middle.x() + r));
    for (int row = first_row; row <= last_row; ++row) {
      for (int column = first_column; column <= last_column; ++column) {
        const float dx = (static_cast<float>(column) + 0.5F - middle.x()) * texel_size_;
        const float dy = (static_cast<float>(row) + 0.5F - middle.y()) * texel_size_;
        const float square = ball.radius * ball.radius - dx * dx - dy * dy;
        if (square < 0.0F) continue;
        float& depth = nearest_[texel(column, row)];
        depth = std::max(depth, c.z() + std::sqrt(square));
      }
    }
  }
}

float ShadowMap::light_at(const Eigen::Vector3f& x, float dice) const {
  if (nearest_.empty()) return 1.0F;
  const Eigen::Vector3f c = axes_ * x;
  const Eigen::Vector2f middle = (c.head<2>() - corner_) / texel_size_;
  const float spread = softness * (bias_ - texel_size_) / 1.2F / texel_size_;
  int lit = 0;
  for (int sample = 0; sample < samples; ++sample) {
    // A spiral of equal areas.
    const float share = (static_cast<float>(sample) + 0.5F) / static_cast<float>(samples);
    const float angle = 2.0F * std::numbers::pi_v<float> * (dice + 0.618034F * static_cast<float>(sample));
    const float r = spread * std::sqrt(share);
    const int column = static_cast<int>(std::floor(middle.x() + r * std::cos(angle)));
    const int row = static_cast<int>(std::floor(middle.y() + r * std::sin(angle)));
    const bool outside = column < 0 || row < 0 || column >= columns_ || row >= rows_;
    if (outside || nearest_[texel(column, row)] <= c.z() + bias_) ++lit;
  }
  return static_cast<float>(lit) / static_cast<float>(samples);
}

}  // namespace repose::experiments
