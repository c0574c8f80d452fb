#pragma once

#include "reference/interface/snapshot.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace repose {

/// Ids of a solver's particles, in the order of its states, and the id that the next one gets. Takes no room as long as
/// they are 0 … n − 1.
class ParticleIds {
 public:
  /// Those of a state.
  void load(const Snapshot& state);
  /// Particles behind the others, with the next ids.
  void append(std::size_t count);
  /// Without the particles at some places in the order, ascending.
  void remove(std::span<const std::size_t> elements);
  /// Into a state of these particles: the next id, and the list where there must be one.
  void save(Snapshot& state) const;

  std::size_t size() const { return count_; }
  std::int64_t next() const { return next_; }
  /// Id of the particle at a place in the order.
  std::int64_t of(std::size_t element) const {
    return listed_.empty() ? static_cast<std::int64_t>(element) : listed_[element];
  }

 private:
  void list();  ///< also those that are 0 … n − 1

  std::size_t count_ = 0;
  std::int64_t next_ = 0;
  std::vector<std::int64_t> listed_;  ///< empty: 0 … count_ − 1
};

}  // namespace repose
