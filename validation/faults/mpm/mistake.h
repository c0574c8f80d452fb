#pragma once

namespace repose::faults {

/// Known mistakes of codes like ours. Each is one deviation of one stage of the step from what is right.
enum class Mistake : unsigned char {
  none,
  // particles to grid
  c_transposed,          ///< Cᵀ (x_i − x_p)
  affine_arm_reversed,   ///< C (x_p − x_i)
  stencil_node_dropped,  ///< the last node of each stencil receives nothing
  narrow_accumulators,  ///< sums kept in less than the arithmetic's precision: float in double, 11 bits in float
  cell_by_truncation,  ///< int(x − ½) for ⌊x − ½⌋: wrong cell at negative coordinates
  seam_node_twice,     ///< what reaches a node through the seam of a periodic axis is added twice
  arm_across_domain,   ///< x_i − x_p to the node's own place, not to its image next to the particle
  // forces
  gradient_sign,             ///< +Σ V τ ∇w
  stress_without_ft,         ///< P for τ = P Fᵀ
  current_volume,            ///< V for V⁰
  gravity_once,              ///< gravity missing at the last active node
  multiplier_without_slope,  ///< τ = h τ_H alone in region B: ψ ∇h left out
  multiplier_reversed,       ///< 1 − h: stress where grains are apart
  multiplier_closes,         ///< f of the wrong sign: regions A and B close with shear
  multiplier_unshifted,      ///< s_C = 0 whatever the cohesion
  pressure_without_gamma,    ///< p = k (1/J − 1)
  pressure_sign,             ///< p of the wrong sign: compressed water pulls
  pressure_without_volume,   ///< f = Σ V⁰ p ∇w, the J of p J left out
  tension_kept,              ///< p < 0 where water is to bear no tension
  // collisions
  last_collider_ignored,
  slipping_as_separating,
  body_at_old_time,       ///< φⁿ(x̄) for φⁿ⁺¹(x̄)
  walls_as_one_distance,  ///< the deepest body alone for all bodies in turn
  sticky_without_spin,    ///< velocity of the body's centre
  surface_outside,        ///< φⁿ < 0 for what a surface holds: planes of nodes are free
  bodies_without_images,  ///< a body acts on its own side of a seam alone
  // friction
  friction_branches_swapped,   ///< slides where it sticks
  friction_absolute_velocity,  ///< v̄ for v̄ − v_b
  friction_of_pull_dropped,    ///< only pushes rub where pulls are to rub too
  friction_coefficient_squared,
  friction_under_sticky,  ///< contacts that a sticky body has undone still rub
  // grid to particles
  d_inverse_swapped,    ///< 3/h² for the quadratic kernel, 4/h² for the cubic
  mass_not_normalized,  ///< momenta for velocities
  v_bar_v_tilde_exchanged,
  motion_before_friction,  ///< v̄ moves particles where ṽ is asked for
  flip_from_v_bar,         ///< FLIP from v̄ − vⁿ
  gradient_from_c,         ///< ∇v = C
  // update
  moved_by_v_tilde,       ///< x from the particle's own new velocity
  gradient_transposed,    ///< F̂ = (1 + Δt (∇v)ᵀ) F
  log_abs_sigma,          ///< an inverted particle goes on as if it were not
  wrapped_by_a_cell,      ///< through the seam by the domain's length and one spacing
  volume_by_determinant,  ///< J ← det(1 + Δt ∇v) J
  volume_by_matrix,  ///< J ← tr(1 + Δt ∇v) J/d, as the print's matrix in front of a number may be read
  // plasticity
  v_c_sign,  ///< v_c ← v_c − (tr ε − tr ε_new), as Tampubolon's Eq. 26 is printed
  hardening_missing,
  hardening_from_shifted_strain,
  degrees_as_radians,         ///< the law's degrees, as scene files give them, taken as radians
  hydrostatic_to_tip,         ///< dev ε = 0 sends compression to the tip, too
  frictionless_tension_kept,  ///< inside is tested before the tip, as Klár's §7.1 is printed
  hardening_one_step_early,   ///< α from qⁿ⁺¹
  volume_correction_reset,    ///< v_c ← 0 and the unshifted strain kept in cases I and III
  return_keeps_shear,         ///< the deviator is scaled to half of its distance from the cone
  tip_free_of_stress,         ///< ε ← 0 at the tip of a cohesive cone, as Tampubolon's §4.3.4 has it
  tip_of_each_axis,           ///< e_c taken for the strain along each axis, not for the trace
  cohesion_of_wrong_sign,     ///< δγ = … + c_C/2μ: cohesion weakens
  closing_hardens,            ///< q grows at the tip while the gap closes, where opening alone is to harden
  // derivative of an implicit step's forces
  slip_derivative_missing,  ///< δγ taken for a constant
  equal_stretches_limit,  ///< the quotient (s_i − s_j)/(b_i − b_j) taken for 0 where stretches are equal
  hardening_differentiated,   ///< α(q + δγ), though the solve holds α^n
  v_c_missing_in_derivative,  ///< the shift by v_c in the force alone
  return_block_transposed,    ///< (∂ε/∂ε̂)ᵀ
  // forces of semi-implicit steps, and of the unilateral energy at the end of a step
  v_c_missing_in_lagged_force,  ///< the stress of ε̂ alone, as Tampubolon's Eq. 16 is printed: grains that are apart push
  derivative_of_returned_stress,  ///< the derivative of the stress that is left behind the return, of a stress that is not returned
  multiplier_slope_kept,             ///< h taken for a constant of the step: ψ ∇h left out of the force
  multiplier_outer_product_missing,  ///< ∇h ∇ψᵀ + ∇ψ ∇hᵀ left out of the derivative
  multiplier_shear_missing,          ///< the quotient of stresses and strains across the axes taken for 2μ h
  // water in steps that solve
  solved_by_determinant,  ///< Ĵ = det(1 + Δt ∇v̂) J, as of a deformation that water does not keep
  solved_by_last_volume,  ///< the pressure of J before the step
  softened_water          ///< −dp/dJ = k J^(−γ−1): γ missing in the derivative
};

}  // namespace repose::faults
