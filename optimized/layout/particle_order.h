#pragma once

#include "optimized/layout/block_grid.h"
#include "optimized/layout/buffer.h"
#include "optimized/threads.h"

#include <cstdint>
#include <vector>

namespace repose::optimized {

/// A particle on its way to another cell.
struct Mover {
  std::uint64_t block;   ///< key of the block it enters
  std::uint32_t id;      ///< scene id
  std::uint32_t record;  ///< where its record lies
  std::uint8_t code;     ///< its cell in that block
};

/// The order in which particles are met: by block, cell in the block, scene id. It is a function of the particles'
/// places alone, never of how they came there, so sums over it repeat bit for bit. Records themselves stay where they
/// are; what is kept sorted are their indices.
template <int dim>
class ParticleOrder {
 public:
  /// For the next build().
  void set_periods(const Periods& periods) { grid_.set_periods(periods); }

  /// Sorts from scratch. `all` holds every particle, in any order.
  void build(std::vector<Mover> all);

  /// Removes entries marked `gone` and merges the movers in. Blocks that nobody left or entered are copied.
  /// @return true if the set of blocks changed
  bool merge(const std::vector<Mover>& movers, const Team& team);

  const BlockGrid<dim>& grid() const { return grid_; }
  std::size_t begin(std::size_t block) const { return begin_[block]; }
  std::size_t count(std::size_t block) const { return begin_[block + 1] - begin_[block]; }
  const std::uint32_t* records() const { return record_.data(); }
  std::uint32_t* records() { return record_.data(); }
  const std::uint32_t* ids() const { return id_.data(); }  ///< scene ids, beside records()
  std::uint8_t* codes() { return code_.data(); }
  const std::uint8_t* codes() const { return code_.data(); }
  std::size_t size() const { return record_.size(); }
  std::size_t bytes() const;
  int threads_merging() const { return threads_merging_; }  ///< that took part in the last merge()

 private:
  int threads_merging_ = 0;
  BlockGrid<dim> grid_;
  std::vector<std::size_t> begin_{0};
  Buffer<std::uint32_t> record_, next_record_;
  Buffer<std::uint32_t> id_, next_id_;  ///< scene ids beside the records' indices: merging compares them
  Buffer<std::uint8_t> code_, next_code_;

  // Working space of merge().
  struct Arrival {
    std::uint32_t id;
    std::uint32_t record;
    std::uint32_t code;
  };
  void merge_block(std::size_t target, std::size_t out, std::size_t until, std::vector<Arrival>& room);
  std::vector<Arrival> arrivals_;
  std::vector<std::size_t> arrivals_begin_, cursor_, left_, next_begin_;
  std::vector<std::uint32_t> enters_, source_;
};

}  // namespace repose::optimized
