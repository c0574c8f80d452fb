#pragma once

#include "optimized/layout/buffer.h"
#include "optimized/layout/particle_order.h"
#include "optimized/layout/record.h"
#include "optimized/threads.h"
#include "reference/interface/particles/particle_ids.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace repose::optimized {

/// The particles: a record each, in the order of storage, and the order in which blocks meet them.
template <class T, int dim>
struct ParticleStore {
  using R = Record<dim>;

  Buffer<T> records;
  Buffer<std::uint32_t> place;  ///< in the order of states, of each record
  ParticleIds ids;              ///< in that order
  ParticleOrder<dim> order;
  std::vector<std::vector<Mover>> movers;  ///< that left their cell in this step, per thread
  std::size_t moves_since_storing = 0;
  Buffer<T> between;           ///< v_bar, grad_v per record, where a run stops at g2p
  Buffer<Wetness<T>> wetness;  ///< of each record, where each grain has a cohesion of its own; else empty

  std::size_t size() const { return place.size(); }
  void resize(std::size_t count) {
    records.resize(R::size * count);
    place.resize(count);
  }

  const T* record(std::uint32_t slot) const { return records.data() + R::size * slot; }
  T* record(std::uint32_t slot) { return records.data() + R::size * slot; }

  /// Takes the movers into the order of blocks.
  void sort(const Team& team);
  /// Moves the records to where the order meets them, in place along the cycles of the permutation.
  void store_in_order();
  /// Every particle with its cell.
  std::vector<Mover> present() const;
  double largest_speed() const;  ///< [m/s]
  std::size_t bytes() const {
    return records.bytes() + place.bytes() + order.bytes() + between.bytes() + wetness.bytes();
  }
};

extern template struct ParticleStore<float, 2>;
extern template struct ParticleStore<float, 3>;
extern template struct ParticleStore<double, 2>;
extern template struct ParticleStore<double, 3>;

}  // namespace repose::optimized
