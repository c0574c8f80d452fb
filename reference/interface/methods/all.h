#pragma once

#include "reference/interface/method.h"

namespace repose::method {

/// All methods of the house, by ascending name.
std::span<const Method* const> all();

/// @throws std::out_of_range naming the method and those there are
const Method& named(std::string_view name);

/// The boundaries of all methods, each once.
std::vector<Boundary> boundaries_of_all();
bool is_boundary(std::string_view name);

}  // namespace repose::method
