#pragma once

#include "optimized/implicit/holds.h"
#include "optimized/implicit/node_vector.h"
#include "optimized/threads.h"

#include <Eigen/LU>

#include <cmath>
#include <vector>

namespace repose::optimized {

/// Calls visit(k) for k = 0 … count − 1 from several threads.
template <class Visit>
void visit_unknown_nodes(const Team& team, std::size_t count, Visit&& visit) {
  [[maybe_unused]] const int threads = team.of(16.0 * number_ns * static_cast<double>(count));
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t k = 0; k < count; ++k) visit(k);
}

/// The variables in which Newton's method solves for one phase: y = √m v in what bodies leave free, C = T/√m (newton_method.h).
/// @tparam System Balance
template <class System>
class MassWeights {
  static constexpr int dim = System::dimension;

 public:
  /// @param system, holds outlive it
  MassWeights(const System& system, const Holds<dim>& holds, const Team& team)
      : system_(system), holds_(holds), team_(team), mass_(system.nodes()), per_root_(system.nodes()) {
    for (std::size_t k = 0; k < mass_.size(); ++k) {
      mass_[k] = system.mass(k);
      per_root_[k] = 1.0 / std::sqrt(mass_[k]);
    }
  }

  void prepare() {}

  void weigh(NodeVector& w) const {
    visit_nodes([&](std::size_t k) { of_node<dim>(w, k) = weighed(k, of_node<dim>(w, k)); });
  }
  void spread(NodeVector& y) const { weigh(y); }

  template <class N = double>
  void multiply(const NodeVector& y, NodeVector& out) const {
    system_.template stress_change<N>([&](std::size_t k) { return weighed(k, of_node<dim>(y, k)); },
                                      [&](std::size_t k, const Vec<dim>& lost) {
                                        of_node<dim>(out, k) =
                                            weighed(k, lost + mass_[k] * weighed(k, of_node<dim>(y, k)));
                                      });
  }

  double rounding(const std::vector<double>& of_nodes) const {
    NodeVector all(dim * mass_.size());
    visit_nodes([&](std::size_t k) { all[dim * k] = of_nodes[k] * per_root_[k]; });
    return system_.algebra().norm(all);
  }

  /// Inverses of the d×d blocks of the weighted matrix in what bodies leave free.
  std::vector<Mat<dim>> inverse_blocks() const {
    // At each iterate anew: stiff sand that lets go or takes hold of its neighbours changes them by orders of magnitude.
    std::vector<Mat<dim>> blocks = system_.diagonal_blocks();
    visit_nodes([&](std::size_t k) {
      const Hold<dim>& hold = holds_.at(k);
      Mat<dim> free = Mat<dim>::Identity();
      for (int c = 0; c < hold.rank; ++c) free -= hold.basis.col(c) * hold.basis.col(c).transpose();
      if (hold.prescribed) free.setZero();
      const Mat<dim> block = free * (blocks[k] / mass_[k]) * free + (Mat<dim>::Identity() - free);
      blocks[k] = block.inverse();
      // A preconditioner may be anything regular: a node whose stress leaves it none goes without.
      if (!(blocks[k].cwiseAbs().maxCoeff() < 1e6)) blocks[k].setIdentity();
    });
    return blocks;
  }

 private:
  /// w/√m of one node, what bodies hold taken out.
  Vec<dim> weighed(std::size_t k, const Vec<dim>& w) const { return per_root_[k] * holds_.free_part(k, w); }
  template <class Visit>
  void visit_nodes(Visit&& visit) const {
    visit_unknown_nodes(team_, mass_.size(), visit);
  }

  const System& system_;
  const Holds<dim>& holds_;
  Team team_;
  std::vector<double> mass_, per_root_;  ///< m [kg], 1/√m
};

}  // namespace repose::optimized
