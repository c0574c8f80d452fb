#include "validation/faults/zoo.h"

#include "reference/interface/base/error.h"
#include "validation/faults/faulty_solver.h"
#include "validation/solvers.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace repose::faults {

namespace {

std::vector<Fault> all_faults() {
  using enum Mistake;
  using enum Kernel;
  using enum Transfer;
  return {
      {"c_transposed", "transfers", c_transposed, "mixed_states", 3, cubic, apic, "p2g", "p_i"},
      {"affine_arm_reversed", "transfers", affine_arm_reversed, "mixed_states", 2, quadratic, apic, "p2g",
       "p_i"},
      {"stencil_node_dropped", "transfers", stencil_node_dropped, "mixed_states", 3, cubic, apic, "p2g",
       "m_i"},
      {"narrow_accumulators", "precision", narrow_accumulators, "crowded_cell", 3, quadratic, apic, "p2g",
       "m_i"},
      {"cell_by_truncation", "transfers", cell_by_truncation, "domain_edge", 2, quadratic, pic, "p2g", "m_i"},
      {"gradient_sign", "forces", gradient_sign, "mixed_states", 2, cubic, flip, "forces", "p_star"},
      {"stress_without_ft", "forces", stress_without_ft, "large_stretches", 3, cubic, apic, "forces",
       "p_star"},
      {"current_volume", "forces", current_volume, "mixed_states", 3, quadratic, apic, "forces", "p_star"},
      {"gravity_once", "forces", gravity_once, "at_rest", 2, quadratic, apic, "forces", "p_star"},
      {"last_collider_ignored", "contact", last_collider_ignored, "room_corner", 3, cubic, apic, "collisions",
       "p_bar"},
      {"slipping_as_separating", "contact", slipping_as_separating, "slope_slipping", 2, quadratic, apic,
       "collisions", "p_bar"},
      {"body_at_old_time", "contact", body_at_old_time, "moving_body", 3, cubic, apic, "collisions", "p_bar"},
      {"walls_as_one_distance", "contact", walls_as_one_distance, "room_corner", 2, quadratic, apic,
       "collisions", "p_bar"},
      {"sticky_without_spin", "contact", sticky_without_spin, "spinning_body", 3, quadratic, apic,
       "collisions", "p_bar"},
      {"surface_outside", "contact", surface_outside, "sticky_on_nodes", 3, quadratic, apic, "collisions",
       "p_bar"},
      {"friction_branches_swapped", "friction", friction_branches_swapped, "friction_slide", 3, cubic, apic,
       "friction", "p_tilde"},
      {"friction_absolute_velocity", "friction", friction_absolute_velocity, "moving_with_sand", 3, cubic,
       apic, "friction", "p_tilde"},
      {"friction_of_pull_dropped", "friction", friction_of_pull_dropped, "slope_slipping", 3, quadratic, apic,
       "friction", "p_tilde"},
      {"friction_coefficient_squared", "friction", friction_coefficient_squared, "friction_slide", 2,
       quadratic, pic, "friction", "p_tilde"},
      {"friction_under_sticky", "friction", friction_under_sticky, "sticky_after_rubbing", 2, quadratic, apic,
       "friction", "p_tilde"},
      {"d_inverse_quadratic", "transfers", d_inverse_swapped, "mixed_states", 3, quadratic, apic, "g2p", "C"},
      {"d_inverse_cubic", "transfers", d_inverse_swapped, "mixed_states", 3, cubic, apic, "g2p", "C"},
      {"mass_not_normalized", "transfers", mass_not_normalized, "mixed_states", 2, cubic, pic, "g2p",
       "v_bar"},
      {"v_bar_v_tilde_exchanged", "transfers", v_bar_v_tilde_exchanged, "friction_slide", 3, cubic, apic,
       "g2p", "v_bar"},
      {"motion_before_friction", "transfers", motion_before_friction, "moved_after_friction", 3, cubic, apic,
       "g2p", "v_bar"},
      {"flip_from_v_bar", "transfers", flip_from_v_bar, "friction_slide", 2, quadratic, flip, "g2p", "v"},
      {"gradient_from_c", "transfers", gradient_from_c, "friction_slide", 3, quadratic, apic, "g2p",
       "grad_v"},
      {"moved_by_v_tilde", "update", moved_by_v_tilde, "friction_slide", 3, cubic, apic, "update", "x"},
      {"gradient_transposed", "update", gradient_transposed, "mixed_states", 2, cubic, apic, "update",
       "F_trial"},
      {"log_abs_sigma", "update", log_abs_sigma, "inverted_particle", 2, quadratic, pic, "update", "error"},
      {"v_c_sign", "plasticity", v_c_sign, "volume_correction", 3, cubic, apic, "plasticity", "v_c"},
      {"volume_correction_reset", "plasticity", volume_correction_reset, "volume_correction", 2, cubic, apic,
       "plasticity", "F"},
      {"hydrostatic_to_tip", "plasticity", hydrostatic_to_tip, "hydrostatic_compression", 2, cubic, apic,
       "plasticity", "F"},
      {"frictionless_tension_kept", "plasticity", frictionless_tension_kept, "frictionless_tension", 3,
       quadratic, apic, "plasticity", "F"},
      {"degrees_as_radians", "plasticity", degrees_as_radians, "mixed_states", 2, quadratic, apic,
       "plasticity", "F"},
      {"return_keeps_shear", "plasticity", return_keeps_shear, "mixed_states", 3, cubic, flip_pic,
       "plasticity", "F"},
      {"hardening_missing", "hardening", hardening_missing, "hardening", 3, cubic, apic, "plasticity", "q"},
      {"hardening_from_shifted_strain", "hardening", hardening_from_shifted_strain, "volume_correction", 3,
       quadratic, apic, "plasticity", "q"},
      {"hardening_one_step_early", "hardening", hardening_one_step_early, "hardening", 2, quadratic, apic,
       "plasticity", "F"},
      {"slip_derivative_missing", "implicit", slip_derivative_missing, "implicit_mixed_states", 3, cubic,
       apic, "collisions", "impulse_change"},
      {"equal_stretches_limit", "implicit", equal_stretches_limit, "implicit_mixed_states", 3, quadratic,
       apic, "collisions", "impulse_change"},
      {"hardening_differentiated", "implicit", hardening_differentiated, "implicit_hardening", 3, cubic, flip,
       "collisions", "impulse_change"},
      {"v_c_missing_in_derivative", "implicit", v_c_missing_in_derivative, "implicit_hardening", 2, quadratic,
       apic, "collisions", "impulse_change"},
      {"seam_node_twice", "periodic", seam_node_twice, "periodic_layers", 3, cubic, apic, "p2g", "m_i"},
      {"arm_across_domain", "periodic", arm_across_domain, "periodic_everywhere", 2, quadratic, apic, "p2g",
       "p_i"},
      {"bodies_without_images", "periodic", bodies_without_images, "periodic_bodies", 3, quadratic, apic,
       "collisions", "p_bar"},
      {"wrapped_by_a_cell", "periodic", wrapped_by_a_cell, "periodic_layers", 2, cubic, apic, "update", "x"},
      {"return_block_transposed", "implicit", return_block_transposed, "implicit_mixed_states", 2, cubic, pic,
       "collisions", "impulse_change"},
  };
}

std::string_view stage_of(const crosscheck::CaseReport& report) {
  return report.lockstep.divergence ? std::string_view(report.lockstep.divergence->stage)
                                    : std::string_view("-");
}

std::string_view field_of(const crosscheck::CaseReport& report) {
  return report.lockstep.divergence ? std::string_view(report.lockstep.divergence->field.field)
                                    : std::string_view("-");
}

double ratio_of(const crosscheck::CaseReport& report) {
  return report.lockstep.divergence ? report.lockstep.divergence->field.worst.ratio : 0.0;
}

/// Largest ratio of a run that passed.
double closest_of(const crosscheck::CaseReport& report) {
  const crosscheck::Worst* worst = report.lockstep.closest();
  return worst == nullptr ? 0.0 : worst->field.worst.ratio;
}

}  // namespace

