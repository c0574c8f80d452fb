#include "optimized/implicit/balance.h"

#include "optimized/implicit/stencil.h"
#include "optimized/layout/tile_rows.h"

#include <algorithm>

namespace repose::optimized {

template <class T, int dim>
Balance<T, dim>::Balance(const Scene& scene, ParticlesAt<T, dim> particles, const T* before, double dt,
                         int threads)
    : scene_(scene),
      particles_(particles),
      dt_(dt),
      threads_(threads),
      algebra_(particles.order->grid().node_blocks(), B::node_values, threads),
      stress_(particles.order->size()) {
  for (const Material& m : scene.materials) laws_.push_back(law_row(m, dim));
  const std::size_t count = particles.order->grid().node_blocks() * B::nodes;
  mass_.resize(count);
  magnitude_.resize(count);
  momentum_ = algebra_.zero();
  for (std::size_t n = 0; n < count; ++n) {
    mass_[n] = static_cast<double>(before[4 * n]);
    if (!(mass_[n] > 0.0)) continue;
    for (std::size_t c = 1; c <= dim; ++c) momentum_[4 * n + c] = static_cast<double>(before[4 * n + c]);
  }
  tiles_ = room_for_tiles();
}

template <class T, int dim>
std::vector<double> Balance<T, dim>::room_for_tiles() const {
  return std::vector<double>(particles_.order->grid().blocks() * B::tile_values);
}

template <class T, int dim>
NodeVector Balance<T, dim>::velocity_before() const {
  NodeVector v = algebra_.zero();
  for (std::size_t n = 0; n < nodes(); ++n) {
    if (!(mass_[n] > 0.0)) continue;
    for (std::size_t c = 1; c <= dim; ++c) v[4 * n + c] = momentum_[4 * n + c] / mass_[n];
  }
  return v;
}

template <class T, int dim>
void Balance<T, dim>::fill_tile(std::size_t block, const NodeVector& v, double* tile) const {
  const auto& links = particles_.order->grid().nodes_of(block);
  for (std::size_t o = 0; o < links.size(); ++o) {
    const double* from = v.data() + links[o] * B::node_values;
    visit_shared_rows<dim>(o, [&](std::size_t in_tile, std::size_t in_nodes, std::size_t count) {
      std::copy_n(from + 4 * in_nodes, 4 * count, tile + 4 * in_tile);
    });
  }
}

template <class T, int dim>
void Balance<T, dim>::sum(const std::vector<double>& tiles, NodeVector& out) const {
  const auto& grid = particles_.order->grid();
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t n = 0; n < grid.node_blocks(); ++n) {
    double* to = out.data() + n * B::node_values;
    std::fill_n(to, B::node_values, 0.0);
    const auto& links = grid.particles_of(n);
    for (std::size_t o = 0; o < links.size(); ++o) {
      if (links[o] == no_block) continue;
      const double* tile = tiles.data() + links[o] * B::tile_values;
      visit_shared_rows<dim>(o, [&](std::size_t in_tile, std::size_t in_nodes, std::size_t count) {
        for (std::size_t v = 0; v < 4 * count; ++v) to[4 * in_nodes + v] += tile[4 * in_tile + v];
      });
    }
  }
}

template <class T, int dim>
template <int K>
void Balance<T, dim>::move_block(std::size_t block, const double* v, double* out,
                                 std::optional<std::uint32_t>& bad) {
  std::fill_n(out, B::tile_values, 0.0);
  const auto& order = *particles_.order;
  for (std::size_t k = order.begin(block); k < order.begin(block) + order.count(block); ++k) {
    const std::uint32_t slot = order.records()[k];
    const T* r = particles_.records + R::size * slot;
    const Slopes<dim, K> slopes(r + R::offset, 1.0 / scene_.grid.h);
    const std::size_t base = B::tile_offset(order.codes()[k]);
    const Mat<dim> H = dt_ * slopes.gradient(v + base);
    Mat<dim> strain;
    for (int a = 0; a < dim; ++a)
      for (int b = a; b < dim; ++b)
        strain(a, b) = strain(b, a) = static_cast<double>(r[R::strain + symmetric_index<dim>(a, b)]);
    const LawRow<double>& law = laws_[static_cast<std::size_t>(r[R::flags]) / 4];
    TrialStress<dim>& stress = stress_[k];
    if (!set_trial_stress<dim>(strain, H, law, cone_slope(law, static_cast<double>(r[R::q])),
                               static_cast<double>(r[R::v_c]), dt_ * static_cast<double>(r[R::volume]),
                               stress)) {
      const std::uint32_t id = particles_.id[slot];
      bad = bad ? std::min(*bad, id) : id;
      continue;
    }
    const Mat<dim> per_gradient = stress.impulse_per_gradient();
    slopes.visit(out + base, [&](double* node, const Vec<dim>& grad_w) {
      const Vec<dim> taken = per_gradient * grad_w;
      node[0] += taken.norm();
      for (int c = 0; c < dim; ++c) node[1 + c] += taken[c];
    });
  }
}

