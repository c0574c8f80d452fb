#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"

#include <string_view>
#include <vector>

namespace repose {

/// Undeformed particles of a scene's method, collected one by one for a step_start snapshot. What is added that particles of
/// the method do not carry is left out.
class FreshParticles {
 public:
  explicit FreshParticles(const Scene& scene);

  /// @param m mass [kg]  @param V0 volume [m³], in 2D [m²]  @param material index into Scene::materials
  /// @param x place [m]  @param v velocity [m/s]  @param C affine velocity [1/s]
  void add(double m, double V0, int material, const Point& x, const Point& v,
           const Mat<3>& C = Mat<3>::Zero());

  /// All of them at rest but for what was added, at time 0; none are left here.
  Snapshot take();

 private:
  std::string_view method_;
  int dim_;
  std::vector<double> mass_, volume_, material_, x_, v_, C_, cohesion_;
  std::vector<double> dry_cohesion_;  ///< of each material [Pa]
};

}  // namespace repose
