#pragma once

#include "optimized/implicit/node_vector.h"
#include "optimized/layout/block_grid.h"
#include "optimized/nodes/contacts.h"
#include "optimized/threads.h"
#include "reference/interface/scene/scene.h"
#include "reference/interface/solve_history.h"

#include <vector>

namespace repose::optimized {

/// Where unknown nodes of one phase lie.
struct HeldNodes {
  const Scene* scene = nullptr;  ///< of the phase: how its bodies hold; outlives the solve
  std::vector<Point> x;          ///< [m]
};

/// The bodies that hold one node, as planes at its present velocity v: {u : n_k·(u − v) + gap_k = 0}.
template <int dim>
struct Hold {
  bool prescribed = false;  ///< inside a sticky body: v is given
  Vec<dim> v_b = Vec<dim>::Zero();
  std::vector<std::size_t> bodies;    ///< that hold, ascending
  Mat<dim> basis = Mat<dim>::Zero();  ///< its first `rank` columns are orthonormal and span the normals
  int rank = 0;
};

/// Contacts of an implicit solve. Node velocities stay in the set that the bodies allow; what the bodies push is read
/// from the residual.                                                            [Klar16 Eq.19, §8; ERRATA K11, K15]
///
/// With φⁿ = φ(x_i, tⁿ) and the gap rate g = (φ(x_i + Δt v, tⁿ⁺¹) − a)/Δt [m/s] a body asks for
///
///     sticky      φⁿ ≤ 0:  v is what resolving the contacts of a node at rest gives
///     slipping    φⁿ ≤ 0:  g = 0 with a = φⁿ, pushing or pulling
///     separating           g ≥ 0, λ ≥ 0, g λ = 0 with a = min(φⁿ, 0)
///
/// where φⁿ ≤ 0 is holds_node().
/// Linearized at v, the velocities allowed are a polyhedron, and v with its residual R solves the step if and only if
/// v is the point of it nearest to v − R/m. So the bodies that hold a node are those active at the nearest point.
template <int dim>
class Holds {
 public:
  Holds() = default;
  /// @param phases one or more, in the order of the unknowns, whose scenes differ in how bodies hold alone
  Holds(const std::vector<HeldNodes>& phases, double time, double dt, const Team& team);

  /// Guesses who holds each node before the first iteration: of the bodies that a fall of one step from rest would
  /// reach, those that what acts on the node at vⁿ, `residual`, presses it against.
  void guess(const NodeVector& v, const NodeVector& residual, const std::vector<double>& mass);

  /// Chooses who holds each node at v. Of the residual only what the holding bodies push counts: elsewhere it is not
  /// solved for yet.
  void choose(const NodeVector& v, const NodeVector& residual, const std::vector<double>& mass);

  /// Moves held nodes onto their bodies.
  void close(NodeVector& v) const;
  /// Takes the normals at v.
  void linearize(const NodeVector& v);
  /// The part of a node's w that no body holds.
  Vec<dim> free_part(std::size_t node, Vec<dim> w) const {
    const Hold<dim>& hold = hold_[node];
    if (hold.prescribed) return Vec<dim>::Zero();
    for (int c = 0; c < hold.rank; ++c) w -= hold.basis.col(c).dot(w) * hold.basis.col(c);
    return w;
  }

  const Hold<dim>& at(std::size_t node) const { return hold_[node]; }
  /// Distance of a node's velocity from the planes that hold it, squared [m²/s²].
  double opening2(std::size_t node, const Vec<dim>& v) const;
  std::uint64_t contacts() const;
  /// Who holds whom, per node.
  std::vector<NodeHold> told() const;
  /// Of all nodes' velocities, what no body holds.
  std::size_t free_dimensions() const;

 private:
  struct Plane {
    std::size_t body = 0;
    double gap = 0.0;  ///< g [m/s]
    Vec<dim> n = Vec<dim>::Zero();
    bool equality = false;
  };

  void hold(std::size_t node, const std::vector<Plane>& planes, const Vec<dim>& v);
  Plane plane(std::size_t node, std::size_t body, const Vec<dim>& v) const;
  std::vector<Plane> planes(std::size_t node, const Vec<dim>& v) const;
  std::vector<Plane> held_planes(std::size_t node, const Vec<dim>& v) const;
  static int span(const std::vector<Plane>& planes, Mat<dim>& basis);
  static Vec<dim> onto(const std::vector<Plane>& planes, Vec<dim> y);
  static std::vector<Plane> nearest(const std::vector<Plane>& all, const Vec<dim>& y);

  void prescribe(std::size_t node);
  double distance_before(std::size_t node, std::size_t body) const { return before_[node * bodies_ + body]; }
  /// Of a loop over all nodes: as long as that over some 64 numbers each.
  int threads() const { return team_.of(64.0 * number_ns * static_cast<double>(hold_.size())); }

  const Scene& scene(std::size_t node) const {
    std::size_t phase = 0;
    while (node >= end_of_phase_[phase]) ++phase;
    return *scene_of_phase_[phase];
  }

  std::vector<const Scene*> scene_of_phase_;
  std::vector<std::size_t> end_of_phase_;  ///< one behind its last node
  std::size_t bodies_ = 0;                 ///< in each scene
  double time_ = 0.0, dt_ = 0.0;
  Team team_{1};
  std::vector<Hold<dim>> hold_;
  std::vector<Point> x_;
  std::vector<double> before_;  ///< φⁿ of every node and body [m]
};

}  // namespace repose::optimized
