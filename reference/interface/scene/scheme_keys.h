#pragma once

#include "reference/interface/scene/key.h"

#include <fmt/format.h>

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace repose {

/// What a method describes of its options; scheme_table() makes the rest of it.
template <MethodOptions Options>
struct SchemeParts {
  std::string_view method;
  const Keys<Options>& keys;  ///< of the table [method]
  /// Rules across them. May be empty
  std::function<void(const Options&, const ScenePart&)> check_rules{};
  /// What the method needs of each material. May be empty
  std::function<void(const Material&, const Scene&, const ScenePart&)> check_material{};
  /// Bounds of Δt that need no state. May be empty
  std::function<std::vector<StepBound>(const Scene&)> step_bounds{};
  /// How its steps are integrated. Explicit where it is empty
  std::function<Integrator(const Options&)> integrator{};
  /// Nodes along an axis that one particle reaches. 1 where it is empty
  std::function<int(const Options&)> stencil_nodes{};
  /// Whether particles carry an affine velocity. Not where it is empty
  std::function<bool(const Options&)> affine{};
  std::vector<KeyTable> inner{};  ///< tables inside [method]
};

template <MethodOptions Options>
SchemeTable scheme_table(const SchemeParts<Options>& parts) {
  SchemeTable table;
  table.method = parts.method;
  table.read = [parts](TomlTable& own, const Scene& scene) {
    Options options;
    read_keys(parts.keys, own, options, {scene});
    if (parts.check_rules) parts.check_rules(options, own);
    own.finish();
    return Scheme(std::move(options));
  };
  table.check = [parts](const Scene& scene) {
    const BuiltPart part(fmt::format("[{}]", parts.method));
    const auto& options = scene.scheme.as<Options>();
    check_keys(parts.keys, part, options, {scene});
    if (parts.check_rules) parts.check_rules(options, part);
  };
  table.write = [parts](TomlWriter& own, const Scene& scene) {
    write_keys(parts.keys, own, scene.scheme.as<Options>(), {scene});
  };
  table.check_material = [parts](const Material& material, const ScenePart& part, const Scene& scene) {
    if (parts.check_material) parts.check_material(material, scene, part);
  };
  table.step_bounds = [parts](const Scene& scene) {
    return parts.step_bounds ? parts.step_bounds(scene) : std::vector<StepBound>{};
  };
  table.integrator = [parts](const Scene& scene) {
    return parts.integrator ? parts.integrator(scene.scheme.as<Options>()) : Integrator::explicit_;
  };
  table.stencil_nodes = [parts](const Scene& scene) {
    return parts.stencil_nodes ? parts.stencil_nodes(scene.scheme.as<Options>()) : 1;
  };
  table.affine = [parts](const Scene& scene) {
    return parts.affine && parts.affine(scene.scheme.as<Options>());
  };
  table.tables = {{.name = std::string(parts.method), .rows = rows_of(parts.keys)}};
  table.tables.insert(table.tables.end(), parts.inner.begin(), parts.inner.end());
  return table;
}

}  // namespace repose
