#include "reference/mpm/footprint.h"

#include "reference/mpm/state.h"
#include "reference/physics/stress_derivative.h"

#include <cstdint>

namespace repose {

Footprint reference_footprint(const Scene& scene) {
  Footprint need;
  // As doubles: the product of three axes may lie beyond 2⁶³.
  double nodes = 1.0;
  for (int axis = 0; axis < scene.dim(); ++axis) nodes *= static_cast<double>(scene.grid.nodes(axis));
  need.domain_bytes = nodes * sizeof(std::int32_t);
  need.bytes_per_particle = scene.dim() == 2 ? sizeof(Particle<2>) : sizeof(Particle<3>);
  need.bytes_per_node = scene.dim() == 2 ? sizeof(Node<2>) : sizeof(Node<3>);
  if (scene.integrator == Integrator::explicit_) return need;
  // Of an implicit balance, per particle: the weights of its stencil, and its returned stress.
  const int per_axis = scene.kernel == Kernel::cubic ? 4 : 3;
  const double stencil = scene.dim() == 2 ? per_axis * per_axis : per_axis * per_axis * per_axis;
  need.bytes_per_particle +=
      stencil * static_cast<double>(sizeof(double)) * (1 + scene.dim()) +
      static_cast<double>(scene.dim() == 2 ? sizeof(ReturnedStress<2>) : sizeof(ReturnedStress<3>));
  return need;
}

}  // namespace repose
