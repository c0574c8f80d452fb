#include "experiments/picture/look.h"

#include "reference/interface/base/error.h"

#include <fmt/format.h>

namespace repose::experiments {

const Look& look_of(const Scene& scene) {
  static const Look places_alone{};
  for (const Look& look : looks())
    if (look.method == scene.scheme.method()) return look;
  return places_alone;
}

const std::vector<double>& drawn_values(const Snapshot& state, std::string_view name, int components) {
  const Field* found = state.find(name);
  const std::size_t wanted = state.particles() * static_cast<std::size_t>(components);
  if (found == nullptr || found->components != components || found->value.size() != wanted)
    throw BadInput(fmt::format("the state has no field '{}' to draw", name));
  return found->value;
}

std::size_t material_index(const Snapshot& state, const Scene& scene, std::size_t particle) {
  const double index = drawn_values(state, look_of(scene).material, 1)[particle];
  if (!(index >= 0.0 && index < static_cast<double>(scene.materials.size())))
    throw BadInput(fmt::format("particle {} has no material", particle));
  return static_cast<std::size_t>(index);
}

}  // namespace repose::experiments
