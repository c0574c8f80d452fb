#pragma once

#include "optimized/layout/block.h"
#include "reference/interface/types.h"

namespace repose::optimized {

/// Weights and slopes of one particle along each axis, in double, and sums over its nodes in a tile of node records.
/// K nodes per axis: 3 quadratic, 4 cubic.                                                       [Klar16 Eq.6]
template <int dim, int K>
struct Slopes {
  double w[std::size_t{dim}][std::size_t{K}];  ///< N̂ [-]
  double g[std::size_t{dim}][std::size_t{K}];  ///< N̂′/h [1/m]

  /// @param offset from the cell's centre in units of h
  template <class T>
  Slopes(const T* offset, double per_h) {
    for (int a = 0; a < dim; ++a) {
      const double f = static_cast<double>(offset[a]);
      const double t = 0.5 + f;
      const double u = 0.5 - f;
      if constexpr (K == 4) {
        const double weight[4] = {u * u * u / 6.0, 2.0 / 3.0 + t * t * (0.5 * t - 1.0),
                                  2.0 / 3.0 + u * u * (0.5 * u - 1.0), t * t * t / 6.0};
        const double slope[4] = {-0.5 * u * u, t * (1.5 * t - 2.0), -u * (1.5 * u - 2.0), 0.5 * t * t};
        for (int k = 0; k < K; ++k) w[a][k] = weight[k], g[a][k] = slope[k] * per_h;
      } else {
        const double weight[3] = {0.5 * u * u, 0.75 - f * f, 0.5 * t * t};
        const double slope[3] = {-u, -2.0 * f, t};
        for (int k = 0; k < K; ++k) w[a][k] = weight[k], g[a][k] = slope[k] * per_h;
      }
    }
  }

  /// Calls visit(node record, ∇w) for all nodes, the last axis fastest. @param base record of the first node
  template <class Record, class Visit>
  void visit(Record* base, Visit&& visit_node) const {
    if constexpr (dim == 2) {
      for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j)
          visit_node(base + i * row + 4 * j, Vec<2>(g[0][i] * w[1][j], w[0][i] * g[1][j]));
    } else {
      for (int i = 0; i < K; ++i) {
        for (int j = 0; j < K; ++j) {
          const double across = w[0][i] * w[1][j];
          const double x = g[0][i] * w[1][j];
          const double y = w[0][i] * g[1][j];
          for (int k = 0; k < K; ++k)
            visit_node(base + (i * Block<3>::tile_edge + j) * row + 4 * k,
                       Vec<3>(x * w[2][k], y * w[2][k], across * g[2][k]));
        }
      }
    }
  }

  /// Σ_i v_i ∇w_iᵀ over node records (·, v), row by row along the last axis. All four numbers of a record are summed:
  /// compilers make vectors of them.
  Mat<dim> gradient(const double* base) const {
    double sum[std::size_t{dim}][4] = {};
    rows(base, [&](const double* nodes, const double* across, double weight) {
      double along[4] = {}, slope[4] = {};
      for (int k = 0; k < K; ++k)
        for (int c = 0; c < 4; ++c) {
          along[c] += w[dim - 1][k] * nodes[4 * k + c];
          slope[c] += g[dim - 1][k] * nodes[4 * k + c];
        }
      for (int a = 0; a + 1 < dim; ++a)
        for (int c = 0; c < 4; ++c) sum[a][c] += along[c] * across[a];
      for (int c = 0; c < 4; ++c) sum[dim - 1][c] += slope[c] * weight;
    });
    Mat<dim> result;
    for (int a = 0; a < dim; ++a)
      for (int c = 0; c < dim; ++c) result(c, a) = sum[a][1 + c];
    return result;
  }

  /// Adds G ∇w_i to node records.
  void scatter(double* base, const Mat<dim>& G) const {
    double column[std::size_t{dim}][4] = {};
    for (int a = 0; a < dim; ++a)
      for (int c = 0; c < dim; ++c) column[a][1 + c] = G(c, a);
    rows(base, [&](double* nodes, const double* across, double weight) {
      double along[4] = {}, slope[4];
      for (int a = 0; a + 1 < dim; ++a)
        for (int c = 0; c < 4; ++c) along[c] += column[a][c] * across[a];
      for (int c = 0; c < 4; ++c) slope[c] = column[dim - 1][c] * weight;
      for (int k = 0; k < K; ++k)
        for (int c = 0; c < 4; ++c) nodes[4 * k + c] += along[c] * w[dim - 1][k] + slope[c] * g[dim - 1][k];
    });
  }

 private:
  /// Calls visit(first node of a row, what ∇w has across the row less the row's weight, what it has along it).
  template <class Record, class Visit>
  void rows(Record* base, Visit&& visit_row) const {
    for (int i = 0; i < K; ++i) {
      if constexpr (dim == 2) {
        const double across[1] = {g[0][i]};
        visit_row(base + i * row, across, w[0][i]);
      } else {
        for (int j = 0; j < K; ++j) {
          const double across[2] = {g[0][i] * w[1][j], w[0][i] * g[1][j]};
          visit_row(base + (i * Block<3>::tile_edge + j) * row, across, w[0][i] * w[1][j]);
        }
      }
    }
  }

  static constexpr int row = static_cast<int>(Block<dim>::row_values);
};

}  // namespace repose::optimized
