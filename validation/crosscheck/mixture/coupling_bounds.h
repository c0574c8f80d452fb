#pragma once

#include "validation/crosscheck/mixture/part_stage.h"

#include <vector>

namespace repose::crosscheck {

// Bounds of the stages that couple both phases of a mixture.

/// r Δt from which drag counts as stiff: a step leaves a hundredth of what velocities differ by.
inline constexpr double stiff_drag = 100.0;

/// Drag of the momenta given. With μ the reduced mass, a share of at most 1 of μ (v_s − v_w) goes over: of each component at most
///
///     A = μ (|v_s| + |v_w|) = (m_w |p_s| + m_s |p_w|)/(m_s + m_w)
///
/// to 16 roundings: four of each velocity and the difference, six of rate and share, three of μ and the products. What goes in
/// with an error moves neither momentum by more than that error, as the share is at most 1.
std::vector<FieldBound> drag_bounds(const Stage& stage);

/// The reversible term, R = s f with f the impulse of water's pressure, and where share s comes from.
///
/// f is bounded as stress is in p_star. s takes masses as given, to 6 roundings; of volumes V it moves by at most
/// (δV_s + δV_w)/(V_s + V_w), δV the rounding of a sum of volumes, of det F and J in it, and of places.
/// @param water the stage as that of water
FieldBound reversible_bound(const Stage& stage, const PartStage& water);

/// φ_i is decided by masses against a threshold: a tie where one lies within its error. φ_p is a sum of weights and may jump by
/// those of undecided nodes, c_C follows φ_p.
/// Counts "undecided wet node".
std::vector<FieldBound> saturation_bounds(const Stage& stage, Counters& counters);

/// Counts of the masses at nodes and of saturation, for the needs of cases:
///
///     nodes of sand alone, of water alone, of both
///     nodes with drag             that gave a thousandth of its momentum or more of either phase
///     stiff drag                  r Δt of stiff_drag or more
///     nodes with the reversible term
///     dry grains, wet grains, grains partly wet
///     steps led by sand, by water: whose particle is the fastest
void count_coupling(const Stage& stage, Counters& counters);

}  // namespace repose::crosscheck
