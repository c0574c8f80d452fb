#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace repose::cli {

/// The known word meant by a misspelt one; empty where none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace repose::cli