const std::vector<Fault>& faults() {
  static const std::vector<Fault> all = all_faults();
  return all;
}

const Fault& fault_named(std::string_view name) {
  const auto& all = faults();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Fault& fault) { return fault.name == name; });
  if (found != all.end()) return *found;
  throw BadInput(fmt::format("unknown fault '{}'; see repose verify --fault all --list", name));
}

bool Trial::control_passes() const { return control.verdict == crosscheck::Verdict::pass; }

bool Trial::killed() const { return report.verdict == crosscheck::Verdict::differs; }

bool Trial::well_placed() const {
  return killed() && stage_of(report) == fault->stage && field_of(report) == fault->field;
}

Trial try_fault(const Fault& fault, Precision precision, std::string_view base,
                const crosscheck::Factory& reference) {
  const crosscheck::Setup setup{fault.dim, fault.kernel, fault.transfer, precision, 1};
  crosscheck::Case c = crosscheck::make_case(fault.scenario, setup);
  // The model forms strains from F, in float too: of sand at rest that leaves nearly all to rounding.
  c.share_of_ties = 1.0;
  const auto planted = [&](Mistake mistake) {
    return [&, mistake](const Scene& scene, const SolverOptions& options) {
      return make_faulty_solver(make_solver(base, scene, options), scene, precision, fault.stage, mistake);
    };
  };
  Trial trial{.fault = &fault, .precision = precision, .control = {}, .report = {}, .case_name = c.name};
  trial.control = crosscheck::run_case(c, planted(Mistake::none), reference);
  trial.report = crosscheck::run_case(c, planted(fault.mistake), reference);
  return trial;
}