template <class T, int dim>
std::optional<std::uint32_t> Balance<T, dim>::move_to(NodeVector v) {
  v_ = std::move(v);
  std::optional<std::uint32_t> bad;
  const std::size_t blocks = particles_.order->grid().blocks();
#pragma omp parallel num_threads(threads_)
  {
    std::vector<double> tile(B::tile_values, 0.0);
    std::optional<std::uint32_t> mine;
#pragma omp for schedule(dynamic, 4)
    for (std::size_t b = 0; b < blocks; ++b) {
      fill_tile(b, v_, tile.data());
      double* out = tiles_.data() + b * B::tile_values;
      if (scene_.kernel == Kernel::cubic)
        move_block<4>(b, tile.data(), out, mine);
      else
        move_block<3>(b, tile.data(), out, mine);
    }
#pragma omp critical
    if (mine) bad = bad ? std::min(*bad, *mine) : *mine;
  }
  if (bad) return bad;

  impulse_.resize(4 * nodes());
  sum(tiles_, impulse_);
  massless_ = 0;
  const double fall = dt_ * scene_.gravity.head<dim>().norm();
  for (std::size_t n = 0; n < nodes(); ++n) {
    double* at = impulse_.data() + 4 * n;
    if (!(mass_[n] > 0.0)) {
      if (at[0] != 0.0) ++massless_;
      std::fill_n(at, 4, 0.0);
      magnitude_[n] = 0.0;
      continue;
    }
    magnitude_[n] = at[0] + mass_[n] * fall;
    at[0] = 0.0;
    for (int c = 0; c < dim; ++c)
      at[1 + c] = mass_[n] * dt_ * scene_.gravity[c] - at[1 + c];  // [Klar16 Eq.24]
  }
  return std::nullopt;
}

template <class T, int dim>
NodeVector Balance<T, dim>::residual() const {
  NodeVector R_i(v_.size());
  for (std::size_t n = 0; n < nodes(); ++n)
    for (std::size_t c = 0; c < 4; ++c) {
      const std::size_t at = 4 * n + c;
      R_i[at] = mass_[n] * v_[at] - momentum_[at] - impulse_[at];  // [Klar16 Eq.19]
    }
  return R_i;
}

template <class T, int dim>
template <int K>
void Balance<T, dim>::change_block(std::size_t block, const double* dv, double* out) const {
  std::fill_n(out, B::tile_values, 0.0);
  const auto& order = *particles_.order;
  for (std::size_t k = order.begin(block); k < order.begin(block) + order.count(block); ++k) {
    const Slopes<dim, K> slopes(particles_.records + R::size * order.records()[k] + R::offset,
                                1.0 / scene_.grid.h);
    const std::size_t base = B::tile_offset(order.codes()[k]);
    const Mat<dim> dA = dt_ * slopes.gradient(dv + base);
    slopes.scatter(out + base, stress_[k].change(dA));
  }
}

template <class T, int dim>
void Balance<T, dim>::stress_change(const NodeVector& dv, NodeVector& out) const {
  const std::size_t blocks = particles_.order->grid().blocks();
#pragma omp parallel num_threads(threads_)
  {
    std::vector<double> tile(B::tile_values, 0.0);
#pragma omp for schedule(dynamic, 4)
    for (std::size_t b = 0; b < blocks; ++b) {
      fill_tile(b, dv, tile.data());
      double* to = tiles_.data() + b * B::tile_values;
      if (scene_.kernel == Kernel::cubic)
        change_block<4>(b, tile.data(), to);
      else
        change_block<3>(b, tile.data(), to);
    }
  }
  sum(tiles_, out);
  for (std::size_t n = 0; n < nodes(); ++n)
    if (!(mass_[n] > 0.0)) std::fill_n(out.data() + 4 * n, 4, 0.0);
}

/// The columns of all nodes' blocks, one tile each.
template <class T, int dim>
template <int K>
void Balance<T, dim>::columns_of_block(std::size_t block, double* const* out) const {
  for (int c = 0; c < dim; ++c) std::fill_n(out[c], B::tile_values, 0.0);
  const auto& order = *particles_.order;
  for (std::size_t k = order.begin(block); k < order.begin(block) + order.count(block); ++k) {
    const Slopes<dim, K> slopes(particles_.records + R::size * order.records()[k] + R::offset,
                                1.0 / scene_.grid.h);
    double* const base = out[0] + B::tile_offset(order.codes()[k]);
    slopes.visit(base, [&](double* node, const Vec<dim>& grad_w) {
      const Mat<dim> N = dt_ * stress_[k].node_block(grad_w);
      for (int c = 0; c < dim; ++c) Eigen::Map<Vec<dim>>(node + (out[c] - out[0]) + 1) += N.col(c);
    });
  }
}

template <class T, int dim>
std::vector<Mat<dim>> Balance<T, dim>::diagonal_blocks() const {
  std::vector<Mat<dim>> result(nodes());
  const std::size_t blocks = particles_.order->grid().blocks();
  std::vector<std::vector<double>> tiles(dim, room_for_tiles());
#pragma omp parallel for schedule(dynamic, 4) num_threads(threads_)
  for (std::size_t b = 0; b < blocks; ++b) {
    double* to[std::size_t{dim}];
    for (std::size_t c = 0; c < dim; ++c) to[c] = tiles[c].data() + b * B::tile_values;
    if (scene_.kernel == Kernel::cubic)
      columns_of_block<4>(b, to);
    else
      columns_of_block<3>(b, to);
  }
  NodeVector one = algebra_.zero();
  for (int column = 0; column < dim; ++column) {
    sum(tiles[static_cast<std::size_t>(column)], one);
    for (std::size_t n = 0; n < nodes(); ++n) {
      result[n].col(column) = Eigen::Map<const Vec<dim>>(one.data() + 4 * n + 1);
      result[n](column, column) += mass_[n];
    }
  }
  return result;
}

template class Balance<float, 2>;
template class Balance<float, 3>;
template class Balance<double, 2>;
template class Balance<double, 3>;

}  // namespace repose::optimized
