#pragma once

#include "reference/interface/solver.h"
#include "validation/mechanics/arithmetic.h"

#include <vector>

namespace repose::crosscheck {

/// What bodies ask of the nodes of an implicit step, by distances alone.
class SolveNodes {
 public:
  SolveNodes(const Scene& scene, const Arithmetic& arithmetic, const Snapshot& state, double dt);

  /// Nodes of another phase behind those that are there: the same ones, maybe, but held by other bodies.
  /// @param scene has the same grid @param state of the same time
  void add(const Scene& scene, const Snapshot& state);

  /// One body that may hold a node, at some velocity of it.
  struct Gap {
    std::size_t body = 0;
    double rate = 0.0;  ///< g = (φ(x + Δt v, tⁿ⁺¹) − a)/Δt [m/s], as NodeBodies has it
    Point n = Point::Zero();
    bool separating = false;
  };

  std::size_t size() const { return x_.size(); }
  /// Bodies that may hold the node: separating ones, and slipping ones that it stands in.
  std::vector<Gap> gaps(std::size_t node, const Point& v) const;
  /// Those of them that a hold names.
  static std::vector<Gap> held(const std::vector<Gap>& all, const NodeHold& hold);

  /// Inside a sticky body, and whether rounding decides that.
  bool sticks(std::size_t node) const { return sticks_[node]; }
  bool unsure(std::size_t node) const { return unsure_[node]; }
  /// The velocity of a node that sticks, and what rounding may add [m/s].
  Point prescribed(std::size_t node, double& error) const;

  /// v moved onto the bodies that hold the node.
  Point close(std::size_t node, const NodeHold& hold, Point v) const;

  /// What rounding of positions leaves of a gap rate [m/s], as ImplicitOptions has it.
  double gap_rounding() const { return gap_rounding_; }

  /// The part of w along no normal.
  static Point free_part(const std::vector<Gap>& held, const Point& w);
  /// Shortest step that closes all gaps of `held`.
  static Point closing(const std::vector<Gap>& held);
  /// How many of the normals are independent: their angles are above 10⁻⁶.
  static int rank(const std::vector<Gap>& held);
  /// Every largest part of `held` whose normals are independent; of independent ones all. Where three walls meet, what a node
  /// pushes on each is not determined, nor at which corner it ends: a solver lets some of them count and the others push
  /// nothing, and no choice is better than another.
  static std::vector<std::vector<Gap>> choices(const std::vector<Gap>& held);
  /// ‖N⁺‖ of independent normals, the rows of N: by how much skew directions enlarge an error of gap rates in what closes
  /// them, and one of R in what bodies push [-]; 1 without normals.
  static double skewness(const std::vector<Gap>& counted);
  /// √Σ min(g, 0)² over separating bodies that do not hold, min(push, 0)² over those that do and count [m/s].
  /// @param counted  one of choices() of those that hold  @param reaction R/m [m/s]
  static double violation(const std::vector<Gap>& all, const NodeHold& hold, const std::vector<Gap>& counted,
                          const Point& reaction);

 private:
  const Arithmetic& arithmetic_;
  double time_, dt_, gap_rounding_;
  std::vector<Point> x_;
  std::vector<const Scene*> scene_;  ///< whose bodies hold the node
  /// φⁿ per node and body; nan where the body cannot hold the node
  std::vector<std::vector<double>> before_;
  std::vector<bool> sticks_, unsure_;
};

}  // namespace repose::crosscheck
