#include "validation/faults/mpm/faults.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_probes.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/faults/mpm/model.h"

namespace repose::faults {

namespace {

Fault fault(const char* name, const char* category, Mistake mistake, const char* scenario,
            const crosscheck::MpmSetup& setup, const char* stage, const char* field) {
  return {name, category, static_cast<std::size_t>(mistake), scenario, setup, stage, field};
}

std::vector<Fault> all_faults() {
  using enum Mistake;
  using enum Kernel;
  using enum Transfer;
  return {
      fault("c_transposed", "transfers", c_transposed, "mixed_states", {3, cubic, apic}, "p2g", "p_i"),
      fault("affine_arm_reversed", "transfers", affine_arm_reversed, "mixed_states", {2, quadratic, apic},
            "p2g", "p_i"),
      fault("stencil_node_dropped", "transfers", stencil_node_dropped, "mixed_states", {3, cubic, apic},
            "p2g", "m_i"),
      fault("narrow_accumulators", "precision", narrow_accumulators, "crowded_cell", {3, quadratic, apic},
            "p2g", "m_i"),
      fault("cell_by_truncation", "transfers", cell_by_truncation, "domain_edge", {2, quadratic, pic}, "p2g",
            "m_i"),
      fault("gradient_sign", "forces", gradient_sign, "mixed_states", {2, cubic, flip}, "forces", "p_star"),
      fault("stress_without_ft", "forces", stress_without_ft, "large_stretches", {3, cubic, apic}, "forces",
            "p_star"),
      fault("current_volume", "forces", current_volume, "mixed_states", {3, quadratic, apic}, "forces",
            "p_star"),
      fault("gravity_once", "forces", gravity_once, "at_rest", {2, quadratic, apic}, "forces", "p_star"),
      fault("last_collider_ignored", "contact", last_collider_ignored, "room_corner", {3, cubic, apic},
            "collisions", "p_bar"),
      fault("slipping_as_separating", "contact", slipping_as_separating, "slope_slipping",
            {2, quadratic, apic}, "collisions", "p_bar"),
      fault("body_at_old_time", "contact", body_at_old_time, "moving_body", {3, cubic, apic}, "collisions",
            "p_bar"),
      fault("walls_as_one_distance", "contact", walls_as_one_distance, "room_corner", {2, quadratic, apic},
            "collisions", "p_bar"),
      fault("sticky_without_spin", "contact", sticky_without_spin, "spinning_body", {3, quadratic, apic},
            "collisions", "p_bar"),
      fault("surface_outside", "contact", surface_outside, "sticky_on_nodes", {3, quadratic, apic},
            "collisions", "p_bar"),
      fault("friction_branches_swapped", "friction", friction_branches_swapped, "friction_slide",
            {3, cubic, apic}, "friction", "p_tilde"),
      fault("friction_absolute_velocity", "friction", friction_absolute_velocity, "moving_with_sand",
            {3, cubic, apic}, "friction", "p_tilde"),
      fault("friction_of_pull_dropped", "friction", friction_of_pull_dropped, "slope_slipping",
            {3, quadratic, apic}, "friction", "p_tilde"),
      fault("friction_coefficient_squared", "friction", friction_coefficient_squared, "friction_slide",
            {2, quadratic, pic}, "friction", "p_tilde"),
      fault("friction_under_sticky", "friction", friction_under_sticky, "sticky_after_rubbing",
            {2, quadratic, apic}, "friction", "p_tilde"),
      fault("d_inverse_quadratic", "transfers", d_inverse_swapped, "mixed_states", {3, quadratic, apic},
            "g2p", "C"),
      fault("d_inverse_cubic", "transfers", d_inverse_swapped, "mixed_states", {3, cubic, apic}, "g2p", "C"),
      fault("mass_not_normalized", "transfers", mass_not_normalized, "mixed_states", {2, cubic, pic}, "g2p",
            "v_bar"),
      fault("v_bar_v_tilde_exchanged", "transfers", v_bar_v_tilde_exchanged, "friction_slide",
            {3, cubic, apic}, "g2p", "v_bar"),
      fault("motion_before_friction", "transfers", motion_before_friction, "moved_after_friction",
            {3, cubic, apic}, "g2p", "v_bar"),
      fault("flip_from_v_bar", "transfers", flip_from_v_bar, "friction_slide", {2, quadratic, flip}, "g2p",
            "v"),
      fault("gradient_from_c", "transfers", gradient_from_c, "friction_slide", {3, quadratic, apic}, "g2p",
            "grad_v"),
      fault("moved_by_v_tilde", "update", moved_by_v_tilde, "friction_slide", {3, cubic, apic}, "update",
            "x"),
      fault("gradient_transposed", "update", gradient_transposed, "mixed_states", {2, cubic, apic}, "update",
            "F_trial"),
      fault("log_abs_sigma", "update", log_abs_sigma, "inverted_particle", {2, quadratic, pic}, "update",
            "error"),
      fault("v_c_sign", "plasticity", v_c_sign, "volume_correction", {3, cubic, apic}, "plasticity", "v_c"),
      fault("volume_correction_reset", "plasticity", volume_correction_reset, "volume_correction",
            {2, cubic, apic}, "plasticity", "F"),
      fault("hydrostatic_to_tip", "plasticity", hydrostatic_to_tip, "hydrostatic_compression",
            {2, cubic, apic}, "plasticity", "F"),
      fault("frictionless_tension_kept", "plasticity", frictionless_tension_kept, "frictionless_tension",
            {3, quadratic, apic}, "plasticity", "F"),
      fault("tip_free_of_stress", "cohesion", tip_free_of_stress, "cohesive_states", {3, cubic, apic},
            "plasticity", "F"),
      fault("tip_of_each_axis", "cohesion", tip_of_each_axis, "cohesive_states", {2, quadratic, apic},
            "plasticity", "F"),
      fault("cohesion_of_wrong_sign", "cohesion", cohesion_of_wrong_sign, "cohesive_states", {2, cubic, pic},
            "plasticity", "F"),
      fault("closing_hardens", "hardening", closing_hardens, "volume_given_back", {3, cubic, apic},
            "plasticity", "q"),
      fault("multiplier_without_slope", "energy", multiplier_without_slope, "unilateral_regions",
            {2, cubic, apic}, "forces", "p_star"),
      fault("multiplier_reversed", "energy", multiplier_reversed, "unilateral_regions", {3, quadratic, apic},
            "forces", "p_star"),
      fault("multiplier_closes", "energy", multiplier_closes, "unilateral_regions", {3, cubic, flip},
            "forces", "p_star"),
      fault("multiplier_unshifted", "energy", multiplier_unshifted, "unilateral_regions",
            {2, quadratic, apic}, "forces", "p_star"),
      fault("degrees_as_radians", "plasticity", degrees_as_radians, "mixed_states", {2, quadratic, apic},
            "plasticity", "F"),
      fault("return_keeps_shear", "plasticity", return_keeps_shear, "mixed_states", {3, cubic, flip_pic},
            "plasticity", "F"),
      fault("hardening_missing", "hardening", hardening_missing, "hardening", {3, cubic, apic}, "plasticity",
            "q"),
      fault("hardening_from_shifted_strain", "hardening", hardening_from_shifted_strain, "volume_correction",
            {3, quadratic, apic}, "plasticity", "q"),
      fault("hardening_one_step_early", "hardening", hardening_one_step_early, "hardening",
            {2, quadratic, apic}, "plasticity", "F"),
      fault("seam_node_twice", "periodic", seam_node_twice, "periodic_layers", {3, cubic, apic}, "p2g",
            "m_i"),
      fault("arm_across_domain", "periodic", arm_across_domain, "periodic_everywhere", {2, quadratic, apic},
            "p2g", "p_i"),
      fault("bodies_without_images", "periodic", bodies_without_images, "periodic_bodies",
            {3, quadratic, apic}, "collisions", "p_bar"),
      fault("wrapped_by_a_cell", "periodic", wrapped_by_a_cell, "periodic_layers", {2, cubic, apic}, "update",
            "x"),
      fault("pressure_without_gamma", "water", pressure_without_gamma, "mixed_waters", {2, quadratic, apic},
            "forces", "p_star"),
      fault("pressure_sign", "water", pressure_sign, "pool", {3, cubic, apic}, "forces", "p_star"),
      fault("pressure_without_volume", "water", pressure_without_volume, "pool", {2, cubic, flip}, "forces",
            "p_star"),
      fault("tension_kept", "water", tension_kept, "mixed_waters", {3, quadratic, apic}, "forces", "p_star"),
      fault("volume_by_determinant", "water", volume_by_determinant, "mixed_waters", {2, cubic, apic},
            "update", "J"),
      fault("volume_by_matrix", "water", volume_by_matrix, "pool", {3, quadratic, apic}, "update", "J"),
      fault("slip_derivative_missing", "implicit", slip_derivative_missing, "implicit_mixed_states",
            {3, cubic, apic}, "collisions", "impulse_change"),
      fault("equal_stretches_limit", "implicit", equal_stretches_limit, "implicit_mixed_states",
            {3, quadratic, apic}, "collisions", "impulse_change"),
      fault("hardening_differentiated", "implicit", hardening_differentiated, "implicit_hardening",
            {3, cubic, flip}, "collisions", "impulse_change"),
      fault("v_c_missing_in_derivative", "implicit", v_c_missing_in_derivative, "implicit_hardening",
            {2, quadratic, apic}, "collisions", "impulse_change"),
      fault("return_block_transposed", "implicit", return_block_transposed, "implicit_mixed_states",
            {2, cubic, pic}, "collisions", "impulse_change"),
      fault("v_c_missing_in_lagged_force", "semi-implicit", v_c_missing_in_lagged_force, "semi_regions",
            {3, quadratic, apic}, "collisions", "impulse"),
      fault("derivative_of_returned_stress", "semi-implicit", derivative_of_returned_stress, "semi_hencky",
            {2, cubic, apic}, "collisions", "impulse_change"),
      fault("multiplier_outer_product_missing", "semi-implicit", multiplier_outer_product_missing,
            "semi_regions", {2, quadratic, flip}, "collisions", "impulse_change"),
      fault("multiplier_shear_missing", "semi-implicit", multiplier_shear_missing, "semi_regions",
            {3, cubic, apic}, "collisions", "impulse_change"),
      fault("multiplier_slope_kept", "implicit", multiplier_slope_kept, "unilateral_solved", {2, cubic, apic},
            "collisions", "impulse"),
      fault("solved_by_determinant", "water", solved_by_determinant, "solved_water", {2, quadratic, apic},
            "collisions", "impulse"),
      fault("solved_by_last_volume", "water", solved_by_last_volume, "solved_water", {3, cubic, apic},
            "collisions", "impulse"),
      fault("softened_water", "water", softened_water, "solved_water", {3, quadratic, apic}, "collisions",
            "impulse_change"),
  };
}

const std::vector<Fault>& known_faults() {
  static const std::vector<Fault> all = all_faults();
  return all;
}

void run(const Scene& scene, std::size_t mistake, Precision precision, double dt, Snapshot& state) {
  if (precision == Precision::single_)
    run_stage<float>(scene, static_cast<Mistake>(mistake), dt, state);
  else
    run_stage<double>(scene, static_cast<Mistake>(mistake), dt, state);
}

/// Impulses and their derivative are the model's, their magnitudes the solver's.
std::vector<Field> probe(const Scene& scene, std::size_t mistake, double dt, const Snapshot& state,
                         std::string_view name, std::span<const Field> asked, std::vector<Field> correct) {
  const bool change = name == probes::impulse_change;
  const std::span<const double> dv = change ? asked_with(asked, probes::dv) : std::span<const double>{};
  correct.front().value =
      model_impulses(scene, static_cast<Mistake>(mistake), dt, state, asked_with(asked, field::v), dv);
  return correct;
}

}  // namespace

const Model& mpm_model() {
  static const Model model{
      .method = method::mpm, .faults = known_faults, .strain = "F", .run_stage = run, .probe = probe};
  return model;
}

}  // namespace repose::faults
