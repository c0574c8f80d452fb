#pragma once

#include "reference/interface/scene/shape_keys.h"

namespace repose {

const Keys<Seed>& seed_keys();
const Keys<Emitter>& emitter_keys();
/// All keys of a collider; and those that it shares with a room.
const Keys<Collider>& collider_keys();
const Keys<Collider>& wall_keys();

/// Rules across the keys of a body.
void check_rules(const Seed& seed, const ScenePart& part);
void check_rules(const Emitter& emitter, const ScenePart& part);
void check_rules(const Collider& collider, const ScenePart& part);

/// A room's walls as half-spaces, in the order −x +x −y +y −z +z whatever the order in the file.
/// @param common what all walls share; their names are NAME.x_min, …
std::vector<Collider> walls_of(const Room& room, const Collider& common, const ScenePart& part, int dim);

}  // namespace repose
