#pragma once

#include "reference/mpm/contact.h"
#include "reference/mpm/state.h"

namespace repose {

/// What friction did to a node at one contact.
enum class Slide : unsigned char { none, sticking, sliding };

/// Coulomb friction of one contact on one node's velocity.                              [Klar16 §8.1]
///
///     J   = μ_b ‖Δv‖,  or μ_b max(0, n·Δv) where only pushing gives friction
///     v_r = v − v_b,  v_n = n·v_r,  v_t = v_r − v_n n
///     ‖v_t‖ = 0  →  v unchanged
///     ‖v_t‖ ≤ J  →  v ← v_b + v_n n                     sticking
///     otherwise  →  v ← v − J v_t/‖v_t‖                 sliding
///
/// Departs from [Klar16 §8.1], which splits the absolute velocity: the sand would be slowed by a wall that
/// moves with it. Here all is relative to the body, and sticky contacts, which leave no relative motion, have
/// no friction.
/// @param v velocity so far [m/s], changed in place
template <int d>
Slide apply_coulomb(const NodeContact<d>& contact, Vec<d>& v);

/// Stage 4, "friction": ṽ_i from v̄_i by the friction of each contact in order.          [Klar16 §8.1]
///
/// The impulses m_i Δv come from collisions repeated on v*. A node without friction keeps p̄, bit for bit.
/// @param report sticking, sliding
/// @throws std::invalid_argument if Δt ≤ 0 while there are bodies; StageFailure if a velocity is not finite
template <int d>
void apply_friction(State<d>& state, const StepContext& step, StepReport& report);

}  // namespace repose
