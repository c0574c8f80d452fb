#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <string_view>

namespace repose {

/// Reads a JSON file. @throws BadInput in one line that names the file, and line and column where it is not JSON
nlohmann::json read_json(const std::filesystem::path& file);

/// Runs what looks into a file's content. @param kind what the file should be: "a result of repose bench"
/// @throws BadInput in one line that names the file, where a key is missing or a value is of another kind
void look_into(const std::filesystem::path& file, std::string_view kind, const std::function<void()>& look);

}  // namespace repose
