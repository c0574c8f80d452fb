#pragma once

#include "validation/crosscheck/cases.h"

#include <cstdint>

namespace repose::crosscheck {

/// What drawn scenes vary in turn, so that a few of them hold every kind; all else is drawn at random.
struct Kinds {
  int materials = 1;  ///< 1 to 3
  int bodies = 1;     ///< 1 to 4
  int walls = 0;      ///< the first bodies that are planes
  /// Bodies other than these in the scenes before: pairs of shape and contact are dealt in turn
  int first = 0;
  /// Of nothing but water: waters in the scenes before, whose kinds are dealt in turn as well; −1: of sand and elastic bodies
  int waters = -1;
  int border = -1;  ///< side of the domain at which the block stands: 2 axis + (0 low, 1 high); −1: inside
};

/// Of the k-th drawn scenario.
Kinds kinds_of(int k);

/// A scene of everything that explicit steps know, drawn from a seed: gravity of any direction and size; sands of constant
/// and of changing friction angle up to 80°, each of h0 to h3 zero and not, elastic bodies, volume correction; bodies of
/// all shapes and contacts, at rest, moving and turning about points on and off them, walls at 10° to 170° to each other,
/// on planes of nodes and off; or waters, with tension and without, near rest, pressed, stretched and crushed; the block inside the domain or at its border; any time; either particle motion;
/// any share of FLIP. Needs follow from what was drawn: each body must be met, each material must yield.
void draw_scene(Case& c, const Kinds& kinds, std::uint64_t seed);

}  // namespace repose::crosscheck
