#pragma once

#include "reference/interface/particles/particle_ids.h"
#include "reference/mpm/stencil.h"
#include "reference/physics/drucker_prager.h"
#include "reference/solver/stages.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace repose {

/// A particle: constants, state, and what a step holds of it between two stages.
template <int d>
struct Particle {
  double m = 0.0;    ///< m_p [kg]
  double V0 = 0.0;   ///< V⁰_p, initial volume [m³]; 2D: [m²] per metre of depth
  int material = 0;  ///< index into Scene::materials

  Vec<d> x = Vec<d>::Zero();      ///< position [m]
  Vec<d> v = Vec<d>::Zero();      ///< velocity [m/s]
  Mat<d> C = Mat<d>::Zero();      ///< affine velocity [1/s], B = C D
  Mat<d> F = Mat<d>::Identity();  ///< F^E [-]; F̂^E between the update and the plasticity of a step
  double J = 1.0;                 ///< volume of water over that at rest [-]; 1 of what is no water
  double q = 0.0;                 ///< hardening state [-]
  double v_c = 0.0;               ///< volume correction [-]
  std::optional<double> c_C;      ///< own cohesion of wet sand [Pa]; none: its material's

  Vec<d> v_bar = Vec<d>::Zero();   ///< Σ w v̄_i, or Σ w ṽ_i (ParticleMotion): moves the particle [m/s]
  Mat<d> grad_v = Mat<d>::Zero();  ///< (∇v)_p [1/s]
  Part part = Part::elastic;       ///< of the last plasticity
};

/// An active node: one that received mass.
template <int d>
struct Node {
  std::int64_t id = 0;              ///< Grid::node_id
  double m = 0.0;                   ///< m_i [kg], > 0
  Vec<d> p = Vec<d>::Zero();        ///< m_i v_i^n [kg m/s]
  Vec<d> p_star = Vec<d>::Zero();   ///< m_i v_i^*, after forces [kg m/s]
  Vec<d> p_bar = Vec<d>::Zero();    ///< m_i v̄_i, after collisions [kg m/s]
  Vec<d> p_tilde = Vec<d>::Zero();  ///< m_i ṽ_i, after friction [kg m/s]
};

/// The active nodes in ascending id, with a table from id to node.
template <int d>
class ActiveNodes {
 public:
  explicit ActiveNodes(const Grid& grid);

  auto begin() { return node_.begin(); }
  auto end() { return node_.end(); }
  auto begin() const { return node_.begin(); }
  auto end() const { return node_.end(); }
  std::size_t size() const { return node_.size(); }

  void clear();
  /// The node of this id; a new one, of mass 0, where there was none.
  Node<d>& touch(std::int64_t id);
  /// The node of this id, or nullptr if it is not active.
  Node<d>* find(std::int64_t id);
  const Node<d>* find(std::int64_t id) const;
  /// Drops nodes whose mass is exactly 0 and puts the others in ascending id.
  void keep_massive();

 private:
  static constexpr std::int32_t none = -1;
  std::vector<Node<d>> node_;
  std::vector<std::int32_t> slot_;  ///< per grid node its index in node_, or none
};

/// Everything a step reads and writes.
template <int d>
struct State {
  explicit State(const Grid& grid) : nodes(grid) {}

  std::vector<Particle<d>> particles;  ///< by ascending id
  ParticleIds ids;                     ///< of the particles
  ActiveNodes<d> nodes;                ///< filled between p2g and g2p
};

/// The first d components of a scene's point, and back (z = 0 in 2D).
template <int d>
Vec<d> in_plane(const Point& point) {
  return point.template head<d>();
}
template <int d>
Point in_space(const Vec<d>& vector) {
  Point point = Point::Zero();
  point.template head<d>() = vector;
  return point;
}

}  // namespace repose
