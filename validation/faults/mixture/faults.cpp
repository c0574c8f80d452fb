#include "validation/faults/mixture/faults.h"

#include "reference/interface/methods/mixture.h"
#include "validation/faults/mixture/model.h"
#include "validation/faults/mixture/model_solve.h"

#include <utility>

namespace repose::faults {

namespace {

Fault planted(const char* name, const char* category, MixtureMistake mistake, const char* scenario, int dim,
              std::size_t kernel, const char* stage, const char* field) {
  return {name,
          category,
          static_cast<std::size_t>(mistake),
          scenario,
          {.method = method::mixture.name, .dim = dim, .variant = {0, kernel}},
          stage,
          field};
}

const std::vector<Fault>& faults_of_mixtures() {
  using enum MixtureMistake;
  constexpr std::size_t quadratic = 0, cubic = 1;
  static const std::vector<Fault> all{
      planted("term_without_volume", "exchange", term_without_volume, "mixture_reversible_mass", 2, quadratic,
              "forces", "reversible"),
      planted("term_of_rest_volume", "exchange", term_of_rest_volume, "mixture_reversible_volume", 3,
              quadratic, "forces", "reversible"),
      planted("term_pushes_both", "exchange", term_pushes_both, "mixture_reversible_mass", 3, cubic, "forces",
              "p_star_w"),
      planted("term_by_other_mass", "exchange", term_by_other_mass, "mixture_reversible_printed", 2, cubic,
              "forces", "reversible"),
      planted("term_without_share", "exchange", term_without_share, "mixture_reversible_volume", 2, quadratic,
              "forces", "reversible"),
      planted("drag_sign", "exchange", drag_sign, "mixture_slurry", 2, quadratic, "drag", "p_drag"),
      planted("drag_of_sand_alone", "exchange", drag_of_sand_alone, "mixture_slurry", 3, cubic, "drag",
              "p_drag_w"),
      planted("drag_forward", "exchange", drag_forward, "mixture_stiff_drag", 3, quadratic, "drag", "p_drag"),
      planted("drag_by_one_mass", "exchange", drag_by_one_mass, "mixture_slurry", 2, cubic, "drag", "p_drag"),
      planted("drag_without_volume", "exchange", drag_without_volume, "mixture_reversible_mass", 2, quadratic,
              "drag", "p_drag"),
      planted("contacts_before_drag", "contact", contacts_before_drag, "mixture_walls", 2, quadratic,
              "collisions", "p_bar"),
      planted("water_rubs_as_sand", "contact", water_rubs_as_sand, "mixture_walls", 3, quadratic,
              "collisions", "p_bar_w"),
      planted("wet_in_the_union", "saturation", wet_in_the_union, "mixture_slurry", 2, quadratic,
              "saturation", "phi_i"),
      planted("wet_beyond_threshold", "saturation", wet_beyond_threshold, "mixture_threshold", 3, quadratic,
              "saturation", "phi_i"),
      planted("seen_from_new_place", "saturation", seen_from_new_place, "mixture_slurry", 3, cubic,
              "saturation", "phi_p"),
      planted("cohesion_one_step_late", "saturation", cohesion_one_step_late, "mixture_slurry", 2, cubic,
              "saturation", "c_C"),
      planted("cohesion_compounds", "saturation", cohesion_compounds, "mixture_threshold", 2, quadratic,
              "saturation", "c_C"),
      planted("cohesion_of_material", "plasticity", cohesion_of_material, "mixture_slurry", 3, quadratic,
              "plasticity", "F"),
      planted("solved_drag_sign", "semi-implicit", drag_sign, "mixture_solved", 2, quadratic, "collisions",
              "drag_impulse"),
      planted("solved_drag_by_one_mass", "semi-implicit", drag_by_one_mass, "mixture_solved", 3, cubic,
              "collisions", "drag_impulse"),
      planted("solved_drag_without_volume", "semi-implicit", drag_without_volume, "mixture_solved_stiff", 2,
              quadratic, "collisions", "drag_impulse"),
      planted("v_c_missing_in_solve", "semi-implicit", v_c_missing_in_solve, "mixture_solved", 2, cubic,
              "collisions", "impulse"),
      planted("outer_product_missing", "semi-implicit", outer_product_missing, "mixture_solved", 3, quadratic,
              "collisions", "impulse_change"),
      planted("solved_volume_determinant", "semi-implicit", solved_volume_determinant, "mixture_solved", 3,
              quadratic, "collisions", "impulse_w"),
      planted("gamma_missing_in_solve", "semi-implicit", gamma_missing_in_solve, "mixture_solved", 2,
              quadratic, "collisions", "impulse_change_w"),
      planted("dry_cohesion_in_solve", "semi-implicit", dry_cohesion_in_solve, "mixture_solved", 2, quadratic,
              "collisions", "impulse"),
  };
  return all;
}

void run_planted(const Scene& scene, std::size_t mistake, Precision precision, double dt, Snapshot& state) {
  if (precision == Precision::single_)
    run_mixture_stage<float>(scene, static_cast<MixtureMistake>(mistake), dt, state);
  else
    run_mixture_stage<double>(scene, static_cast<MixtureMistake>(mistake), dt, state);
}

std::vector<Field> probe_planted(const Scene& scene, std::size_t mistake, double dt, const Snapshot& state,
                                 std::string_view name, std::span<const Field> asked,
                                 std::vector<Field> correct) {
  return probe_mixture(scene, static_cast<MixtureMistake>(mistake), dt, state, name, asked,
                       std::move(correct));
}

}  // namespace

const Model& mixture_model() {
  static const Model model{.method = method::mixture,
                           .faults = faults_of_mixtures,
                           .strain = "F",
                           .run_stage = run_planted,
                           .probe = probe_planted};
  return model;
}

}  // namespace repose::faults
