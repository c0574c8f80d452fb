#pragma once

#include "reference/interface/scene/colliders.h"
#include "reference/interface/solve_history.h"
#include "reference/mpm/state.h"

#include <optional>
#include <vector>

namespace repose {

/// The bodies that constrain one node during an implicit solve, eliminated by projection [Klar16 §5.6, §8]:
/// the node moves only where they let it, and what they push is not solved for but read from the residual.
///
/// With φⁿ = φ(x_i, tⁿ), a the wanted distance, φ̄ = φ(x_i + Δt v, tⁿ⁺¹), n = ∇φ̄, the gap rate of a body is
/// g = (φ̄ − a)/Δt [m/s], and the impulse of the bodies is R_i = Σ_k λ_k n_k [kg m/s]:
///
///     sticky      φⁿ ≤ 0:  v is prescribed                                  λ free
///     slipping    φⁿ ≤ 0:  a = φⁿ,          g = 0                           λ free
///     separating           a = min(φⁿ, 0),  g ≥ 0, λ ≥ 0, g λ = 0           holds (g = 0) or lets go (λ = 0)
///
/// where φⁿ ≤ 0 is holds_node().
///
/// Departs from [Klar16 Eq.19], which restricts the sign of every λ: a body that sticks or slips also pulls.
/// Departs from "each node participates in at most one collision" [Klar16 §8.1]: where several bodies hold a
/// node, it keeps what is perpendicular to all their normals. Of several with one normal, that which pushes
/// furthest counts.
template <int d>
class NodeBodies {
 public:
  /// No separating body holds the node yet. A node inside a sticky body gets the velocity that
  /// resolve_contacts() gives it, which no longer depends on the velocity it arrives with.
  NodeBodies(const Vec<d>& x_i, const StepContext& step);

  /// True if nothing can hold the node.
  bool none() const { return !prescribed_ && bodies_.empty(); }
  /// Number of bodies that hold the node now; a prescribed velocity counts as one.
  std::size_t holding() const;
  /// Who they are.
  NodeHold hold() const;

  /// The velocity nearest to v with g = 0 for all bodies that hold the node, or the prescribed one.
  Vec<d> admissible(const Vec<d>& v) const;

  /// Fixes the normals at v for the two functions below.
  void linearize(const Vec<d>& v);
  /// The part of w that no body holds.
  Vec<d> free_part(const Vec<d>& w) const;
  /// Dimensions of what no body holds.
  int free_dimensions() const { return prescribed_ ? 0 : d - static_cast<int>(held_.size()); }

  /// How far bodies are from what they ask for at v, as a velocity [m/s]: separating ones from g ≥ 0, λ ≥ 0, g λ = 0,
  /// √Σ min(g, λ/m)² over those that ought to change between holding and letting go; and how far v is from the place
  /// where those that hold have g = 0, which corners of curved bodies may leave open.
  /// @param reaction R_i/m_i [m/s]
  double violation(const Vec<d>& v, const Vec<d>& reaction) const;

  /// Lets separating bodies hold where g < λ/m and let go where not, λ being 0 where they do not hold.
  /// @returns true if one changed
  bool revise(const Vec<d>& v, const Vec<d>& reaction);

 private:
  struct Body {
    const Collider* collider;
    std::size_t index;  ///< of the collider in the scene
    double wanted;      ///< a [m]
    bool separating;
    bool holds;
  };
  /// A body that holds the node and does so in a direction of its own.
  struct Hold {
    std::size_t body;  ///< index into bodies_
    double gap;        ///< g [m/s]
    Vec<d> n;
    Vec<d> b;  ///< unit vector, what n adds to the directions of the holds before it
  };

  double gap_rate(const Body& body, const Vec<d>& v, Vec<d>* n = nullptr) const;
  /// The holding bodies at v, the most violated first; those whose normal adds no direction are left out.
  std::vector<Hold> holds_at(const Vec<d>& v) const;
  /// λ/m of each body; 0 for those that do not hold or are left out.
  std::vector<double> pushes(const Vec<d>& reaction) const;

  const Grid* grid_;
  Vec<d> x_i_;
  double dt_, time_;
  std::optional<Vec<d>> prescribed_;
  std::vector<Body> bodies_;
  std::vector<Hold> held_;  ///< at the velocity of linearize()
};

/// What may hold each active node of a state at p2g.
template <int d>
std::vector<NodeBodies<d>> bodies_of_nodes(const State<d>& state, const StepContext& step);

}  // namespace repose
