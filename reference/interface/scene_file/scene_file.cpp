#include "reference/interface/scene_file/scene_file.h"

#include "reference/interface/base/error.h"
#include "reference/interface/base/one_line.h"
#include "reference/interface/methods/all.h"
#include "reference/interface/scene/body_keys.h"
#include "reference/interface/scene/material_keys.h"
#include "reference/interface/scene/scene_keys.h"
#include "reference/interface/scene/step_control.h"
#include "reference/interface/scene_file/scene_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace repose {

namespace {

using Methods = std::span<const method::Method* const>;

/// The table of a method to which a key belongs that stands in front of all tables; empty if no method has it.
std::string table_with(std::string_view key, Methods methods) {
  for (const method::Method* method : methods)
    for (const KeyRow& row : method->options().tables.front().rows)
      if (row.key == key) return fmt::format("[{}]", method->name);
  return {};
}

/// What to say where no method is given: which, and where keys belong that stood in front before there were methods.
std::string missing_method(const TomlTable& table, const std::string& allowed, Methods methods) {
  std::string moves;
  for (const method::Method* method : methods) {
    std::string keys;
    for (const KeyRow& row : method->options().tables.front().rows)
      if (table.has(row.key)) keys += (keys.empty() ? "" : ", ") + row.key;
    if (!keys.empty()) moves += fmt::format("; put {} into [{}]", keys, method->name);
  }
  return allowed + moves;
}

const method::Method& picked(TomlTable& table, std::string_view wanted, Methods methods) {
  Names<const method::Method*> names;
  for (const method::Method* method : methods) names.emplace_back(method->name, method);
  const std::string allowed = TomlTable::list(names);
  table.known("method");
  if (!table.has("method")) table.refuse("method", missing_method(table, allowed, methods));
  const method::Method* result = table.choice("method", names);
  if (wanted.empty()) return *result;
  const auto found = std::find_if(methods.begin(), methods.end(),
                                  [&](const method::Method* method) { return method->name == wanted; });
  if (found == methods.end())
    throw BadInput(fmt::format("method = \"{}\": must be {}", in_one_line(wanted, longest_quote), allowed));
  return **found;
}

/// Reads the tables of all methods; the scene takes the picked one's.
void read_schemes(TomlTable& table, Scene& scene, const method::Method& picked, Methods methods) {
  for (const method::Method* method : methods) {
    TomlTable own = table.table_or_empty(method->name);
    const Scheme scheme = method->options().read(own, scene);
    if (method == &picked) scene.scheme = scheme;
  }
}

void read_materials(TomlTable& table, Scene& scene) {
  std::set<std::string> taken;
  for (TomlTable& own : table.tables("material")) {
    Material material;
    read_keys(material_keys(), own, material, {scene, scene.materials.size() + 1, &taken});
    check_rules(material, own);
    scene.scheme.table().check_material(material, own, scene);
    own.finish();
    scene.materials.push_back(std::move(material));
  }
}

template <class Body>
void read_bodies(TomlTable& table, std::string_view list, const Keys<Body>& keys, const Scene& scene,
                 std::vector<Body>& bodies) {
  std::set<std::string> taken;
  for (TomlTable& own : table.tables(list)) {
    Body body;
    body.where = own.where();
    read_keys(keys, own, body, {scene, bodies.size() + 1, &taken});
    check_rules(body, own);
    own.finish();
    bodies.push_back(std::move(body));
  }
}

/// One collider, or the walls of a room.
std::vector<Collider> read_collider(TomlTable& own, const Setting& setting) {
  Collider collider;
  own.known("shape");
  const bool is_room = own.choice("shape", solid_shapes()) == ShapeName::room;
  read_keys(is_room ? wall_keys() : collider_keys(), own, collider, setting);
  if (!is_room) {
    check_rules(collider, own);
    own.finish();
    return {collider};
  }
  Room room;
  read_keys(room_keys(), own, room, setting);
  if (own.has("spin")) own.refuse("spin", "left out: walls of a room do not turn");
  std::vector<Collider> walls = walls_of(room, collider, own, setting.dim());
  own.finish();
  return walls;
}

Scene read_scene(TomlTable& table, std::string_view method, Methods methods) {
  for (const char* list : {"material", "seed", "emitter", "collider"}) table.known(list);
  table.known("repose");  // what the program that wrote this scene says about its run
  const method::Method& chosen = picked(table, method, methods);
  Scene scene;
  read_keys(scene_keys(), table, scene, {scene});
  read_schemes(table, scene, chosen, methods);
  check_periods(scene, table);
  read_materials(table, scene);
  read_bodies(table, "seed", seed_keys(), scene, scene.seeds);
  read_bodies(table, "emitter", emitter_keys(), scene, scene.emitters);
  if (scene.seeds.empty() && scene.emitters.empty())
    table.refuse("seed", "at least one [[seed]] or [[emitter]]: a scene without particles has nothing to do");
  std::set<std::string> taken;
  std::size_t number = 0;
  for (TomlTable& own : table.tables("collider"))
    for (Collider& part : read_collider(own, {scene, ++number, &taken}))
      scene.colliders.push_back(std::move(part));
  table.finish([&](std::string_view key) { return table_with(key, methods); });
  if (const auto found = unending(scene)) table.refuse(found->key, found->allowed);
  return scene;
}

}  // namespace

Scene parse_scene(std::string_view text, std::string_view source, std::string_view method,
                  std::span<const method::Method* const> methods) {
  require_shallow(text, source);
  toml::table root;
  try {
    root = toml::parse(text, source);
  } catch (const toml::parse_error& error) {
    throw BadInput(fmt::format("{}:{}: not TOML: {}", in_one_line(source, longest_path),
                               error.source().begin.line, error.description()));
  }
  TomlTable table(root, source);
  const Scene scene = read_scene(table, method, methods);
  validate(scene);
  return scene;
}

Scene parse_scene(std::string_view text, std::string_view source, std::string_view method) {
  return parse_scene(text, source, method, method::all());
}

Scene load_scene(const std::filesystem::path& file, std::string_view method) {
  return parse_scene(read_scene_text(file), file.string(), method);
}

}  // namespace repose
