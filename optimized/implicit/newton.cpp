#include "optimized/implicit/newton.h"

#include "optimized/implicit/gmres.h"
#include "optimized/implicit/holds.h"

#include <fmt/format.h>
#include <Eigen/LU>

#include <cmath>

namespace repose::optimized {

namespace {

/// Share of what a full step promises that a shorter one must keep of its part.
constexpr double sufficient = 1e-4;
constexpr int halvings = 10;

template <class T, int dim>
class Newton {
 public:
  Newton(Balance<T, dim>& balance, const Scene& scene, const ParticleOrder<dim>& order,
         const Places<dim>& places, double time, int threads)
      : options_(scene.implicit),
        balance_(balance),
        holds_(scene, time, balance.dt(), balance.nodes(), threads),
        threads_(threads) {
    for (std::size_t n = 0; n < balance.nodes(); ++n) {
      mass_.push_back(balance.mass(n));
      root_.push_back(std::sqrt(mass_.back()));
      if (!(mass_[n] > 0.0)) continue;
      constexpr std::size_t per_block = Block<dim>::nodes;
      const std::uint64_t key = order.grid().node_key(n / per_block);
      holds_.add(n, scene.grid.node_position(places.node_id(key, n % per_block)));
    }
  }

  ImplicitVelocities solve() {
    ImplicitVelocities result;
    move(balance_.velocity_before());
    for (int iteration = 0;; ++iteration) {
      holds_.choose(balance_.velocity(), balance_.residual(), mass_);
      const double left = relative_residual();
      if (left <= options_.newton_tolerance) break;
      if (iteration == options_.newton_iterations) {
        throw NoSolution(
            fmt::format("{} iterations of Newton's method leave {:.3g} of what is balanced, not {:.3g}",
                        iteration, left, options_.newton_tolerance));
      }
      NodeVector v = balance_.velocity();
      holds_.close(v);
      if (v != balance_.velocity()) {
        move(std::move(v));
        holds_.linearize(balance_.velocity());
      }
      result.gmres_iterations += static_cast<std::uint64_t>(iterate(left));
      ++result.newton_iterations;
    }
    result.v_bar = balance_.velocity();
    result.impulse = balance_.impulse();
    result.contacts = holds_.contacts();
    result.massless = balance_.massless();
    return result;
  }

 private:
  void move(NodeVector v) {
    if (const auto bad = balance_.move_to(std::move(v)))
      throw NoSolution(fmt::format("velocities on the way invert particle {}", *bad), *bad);
  }

  /// w/√m, what bodies hold taken out.
  void weigh(NodeVector& w) const {
    holds_.free_part(w);
    for (std::size_t n = 0; n < mass_.size(); ++n)
      for (std::size_t c = 0; c < 4; ++c) w[4 * n + c] = mass_[n] > 0.0 ? w[4 * n + c] / root_[n] : 0.0;
  }

  NodeVector free_residual() const {
    NodeVector r = balance_.residual();
    weigh(r);
    return r;
  }

  double relative_residual() const {
    NodeVector r = free_residual();
    NodeVector scale = balance_.algebra().zero();
    for (std::size_t n = 0; n < mass_.size(); ++n) {
      if (!(mass_[n] > 0.0)) continue;
      // The unused number of a record carries what the node lacks of its bodies' planes.
      r[4 * n] = root_[n] * std::sqrt(holds_.opening2(
                                n, Eigen::Map<const Vec<dim>>(balance_.velocity().data() + 4 * n + 1)));
      scale[4 * n] = balance_.magnitude(n) / root_[n];
    }
    const double left = balance_.algebra().norm(r);
    return left == 0.0 ? 0.0 : left / balance_.algebra().norm(scale);
  }

