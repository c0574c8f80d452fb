#include "optimized/layout/buffer.h"

#include <sys/mman.h>

#include <cstring>

namespace repose::optimized {

void* allocate_aligned(std::size_t bytes) {
  constexpr std::size_t cache_line = 64;
  constexpr std::size_t huge_page = std::size_t{2} << 20;
  const bool large = bytes >= 2 * huge_page;
  const std::size_t alignment = large ? huge_page : cache_line;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw std::bad_alloc();
  // Advice only: without huge pages everything works, with more misses of the address cache.
  if (large) madvise(memory, rounded, MADV_HUGEPAGE);
  return memory;
}

void copy_bytes(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

}  // namespace repose::optimized
