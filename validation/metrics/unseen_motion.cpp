#include "validation/metrics/unseen_motion.h"

#include "reference/interface/methods/mpm.h"
#include "validation/mechanics/field_access.h"
#include "validation/mechanics/stencil.h"
#include "validation/mechanics/strain.h"

#include <cmath>
#include <unordered_map>

namespace repose::experiments {

double UnseenMotion::root_mean_square() const {
  return mass > 0.0 ? std::sqrt(2.0 * unseen_energy / mass) : 0.0;
}

UnseenMotion unseen_motion(const Snapshot& state, const Scene& scene) {
  struct Node {
    double m = 0.0;
    Point p = Point::Zero();
  };
  const int dim = scene.dim();
  const Field& x = state.get(field::x);
  const Field& v = state.get(field::v);
  const Field& C = state.get(field::C);
  const auto& mass = state.get(field::mass).value;
  std::vector<crosscheck::Stencil> stencils;
  stencils.reserve(mass.size());
  std::unordered_map<std::int64_t, Node> nodes;
  for (std::size_t p = 0; p < mass.size(); ++p) {
    const Point at = crosscheck::point(x, p);
    const Point velocity = crosscheck::point(v, p);
    const crosscheck::Tensor affine = crosscheck::tensor(C, p, dim);
    stencils.push_back(crosscheck::stencil(scene, at));
    const crosscheck::Stencil& stencil = stencils.back();
    for (std::size_t i = 0; i < static_cast<std::size_t>(stencil.size); ++i) {
      const Point offset =
          crosscheck::in_dimensions(scene.grid.nearest(scene.grid.node_position(stencil.node[i]) - at), dim);
      Node& node = nodes[stencil.node[i]];
      node.m += stencil.w[i] * mass[p];
      node.p += stencil.w[i] * mass[p] * (velocity + affine * offset);
    }
  }
  UnseenMotion motion;
  motion.speed.reserve(mass.size());
  for (std::size_t p = 0; p < mass.size(); ++p) {
    Point seen = Point::Zero();
    for (std::size_t i = 0; i < static_cast<std::size_t>(stencils[p].size); ++i) {
      const Node& node = nodes[stencils[p].node[i]];
      if (node.m > 0.0) seen += stencils[p].w[i] * node.p / node.m;
    }
    const Point velocity = crosscheck::point(v, p);
    motion.speed.push_back((velocity - seen).norm());
    motion.mass += mass[p];
    motion.kinetic_energy += 0.5 * mass[p] * velocity.squaredNorm();
    motion.unseen_energy += 0.5 * mass[p] * (velocity - seen).squaredNorm();
  }
  return motion;
}

}  // namespace repose::experiments
