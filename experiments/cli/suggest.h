#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace repose::cli {

/// Least number of letters to insert, drop or replace, and of neighbours to swap, that turns one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known word meant by a misspelt one; empty where none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace repose::cli
