#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace repose::experiments {

/// A section of the report from a result of tests/mutants.sh: of written and of drawn mistakes, by the room they were
/// planted in, the shares that `repose verify` and all tests noticed and that were named at the right boundary; then each
/// mistake, those that survived first.
/// @throws nlohmann::json::exception if the result lacks what every result has
std::string mutants_html(const nlohmann::json& result);

}  // namespace repose::experiments
