#include "reference/interface/scene/body_keys.h"
#include "reference/interface/scene/material_keys.h"
#include "reference/interface/scene/scene_keys.h"
#include "reference/interface/scene_file/scene_file.h"

namespace repose {

namespace {

template <class Thing>
void write_list(TomlWriter& writer, std::string_view list, const Keys<Thing>& keys,
                const std::vector<Thing>& things, const Scene& scene) {
  for (const Thing& thing : things)
    writer.element(list, [&](TomlWriter& own) { write_keys(keys, own, thing, {scene}); });
}

}  // namespace

std::string scene_to_toml(const Scene& scene) {
  const SchemeTable& scheme = scene.scheme.table();
  TomlWriter writer;
  writer.text("method", scheme.method);
  write_keys(scene_keys(), writer, scene, {scene});
  writer.table(scheme.method, [&](TomlWriter& own) { scheme.write(own, scene); });
  write_list(writer, "material", material_keys(), scene.materials, scene);
  write_list(writer, "seed", seed_keys(), scene.seeds, scene);
  write_list(writer, "emitter", emitter_keys(), scene.emitters, scene);
  write_list(writer, "collider", collider_keys(), scene.colliders, scene);
  return writer.take();
}

}  // namespace repose
