#pragma once

#include "reference/interface/snapshot.h"

#include <vector>

namespace repose {

/// Undeformed particles, collected one by one for a step_start snapshot.
class FreshParticles {
 public:
  explicit FreshParticles(int dim) : dim_(dim) {}

  /// @param m mass [kg]  @param V0 volume [m³], in 2D [m²]  @param material index into Scene::materials
  /// @param x place [m]  @param v velocity [m/s]  @param C affine velocity [1/s]
  void add(double m, double V0, int material, const Point& x, const Point& v,
           const Mat<3>& C = Mat<3>::Zero());

  /// All of them at rest but for what was added, at time 0; none are left here.
  Snapshot take();

 private:
  int dim_;
  std::vector<double> mass_, volume_, material_, x_, v_, C_;
};

}  // namespace repose
