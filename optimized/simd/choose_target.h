#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace repose::optimized {

/// Place in a Highway dispatch table of the named instruction set; "" takes the best.
/// @param generated bit set of the instruction sets that the table holds (HWY_TARGETS)
/// @throws BadInput naming those that this machine and this program have
std::size_t target_index(std::string_view name, std::int64_t generated);

/// Names of the instruction sets that this program has and this machine runs, best first.
std::string available_targets();

}  // namespace repose::optimized
