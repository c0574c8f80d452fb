#include "optimized/mpm/footprint.h"

#include "optimized/implicit/kernels.h"
#include "optimized/implicit/minres.h"
#include "optimized/layout/block.h"
#include "optimized/layout/particle_order.h"
#include "optimized/layout/record.h"
#include "reference/interface/methods/mpm_options.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace repose::optimized {

namespace {

template <class T, int dim>
Footprint footprint_of(const MpmOptions& options) {
  using B = Block<dim>;
  Footprint need;
  // Its record; index, scene id and cell in the order of places, twice while they are merged; and while all are
  // sorted its entry in the list of movers.
  need.bytes_per_particle = sizeof(T) * Record<dim>::size + sizeof(std::uint32_t) +
                            2 * (2 * sizeof(std::uint32_t) + sizeof(std::uint8_t)) + sizeof(Mover);
  // Per block of nodes: a tile, and the four records m p*, m pⁿ, v̄, ṽ of each node.
  need.bytes_per_node =
      static_cast<double>(sizeof(T) * (B::tile_values + 4 * B::node_values)) / static_cast<double>(B::nodes);
  need.block_edge = B::edge;
  if (options.integrator == Integrator::explicit_) return need;
  need.bytes_per_particle += sizeof(double) * Pack<dim>::fields;
  if (std::is_same_v<T, float>) need.bytes_per_particle += sizeof(float) * RoundedPack<dim>::fields;
  need.kept_vectors = options.integrator == Integrator::semi_implicit
                          ? vectors_of_minres
                          : std::min(options.implicit.gmres_restart, options.implicit.gmres_iterations);
  return need;
}

}  // namespace

Footprint optimized_footprint(const Scene& scene, const SolverOptions& options) {
  const bool single = options.precision == Precision::single_;
  const MpmOptions& by = mpm_options(scene);
  if (scene.dim() == 2) return single ? footprint_of<float, 2>(by) : footprint_of<double, 2>(by);
  return single ? footprint_of<float, 3>(by) : footprint_of<double, 3>(by);
}

}  // namespace repose::optimized
