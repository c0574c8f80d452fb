#pragma once

#include <cstddef>
#include <string_view>

namespace repose {

/// Least number of letters to insert, drop or replace, and of neighbours to swap, that turns one word into the other; no
/// letter is changed twice. Letters are bytes.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace repose
