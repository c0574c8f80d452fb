#pragma once

#include "optimized/mpm/twin.h"
#include "reference/interface/methods/mixture_parts.h"

#include <vector>

namespace repose::optimized {

/// The fast solver of mpm as one phase of a mixture, on its own grid. Its particles are numbered 0 … n − 1, as places among all
/// ascend; who couples the phases sees its storage.
template <class T, int dim>
class PhaseTwin final : public Twin<T, dim> {
  using Base = Twin<T, dim>;
  using typename Base::B, typename Base::R;

 public:
  using Base::active_nodes, Base::affine_, Base::asked_, Base::balance, Base::bases, Base::clocks_,
      Base::held_nodes, Base::implicit_kernels_, Base::keep_solution, Base::laws_, Base::nodes_,
      Base::nodes_per_axis_, Base::particle_ns, Base::node_block_ns, Base::particles_, Base::places_,
      Base::position, Base::run_stages, Base::step_, Base::stopped, Base::team_, Base::unknowns_by_id;

  /// @param scene  of the phase  @param all ids of the mixture's particles, which outlive it
  /// @param forces_apart tiles hold Δt f alone behind forces
  /// @param wetness each grain has a cohesion of its own
  PhaseTwin(const Scene& scene, const SolverOptions& options, const ParticleIds& all, bool forces_apart,
            bool wetness)
      : Base(scene, options), all_(all), has_wetness_(wetness) {
    Base::forces_apart_ = forces_apart;
  }

  /// The phase's part of a state. @param members of that state  @param c_C of each of its particles [Pa]
  void load_part(const Snapshot& part, const mixture::Members& members, const std::vector<double>& c_C);
  /// Particles behind the others. @param part at step_start, listing their ids  @param first place of theirs among all
  void append_part(const Snapshot& part, const mixture::Members& members, std::size_t first,
                   const std::vector<double>& c_C);

  /// Place among all of each particle, in the phase's order.
  const std::vector<std::size_t>& among() const { return among_; }

  const BlockGrid<dim>& grid() const { return particles_.order.grid(); }
  std::size_t node_values() const { return grid().node_blocks() * Block<dim>::node_values; }

  /// Δt f of one block of nodes, where it is apart.
  void sum_forces(std::size_t node_block, T* force) const { Base::sum_tiles(node_block, force); }
  /// Volume V⁰J of the phase at each node of its blocks, Σ w V [m^d]: of water with its J, of others with det F^E.
  void sum_volumes(Buffer<T>& volume) const;

 private:
  std::int64_t id_of(std::size_t place) const override { return all_.of(among_[place]); }
  /// Ids 0 … n − 1, and wetness of each record from numbers in the phase's order.
  void settle(const std::vector<double>& c_C, const std::vector<T>& phi);
  bool is_water() const { return Base::law_ == Law::water; }

  const ParticleIds& all_;
  bool has_wetness_;
  std::vector<std::size_t> among_;
};

extern template class PhaseTwin<float, 2>;
extern template class PhaseTwin<float, 3>;
extern template class PhaseTwin<double, 2>;
extern template class PhaseTwin<double, 3>;

}  // namespace repose::optimized
