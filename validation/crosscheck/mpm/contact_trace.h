#pragma once

#include "reference/interface/scene/scene.h"
#include "validation/mechanics/arithmetic.h"

#include <vector>

namespace repose::crosscheck {

/// A vector and a bound on the norm of its error.
struct Known {
  Point value = Point::Zero();
  double error = 0.0;
};

/// What one collider did to one node's velocity, with what rounding may add.
struct ContactTrace {
  const Collider* collider = nullptr;
  Known dv;             ///< Δv_k [m/s]; 0 with a positive error where only rounding might make a contact
  Known normal;         ///< ∇φ at the candidate position
  Known v_b;            ///< velocity of the body [m/s]
  bool pulled = false;  ///< the contact pulls towards the body
};

struct CollisionTrace {
  Known v;              ///< v̄ [m/s]
  double tie = 0.0;     ///< [m/s], jump of v̄ where |φⁿ| of a sticky or slipping body is below its error
  double unsure = 0.0;  ///< contacts of which rounding decides whether they act
  std::vector<ContactTrace> contacts;  ///< colliders that made v* into v̄, in scene order
  double undone = 0.0;                 ///< contacts with friction that a later sticky body undid
  double on_surface = 0.0;             ///< sticky and slipping bodies that hold the node at φⁿ ≥ 0
};

/// Node and step in which velocities are followed. Solvers keep velocities in their own numbers; where nodes are and how far
/// bodies are from them, how bodies move and what contacts do follow from the scene and those velocities in double.
struct NodeStep {
  const Scene& scene;
  const Arithmetic& arithmetic;
  Point x;            ///< of the node [m]
  double time = 0.0;  ///< tⁿ [s]
  double dt = 0.0;    ///< [s]
};

/// Whether a sticky or slipping body holds the node [ERRATA K16], and whether rounding decides that. A node's distance
/// before the step depends on the scene and the time alone.
struct Held {
  bool holds = false;
  bool unsure = false;
};
Held held_before(const NodeStep& at, const Collider& body);

/// Follows v* through all colliders [Klar16 §8; ERRATA K10, K11, K16, K17], and its error with it.
CollisionTrace follow_collisions(const NodeStep& at, Known v_star);

/// Takes the normals of contacts at x_i + Δt v̄, where an implicit step's friction has them [Klar16 §8.1].
void take_normals_at(const NodeStep& at, const Known& v_bar, CollisionTrace& collisions);

/// What friction did to nodes.
struct FrictionCounts {
  double sticking = 0.0;   ///< contacts that stop the node
  double sliding = 0.0;    ///< contacts that slow it
  double undecided = 0.0;  ///< contacts of which rounding decides whether they rub, stop or slow
};

/// Follows v̄ through friction with the contacts that v* had [Klar16 §8.1; ERRATA K10, K12]. Stick and slide meet
/// continuously, so no jump is possible.
/// @param counts counted up
Known follow_friction(const NodeStep& at, const CollisionTrace& collisions, Known v_bar,
                      FrictionCounts& counts);

}  // namespace repose::crosscheck
