#pragma once

#include "validation/crosscheck/run_case.h"

namespace repose::crosscheck {

/// Particles whose sums are exact: quadratic kernel, h = 1/8, positions in quarters of h (weights n/32 per axis), masses
/// 1 and 2, velocities in quarters up to 2, C h in integers up to 1.
Case exact_particles(const Setup& setup);

/// Nodes whose gathering is exact, at the boundary friction: masses 1, 2 and 4, velocities in quarters up to 2.
Snapshot exact_nodes(const Case& c);

/// The candidate's m_i and p_i (with Δt = 0: p_star, where it has no boundary p2g) equal the reference's.
/// Mistrusted if a sum needs more digits than a float has.
void judge_exact_p2g(const Setup& setup, const Factory& candidate, const Factory& reference,
                     std::string_view simd, CaseReport& report);

/// The same for v, C, v_bar and grad_v.
void judge_exact_g2p(const Setup& setup, const Factory& candidate, const Factory& reference,
                     std::string_view simd, CaseReport& report);

}  // namespace repose::crosscheck
