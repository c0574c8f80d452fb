#pragma once

#include "reference/interface/method.h"
#include "reference/interface/scene/scene.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace repose {

/// Reads a scene file (TOML, SI units, degrees only in keys that end in _deg) and fills in every default.
/// @param method whose table the scene takes; empty: that of the file's key `method`. The tables of the others are checked
///        alike, and left
/// @throws BadInput one line: file:line, key, value, what is allowed
Scene load_scene(const std::filesystem::path& file, std::string_view method = {});

/// The same from text; `source` names it in errors.
Scene parse_scene(std::string_view text, std::string_view source, std::string_view method = {});
/// @param methods that scenes may be of
Scene parse_scene(std::string_view text, std::string_view source, std::string_view method,
                  std::span<const method::Method* const> methods);

/// The resolved scene as a scene file with every key written out; parse_scene() of it gives an equal scene, bit for bit.
std::string scene_to_toml(const Scene& scene);

/// Checks each value, as reading does, and what no single key shows: seeds inside the domain, materials named, at least
/// one seed or emitter. For scenes built by programs. @throws BadInput
void validate(const Scene& scene);

}  // namespace repose
