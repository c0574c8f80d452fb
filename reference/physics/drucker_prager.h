#pragma once

#include "reference/interface/base/types.h"
#include "reference/interface/scene/materials.h"
#include "reference/physics/hardening.h"

#include <cstdint>

namespace repose {

/// The part of the yield surface to which a trial state returns. The values are those of the field "case".
enum class Part : std::uint8_t {
  elastic = 0,  ///< a material without plasticity
  inside = 1,   ///< case I: grains stick
  tip = 2,      ///< case II: grains separate
  surface = 3   ///< case III: grains slide
};

/// A strain on or inside the cone.
template <int d>
struct Returned {
  Vec<d> eps;                ///< principal strains [-]
  Part part = Part::inside;  ///< where they came to lie
  double delta_gamma = 0.0;  ///< δγ of the trial strain [-], the length of the way to the cone; ≤ 0 inside
};

/// Trace of the strain at the tip of the cone.
///
///     e_c = c_C/(α (dλ + 2μ)),   there τ = c_C/(α d) 1                                 [Tam17 Eq.6]
///
/// @returns 0 without cohesion; infinite with cohesion and without friction
template <int d>
double tip_trace(const Lame& lame, const Cone& cone);

/// Returns a trial elastic strain to the cone of sand.
///
///     ε̂  = ε − tr(ε)/d · 1
///     δγ = ‖ε̂‖ + (dλ + 2μ)/(2μ) · (tr(ε) − e_c) · α                          [Klar16 Eq.27] [Tam17 Eq.6]
///        = ‖ε̂‖ − c_C/(2μ)                                          where the cone has no tip
///
///     tr(ε) > e_c →  tip:      ε ← e_c/d · 1          grains separate                 [Klar16 §7.1 case II]
///     δγ ≤ 0      →  inside:   ε unchanged            elastic                         [Klar16 §7.1 case I]
///     otherwise   →  surface:  ε ← ε − δγ ε̂/‖ε̂‖       volume-preserving slip          [Klar16 Eq.28]
///
/// Departs from [Klar16 §7.1] in the order of the tests. Printed, "δγ ≤ 0" comes first and keeps tension in a
/// frictionless material (α = 0, ε̂ = 0); with the printed condition "‖ε̂‖ = 0 or tr(ε) > 0" first,
/// hydrostatic compression would lose its pressure. For tr(ε) ≤ e_c and δγ > 0, ‖ε̂‖ > 0 follows: nothing is
/// divided by zero. Departs from [Tam17 §4.3.4], which calls the tip stress free: with cohesion it is not.
///
/// @param eps_trial ε, logarithms of the singular values of the trial F [-]
/// @param lame      μ > 0 and λ [Pa]
/// @throws std::invalid_argument if μ ≤ 0, α < 0, c_C < 0 or a strain is not finite
template <int d>
Returned<d> return_to_cone(const Vec<d>& eps_trial, const Lame& lame, const Cone& cone);

/// The return to the cone with its two memories: hardening q and corrected volume v_c.
template <int d>
struct PlasticUpdate {
  Vec<d> eps;  ///< principal elastic strains after the return [-]
  Part part = Part::inside;
  double delta_q = 0.0;  ///< growth of the hardening state [-], ≥ 0
  double v_c = 0.0;      ///< log volume gained in tension and not yet given back [-], ≥ 0
};

/// Returns a trial strain to the cone, with volume correction and the amount of hardening.
///
///     ε_s = ε + v_c/d · 1                    with volume correction, else ε           [Tam17 Eq.27]
///     ε   ← return_to_cone(ε_s)                                                       [Klar16 Eq.17]
///     δq  = 0 inside, δγ on the surface                                               [Klar16 §7.3]
///         = ‖ε − e_c/d · 1‖ of the unshifted trial at the tip, 0 where it is not beyond the tip, tr(ε) ≤ e_c
///     v_c ← v_c + tr(ε_trial) − tr(ε_new) = max(0, tr ε_s − e_c)                      [Tam17 Eq.26]
///
/// Departs from [Klar16 §7.3 case II], where the printed superscript n+1 would give the norm of the strain
/// after the return. Departs from the printed sign of [Tam17 Eq.26], which makes v_c grow at rest; the
/// shifted strain is kept inside and on the surface, so v_c is given back exactly. δq at the tip uses the
/// strain without v_c: a separated particle at rest does not harden. Nor does one whose gap closes, or q would depend on
/// the number of steps; with HardeningApart::opening_and_closing it does.
///
/// @param eps_trial principal trial strains [-]
/// @param v_c       volume correction before the step [-]; untouched (0) without volume correction
/// @param material  of sand: elasticity, volume correction, hardening while apart
/// @throws std::invalid_argument as return_to_cone()
template <int d>
PlasticUpdate<d> return_with_memory(const Vec<d>& eps_trial, double v_c, const Material& material,
                                    const Cone& cone);

}  // namespace repose
