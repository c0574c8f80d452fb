#pragma once

#include "reference/interface/method.h"

namespace repose::method {

/// All methods of the house, by ascending name.
std::span<const Method* const> all();

/// @throws std::out_of_range naming the method and those there are
const Method& named(std::string_view name);

/// The method whose steps a scene takes.
const Method& of(const Scene& scene);

/// A method and one of its boundaries by their names in a file. @throws std::out_of_range naming what there is
Boundary boundary_named(std::string_view method, std::string_view name);

}  // namespace repose::method