  /// Inverses of the d×d blocks of the weighted matrix in what bodies leave free.
  std::vector<Mat<dim>> inverse_blocks() const {
    std::vector<Mat<dim>> blocks = balance_.diagonal_blocks();
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::size_t n = 0; n < blocks.size(); ++n) {
      if (!(mass_[n] > 0.0)) continue;
      const Hold<dim>& hold = holds_.at(n);
      Mat<dim> free = Mat<dim>::Identity();
      for (int c = 0; c < hold.rank; ++c) free -= hold.basis.col(c) * hold.basis.col(c).transpose();
      if (hold.prescribed) free.setZero();
      const Mat<dim> block = free * (blocks[n] / mass_[n]) * free + (Mat<dim>::Identity() - free);
      blocks[n] = block.inverse();
      // A preconditioner may be anything regular: a node whose stress leaves it none goes without.
      if (!(blocks[n].cwiseAbs().maxCoeff() < 1e6)) blocks[n].setIdentity();
    }
    return blocks;
  }

  /// One linear system and the way along its solution. @returns iterations of GMRES
  int iterate(double left) {
    const std::vector<Mat<dim>> inverse = inverse_blocks();
    const auto precondition = [&](NodeVector& v) {
      for (std::size_t n = 0; n < mass_.size(); ++n) {
        if (!(mass_[n] > 0.0)) continue;
        auto at = Eigen::Map<Vec<dim>>(v.data() + 4 * n + 1);
        at = (inverse[n] * at).eval();
      }
    };
    const auto product = [&](const NodeVector& z, NodeVector& out) {
      NodeVector dv = z;
      weigh(dv);
      balance_.stress_change(dv, out);
      for (std::size_t n = 0; n < mass_.size(); ++n)
        for (std::size_t c = 0; c < 4; ++c) out[4 * n + c] += mass_[n] * dv[4 * n + c];
      weigh(out);
    };
    const NodeVector start = balance_.velocity();
    const NodeVector r = free_residual();
    const double before = balance_.algebra().norm(r);
    const LinearSolution found = solve_by_gmres(balance_.algebra(), product, precondition,
                                                balance_.algebra().scaled(-1.0, r), options_);
    NodeVector dv = found.x;
    weigh(dv);
    if (!std::isfinite(balance_.algebra().norm(dv)))
      throw NoSolution("the linearized balance of an implicit step has no finite solution");

    double share = 1.0;
    for (int n = 0; n <= halvings; ++n, share *= 0.5) {
      NodeVector v = start;
      balance_.algebra().add({share}, {dv}, v);
      holds_.close(v);
      if (balance_.move_to(std::move(v))) continue;
      holds_.linearize(balance_.velocity());
      if (balance_.algebra().norm(free_residual()) <= (1.0 - sufficient * share) * before)
        return found.iterations;
    }
    throw NoSolution(
        fmt::format("Newton's method leaves {:.3g} of what is balanced and finds no way down (its linear "
                    "system is solved to {:.3g})",
                    left, found.residual));
  }

  const ImplicitOptions& options_;
  Balance<T, dim>& balance_;
  Holds<dim> holds_;
  int threads_;
  std::vector<double> mass_, root_;
};

}  // namespace

template <class T, int dim>
ImplicitVelocities solve_balance(Balance<T, dim>& balance, const Scene& scene,
                                 const ParticleOrder<dim>& order, const Places<dim>& places, double time,
                                 int threads) {
  return Newton<T, dim>(balance, scene, order, places, time, threads).solve();
}

#define REPOSE_INSTANTIATE(T, dim)                   \
  template ImplicitVelocities solve_balance<T, dim>( \
      Balance<T, dim>&, const Scene&, const ParticleOrder<dim>&, const Places<dim>&, double, int)
REPOSE_INSTANTIATE(float, 2);
REPOSE_INSTANTIATE(float, 3);
REPOSE_INSTANTIATE(double, 2);
REPOSE_INSTANTIATE(double, 3);
#undef REPOSE_INSTANTIATE

}  // namespace repose::optimized
