#include "optimized/simd/choose_target.h"

#include "reference/interface/base/error.h"

#include <fmt/format.h>
#include <hwy/targets.h>

#include <bit>

namespace repose::optimized {

namespace {

/// What the kernels are compiled for; see targets.h.
constexpr std::int64_t built = HWY_SSE4 | HWY_AVX2 | HWY_AVX3;

std::string names(std::int64_t targets) {
  std::string list;
  for (std::int64_t rest = targets; rest != 0; rest &= rest - 1) {
    if (!list.empty()) list += ", ";
    list += hwy::TargetName(rest & -rest);
  }
  return list;
}

}  // namespace

std::string available_targets() { return names(hwy::SupportedTargets() & built); }

std::size_t target_index(std::string_view name, std::int64_t generated) {
  const std::int64_t usable = hwy::SupportedTargets() & generated & built;
  if (name == "AVX512") name = "AVX3";
  // A better instruction set has a lower bit.
  for (std::int64_t rest = usable; rest != 0; rest &= rest - 1) {
    const std::int64_t target = rest & -rest;
    if (name.empty() || name == hwy::TargetName(target)) {
      return static_cast<std::size_t>(
          std::countr_zero(static_cast<std::uint64_t>(HWY_CHOSEN_TARGET_SHIFT(target))));
    }
  }
  throw BadInput(fmt::format("instruction set '{}' is not available; this machine and this program have: {}",
                             name, usable == 0 ? "none" : names(usable)));
}

}  // namespace repose::optimized
