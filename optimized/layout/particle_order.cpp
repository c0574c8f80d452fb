#include "optimized/layout/particle_order.h"

#include "optimized/attendance.h"

#include <algorithm>
#include <array>

namespace repose::optimized {

namespace {

/// What one thread takes, about, of merge()'s three loops: per mover, and twice per particle [ns].
constexpr double find_ns = 20.0;
constexpr double count_ns = 0.2;
constexpr double merge_ns = 3.0;

bool by_cell_then_id(const Mover& a, const Mover& b) {
  return a.code != b.code ? a.code < b.code : a.id < b.id;
}

}  // namespace

template <int dim>
void ParticleOrder<dim>::build(std::vector<Mover> all) {
  std::sort(all.begin(), all.end(), [](const Mover& a, const Mover& b) {
    return a.block != b.block ? a.block < b.block : by_cell_then_id(a, b);
  });
  record_.resize(all.size());
  code_.resize(all.size());
  id_.resize(all.size());
  std::vector<std::uint64_t> keys;
  begin_.clear();
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (k == 0 || all[k].block != all[k - 1].block) {
      keys.push_back(all[k].block);
      begin_.push_back(k);
    }
    record_[k] = all[k].record;
    code_[k] = all[k].code;
    id_[k] = all[k].id;
  }
  begin_.push_back(all.size());
  grid_.build(std::move(keys));
}

template <int dim>
bool ParticleOrder<dim>::merge(const std::vector<Mover>& movers, const Team& team) {
  if (movers.empty()) return false;
  const std::size_t old_blocks = grid_.blocks();

  // The block each mover enters: old ones by their number, new ones behind them.
  std::vector<std::uint64_t> fresh;
  enters_.resize(movers.size());
  const int to_find = team.of(find_ns * static_cast<double>(movers.size()));
#pragma omp parallel for schedule(static) num_threads(to_find)
  for (std::size_t m = 0; m < movers.size(); ++m) enters_[m] = grid_.find(movers[m].block);
  for (std::size_t m = 0; m < movers.size(); ++m)
    if (enters_[m] == no_block) fresh.push_back(movers[m].block);
  std::sort(fresh.begin(), fresh.end());
  fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
  const std::size_t targets = old_blocks + fresh.size();

  // Group the movers by that block.
  arrivals_begin_.assign(targets + 1, 0);
  for (std::size_t m = 0; m < movers.size(); ++m) {
    if (enters_[m] == no_block) {
      const auto at = std::lower_bound(fresh.begin(), fresh.end(), movers[m].block) - fresh.begin();
      enters_[m] = static_cast<std::uint32_t>(old_blocks + static_cast<std::size_t>(at));
    }
    ++arrivals_begin_[enters_[m] + 1];
  }
  for (std::size_t t = 0; t < targets; ++t) arrivals_begin_[t + 1] += arrivals_begin_[t];
  arrivals_.resize(movers.size());
  cursor_.assign(arrivals_begin_.begin(), arrivals_begin_.end() - 1);
  for (std::size_t m = 0; m < movers.size(); ++m) {
    const Mover& mover = movers[m];
    arrivals_[cursor_[enters_[m]]++] = {mover.id, mover.record, mover.code};
  }

  left_.assign(old_blocks, 0);
  const int to_count = team.of(count_ns * static_cast<double>(code_.size()));
#pragma omp parallel for schedule(static) num_threads(to_count)
  for (std::size_t b = 0; b < old_blocks; ++b) {
    left_[b] =
        static_cast<std::size_t>(std::count(code_.begin() + begin_[b], code_.begin() + begin_[b + 1], gone));
  }

  // The new set of blocks in ascending order of keys: old ones that keep a particle, and those entered.
  std::vector<std::uint64_t> keys;
  keys.reserve(targets);
  source_.clear();
  next_begin_.assign(1, 0);
  bool changed = false;
  const auto add = [&](std::uint64_t key, std::size_t target, std::size_t staying) {
    const std::size_t total = staying + arrivals_begin_[target + 1] - arrivals_begin_[target];
    if (total == 0) {
      changed = true;
      return;
    }
    keys.push_back(key);
    source_.push_back(static_cast<std::uint32_t>(target));
    next_begin_.push_back(next_begin_.back() + total);
  };
  std::size_t f = 0;
  for (std::size_t b = 0; b < old_blocks; ++b) {
    const std::uint64_t key = grid_.keys()[b];
    for (; f < fresh.size() && fresh[f] < key; ++f) add(fresh[f], old_blocks + f, 0);
    add(key, b, begin_[b + 1] - begin_[b] - left_[b]);
  }
  for (; f < fresh.size(); ++f) add(fresh[f], old_blocks + f, 0);
  changed = changed || !fresh.empty();

  next_record_.resize(record_.size());
  next_code_.resize(code_.size());
  next_id_.resize(id_.size());
  const int to_merge = team.of(merge_ns * static_cast<double>(record_.size()));
  const int chunk = team.chunk(keys.size(), 16);
  Attendance attendance(team, portions(keys.size(), chunk));
#pragma omp parallel num_threads(to_merge)
  {
    bool any = false;
    std::vector<Arrival> room;
#pragma omp for schedule(dynamic, chunk)
    for (std::size_t b = 0; b < keys.size(); ++b) {
      attendance.take(any);
      merge_block(source_[b], next_begin_[b], next_begin_[b + 1], room);
    }
  }
  threads_merging_ = attendance.count();
  record_.swap(next_record_);
  code_.swap(next_code_);
  id_.swap(next_id_);
  begin_.swap(next_begin_);
  if (changed) grid_.build(std::move(keys));
  return changed;
}

