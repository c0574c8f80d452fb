#include "optimized/mpm/counting.h"
#include "optimized/mpm/twin.h"

#include <algorithm>

namespace repose::optimized {

/// New cells of the particles that left theirs.
template <class T, int dim>
void Twin<T, dim>::note_moves(std::size_t block, const Moved* moved, std::size_t count,
                              std::vector<Mover>& movers, Fault& fault) {
  const std::size_t begin = particles_.order.begin(block);
  const std::uint64_t key = particles_.order.grid().keys()[block];
  for (std::size_t m = 0; m < count; ++m) {
    const std::size_t k = begin + moved[m].entry;
    const std::uint32_t slot = particles_.order.records()[k];
    const std::uint32_t id = particles_.order.ids()[k];
    std::array<std::int32_t, 3> base = places_.base_of(key, particles_.order.codes()[k]);
    BlockPlace place{0, 0, 0};
    // No overflow: both numbers are far below 2³¹.
    for (std::size_t a = 0; a < dim; ++a) base[a] += moved[m].shift[a];
    const bool near = places_.wrap(base);
    for (std::size_t a = 0; a < dim; ++a) place[a] = base[a] >> B::log_edge;
    if (!near || (places_.at_border(place) && !places_.inside(base, particles_.record(slot) + R::offset))) {
      fault.see(Fault::left_domain, id);
      continue;
    }
    movers.push_back({block_key(place), id, slot, static_cast<std::uint8_t>(B::code(base.data()))});
    particles_.order.codes()[k] = gone;
  }
}

/// Particles of a block at the domain's border may leave the domain without leaving their cell.
template <class T, int dim>
void Twin<T, dim>::check_border(std::size_t block, Fault& fault) const {
  const std::uint64_t key = particles_.order.grid().keys()[block];
  if (!places_.at_border(block_place(key))) return;
  for (std::size_t k = particles_.order.begin(block);
       k < particles_.order.begin(block) + particles_.order.count(block); ++k) {
    if (particles_.order.codes()[k] == gone) continue;  // judged where it went
    const std::uint32_t slot = particles_.order.records()[k];
    const auto base = places_.base_of(key, particles_.order.codes()[k]);
    if (!places_.inside(base, particles_.record(slot) + R::offset))
      fault.see(Fault::left_domain, particles_.place[slot]);
  }
}

template <class T, int dim>
void Twin<T, dim>::sort_particles() {
  const Stopwatch watch(clocks_.seconds[sort_clock]);
  particles_.sort(team_);
  clocks_.threads[sort_clock] = std::max(clocks_.threads[sort_clock], particles_.order.threads_merging());
}

template class Twin<float, 2>;
template class Twin<float, 3>;
template class Twin<double, 2>;
template class Twin<double, 3>;

}  // namespace repose::optimized
