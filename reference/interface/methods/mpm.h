#pragma once

#include "reference/interface/method.h"

namespace repose {

/// Ends of the stages of [Klar16 Fig.7], in their order.
namespace boundary {
inline constexpr Boundary p2g = "p2g";
inline constexpr Boundary forces = "forces";
inline constexpr Boundary collisions = "collisions";
inline constexpr Boundary friction = "friction";
inline constexpr Boundary g2p = "g2p";
inline constexpr Boundary update = "update";
inline constexpr Boundary plasticity = "plasticity";
}  // namespace boundary

/// Fields of a particle and of a node; units, shapes and the boundaries that have them are in the table (mpm.cpp).
namespace field {
inline constexpr std::string_view volume = "volume";      ///< V⁰_p; in 2D per metre of depth
inline constexpr std::string_view material = "material";  ///< index into Scene::materials
inline constexpr std::string_view v = "v";
inline constexpr std::string_view C = "C";      ///< affine velocity, B = C D; zero unless APIC
inline constexpr std::string_view F = "F";      ///< F^E; from solvers that keep b = F Fᵀ its root √b
inline constexpr std::string_view q = "q";      ///< hardening state
inline constexpr std::string_view v_c = "v_c";  ///< volume correction, a logarithmic volume
inline constexpr std::string_view J = "J";      ///< volume of water over that at rest; 1 of what is no water
inline constexpr std::string_view v_bar = "v_bar";  ///< Σ w v̄_i (ṽ_i: ParticleMotion), moves the particle
inline constexpr std::string_view grad_v = "grad_v";      ///< (∇v)_p = Σ v̄_i ∇wᵀ, or of ṽ_i
inline constexpr std::string_view F_trial = "F_trial";    ///< F̂^E = (1 + Δt ∇v) F^E
inline constexpr std::string_view plastic_case = "case";  ///< 1 inside, 2 tip, 3 surface; 0 what is no sand
inline constexpr std::string_view m_i = "m_i";
inline constexpr std::string_view p_i = "p_i";          ///< m_i v_i^n
inline constexpr std::string_view p_star = "p_star";    ///< m_i v_i^*
inline constexpr std::string_view p_bar = "p_bar";      ///< m_i v̄_i, after collisions
inline constexpr std::string_view p_tilde = "p_tilde";  ///< m_i ṽ_i, after friction
}  // namespace field

/// Rows of the table of counters.
namespace counter {
enum Mpm : std::size_t {
  active_nodes,
  inside,             ///< plastic case I
  tip,                ///< plastic case II
  surface,            ///< plastic case III
  contacts,           ///< node–collider pairs that changed a velocity
  sticking,           ///< of these, stopped by friction
  sliding,            ///< of these, slowed by friction
  massless,           ///< forces on nodes whose mass rounded to zero, dropped
  newton_iterations,  ///< of steps that solve
  gmres_iterations,   ///< of these; in semi-implicit steps those of MINRES
  step_cuts,          ///< halvings of Δt after a failed implicit solve
  unconverged         ///< solves kept with more left than their tolerance
};
}  // namespace counter

namespace method {

/// The material point method of [Klar16], with the sand and the water of [Tam17] and [Liu21]: explicit, semi-implicit and implicit
/// steps of sand and elastic bodies, or of water. Water does not yield: its implicit steps solve for the same velocities as its
/// semi-implicit ones, by GMRES.
extern const Method mpm;

}  // namespace method

}  // namespace repose
