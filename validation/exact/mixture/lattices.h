#pragma once

#include "reference/interface/methods/mixture_options.h"
#include "validation/exact/exact.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace repose::exact {

/// One case of each transfer in turn, in both dimensions.
std::vector<crosscheck::Setup> setups_of_both();

/// A box without ends of a setup's variant, for elastic grains, material 0, and water. Δt, the coupling and how much of each
/// there is are left to the case.
Scene box_of_both(const crosscheck::Setup& setup);

inline constexpr int lattice_per_axis = 2;  ///< particles of a phase per cell

/// What one phase is where it is.
struct Filling {
  double density = 0.0;     ///< its mass over the box's volume [kg/m³]
  double share = 1.0;       ///< its volume over that of the box [-]
  Point v = Point::Zero();  ///< [m/s]
  double from = 0.0;        ///< along the first axis, in lengths of the box
  double to = 1.0;
};

/// Both phases at the middles of the parts of cells, by turns, from row `first` of y to before `last`. Such lattices put the same
/// mass on every node around which they are whole, wherever they are.
Snapshot two_lattices(const Scene& scene, const std::array<Filling, 2>& phases, std::int64_t first,
                      std::int64_t last);

/// Roundings in how a particle's velocity comes to nodes and back: n_p particles add to a node, its mass and its momentum, n_i
/// nodes to a particle, some k = 40 roundings in a term: 2(n_p + k) + n_i + k.
double roundings_of_transfers(const Scene& scene);

}  // namespace repose::exact
