#pragma once

#include "experiments/picture/picture.h"

#include <span>
#include <vector>

namespace repose::experiments {

/// What a distant light sees first: depths of balls on a plane across its direction.
class ShadowMap {
 public:
  ShadowMap(std::span<const Ball> balls, const Point& to_light);

  /// Share of the light that reaches a point [0, 1]: mean over a small disk of the map, turned by `dice` in
  /// [0, 1).
  float light_at(const Eigen::Vector3f& x, float dice) const;

 private:
  std::size_t texel(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
           static_cast<std::size_t>(column);
  }

  Eigen::Matrix3f axes_;  ///< rows: two across the light, one towards it
  Eigen::Vector2f corner_ = Eigen::Vector2f::Zero();
  float texel_size_ = 1.0F;  ///< [m]
  float bias_ = 0.0F;        ///< [m], so that a ball does not shade itself
  int columns_ = 0;
  int rows_ = 0;
  std::vector<float> nearest_;  ///< largest distance along the direction to the light [m]
};

}  // namespace repose::experiments
