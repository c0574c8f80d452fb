#pragma once

#include "reference/interface/method.h"
#include "reference/interface/scene/key_row.h"

#include <span>
#include <string>
#include <vector>

namespace repose {

/// The tables of SCENES.md as the descriptions of keys give them.
std::vector<KeyTable> scene_tables(std::span<const method::Method* const> methods);

/// A table in Markdown; keys that must be given are bold.
std::string markdown(const KeyTable& table);

}  // namespace repose
