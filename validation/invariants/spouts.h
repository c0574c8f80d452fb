#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"
#include "validation/invariants/plain.h"

#include <vector>

namespace repose::invariants {

/// Four spouts, each of its own material (its index tells the spout), shape, direction, times, density and share of the
/// largest rate; the last one lets so little through that its grains follow each other in single file.
Scene four_spouts(int dim);

/// Volume of an emitter's grains [m³].
double plain_grain(const Emitter& e, double h, int dim);

/// One particle that came in.
struct Grain {
  Point x = Point::Zero();
  Point v = Point::Zero();
  double mass = 0.0;
  double volume = 0.0;
};

/// The particles of a state by the spout they came from.
std::vector<std::vector<Grain>> by_spout(const Snapshot& state, std::size_t spouts, int dim);

/// Ends of steps of random length, up to a second; some so short that nothing comes in.
std::vector<double> step_ends(Dice& dice);

}  // namespace repose::invariants
