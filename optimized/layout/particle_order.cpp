#include "optimized/layout/particle_order.h"

#include <algorithm>
#include <cstring>

namespace repose::optimized {

namespace {

bool by_cell_then_id(const Mover& a, const Mover& b) { return a.code != b.code ? a.code < b.code : a.id < b.id; }

}  // namespace

template <int dim>
void ParticleOrder<dim>::build(std::vector<Mover> all) {
  std::sort(all.begin(), all.end(), [](const Mover& a, const Mover& b) {
    return a.block != b.block ? a.block < b.block : by_cell_then_id(a, b);
  });
  record_.resize(all.size());
  code_.resize(all.size());
  std::vector<std::uint64_t> keys;
  begin_.clear();
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (k == 0 || all[k].block != all[k - 1].block) {
      keys.push_back(all[k].block);
      begin_.push_back(k);
    }
    record_[k] = all[k].record;
    code_[k] = all[k].code;
  }
  begin_.push_back(all.size());
  grid_.build(std::move(keys));
}

template <int dim>
bool ParticleOrder<dim>::merge(std::vector<Mover> movers, const Buffer<std::uint32_t>& id, int threads) {
  if (movers.empty()) return false;
  // Group the movers by the block they enter.
  std::sort(movers.begin(), movers.end(), [](const Mover& a, const Mover& b) {
    return a.block != b.block ? a.block < b.block : by_cell_then_id(a, b);
  });
  struct Arrivals {
    std::uint64_t key;
    std::size_t first, last;
  };
  std::vector<Arrivals> arrivals;
  for (std::size_t k = 0; k < movers.size(); ++k) {
    if (k == 0 || movers[k].block != movers[k - 1].block) arrivals.push_back({movers[k].block, k, k});
    arrivals.back().last = k + 1;
  }

  const std::size_t old_blocks = grid_.blocks();
  left_.assign(old_blocks, 0);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t b = 0; b < old_blocks; ++b) {
    left_[b] = static_cast<std::size_t>(std::count(code_.begin() + begin_[b], code_.begin() + begin_[b + 1], gone));
  }

  // The new set of blocks: old ones that keep a particle, and those entered. Both lists ascend by key.
  struct Source {
    std::uint32_t old_block;
    std::size_t arrivals;
  };
  constexpr std::size_t nobody = static_cast<std::size_t>(-1);
  std::vector<std::uint64_t> keys;
  std::vector<Source> source;
  std::vector<std::size_t> next_begin{0};
  std::size_t a = 0;
  const auto add = [&](std::uint64_t key, std::uint32_t old_block, std::size_t staying, std::size_t arrival) {
    const std::size_t coming = arrival == nobody ? 0 : arrivals[arrival].last - arrivals[arrival].first;
    if (staying + coming == 0) return;
    keys.push_back(key);
    source.push_back({old_block, arrival});
    next_begin.push_back(next_begin.back() + staying + coming);
  };
  for (std::size_t b = 0; b < old_blocks; ++b) {
    const std::uint64_t key = grid_.keys()[b];
    for (; a < arrivals.size() && arrivals[a].key < key; ++a) add(arrivals[a].key, no_block, 0, a);
    const bool entered = a < arrivals.size() && arrivals[a].key == key;
    add(key, static_cast<std::uint32_t>(b), begin_[b + 1] - begin_[b] - left_[b], entered ? a : nobody);
    if (entered) ++a;
  }
  for (; a < arrivals.size(); ++a) add(arrivals[a].key, no_block, 0, a);

  next_record_.resize(record_.size());
  next_code_.resize(code_.size());
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
  for (std::size_t b = 0; b < keys.size(); ++b) {
    const Source& from = source[b];
    std::size_t k = from.old_block == no_block ? 0 : begin_[from.old_block];
    const std::size_t end = from.old_block == no_block ? 0 : begin_[from.old_block + 1];
    std::size_t out = next_begin[b];
    const bool untouched = from.arrivals == nobody && left_[from.old_block] == 0;
    if (untouched) {
      std::memcpy(&next_record_[out], &record_[k], (end - k) * sizeof(std::uint32_t));
      std::memcpy(&next_code_[out], &code_[k], end - k);
      continue;
    }
    std::size_t m = from.arrivals == nobody ? 0 : arrivals[from.arrivals].first;
    const std::size_t m_end = from.arrivals == nobody ? 0 : arrivals[from.arrivals].last;
    while (true) {
      while (k < end && code_[k] == gone) ++k;
      if (k == end && m == m_end) break;
      const bool stays_first =
          m == m_end || (k < end && (code_[k] != movers[m].code ? code_[k] < movers[m].code
                                                                : id[record_[k]] < movers[m].id));
      next_record_[out] = stays_first ? record_[k] : movers[m].record;
      next_code_[out] = stays_first ? code_[k] : movers[m].code;
      ++out;
      if (stays_first) ++k;
      else ++m;
    }
  }
  record_.swap(next_record_);
  code_.swap(next_code_);
  begin_ = std::move(next_begin);
  const bool changed = !std::equal(keys.begin(), keys.end(), grid_.keys().begin(), grid_.keys().end());
  if (changed) grid_.build(std::move(keys));
  return changed;
}

template <int dim>
std::size_t ParticleOrder<dim>::bytes() const {
  return record_.bytes() + next_record_.bytes() + code_.bytes() + next_code_.bytes();
}

template class ParticleOrder<2>;
template class ParticleOrder<3>;

}  // namespace repose::optimized
