#pragma once

#include "reference/interface/scene/key.h"
#include "reference/interface/scene/materials.h"

namespace repose {

const Keys<Material>& material_keys();
/// The keys of a material's table `unilateral`.
const Keys<Unilateral>& unilateral_keys();

/// Rules across the keys of a material: what hardens, and how large its friction angle becomes.
void check_rules(const Material& material, const ScenePart& part);

/// Refuses a material without elasticity, for methods that need it. @param method its name
void require_elasticity(const Material& material, const ScenePart& part, std::string_view method);

/// Refuses sand without the table `unilateral`, for methods that are asked for that energy. @param asked as messages say it
void require_unilateral(const Material& material, const ScenePart& part, std::string_view asked);

}  // namespace repose
