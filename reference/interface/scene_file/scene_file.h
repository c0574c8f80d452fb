#pragma once

#include "reference/interface/scene/scene.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace repose {

/// Reads a scene file (TOML, SI units, degrees only in keys that end in _deg) and fills in every default.
/// @throws BadInput one line: file:line, key, value, what is allowed
Scene load_scene(const std::filesystem::path& file);

/// The same from text; `source` names it in errors.
Scene parse_scene(std::string_view text, std::string_view source);

/// The resolved scene as a scene file with every key written out; parse_scene() of it gives an equal scene, bit for bit.
std::string scene_to_toml(const Scene& scene);

/// Checks what no single key shows: seeds inside the domain, materials named, at least one seed.
/// For scenes built by programs. @throws BadInput
void validate(const Scene& scene);

}  // namespace repose
