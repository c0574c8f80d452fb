#include "validation/states/origin.h"

#include "reference/interface/scene_file/scene_file.h"

#include <fmt/format.h>

namespace repose {

std::string scene_hash(const Scene& scene) { return scene_hash(std::string_view(scene_to_toml(scene))); }

std::string scene_hash(std::string_view resolved_scene) {
  return fmt::format("fnv1a64:{:016x}", fnv1a64(resolved_scene));
}

std::uint64_t fnv1a64(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  return hash;
}

}  // namespace repose
