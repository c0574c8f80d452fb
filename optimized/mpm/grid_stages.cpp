#include "optimized/attendance.h"
#include "optimized/layout/tile_rows.h"
#include "optimized/mpm/counting.h"
#include "optimized/mpm/twin.h"
#include "reference/interface/methods/mpm.h"

#include <omp.h>

#include <algorithm>
#include <cmath>

namespace repose::optimized {

/// Particles to the tiles of their blocks.
template <class T, int dim>
void Twin<T, dim>::to_tiles(double dt, double momentum_scale) {
  const auto& grid = particles_.order.grid();
  nodes_.tiles.resize(grid.blocks() * B::tile_values);
  const auto kernel = kernels_.p2g[nodes_per_axis_ - 3];
  const int threads = team_.of(particle_ns * static_cast<double>(particles_.size()));
  const int chunk = team_.chunk(grid.blocks(), 16);
  Attendance attendance(team_, portions(grid.blocks(), chunk));
#pragma omp parallel num_threads(threads)
  {
    bool any = false;
#pragma omp for schedule(dynamic, chunk)
    for (std::size_t b = 0; b < grid.blocks(); ++b) {
      attendance.take(any);
      ToTile<T> a;
      a.records = particles_.records.data();
      a.order = particles_.order.records() + particles_.order.begin(b);
      a.code = particles_.order.codes() + particles_.order.begin(b);
      a.count = particles_.order.count(b);
      a.known = particles_.order.size() - particles_.order.begin(b);
      a.tile = nodes_.tiles.data() + b * B::tile_values;
      a.next_tile = b + 1 < grid.blocks() ? a.tile + B::tile_values : a.tile;
      a.h = static_cast<T>(scene_.grid.h);
      a.dt_over_h = static_cast<T>(dt / scene_.grid.h);
      a.momentum_scale = static_cast<T>(momentum_scale);
      a.laws = laws_.data();
      a.materials = laws_apart_;
      a.hardening = hardening_;
      a.law = law_;
      a.waters = waters_.data();
      a.wetness = particles_.wetness.size() > 0 ? particles_.wetness.data() : nullptr;
      kernel(a);
    }
  }
  clocks_.threads[p2g_clock] = std::max(clocks_.threads[p2g_clock], attendance.count());
}

/// The sum of the tiles over one block of nodes.
template <class T, int dim>
void Twin<T, dim>::sum_tiles(std::size_t node_block, T* sum) const {
  optimized::sum_tiles<dim, 4>(particles_.order.grid(), node_block, nodes_.tiles.data(), B::tile_values,
                               nodes_per_axis_ - 1, sum);
}

/// p_i = Σ w m (v + C Δx) alone, for FLIP and for snapshots.
template <class T, int dim>
void Twin<T, dim>::set_momentum() {
  {
    const Stopwatch watch(clocks_.seconds[p2g_clock]);
    to_tiles(0.0, 1.0);
  }
  const Stopwatch watch(clocks_.seconds[grid_clock]);
  const std::size_t blocks = particles_.order.grid().node_blocks();
  nodes_.make_room(blocks, true, has_friction_);
  nodes_.before.resize(blocks * B::node_values);
  const int threads = team_.of(node_block_ns * static_cast<double>(blocks));
  const int chunk = team_.chunk(blocks, 16);
#pragma omp parallel for schedule(dynamic, chunk) num_threads(threads)
  for (std::size_t n = 0; n < blocks; ++n) sum_tiles(n, nodes_.before.data() + n * B::node_values);
}

/// p* of one block of nodes: the tiles' sum and gravity; forces on massless nodes are dropped.
template <class T, int dim>
void Twin<T, dim>::finish_momentum(std::size_t node_block, bool separate, T* node, StepReport& report) {
  sum_tiles(node_block, node);
  if (separate) {
    const T* before = nodes_.before.data() + node_block * B::node_values;
    for (std::size_t v = 0; v < B::node_values; ++v) node[v] += before[v];
    for (std::size_t v = 0; v < B::node_values; v += 4) node[v] = before[v];
  }
  T fall[3];
  for (int c = 0; c < 3; ++c) fall[c] = static_cast<T>(step_.dt * scene_.gravity[c]);
  for (std::size_t v = 0; v < B::node_values; v += 4) {
    if (node[v] > T{0}) {
      for (std::size_t c = 0; c < dim; ++c) node[v + 1 + c] += node[v] * fall[c];
      ++report.counts[counter::active_nodes];
    } else {
      if (node[v + 1] != T{0} || node[v + 2] != T{0} || node[v + 3] != T{0})
        ++report.counts[counter::massless];
      for (std::size_t c = 0; c < 4; ++c) node[v + c] = T{0};
    }
  }
}

/// v̄ and ṽ of one block of nodes from their (m, p*).
template <class T, int dim>
void Twin<T, dim>::contacts_of_block(std::size_t node_block, const T* node, const Contacts& contacts,
                                     Contacts::Near& near, bool do_collisions, bool do_friction,
                                     StepReport& report) {
  T* bar = nodes_.bar.data() + node_block * B::node_values;
  alignas(64) T star[B::node_values];
  T fastest2{0};
  for (std::size_t v = 0; v < B::node_values; v += 4) {
    // Records of inactive nodes are zero: divided by 1 they stay so.
    const T mass = node[v] > T{0} ? node[v] : T{1};
    for (std::size_t c = 0; c < 4; ++c) star[v + c] = node[v + c] / mass;
    star[v] = T{0};
    const T speed2 = star[v + 1] * star[v + 1] + star[v + 2] * star[v + 2] + star[v + 3] * star[v + 3];
    // A value that is not a number is kept: then no body is too far to be reached.
    if (!(speed2 <= fastest2) && !std::isnan(fastest2)) fastest2 = speed2;
  }
  if (do_collisions) std::copy_n(star, B::node_values, bar);
  if (do_friction) nodes_.split[node_block] = 0;
  if (scene_.colliders.empty()) return;

  const std::uint64_t key = particles_.order.grid().node_key(node_block);
  const double middle = 0.5 * (B::edge - 1);
  // A hair more than half the block's diagonal, for the rounding of distances.
  const double radius = (1.0 + 1e-6) * middle * std::sqrt(static_cast<double>(dim)) * scene_.grid.h;
  contacts.near(places_.node_position(key, middle), radius, std::sqrt(static_cast<double>(fastest2)), near);
  if (!near.any) return;

  std::vector<Touch> touches;
  ContactCounts counts;
  T* tilde = has_friction_ ? nodes_.tilde.data() + node_block * B::node_values : nullptr;
  if (do_friction && tilde != nullptr) std::copy_n(bar, B::node_values, tilde);
  for (std::size_t local = 0; local < B::nodes; ++local) {
    const std::size_t v = 4 * local;
    if (!(node[v] > T{0})) continue;
    Point velocity = Point::Zero();
    for (int c = 0; c < dim; ++c)
      velocity[c] = static_cast<double>(star[v + 1 + static_cast<std::size_t>(c)]);
    const Point x = scene_.grid.node_position(places_.node_id(key, local));
    velocity = contacts.collide(near, x, velocity, touches);
    if (touches.empty()) continue;
    if (do_collisions) {
      counts.contacts += touches.size();
      for (int c = 0; c < dim; ++c) bar[v + 1 + static_cast<std::size_t>(c)] = static_cast<T>(velocity[c]);
    }
    if (do_friction && tilde != nullptr) {
      for (int c = 0; c < dim; ++c)
        velocity[c] = static_cast<double>(bar[v + 1 + static_cast<std::size_t>(c)]);
      velocity = contacts.rub(touches, velocity, counts);
      for (std::size_t c = 0; c < dim; ++c) {
        tilde[v + 1 + c] = static_cast<T>(velocity[static_cast<int>(c)]);
        if (tilde[v + 1 + c] != bar[v + 1 + c]) nodes_.split[node_block] = 1;
      }
    }
  }
  report.counts[counter::contacts] += counts.contacts;
  report.counts[counter::sticking] += counts.sticking;
  report.counts[counter::sliding] += counts.sliding;
}

/// @param passing nobody looks before g2p: p* of a block of nodes lasts until their v̄ is known
template <class T, int dim>
void Twin<T, dim>::grid_stages(bool do_forces, bool do_collisions, bool do_friction, bool passing,
                               bool separate, StepReport& report) {
  const Stopwatch watch(clocks_.seconds[grid_clock]);
  const std::size_t blocks = particles_.order.grid().node_blocks();
  if (do_forces) nodes_.make_room(blocks, !passing, has_friction_);
  const Contacts contacts(scene_, step_.time, step_.dt);
  const int threads = team_.of(node_block_ns * static_cast<double>(blocks));
  const int chunk = team_.chunk(blocks, 16);
  Attendance attendance(team_, portions(blocks, chunk));
#pragma omp parallel num_threads(threads)
  {
    StepReport mine;
    bool any = false;
    Contacts::Near near;
    alignas(64) T brief[B::node_values];
#pragma omp for schedule(dynamic, chunk)
    for (std::size_t n = 0; n < blocks; ++n) {
      attendance.take(any);
      T* const node = passing ? brief : nodes_.star.data() + n * B::node_values;
      if (do_forces) finish_momentum(n, separate, node, mine);
      if (do_collisions || do_friction)
        contacts_of_block(n, node, contacts, near, do_collisions, do_friction, mine);
    }
#pragma omp critical
    report.counts += mine.counts;
  }
  clocks_.threads[grid_clock] = std::max(clocks_.threads[grid_clock], attendance.count());
}

template class Twin<float, 2>;
template class Twin<float, 3>;
template class Twin<double, 2>;
template class Twin<double, 3>;

}  // namespace repose::optimized
