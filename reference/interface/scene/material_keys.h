#pragma once

#include "reference/interface/scene/key.h"
#include "reference/interface/scene/materials.h"

namespace repose {

const Keys<Material>& material_keys();

/// Rules across the keys of a material: what hardens, and how large its friction angle becomes.
void check_rules(const Material& material, const ScenePart& part);

/// Refuses a material without elasticity, for methods that need it. @param method its name
void require_elasticity(const Material& material, const ScenePart& part, std::string_view method);

}  // namespace repose
