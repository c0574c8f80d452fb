#pragma once

#include "reference/interface/scene/scene.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace repose {

/// The program that made a result: equal for all runs of one binary, on any machine.
struct Build {
  std::string version;  ///< of Repose
  /// Git commit, with "-dirty" after uncommitted changes; "unknown" outside a checkout
  std::string revision;
  std::string compiler;    ///< "GNU 12.2.0"
  std::string flags;       ///< as given to the compiler, without the folders of absolute paths
  std::string build_type;  ///< "Release", …
};

/// Name of the resolved scene's content: "fnv1a64:" and 16 hex digits, of scene_to_toml().
std::string scene_hash(const Scene& scene);
/// The same of a resolved scene's text.
std::string scene_hash(std::string_view resolved_scene);

/// FNV-1a with 64 bits. Detects accidents, not intent.
std::uint64_t fnv1a64(std::string_view bytes);

}  // namespace repose
