#include "reference/mixture/footprint.h"

#include "reference/interface/methods/mixture_options.h"
#include "reference/mixture/coupled_scale.h"
#include "reference/mixture/state.h"
#include "reference/mpm/footprint.h"

#include <cstdint>

namespace repose {

namespace {

template <int d>
Footprint footprint_of_phases(const Scene& scene) {
  Footprint need;
  // As doubles: the product of three axes may lie beyond 2⁶³.
  double nodes = 1.0;
  for (int axis = 0; axis < d; ++axis) nodes *= static_cast<double>(scene.grid.nodes(axis));
  need.domain_bytes = 2.0 * nodes * sizeof(std::int32_t);
  need.bytes_per_particle = sizeof(Particle<d>) + sizeof(Vec<d>) + sizeof(double);
  need.bytes_per_node = sizeof(Node<d>) + sizeof(MixedNode<d>);
  if (!solves(mixture_options(scene).integrator)) return need;
  // Both phases may be at all nodes.
  const Footprint alone = reference_footprint(mixture::scene_of_part(scene, mixture::Phase::solid));
  need.bytes_per_particle += alone.bytes_per_particle - sizeof(Particle<d>);
  need.bytes_per_node +=
      2.0 * (alone.bytes_per_node - sizeof(Node<d>)) + sizeof(NodePair) + sizeof(Mat<d>) * 2.0;
  need.kept_vectors = 2 * alone.kept_vectors;
  return need;
}

}  // namespace

Footprint mixture_footprint(const Scene& scene) {
  return scene.dim() == 2 ? footprint_of_phases<2>(scene) : footprint_of_phases<3>(scene);
}

}  // namespace repose
