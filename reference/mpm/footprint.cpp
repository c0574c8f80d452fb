#include "reference/mpm/footprint.h"

#include "reference/interface/methods/mpm_options.h"
#include "reference/mpm/implicit_contacts.h"
#include "reference/mpm/implicit_system.h"
#include "reference/mpm/state.h"
#include "reference/mpm/stencil.h"

#include <algorithm>
#include <cstdint>

namespace repose {

namespace {

template <int d>
Footprint footprint(const Scene& scene) {
  Footprint need;
  // As doubles: the product of three axes may lie beyond 2⁶³.
  double nodes = 1.0;
  for (int axis = 0; axis < d; ++axis) nodes *= static_cast<double>(scene.grid.nodes(axis));
  need.domain_bytes = nodes * sizeof(std::int32_t);
  need.bytes_per_particle = sizeof(Particle<d>);
  need.bytes_per_node = sizeof(Node<d>);
  if (!solves(mpm_options(scene).integrator)) return need;
  using System = ImplicitSystem<d>;
  const auto stencil = static_cast<double>(stencil_nodes<d>(mpm_options(scene).kernel));
  need.bytes_per_particle += stencil * System::bytes_per_stencil_node + System::bytes_per_particle;
  need.bytes_per_node += System::bytes_per_node + sizeof(NodeBodies<d>);
  const ImplicitOptions& solve = mpm_options(scene).implicit;
  constexpr int of_minres = 9;
  need.kept_vectors = mpm_options(scene).integrator == Integrator::semi_implicit
                          ? of_minres
                          : std::min(solve.gmres_restart, solve.gmres_iterations);
  return need;
}

}  // namespace

Footprint reference_footprint(const Scene& scene) {
  return scene.dim() == 2 ? footprint<2>(scene) : footprint<3>(scene);
}

}  // namespace repose
