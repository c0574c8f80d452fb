#pragma once

#include "experiments/picture/picture.h"

#include <Eigen/Geometry>

#include <cmath>

namespace repose::experiments {

/// A pinhole: directions are right, up, forward.
class Camera {
 public:
  Camera(const View& view, int width, int height)
      : width_(static_cast<float>(width)),
        height_(static_cast<float>(height)),
        focal_(static_cast<float>(0.5 * width / std::tan(0.5 * view.field_of_view))),
        eye_(view.eye.cast<float>()) {
    const Point forward = (view.target - view.eye).normalized();
    const Point right = forward.cross(Point::UnitY()).normalized();
    axes_.row(0) = right.cast<float>();
    axes_.row(1) = right.cross(forward).cast<float>();
    axes_.row(2) = forward.cast<float>();
  }

  /// Point in the camera's axes [m].
  Eigen::Vector3f to_camera(const Eigen::Vector3f& x) const { return axes_ * (x - eye_); }
  /// Direction of the scene in the camera's axes.
  Eigen::Vector3f turn(const Eigen::Vector3f& direction) const { return axes_ * direction; }
  /// Direction of the camera's axes in the scene.
  Eigen::Vector3f turn_back(const Eigen::Vector3f& direction) const { return axes_.transpose() * direction; }
  /// Point in the scene [m].
  Eigen::Vector3f to_scene(const Eigen::Vector3f& c) const { return axes_.transpose() * c + eye_; }

  /// Where a point before the camera falls [pixels], right and down.
  Eigen::Vector2f project(const Eigen::Vector3f& c) const {
    return {0.5F * width_ + focal_ * c[0] / c[2], 0.5F * height_ - focal_ * c[1] / c[2]};
  }
  /// Unit direction through a pixel's middle, in the camera's axes.
  Eigen::Vector3f ray(int column, int row) const {
    const float x = static_cast<float>(column) + 0.5F - 0.5F * width_;
    const float y = 0.5F * height_ - static_cast<float>(row) - 0.5F;
    return Eigen::Vector3f(x / focal_, y / focal_, 1.0F).normalized();
  }
  float focal() const { return focal_; }  ///< [pixels]

 private:
  float width_;
  float height_;
  float focal_;
  Eigen::Vector3f eye_;
  Eigen::Matrix3f axes_ = Eigen::Matrix3f::Identity();
};

}  // namespace repose::experiments
