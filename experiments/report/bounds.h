#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace repose::experiments {

/// Part of the report's verification: how much of its bound each field took at most, over all cases, as a plot and as a
/// table, from the "bounds" of a result of `repose verify`. Fields equal to the bit are left out; "" without any other.
std::string bounds_html(const nlohmann::json& bounds);

}  // namespace repose::experiments
