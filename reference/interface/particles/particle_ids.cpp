#include "reference/interface/particles/particle_ids.h"

#include <numeric>

namespace repose {

void ParticleIds::load(const Snapshot& state) {
  count_ = state.particles();
  next_ = state.next_particle();
  listed_ = state.ids(Place::particle);
  // Ascending from 0 or more: the last one tells whether any is missing.
  if (!listed_.empty() && listed_.back() + 1 == static_cast<std::int64_t>(count_)) listed_.clear();
}

void ParticleIds::append(std::size_t count) {
  const bool gaps = next_ != static_cast<std::int64_t>(count_);
  if (gaps) list();
  count_ += count;
  if (gaps) {
    listed_.resize(count_);
    std::iota(listed_.end() - static_cast<std::ptrdiff_t>(count), listed_.end(), next_);
  }
  next_ += static_cast<std::int64_t>(count);
}

void ParticleIds::remove(std::span<const std::size_t> elements) {
  if (elements.empty()) return;
  list();
  std::size_t kept = 0;
  std::size_t left = 0;
  for (std::size_t e = 0; e < count_; ++e) {
    if (left < elements.size() && elements[left] == e) {
      ++left;
    } else {
      listed_[kept++] = listed_[e];
    }
  }
  listed_.resize(kept);
  count_ = kept;
  if (kept == 0 || listed_.back() + 1 == static_cast<std::int64_t>(kept)) listed_.clear();
}

void ParticleIds::save(Snapshot& state) const {
  state.ids(Place::particle) = listed_;
  state.next_id = next_;
}

void ParticleIds::list() {
  if (!listed_.empty()) return;
  listed_.resize(count_);
  std::iota(listed_.begin(), listed_.end(), std::int64_t{0});
}

}  // namespace repose
