#pragma once

#include "reference/interface/base/types.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace repose {

/// A point between two stages of a step, in the order of [Klar16 Fig.7].
using Boundary = std::string_view;

/// What each boundary's snapshot holds. Everywhere the particles' constants mass, volume, material. A field that a
/// stage replaces is gone after it.
///
///     boundary     particle fields               node fields (active nodes, ascending id)
///     step_start   x v C F q v_c                 -
///     p2g          x v C F q v_c                 m_i p_i
///     forces       x v C F q v_c                 m_i p_i p_star
///     collisions   x v C F q v_c                 m_i p_i p_star p_bar
///     friction     x v C F q v_c                 m_i p_i p_star p_bar p_tilde
///     g2p          x v C F q v_c v_bar grad_v    -           (v and C are the new ones)
///     update       x v C F_trial q v_c           -           (x is the new one)
///     plasticity   x v C F q v_c case            -           (the next step_start)
namespace boundary {
inline constexpr Boundary step_start = "step_start";
inline constexpr Boundary p2g = "p2g";
inline constexpr Boundary forces = "forces";
inline constexpr Boundary collisions = "collisions";
inline constexpr Boundary friction = "friction";
inline constexpr Boundary g2p = "g2p";
inline constexpr Boundary update = "update";
inline constexpr Boundary plasticity = "plasticity";
}  // namespace boundary

/// Names of the fields. Matrices are row-major, d² components; vectors have d.
namespace field {
inline constexpr std::string_view mass = "mass";          ///< m_p [kg]
inline constexpr std::string_view volume = "volume";      ///< V⁰_p [m³]; 2D: [m²] per metre of depth
inline constexpr std::string_view material = "material";  ///< index into Scene::materials
inline constexpr std::string_view x = "x";                ///< [m]
inline constexpr std::string_view v = "v";                ///< [m/s]
inline constexpr std::string_view C = "C";      ///< affine velocity, B = C D [1/s]; zero unless APIC
inline constexpr std::string_view F = "F";      ///< F^E [-]; from solvers that keep b = F Fᵀ its root √b
inline constexpr std::string_view q = "q";      ///< hardening state [-]
inline constexpr std::string_view v_c = "v_c";  ///< volume correction, a logarithmic volume [-]
/// Σ w v̄_i (ṽ_i: ParticleMotion), moves the particle [m/s]
inline constexpr std::string_view v_bar = "v_bar";
inline constexpr std::string_view grad_v = "grad_v";      ///< (∇v)_p = Σ v̄_i ∇wᵀ, or of ṽ_i [1/s]
inline constexpr std::string_view F_trial = "F_trial";    ///< F̂^E = (1 + Δt ∇v) F^E [-]
inline constexpr std::string_view plastic_case = "case";  ///< 1 inside, 2 tip, 3 surface; 0 elastic material
inline constexpr std::string_view F_P = "F_P";            ///< plastic part, by solvers that carry it [-]
inline constexpr std::string_view m_i = "m_i";            ///< [kg]
inline constexpr std::string_view p_i = "p_i";            ///< m_i v_i^n [kg m/s]
inline constexpr std::string_view p_star = "p_star";      ///< m_i v_i^* [kg m/s]
inline constexpr std::string_view p_bar = "p_bar";        ///< m_i v̄_i, after collisions [kg m/s]
inline constexpr std::string_view p_tilde = "p_tilde";    ///< m_i ṽ_i, after friction [kg m/s]
/// A solver's own storage, for exact checkpoints
inline constexpr std::string_view native_prefix = "native.";
}  // namespace field

enum class Place : std::uint8_t { particle, node, global };

/// One quantity at all particles (scene order), all active nodes (Snapshot::node order) or once.
struct Field {
  std::string name;
  std::string unit;
  Place place = Place::particle;
  int components = 1;
  std::vector<double> value;  ///< element-major: value[element * components + component]
};

/// A state between two stages.
struct Snapshot {
  Boundary at = boundary::step_start;
  /// At the start of the step [s]; after plasticity still the start of the step just done
  double time = 0.0;
  double dt = 0.0;                 ///< of the step in progress [s]
  std::int64_t step = 0;           ///< completed steps before this one
  std::vector<std::int64_t> node;  ///< ids (Grid::node_id) of active nodes, ascending
  std::vector<Field> fields;

  /// Number of particles, from the field mass; 0 where there is none.
  std::size_t particles() const;
  const Field* find(std::string_view name) const;
  /// @throws std::out_of_range naming the field
  const Field& get(std::string_view name) const;
  Field& get(std::string_view name);
  /// Adds a field or replaces the one of that name.
  Field& set(Field replacement);
  void erase(std::string_view name);
};

}  // namespace repose
