#include "reference/interface/methods/mpm_options.h"

#include "reference/interface/methods/implicit_keys.h"
#include "reference/interface/methods/mpm_names.h"
#include "reference/interface/scene/key_kinds.h"
#include "reference/interface/scene/material_keys.h"
#include "reference/interface/scene/scene_names.h"
#include "reference/interface/scene/scheme_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace repose {

namespace {

using kind::Choice;
using kind::Number;

constexpr std::string_view method_name = "mpm";
constexpr double unlimited = std::numeric_limits<double>::infinity();

bool blends(const MpmOptions& options, const Setting&) { return options.transfer == Transfer::flip_pic; }
bool is_solved(const MpmOptions& options, const Setting&) { return solves(options.integrator); }
Energy usual_energy_of(const MpmOptions& options, const Setting&) { return usual_energy(options.integrator); }
double usual_bound(const MpmOptions& options, const Setting&) { return usual_elastic_bound(options.kernel); }

const Keys<MpmOptions>& keys() {
  static const Keys<MpmOptions> all{
      key("kernel", &MpmOptions::kernel, Choice(names::kernel), initial, "grid basis functions"),
      key("transfer", &MpmOptions::transfer, Choice(names::transfer), initial,
          "how velocities go between particles and grid"),
      only_if("transfer = \"flip_pic\"", blends,
              key("flip_share", &MpmOptions::flip_share, Number(rule::share), required, "weight of FLIP")),
      key("integrator", &MpmOptions::integrator, Choice(names::integrator), initial,
          "forces of the deformation before the step, or after it; semi-implicit steps return to the cone "
          "only behind "
          "it"),
      key("energy", &MpmOptions::energy, Choice(names::energy),
          computed("`\"hencky\"`; `\"unilateral\"` where integrator = \"semi_implicit\"", usual_energy_of),
          "elastic energy of sand: Hencky's, or the one that ends where the cone does"),
      key("particle_motion", &MpmOptions::motion, Choice(names::motion), initial,
          "which of the grid's velocities moves and deforms particles: v̄ after collisions, or, in explicit "
          "steps, "
          "ṽ after friction, the particle's own velocity"),
      key("elastic_bound", &MpmOptions::elastic_bound, Number(rule::scale),
          computed("0.6 cubic, 0.5 quadratic", usual_bound),
          "largest c Δt/h, c = √((λ + 2μ)/ρ) of the stiffest material, √(γk/ρ) of water; semi- and fully "
          "implicit "
          "steps ignore it"),
      only_if("integrator = \"semi_implicit\" or \"implicit\"", is_solved,
              table_key("implicit", &MpmOptions::implicit, implicit_keys(),
                        "the solver of semi- and fully implicit steps")),
  };
  return all;
}

void check_options(const MpmOptions& options, const ScenePart& part) {
  if (solves(options.integrator) && options.motion != ParticleMotion::before_friction)
    part.refuse_value("particle_motion", "\"after_friction\"",
                      fmt::format("\"before_friction\" or left out where integrator = \"{}\"",
                                  names::of(options.integrator, names::integrator)));
}

/// Water has a grid to itself.
void require_one_phase(const Material& material, const Scene& scene, const ScenePart& part) {
  const bool water = material.kind == MaterialKind::water;
  if (scene.materials.empty() || water == is_water(scene)) return;
  part.refuse_value(
      "kind", fmt::format("\"{}\"", names::of(material.kind, names::material_kind)),
      fmt::format(
          "{}: a scene of method = \"{}\" holds water alone, or none; one of method = \"mixture\" both",
          water ? "\"sand\" or \"elastic\" beside those" : "\"water\" beside water", method_name));
}

/// Semi- and fully implicit steps are stable beyond the speed of elastic waves.
std::vector<StepBound> step_bounds(const Scene& scene) {
  const MpmOptions& options = mpm_options(scene);
  if (solves(options.integrator)) return {};
  return {{elastic_dt(scene, options.elastic_bound), "elastic_bound"}};
}

}  // namespace

double usual_elastic_bound(Kernel kernel) { return kernel == Kernel::cubic ? 0.6 : 0.5; }

Energy usual_energy(Integrator integrator) {
  return integrator == Integrator::semi_implicit ? Energy::unilateral : Energy::hencky;
}

void require_solid(const Material& material, const ScenePart& part, std::string_view method, Energy energy,
                   Integrator integrator) {
  require_elasticity(material, part, method);
  if (energy == Energy::unilateral) require_unilateral(material, part, "energy = \"unilateral\"");
  // A shifted strain is tension: grains that are apart would draw together at rest.
  else if (integrator == Integrator::semi_implicit && material.volume_correction)
    part.refuse_value("volume_correction", "true",
                      "false, or energy = \"unilateral\", where integrator = \"semi_implicit\"");
}

double elastic_dt(const Scene& scene, double bound) {
  double c = 0.0;
  for (const Material& material : scene.materials) c = std::max(c, wave_speed(material));
  if (c == 0.0) return unlimited;
  const double reach = bound * scene.grid.h;
  double dt = reach / c;
  while (c * dt > reach) dt = std::nextafter(dt, 0.0);
  return dt;
}

const SchemeTable& MpmOptions::table() {
  static const SchemeTable table = scheme_table(SchemeParts<MpmOptions>{
      .method = method_name,
      .keys = keys(),
      .check_rules = check_options,
      .check_material =
          [](const Material& material, const Scene& scene, const ScenePart& part) {
            require_one_phase(material, scene, part);
            if (material.kind == MaterialKind::water) return;
            const MpmOptions& options = mpm_options(scene);
            require_solid(material, part, method_name, options.energy, options.integrator);
          },
      .step_bounds = step_bounds,
      .integrator = [](const MpmOptions& options) { return options.integrator; },
      .stencil_nodes = [](const MpmOptions& options) { return options.kernel == Kernel::cubic ? 4 : 3; },
      .affine = [](const MpmOptions& options) { return options.transfer == Transfer::apic; },
      .inner = {{.name = "mpm.implicit", .rows = rows_of(implicit_keys())}}});
  return table;
}

}  // namespace repose
