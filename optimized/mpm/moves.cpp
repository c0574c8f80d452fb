#include "optimized/mpm/counting.h"
#include "optimized/mpm/twin.h"

#include <algorithm>

namespace repose::optimized {

/// New cells of the particles that left theirs.
template <class T, int dim>
void Twin<T, dim>::note_moves(std::size_t block, const Moved* moved, std::size_t count,
                              std::vector<Mover>& movers, Fault& fault) {
  const std::size_t begin = order_.begin(block);
  const std::uint64_t key = order_.grid().keys()[block];
  for (std::size_t m = 0; m < count; ++m) {
    const std::size_t k = begin + moved[m].entry;
    const std::uint32_t slot = order_.records()[k];
    const std::uint32_t id = order_.ids()[k];
    std::array<std::int32_t, 3> base = places_.base_of(key, order_.codes()[k]);
    BlockPlace place{0, 0, 0};
    // No overflow: both numbers are far below 2³¹.
    for (std::size_t a = 0; a < dim; ++a) base[a] += moved[m].shift[a];
    const bool near = places_.wrap(base);
    for (std::size_t a = 0; a < dim; ++a) place[a] = base[a] >> B::log_edge;
    if (!near || (places_.at_border(place) && !places_.inside(base, record(slot) + R::offset))) {
      fault.see(Fault::left_domain, id);
      continue;
    }
    movers.push_back({block_key(place), id, slot, static_cast<std::uint8_t>(B::code(base.data()))});
    order_.codes()[k] = gone;
  }
}

/// Particles of a block at the domain's border may leave the domain without leaving their cell.
template <class T, int dim>
void Twin<T, dim>::check_border(std::size_t block, Fault& fault) const {
  const std::uint64_t key = order_.grid().keys()[block];
  if (!places_.at_border(block_place(key))) return;
  for (std::size_t k = order_.begin(block); k < order_.begin(block) + order_.count(block); ++k) {
    if (order_.codes()[k] == gone) continue;  // judged where it went
    const std::uint32_t slot = order_.records()[k];
    const auto base = places_.base_of(key, order_.codes()[k]);
    if (!places_.inside(base, record(slot) + R::offset)) fault.see(Fault::left_domain, id_[slot]);
  }
}

template <class T, int dim>
void Twin<T, dim>::sort_particles() {
  const Stopwatch watch(seconds_[sort_clock]);
  // In the first list, whose room stays: memory fresh from the system would cost a fault per page.
  std::vector<Mover>& all = movers_.front();
  for (std::size_t t = 1; t < movers_.size(); ++t) {
    all.insert(all.end(), movers_[t].begin(), movers_[t].end());
    movers_[t].clear();
  }
  moves_since_storing_ += all.size();
  order_.merge(all, team_);
  threads_[sort_clock] = std::max(threads_[sort_clock], order_.threads_merging());
  all.clear();
  // Records met far out of order cost cache misses; the order of storage changes no result.
  if (moves_since_storing_ > 8 * id_.size()) store_in_order();
}

/// Moves the records to where the order meets them, in place along the cycles of the permutation.
template <class T, int dim>
void Twin<T, dim>::store_in_order() {
  std::uint32_t* order = order_.records();
  for (std::uint32_t start = 0; start < id_.size(); ++start) {
    if (order[start] == start) continue;
    T kept[R::size];
    std::copy_n(record(start), R::size, kept);
    const std::uint32_t kept_id = id_[start];
    std::uint32_t to = start;
    while (order[to] != start) {
      const std::uint32_t from = order[to];
      std::copy_n(record(from), R::size, record(to));
      id_[to] = id_[from];
      order[to] = to;
      to = from;
    }
    std::copy_n(kept, R::size, record(to));
    id_[to] = kept_id;
    order[to] = to;
  }
  moves_since_storing_ = 0;
}

template class Twin<float, 2>;
template class Twin<float, 3>;
template class Twin<double, 2>;
template class Twin<double, 3>;

}  // namespace repose::optimized
