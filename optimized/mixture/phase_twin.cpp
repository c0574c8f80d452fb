#include "optimized/mixture/phase_twin.h"

#include "optimized/layout/tile_rows.h"
#include "optimized/mixture/stencil_weights.h"
#include "reference/interface/base/error.h"

#include <fmt/format.h>

#include <cmath>

namespace repose::optimized {

template <class T, int dim>
void PhaseTwin<T, dim>::settle(const std::vector<double>& c_C, const std::vector<T>& phi) {
  particles_.ids = {};
  particles_.ids.append(particles_.size());
  if (!has_wetness_) return;
  particles_.wetness.resize(particles_.size());
  for (std::size_t slot = 0; slot < particles_.size(); ++slot) {
    const std::size_t p = particles_.place[slot];
    particles_.wetness[slot] = {static_cast<T>(c_C[p]), p < phi.size() ? phi[p] : T{0}};
    if (!std::isfinite(particles_.wetness[slot].c_C))
      throw this->stopped(fmt::format("c_C = {} is beyond the solver's numbers", c_C[p]),
                          static_cast<std::int64_t>(p), boundary::step_start);
  }
}

template <class T, int dim>
void PhaseTwin<T, dim>::load_part(const Snapshot& part, const mixture::Members& members,
                                  const std::vector<double>& c_C) {
  particles_.wetness.resize(0);
  this->load(part);
  among_ = members.particles;
  settle(c_C, {});
}

template <class T, int dim>
void PhaseTwin<T, dim>::append_part(const Snapshot& part, const mixture::Members& members, std::size_t first,
                                    const std::vector<double>& c_C) {
  if (members.particles.empty()) {
    this->begin_step();
    return;
  }
  std::vector<double> all(has_wetness_ ? particles_.size() : 0);
  std::vector<T> phi(all.size());
  for (std::size_t slot = 0; slot < all.size(); ++slot) {
    all[particles_.place[slot]] = static_cast<double>(particles_.wetness[slot].c_C);
    phi[particles_.place[slot]] = particles_.wetness[slot].phi;
  }
  all.insert(all.end(), c_C.begin(), c_C.end());
  particles_.wetness.resize(0);
  this->add(part, -1);
  for (const std::size_t p : members.particles) among_.push_back(first + p);
  settle(all, phi);
}

template <class T, int dim>
void PhaseTwin<T, dim>::sum_volumes(Buffer<T>& volume) const {
  const int K = nodes_per_axis_;
  const auto n = static_cast<std::size_t>(K);
  Buffer<T> tiles;
  tiles.resize(grid().blocks() * tile_nodes<dim>);
  const int threads = team_.of(particle_ns * static_cast<double>(particles_.size()));
#pragma omp parallel for schedule(dynamic, 4) num_threads(threads)
  for (std::size_t b = 0; b < grid().blocks(); ++b) {
    T* const tile = tiles.data() + b * tile_nodes<dim>;
    std::fill_n(tile, tile_nodes<dim>, T{0});
    for (std::size_t k = particles_.order.begin(b); k < particles_.order.begin(b) + particles_.order.count(b);
         ++k) {
      const T* const r = particles_.record(particles_.order.records()[k]);
      T swelling = r[R::strain];
      if (!is_water())
        for (std::size_t a = 1; a < dim; ++a) swelling += r[R::strain + a];
      const T V = r[R::volume] * std::exp(swelling);
      std::array<std::array<T, 4>, 3> w{};
      for (std::size_t a = 0; a < dim; ++a) w[a] = stencil_weights<T>(K, r[R::offset + a]);
      // Tiles of node records have four numbers per node, these one.
      T* const base = tile + B::tile_offset(particles_.order.codes()[k]) / 4;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < (dim == 3 ? n : 1); ++j) {
          const T share = V * w[0][i] * (dim == 3 ? w[1][j] : T{1});
          T* const row = base + (dim == 3 ? i * B::tile_edge + j : i) * static_cast<std::size_t>(B::tile_row);
          for (std::size_t l = 0; l < n; ++l) row[l] += share * w[dim - 1][l];
        }
      }
    }
  }
  volume.resize(grid().node_blocks() * B::nodes);
#pragma omp parallel for schedule(dynamic, 4) num_threads(threads)
  for (std::size_t m = 0; m < grid().node_blocks(); ++m)
    sum_tiles<dim, 1>(grid(), m, tiles.data(), tile_nodes<dim>, K - 1, volume.data() + m * B::nodes);
}

template class PhaseTwin<float, 2>;
template class PhaseTwin<float, 3>;
template class PhaseTwin<double, 2>;
template class PhaseTwin<double, 3>;

}  // namespace repose::optimized