/// Those who stay, in their order, and those who come, sorted, as one list from `out` to `until`.
template <int dim>
void ParticleOrder<dim>::merge_block(std::size_t target, std::size_t out, std::size_t until,
                                     std::vector<Arrival>& room) {
  const Arrival* const come = arrivals_.data() + arrivals_begin_[target];
  const std::size_t count = arrivals_begin_[target + 1] - arrivals_begin_[target];
  // Sort them by cell with one count per cell, then the few of a cell by id.
  std::array<std::uint32_t, Block<dim>::nodes + 1> first{};
  for (std::size_t m = 0; m < count; ++m) ++first[come[m].code + 1];
  for (std::size_t c = 0; c < Block<dim>::nodes; ++c) first[c + 1] += first[c];
  room.resize(std::max(room.size(), count + 1));
  room[count].code = gone;  // behind everybody: nobody waits for it
  std::array<std::uint32_t, Block<dim>::nodes + 1> filled = first;
  for (std::size_t c = 0; c < count; ++c) {
    std::size_t at = filled[come[c].code]++;
    for (; at > first[come[c].code] && room[at - 1].id > come[c].id; --at) room[at] = room[at - 1];
    room[at] = come[c];
  }

  const bool old = target + 1 < begin_.size();
  std::size_t k = old ? begin_[target] : 0;
  const std::size_t end = old ? begin_[target + 1] : 0;
  // Plain pointers: a byte written through code_ could change where the buffers lie, for all the compiler knows.
  const std::uint32_t* const record = record_.data();
  const std::uint32_t* const id = id_.data();
  const std::uint8_t* const code = code_.data();
  std::uint32_t* const to_record = next_record_.data();
  std::uint32_t* const to_id = next_id_.data();
  std::uint8_t* const to_code = next_code_.data();
  const auto rank = [](std::uint32_t cell, std::uint32_t scene_id) {
    return std::uint64_t{cell} << 32 | scene_id;
  };
  // By value: what a byte is written through must not look as if it could change these pointers.
  const auto put = [to_record, to_id, to_code](std::size_t at, std::uint32_t slot, std::uint32_t scene_id,
                                               std::uint32_t cell) {
    to_record[at] = slot;
    to_id[at] = scene_id;
    to_code[at] = static_cast<std::uint8_t>(cell);
  };
  const Arrival* next = room.data();
  std::uint64_t next_rank = rank(next->code, next->id);
  // Who has gone is written too, and then written over: whether one has could not be foretold.
  for (; k < end && out < until; ++k) {
    const std::uint8_t cell = code[k];
    const std::uint32_t scene_id = id[k];
    const std::uint64_t here = cell != gone ? rank(cell, scene_id) : 0;
    for (; here > next_rank; ++next, ++out) {
      put(out, next->record, next->id, next->code);
      next_rank = rank(next[1].code, next[1].id);
    }
    put(out, record[k], scene_id, cell);
    out += cell != gone ? 1 : 0;
  }
  for (; out < until; ++next, ++out) put(out, next->record, next->id, next->code);
}

template <int dim>
std::size_t ParticleOrder<dim>::bytes() const {
  return record_.bytes() + next_record_.bytes() + id_.bytes() + next_id_.bytes() + code_.bytes() +
         next_code_.bytes() + arrivals_.capacity() * sizeof(Arrival) +
         enters_.capacity() * sizeof(std::uint32_t);
}

template class ParticleOrder<2>;
template class ParticleOrder<3>;

}  // namespace repose::optimized
