#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace repose::optimized {

inline constexpr std::uint32_t no_block = 0xffffffffU;

/// Numbers of block keys: a hash table with open addressing, at most half full, no removal.
class KeyIndex {
 public:
  /// Empties the table and makes room for `count` keys.
  void reset(std::size_t count) {
    const std::size_t slots = std::bit_ceil(2 * count + 2);
    slots_.assign(slots, {0, no_block});
    shift_ = 64 - std::countr_zero(slots);
  }
  /// The number of a key, or no_block.
  std::uint32_t find(std::uint64_t key) const {
    if (slots_.empty()) return no_block;
    return slots_[place(key)].number;
  }
  /// The number of a key, which becomes `fresh` if it had none.
  std::uint32_t find_or_add(std::uint64_t key, std::uint32_t fresh) {
    Slot& slot = slots_[place(key)];
    if (slot.number == no_block) slot = {key, fresh};
    return slot.number;
  }
  std::size_t slots() const { return slots_.size(); }
  std::size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    std::uint64_t key;
    std::uint32_t number;
  };
  /// Where the key is or would be.
  std::size_t place(std::uint64_t key) const {
    constexpr std::uint64_t golden =
        0x9e3779b97f4a7c15U;  // 2⁶⁴ divided by the golden ratio: spreads runs of keys
    std::size_t at = static_cast<std::size_t>((key * golden) >> shift_);
    while (slots_[at].number != no_block && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  std::vector<Slot> slots_;
  int shift_ = 63;
};

}  // namespace repose::optimized
