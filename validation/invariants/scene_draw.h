#pragma once

#include "validation/invariants/ledger.h"
#include "validation/invariants/plain.h"

#include "reference/interface/scene/scene.h"

#include <string>

namespace repose::invariants {

/// A legal scene in which every key differs from its default, drawn from a seed: three materials used in another order,
/// of every eighth seed, 6, 14, …, three waters, bodies and emitters of all shapes, solids of all shapes and contacts.
Scene drawn_scene(std::uint64_t seed, int dim);

/// A scene as a file, written key by key from the tables of SCENES.md with 17 digits, angles in radians.
std::string plain_scene_text(const Scene& scene);

/// Every member of two scenes, to the bit.
void judge_equal(const Scene& got, const Scene& expected, Ledger& ledger);

}  // namespace repose::invariants
