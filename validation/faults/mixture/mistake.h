#pragma once

namespace repose::faults {

/// Known mistakes of codes of two phases. Each is one deviation of one stage of mixture from what is right.
enum class MixtureMistake : unsigned char {
  none,
  // reversible term
  term_without_volume,  ///< Σ p ∇w, as printed: no V⁰J
  term_of_rest_volume,  ///< Σ V⁰ p ∇w
  term_pushes_both,     ///< added to water, too
  term_by_other_mass,   ///< the share of water for that of sand
  term_without_share,   ///< all of the pressure force
  // drag
  drag_sign,            ///< drives the phases apart
  drag_of_sand_alone,   ///< water gets nothing back
  drag_forward,         ///< by the velocities before it, Δt r (v_s − v_w)
  drag_by_one_mass,     ///< r = c_E m_w
  drag_without_volume,  ///< κ for κ h^d
  // contacts
  contacts_before_drag,  ///< from p* for p* after drag
  water_rubs_as_sand,    ///< bodies hold and slow water as they do sand
  // saturation
  wet_in_the_union,        ///< where either phase is
  wet_beyond_threshold,    ///< rims count, whatever the threshold
  seen_from_new_place,     ///< weights at x^{n+1}
  cohesion_one_step_late,  ///< c_C of the φ of the step before
  cohesion_compounds,      ///< c_C ← c_C (1 − φ): falls in every step
  // plasticity
  cohesion_of_material,  ///< c_C⁰, whatever the grain's
  // semi-implicit steps
  v_c_missing_in_solve,       ///< the stress of ε̂ alone
  outer_product_missing,      ///< ∇h ∇ψᵀ + ∇ψ ∇hᵀ left out of the derivative
  solved_volume_determinant,  ///< the pressure of det(1 + Δt ∇v̂) J
  gamma_missing_in_solve,     ///< −dp/dJ = k J^(−γ−1)
  dry_cohesion_in_solve,      ///< the energy ends at the tip of c_C⁰, whatever the grain's
};

}  // namespace repose::faults
