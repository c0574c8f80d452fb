#pragma once

#include "reference/interface/methods/implicit_options.h"
#include "reference/interface/scene/integrator.h"
#include "reference/interface/scene/scene.h"

namespace repose {

enum class Kernel : unsigned char { quadratic, cubic };

/// How velocities go between particles and grid.
enum class Transfer : unsigned char {
  apic,     ///< affine particle-in-cell [Klar16 Eq.9, 11, 12]
  pic,      ///< particle velocities are replaced by grid velocities
  flip,     ///< particle velocities receive the grid's change
  flip_pic  ///< blend: flip_share · FLIP + (1 − flip_share) · PIC
};

/// Which velocities of the grid move particles and deform them. [Klar16 §5.4] has the first, and allows the second in
/// explicit steps.
enum class ParticleMotion : unsigned char {
  before_friction,  ///< v̄, after collisions
  after_friction    ///< ṽ, as a particle's own velocity
};

/// The elastic energy of sand whose stress acts on the grid. Elastic bodies have Hencky's.
enum class Energy : unsigned char {
  hencky,     ///< ψ [Klar16 Eq.25]
  unilateral  ///< ψ^U = h ψ, which ends where the cone does (Material::unilateral) [Tam17 Eq.7]
};

/// Options of the method mpm.
struct MpmOptions {
  Kernel kernel = Kernel::cubic;
  Transfer transfer = Transfer::apic;
  double flip_share = 1.0;  ///< weight of FLIP in flip_pic [-]
  Integrator integrator = Integrator::explicit_;
  Energy energy = Energy::hencky;  ///< of scene files with semi-implicit steps: unilateral
  ParticleMotion motion = ParticleMotion::before_friction;  ///< before_friction in steps that solve
  double elastic_bound = 0.6;  ///< largest c Δt/h of explicit steps; 0.6 cubic, 0.5 quadratic by default
  ImplicitOptions implicit{};  ///< unused by explicit steps

  static const SchemeTable& table();
};

/// The options of a scene of the method mpm. @throws std::logic_error for a scene of another method
inline const MpmOptions& mpm_options(const Scene& scene) { return scene.scheme.as<MpmOptions>(); }
inline MpmOptions& mpm_options(Scene& scene) { return scene.scheme.as<MpmOptions>(); }

/// Whether the one phase of a scene of the method mpm is water.
inline bool is_water(const Scene& scene) {
  return !scene.materials.empty() && scene.materials.front().kind == MaterialKind::water;
}

/// elastic_bound of a scene that gives none [-].
double usual_elastic_bound(Kernel kernel);
/// energy of a scene that gives none.                                                     [ERRATA T39]
Energy usual_energy(Integrator integrator);

/// What methods of material points need of sand and of elastic bodies. @throws BadInput
void require_solid(const Material& material, const ScenePart& part, std::string_view method, Energy energy,
                   Integrator integrator);

/// Largest Δt that, as computed in double, satisfies c Δt ≤ bound · h, c the fastest wave_speed() of its materials [s]; infinite
/// where none is given.
double elastic_dt(const Scene& scene, double bound);

}  // namespace repose
