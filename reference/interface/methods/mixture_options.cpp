#include "reference/interface/methods/mixture_options.h"

#include "reference/interface/methods/implicit_keys.h"
#include "reference/interface/methods/mixture_names.h"
#include "reference/interface/methods/mpm_names.h"
#include "reference/interface/scene/key_kinds.h"
#include "reference/interface/scene/material_keys.h"
#include "reference/interface/scene/scheme_keys.h"

namespace repose {

namespace mixture {

namespace {

using kind::Choice;
using kind::Number;

constexpr std::string_view method_name = "mixture";

bool blends(const MixtureOptions& options, const Setting&) { return options.transfer == Transfer::flip_pic; }
bool drags_by_mass(const MixtureOptions& options, const Setting&) { return options.drag == Drag::printed; }
bool drags_by_volume(const MixtureOptions& options, const Setting&) {
  return options.drag == Drag::mesh_consistent;
}
bool softens(const MixtureOptions& options, const Setting&) { return options.softening != Softening::none; }
bool slips(const MixtureOptions& options, const Setting&) {
  return options.water_contact == WaterContact::slipping;
}
bool is_solved(const MixtureOptions& options, const Setting&) { return solves(options.integrator); }
Energy usual_energy_of(const MixtureOptions& options, const Setting&) {
  return usual_energy(options.integrator);
}
double usual_bound(const MixtureOptions& options, const Setting&) {
  return usual_elastic_bound(options.kernel);
}

const Keys<MixtureOptions>& keys() {
  static const Keys<MixtureOptions> all{
      key("kernel", &MixtureOptions::kernel, Choice(names::kernel), initial, "grid basis functions"),
      key("transfer", &MixtureOptions::transfer, Choice(names::transfer), initial,
          "how velocities go between particles and grids"),
      only_if(
          "transfer = \"flip_pic\"", blends,
          key("flip_share", &MixtureOptions::flip_share, Number(rule::share), required, "weight of FLIP")),
      key("integrator", &MixtureOptions::integrator, Choice(names::integrator_of_two), initial,
          "forces of the deformation before the step, or after it; semi-implicit steps solve for both phases "
          "and their drag at once, and return to the cone only behind it"),
      key("energy", &MixtureOptions::energy, Choice(names::energy),
          computed("`\"hencky\"`; `\"unilateral\"` where integrator = \"semi_implicit\"", usual_energy_of),
          "elastic energy of sand: Hencky's, or the one that ends where the cone does"),
      key("particle_motion", &MixtureOptions::motion, Choice(names::motion), initial,
          "which of the grids' velocities moves and deforms particles: v̄ after collisions, or ṽ after "
          "friction, the particle's own velocity"),
      key("elastic_bound", &MixtureOptions::elastic_bound, Number(rule::scale),
          computed("0.6 cubic, 0.5 quadratic", usual_bound),
          "largest c Δt/h of the stiffest material, c as for mpm; semi-implicit steps ignore it"),
      key("drag", &MixtureOptions::drag, Choice(names::drag), initial,
          "how the phases drag each other: not at all, by a coefficient of masses as printed, or by one of "
          "volumes that no spacing changes"),
      only_if("drag = \"printed\"", drags_by_mass,
              key("c_E", &MixtureOptions::c_E, Number(rule::non_negative, "1/(kg s)"), required,
                  "force on sand −c_E m_s m_w (v_s − v_w) at each node")),
      only_if("drag = \"mesh_consistent\"", drags_by_volume,
              key("kappa", &MixtureOptions::kappa, Number(rule::non_negative, "kg/(m3 s)"), required,
                  "force on sand −κ h^d (v_s − v_w) at each node")),
      key("reversible_term", &MixtureOptions::reversible, Choice(names::reversible_term), initial,
          "share of the force of water's pressure that sand bears where both are: of its mass, of its "
          "volume, "
          "or, as printed, of the mass of water"),
      key("saturation", &MixtureOptions::softening, Choice(names::softening), initial,
          "how cohesion falls with saturation φ: not at all, by 1 − φ, or by (1 − φ)/0.6 beyond 0.4"),
      only_if("saturation is not \"none\"", softens,
              key("wet_mass", &MixtureOptions::wet_mass, Number(rule::non_negative, "kg"), initial,
                  "a node is wet where each phase has more mass than this")),
      key("water_contact", &MixtureOptions::water_contact, Choice(names::water_contact), initial,
          "how water meets bodies: slips along all of them, or as sand does"),
      only_if("water_contact = \"slipping\"", slips,
              key("water_friction", &MixtureOptions::water_friction, Number(rule::non_negative), initial,
                  "Coulomb's μ of water on all bodies")),
      only_if("integrator = \"semi_implicit\"", is_solved,
              table_key("implicit", &MixtureOptions::implicit, implicit_keys(),
                        "the solver of semi-implicit steps")),
  };
  return all;
}

/// Largest Δt at which no wave is faster than the bound, of either phase. Semi-implicit steps are stable beyond it.
std::vector<StepBound> step_bounds(const Scene& scene) {
  const MixtureOptions& options = mixture_options(scene);
  if (solves(options.integrator)) return {};
  return {{elastic_dt(scene, options.elastic_bound), "elastic_bound"}};
}

}  // namespace

}  // namespace mixture

const SchemeTable& MixtureOptions::table() {
  static const SchemeTable table = scheme_table(SchemeParts<MixtureOptions>{
      .method = mixture::method_name,
      .keys = mixture::keys(),
      .check_material =
          [](const Material& material, const Scene& scene, const ScenePart& part) {
            if (material.kind == MaterialKind::water) return;
            const MixtureOptions& options = mixture_options(scene);
            require_solid(material, part, mixture::method_name, options.energy, options.integrator);
          },
      .step_bounds = mixture::step_bounds,
      .integrator = [](const MixtureOptions& options) { return options.integrator; },
      .stencil_nodes = [](const MixtureOptions& options) { return options.kernel == Kernel::cubic ? 4 : 3; },
      .affine = [](const MixtureOptions& options) { return options.transfer == Transfer::apic; },
      .inner = {{.name = "mixture.implicit", .rows = rows_of(implicit_keys())}}});
  return table;
}

}  // namespace repose
