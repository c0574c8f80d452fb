#include "optimized/mpm/particle_store.h"

#include <algorithm>
#include <cmath>

namespace repose::optimized {

template <class T, int dim>
void ParticleStore<T, dim>::sort(const Team& team) {
  // In the first list, whose room stays: memory fresh from the system would cost a fault per page.
  std::vector<Mover>& all = movers.front();
  for (std::size_t t = 1; t < movers.size(); ++t) {
    all.insert(all.end(), movers[t].begin(), movers[t].end());
    movers[t].clear();
  }
  moves_since_storing += all.size();
  order.merge(all, team);
  all.clear();
  // Records met far out of order cost cache misses; the order of storage changes no result.
  if (moves_since_storing > 8 * size()) store_in_order();
}

template <class T, int dim>
void ParticleStore<T, dim>::store_in_order() {
  std::uint32_t* const met = order.records();
  const bool own = wetness.size() > 0;
  for (std::uint32_t start = 0; start < size(); ++start) {
    if (met[start] == start) continue;
    T kept[R::size];
    std::copy_n(record(start), R::size, kept);
    const std::uint32_t kept_place = place[start];
    const Wetness<T> kept_wetness = own ? wetness[start] : Wetness<T>{};
    std::uint32_t to = start;
    while (met[to] != start) {
      const std::uint32_t from = met[to];
      std::copy_n(record(from), R::size, record(to));
      place[to] = place[from];
      if (own) wetness[to] = wetness[from];
      met[to] = to;
      to = from;
    }
    std::copy_n(kept, R::size, record(to));
    place[to] = kept_place;
    if (own) wetness[to] = kept_wetness;
    met[to] = to;
  }
  moves_since_storing = 0;
}

template <class T, int dim>
std::vector<Mover> ParticleStore<T, dim>::present() const {
  std::vector<Mover> all;
  all.reserve(size());
  for (std::size_t b = 0; b < order.grid().blocks(); ++b) {
    for (std::size_t k = order.begin(b); k < order.begin(b) + order.count(b); ++k) {
      const std::uint32_t slot = order.records()[k];
      all.push_back({order.grid().keys()[b], place[slot], slot, order.codes()[k]});
    }
  }
  return all;
}

template <class T, int dim>
double ParticleStore<T, dim>::largest_speed() const {
  T fastest{0};
  for (std::uint32_t slot = 0; slot < size(); ++slot) {
    const T* v = record(slot) + R::v;
    T speed2{0};
    for (std::size_t c = 0; c < dim; ++c) speed2 += v[c] * v[c];
    fastest = std::max(fastest, speed2);
  }
  return std::sqrt(static_cast<double>(fastest));
}

template struct ParticleStore<float, 2>;
template struct ParticleStore<float, 3>;
template struct ParticleStore<double, 2>;
template struct ParticleStore<double, 3>;

}  // namespace repose::optimized
