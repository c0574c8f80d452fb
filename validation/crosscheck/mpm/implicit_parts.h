#pragma once

#include "reference/interface/methods/mpm_probes.h"
#include "validation/crosscheck/compare.h"
#include "validation/crosscheck/mpm/implicit_residual.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace repose::crosscheck {

// What the judges of steps that solve, of one phase and of two, have in common.

/// Bounds of a field of nodes, the same for all components of one.
FieldBound node_bound(std::string_view name, const std::vector<double>& per_node, std::size_t components);

/// A field of impulses.
Field node_field(std::string_view name, int components, std::vector<double> value);

/// Uniform in [−size, size].
std::vector<double> random_velocities(std::size_t count, double size, std::uint64_t seed);

/// m v of velocities that a solver tells, set in `expected` as a field of its state; they went through a momentum there, and maybe a
/// shorter number. @param v d per node [m/s]  @param mass of the nodes [kg]
FieldBound told_momentum(Snapshot& expected, std::string_view name, std::vector<double> v,
                         const std::vector<double>& mass, int dim, const Arithmetic& arithmetic);

/// What ImplicitOptions lets a solve leave, per node: of residual_field.
/// @param left_of_all what the solve says to leave, relative (SolveHistory::error): more than the tolerance where it was kept
FieldBound stated_tolerance(const BalanceProbe& probe, const NodeImpulses& balanced,
                            const BalanceBounds& bounds, const Unsolved& left, double left_of_all);

}  // namespace repose::crosscheck
