#pragma once

#include "reference/interface/methods/mpm_options.h"

namespace repose {

/// How sand and water drag each other where both are.
enum class Drag : unsigned char {
  none,
  printed,         ///< by masses, a constant c_E [Tam17 Eq.20]
  mesh_consistent  ///< by volume, the c_E of [Tam17 Eq.13], which does not fade as the grid is refined [ERRATA T11]
};

/// What pore water gives back to sand of its own pressure force, and by which share [Tam17 §5.3; ERRATA T12, T13, T41].
enum class ReversibleTerm : unsigned char {
  none,
  mass,    ///< m_s/(m_s + m_w): every grain hovers, of whatever density
  volume,  ///< V_s/(V_s + V_w): Archimedes
  printed  ///< m_w/(m_s + m_w)
};

/// How cohesion falls with the saturation φ of sand.
enum class Softening : unsigned char {
  none,
  linear,             ///< c_C⁰ (1 − φ) [Tam17 Eq.25]
  beyond_two_fifths,  ///< c_C⁰ up to φ = 0.4, from there linearly to 0 at φ = 1 [Tam17 §3.4; ERRATA T29]
};

/// How water meets bodies.
enum class WaterContact : unsigned char {
  slipping,  ///< slips along all of them [ERRATA T42]
  as_given   ///< as sand does
};

/// Options of the method mixture: those of mpm for both phases, and what couples them.
struct MixtureOptions {
  Kernel kernel = Kernel::quadratic;  ///< [Tam17 §4.1]
  Transfer transfer = Transfer::apic;
  double flip_share = 1.0;                        ///< weight of FLIP in flip_pic [-]
  Integrator integrator = Integrator::explicit_;  ///< or semi_implicit
  Energy energy = Energy::hencky;                 ///< of scene files with semi-implicit steps: unilateral
  ParticleMotion motion = ParticleMotion::after_friction;  ///< [Tam17 Eq.30; ERRATA T31]
  double elastic_bound =
      0.5;  ///< largest c Δt/h of either phase in explicit steps; 0.6 cubic, 0.5 quadratic by default

  Drag drag = Drag::none;
  double c_E = 0.0;    ///< of Drag::printed [kg⁻¹ s⁻¹]
  double kappa = 0.0;  ///< of Drag::mesh_consistent: c_E of [Tam17 Eq.13] [kg m⁻³ s⁻¹]
  ReversibleTerm reversible = ReversibleTerm::none;
  Softening softening = Softening::linear;
  /// A node is one of wet sand where each phase has more mass than this [kg]; 0 in print [ERRATA T22]
  double wet_mass = 0.0;
  WaterContact water_contact = WaterContact::slipping;
  double water_friction = 0.0;  ///< μ_b of water on all bodies, where it slips [-]
  ImplicitOptions implicit{};   ///< unused by explicit steps

  static const SchemeTable& table();
};

/// The options of a scene of the method mixture. @throws std::logic_error for a scene of another method
inline const MixtureOptions& mixture_options(const Scene& scene) { return scene.scheme.as<MixtureOptions>(); }
inline MixtureOptions& mixture_options(Scene& scene) { return scene.scheme.as<MixtureOptions>(); }

}  // namespace repose
