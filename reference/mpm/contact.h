#pragma once

#include "reference/interface/scene/colliders.h"
#include "reference/mpm/state.h"

#include <optional>
#include <vector>

namespace repose {

/// One collider that changed one node's velocity.
template <int d>
struct NodeContact {
  const Collider* collider;
  Vec<d> v_b;  ///< velocity of the body's material point at the node [m/s]
  Vec<d> n;    ///< normal at the candidate position x̄, out of the body; zero for sticky contacts
  /// Change of velocity by this contact, of a sticky one v_b − v*; m_i Δv is its impulse [m/s].
  Vec<d> delta_v;
};

/// A node's velocity after its collisions.
template <int d>
struct Resolved {
  Vec<d> v;  ///< v̄ [m/s]
  /// Those that made v* into v̄, Δv ≠ 0, in the order in which they were resolved; Σ Δv = v̄ − v*.
  std::vector<NodeContact<d>> contacts;
};

/// One body meets one node whose velocity is v so far: the rules of resolve_contacts(). Nothing if they do not touch.
template <int d>
std::optional<NodeContact<d>> meet_body(const Collider& collider, const Vec<d>& x_i, const Vec<d>& v,
                                        const StepContext& step);

/// Resolves the collisions of one node with all bodies in scene order; each sees the velocity left by the one
/// before.
///
/// With φⁿ = φ(x_i, tⁿ), x̄ = x_i + Δt v, φ̄ = φ(x̄, tⁿ⁺¹), n = ∇φ(x̄, tⁿ⁺¹):                 [Klar16 §8]
///
///     sticky      φⁿ ≤ 0            →  v ← v_b
///     separating  φ̄ < min(φⁿ, 0)    →  v ← v − (φ̄ − min(φⁿ, 0)) n/Δt
///     slipping    φⁿ ≤ 0            →  v ← v − (φ̄ − φⁿ) n/Δt           (pushes or pulls)
///
/// φⁿ ≤ 0 is holds_node(): it includes what rounding makes of 0. Departs from [Klar16 §8], where φⁿ = 0 is outside:
/// a surface on a plane of nodes would leave that plane free [ERRATA K16]. A sticky body takes the node whatever the
/// bodies before it did: their contacts are undone, and do not rub [ERRATA K10].
///
/// Departs from [Klar16 §8], which leaves the time of φ open: each distance is taken at its own time, so that
/// a moving body pushes the nodes it reaches. Departs from "each node participates in at most one collision"
/// [Klar16 §8.1]: a node in a corner meets both walls.
///
/// @param x_i    node position [m]
/// @param v_star velocity after forces, v* [m/s]
/// @throws std::invalid_argument if Δt ≤ 0 while there are bodies
template <int d>
Resolved<d> resolve_contacts(const Vec<d>& x_i, const Vec<d>& v_star, const StepContext& step);

}  // namespace repose