std::string table_head() {
  return fmt::format("{:<29} {:<10} {:<6} {:<10} {:<8} {:>10} {:>8}  {}", "fault", "class", "in", "stage",
                     "field", "of bound", "without", "killed by");
}

std::string row(const Trial& trial) {
  const std::string_view verdict = !trial.control_passes() ? "  CONTROL FAILS"
                                   : !trial.killed()       ? "  SURVIVES"
                                   : !trial.well_placed()  ? "  WRONG PLACE"
                                                           : "";
  return fmt::format("{:<29} {:<10} {:<6} {:<10} {:<8} {:>10.3g} {:>8.2g}  {}{}", trial.fault->name,
                     trial.fault->category, crosscheck::name_of(trial.precision), stage_of(trial.report),
                     field_of(trial.report), ratio_of(trial.report), closest_of(trial.control),
                     trial.case_name, verdict);
}

nlohmann::json to_json(const std::vector<Trial>& trials) {
  nlohmann::json list = nlohmann::json::array();
  std::set<std::string> survivors;
  for (const Trial& trial : trials) {
    nlohmann::json one = {
        {"name", trial.fault->name},
        {"class", trial.fault->category},
        {"precision", crosscheck::name_of(trial.precision)},
        {"killed_by", trial.killed() ? nlohmann::json(trial.case_name) : nlohmann::json(nullptr)},
        {"stage", stage_of(trial.report)},
        {"field", field_of(trial.report)},
        {"ratio_to_bound", nullptr},
        {"control_passes", trial.control_passes()},
        {"well_placed", trial.well_placed()}};
    if (std::isfinite(ratio_of(trial.report))) one["ratio_to_bound"] = ratio_of(trial.report);
    list.push_back(std::move(one));
    if (!trial.killed()) survivors.insert(trial.fault->name);
  }
  return {{"faults", std::move(list)}, {"survivors", survivors}};
}

}  // namespace repose::faults
