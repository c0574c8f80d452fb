#pragma once

#include "reference/interface/solver.h"
#include "reference/mixture/state.h"

#include <string_view>

namespace repose {

/// The boundary at whose end a field that is a sum has just been computed, in explicit steps or in those that solve, which
/// have only the reversible term between p2g and friction. @throws std::logic_error for any other field
Boundary mixture_boundary_of(std::string_view field, bool solved);

/// What the numbers of a field are made of (Solver::sums), from the state before the stage that computes it; elements are all
/// of the state's. Of a field that mpm has too, the table of reference/mpm/sums.h for each phase, zero at nodes where it is not;
/// p_star and p_star_w without the reversible term, which has a field of its own. Besides:
///
///     field       magnitude                              slope
///     reversible  Σ Δt s V⁰ T Σ_b |∂_b w|                Σ_c Δt s V⁰ Σ_b |τ_ab ∂_b∂_c w|
///     phi_p       Σ w of wet nodes                       Σ_c |∂_c w| of wet nodes
///
/// with s the share of the term, T as there. What volumes or masses behind s are rounded by is not in it: s is at most 1, and
/// the bound of the judge adds it.
template <int d>
Sums mixture_sums(const MixtureState<d>& before, const StepContext& step, std::string_view field);

}  // namespace repose
