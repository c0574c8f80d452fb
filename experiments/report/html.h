#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace repose::experiments {

/// Text with what HTML would read as markup replaced.
std::string escape_html(std::string_view text);

/// Bytes as base64, with padding.
std::string base64(std::string_view bytes);

/// A PNG file as the address of itself: "data:image/png;base64,…". @throws BadInput if it cannot be read
std::string data_address(const std::filesystem::path& png);

/// Head of the page up to <main>, with all style.
std::string page_head(std::string_view title);

/// A verdict as a word in its colour; the word carries the meaning, the colour helps.
std::string verdict_badge(std::string_view verdict);

/// A JSON value as short text: numbers with four digits, null as a dash.
std::string shown(const nlohmann::json& value);

}  // namespace repose::experiments
