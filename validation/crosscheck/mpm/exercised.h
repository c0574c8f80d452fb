#pragma once

#include "validation/crosscheck/mpm/stage_bounds.h"

namespace repose::crosscheck {

/// Counts which branches a stage of the reference took, for the needs of cases. Beside what bounds count:
///
///     contacts with body K                  node–body pairs, K in scene order
///     contacts on spinning bodies           and on moving bodies
///     contacts only after another's push    separating: v* would not have reached the body
///     contacts entered within the step      separating: the node was outside
///     contacts by the body's own way        separating: at its old place the body would not have been reached
///     nodes held by two oblique bodies      10° to 170° between two of their normals
///     nodes where order matters             bodies met in reverse order leave another v̄
///     material K inside, tip, surface, elastic
///     surface beyond 43 degrees             φ before the step
///     surface with h1 = 0 < h3
///     cohesive CASE                         of a material with cohesion; and tension borne: not at the tip
///     volume given back, in part            v_c falls to 0, or not that far; and cohesive volume given back, in part
///     gaps that close                       in part, under a strain that compresses
///     region A, B, C                        of the unilateral energy, sand alone; and below, above z = 0, 1
///     GAP CASE                              particles by the smallest difference of two ε of F_trial, gap_name()
///     particles that change cell
///     particles across a seam up, down      that leave a periodic axis at its end or its start
///     stencils across a seam                 of particles, at p2g
///     contacts across a seam                with a body whose own place is on the other side of a seam
///
/// An implicit step's contacts are not followed here.
void count_exercised(const Stage& stage, Counters& counters);

/// Name of the decades in which a difference of two principal strains lies: "equal" below 10⁻¹², "1e-12", "1e-9",
/// "1e-6" for the three decades from there on, "apart" from 10⁻³ on.
std::string_view gap_name(double gap);

}  // namespace repose::crosscheck
