#include "optimized/attendance.h"
#include "optimized/layout/tile_rows.h"
#include "optimized/mpm/counting.h"
#include "optimized/mpm/twin.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace repose::optimized {

template <class T, int dim>
void Twin<T, dim>::begin_step() {
  if (step_.at == plasticity) {
    step_.time += step_.dt;
    ++step_.done;
    step_.at = step_start;
    nodes_.momentum_loaded = false;
  }
}

/// What moves particles, v̄ or ṽ, and, where they differ or FLIP asks for it, u = ṽ − s vⁿ over a block's tile.
template <class T, int dim>
bool Twin<T, dim>::fill_tiles(std::size_t block, T* bar, T* kept, std::uint8_t* two) const {
  const auto& links = particles_.order.grid().nodes_of(block);
  bool two_velocities = keep_ != T{0};
  const auto splits = [&](std::size_t n) {
    two_velocities = two_velocities || (nodes_.split[n] != 0 && !one_moves_both_);
  };
  for (const std::uint32_t n : links) splits(n);
  const int reach = nodes_per_axis_ - 1;
  visit_images<dim>(particles_.order.grid(), block, reach,
                    [&](std::size_t, std::size_t node) { splits(node / B::nodes); });
  // u = ṽ − s vⁿ of nodes whose ṽ stands there already.
  const auto subtract_kept = [&](std::size_t record, std::size_t to, std::size_t nodes) {
    for (std::size_t v = 0; v < 4 * nodes; v += 4) {
      const T* before = nodes_.before.data() + 4 * record + v;
      if (!(before[0] > T{0})) continue;
      for (std::size_t c = 1; c < 4; ++c) kept[to + v + c] -= keep_ * (before[c] / before[0]);
    }
  };
  for (std::size_t o = 0; o < links.size(); ++o) {
    const std::size_t n = links[o];
    const T* from_bar = nodes_.bar.data() + n * B::node_values;
    const T* from_tilde = nodes_.split[n] != 0 ? nodes_.tilde.data() + n * B::node_values : from_bar;
    const T* from_moving = one_moves_both_ ? from_tilde : from_bar;
    visit_shared_rows<dim>(o, reach, [&](std::size_t tile_node, std::size_t node, std::size_t nodes) {
      const std::size_t to = 4 * tile_node;
      const std::size_t from = 4 * node;
      copy_row<dim>(from_moving + from, nodes, bar + to);
      if (!two_velocities) return;
      copy_row<dim>(from_tilde + from, nodes, kept + to);
      if (keep_ != T{0}) subtract_kept(n * B::nodes + node, to, nodes);
    });
  }
  visit_images<dim>(particles_.order.grid(), block, reach, [&](std::size_t tile_node, std::size_t node) {
    const std::size_t to = 4 * tile_node;
    const T* from_bar = nodes_.bar.data() + 4 * node;
    const T* from_tilde = nodes_.split[node / B::nodes] != 0 ? nodes_.tilde.data() + 4 * node : from_bar;
    std::copy_n(one_moves_both_ ? from_tilde : from_bar, 4, bar + to);
    if (!two_velocities) return;
    std::copy_n(from_tilde, 4, kept + to);
    if (keep_ != T{0}) subtract_kept(node, to, 1);
  });
  if (two_velocities) mark_cells(bar, kept, two);
  return two_velocities;
}

/// Which cells' stencils hold a node where the two velocities differ.
template <class T, int dim>
void Twin<T, dim>::mark_cells(const T* bar, const T* kept, std::uint8_t* two) const {
  const int K = nodes_per_axis_;
  // Bit z of a row: some node from z on, within a stencil's length, differs.
  std::array<std::uint32_t, B::tile_rows> row{};
  for (std::size_t r = 0; r < B::tile_rows; ++r) {
    std::uint32_t nodes = 0;
    for (std::size_t z = 0; z < B::tile_edge; ++z) {
      const std::size_t v = r * B::row_values + 4 * z;
      const bool differs =
          bar[v + 1] != kept[v + 1] || bar[v + 2] != kept[v + 2] || bar[v + 3] != kept[v + 3];
      nodes |= (differs ? 1U : 0U) << z;
    }
    for (int k = 0; k < K; ++k) row[r] |= nodes >> k;
  }
  for (unsigned code = 0; code < B::nodes; ++code) {
    const int x = B::local(code, 0);
    const int y = dim == 3 ? B::local(code, 1) : 0;
    std::uint32_t any = 0;
    for (int i = 0; i < K; ++i)
      for (int j = 0; j < (dim == 3 ? K : 1); ++j)
        any |= row[static_cast<std::size_t>(dim == 3 ? (x + i) * B::tile_edge + y + j : x + i)];
    two[code] = static_cast<std::uint8_t>((any >> B::local(code, dim - 1)) & 1U);
  }
}

template <class T, int dim>
void Twin<T, dim>::particle_stages(const Parts& parts, bool stops_between, StepReport& report) {
  Fault fault;
  T max_speed2{0};
  {
    const Stopwatch watch(clocks_.seconds[particles_clock]);
    const auto& grid = particles_.order.grid();
    particles_.movers.resize(static_cast<std::size_t>(team_.size()));
    if (stops_between) particles_.between.resize(particles_.size() * (dim + dim * dim));
    const auto kernel = kernels_.g2p[nodes_per_axis_ - 3];
    const int threads = team_.of(particle_ns * static_cast<double>(particles_.size()));
    const int chunk = team_.chunk(grid.blocks(), 16);
    Attendance attendance(team_, portions(grid.blocks(), chunk));
#pragma omp parallel num_threads(threads)
    {
      bool any = false;
      Buffer<T> tiles;
      tiles.resize(2 * B::tile_values);
      std::fill(tiles.begin(), tiles.end(), T{0});
      Buffer<Moved> moved;
      Tally<T> tally;
      std::vector<Mover>& movers = particles_.movers[static_cast<std::size_t>(omp_get_thread_num())];
#pragma omp for schedule(dynamic, chunk)
      for (std::size_t b = 0; b < grid.blocks(); ++b) {
        attendance.take(any);
        FromTile<T> a;
        std::array<std::uint8_t, B::nodes> two;
        if (parts.g2p && fill_tiles(b, tiles.data(), tiles.data() + B::tile_values, two.data()))
          a.two = two.data();
        a.records = particles_.records.data();
        a.order = particles_.order.records() + particles_.order.begin(b);
        a.code = particles_.order.codes() + particles_.order.begin(b);
        a.id = particles_.place.data();
        a.count = particles_.order.count(b);
        a.known = particles_.order.size() - particles_.order.begin(b);
        a.bar = tiles.data();
        a.kept = tiles.data() + B::tile_values;
        a.keep = keep_;
        a.dt = static_cast<T>(step_.dt);
        a.per_h = static_cast<T>(1.0 / scene_.grid.h);
        a.per_D = affine_ ? static_cast<T>((nodes_per_axis_ == 4 ? 3.0 : 4.0) / scene_.grid.h) : T{0};
        a.dt_over_h = static_cast<T>(step_.dt / scene_.grid.h);
        a.parts = parts;
        a.laws = laws_.data();
        a.materials = laws_apart_;
        a.hardening = hardening_;
        a.wetness = particles_.wetness.size() > 0 ? particles_.wetness.data() : nullptr;
        a.water = law_ == Law::water;
        a.between = stops_between ? particles_.between.data() : nullptr;
        if (moved.size() < a.count) moved.resize(a.count);
        std::size_t moved_count = 0;
        a.moved = moved.data();
        a.moved_count = &moved_count;
        a.tally = &tally;
        kernel(a);
        if (parts.update) {
          note_moves(b, moved.data(), moved_count, movers, tally.fault);
          check_border(b, tally.fault);
        }
      }
#pragma omp critical
      {
        report.counts[counter::inside] += tally.inside;
        report.counts[counter::tip] += tally.tip;
        report.counts[counter::surface] += tally.surface;
        max_speed2 = std::max(max_speed2, tally.max_speed2);
        if (tally.fault.kind != Fault::none) fault.see(tally.fault.kind, tally.fault.particle);
      }
    }
    clocks_.threads[particles_clock] = std::max(clocks_.threads[particles_clock], attendance.count());
  }
  if (fault.kind != Fault::none) raise(fault);
  if (parts.g2p) step_.max_speed = std::sqrt(static_cast<double>(max_speed2));
  if (parts.update) sort_particles();
}

template <class T, int dim>
void Twin<T, dim>::raise(const Fault& fault) const {
  const auto fail = [&](std::string_view what, Boundary where) {
    throw stopped(what, fault.particle, where);
  };
  if (fault.kind == Fault::inverted)
    fail(law_ == Law::water ? "inverted particle: J <= 0" : "inverted particle: det(1 + dt grad v) <= 0",
         boundary::update);
  if (fault.kind == Fault::left_domain) fail("particle left the domain", boundary::update);
  if (fault.kind == Fault::g2p_not_finite) fail("not a finite velocity", boundary::g2p);
  if (fault.kind == Fault::update_not_finite) fail("not a finite strain or position", boundary::update);
  fail("not a finite strain or stress", boundary::plasticity);
  throw std::logic_error("a fault without a name");
}

/// The stages `from` + 1 … `to`. Stages run in one pass over the data where nobody looks in between.
template <class T, int dim>
StepReport Twin<T, dim>::run_stages(int from, int to, double dt, int cuts, Pause pause) {
  if (from == step_start) begin_step();
  step_.dt = dt;
  StepReport report;
  report.dt = dt;
  report.max_speed = step_.max_speed;
  report.particles = particles_.size();
  const auto does = [&](int stage) { return from < stage && stage <= to; };
  if (to >= collisions && from < friction && !(dt > 0.0))
    throw std::invalid_argument("a time step > 0 is needed beyond the forces");

  const bool looked_at = to >= p2g && to < g2p && pause == Pause::looked_at;
  if (does(p2g)) {
    nodes_.momentum_loaded = false;
    if (looked_at || keep_ != T{0} || implicit() || forces_apart_) set_momentum();
  }
  const bool separate = keep_ != T{0} || nodes_.momentum_loaded || forces_apart_;
  if (does(forces) && !implicit()) {
    const Stopwatch watch(clocks_.seconds[p2g_clock]);
    to_tiles(dt, separate ? 0.0 : 1.0);
  }
  if (implicit()) {
    if (does(collisions)) solve_implicit_step(cuts, report);
    if (does(friction)) implicit_friction(report);
  } else if (does(forces) || does(collisions) || does(friction)) {
    const bool passing = does(forces) && to >= g2p;
    grid_stages(does(forces), does(collisions), does(friction), passing, separate, report);
  }
  if (to == p2g) {
    for (std::size_t v = 0; v < nodes_.before.size(); v += 4)
      report.counts[counter::active_nodes] += nodes_.before[v] > T{0} ? 1U : 0U;
  }

  if (does(g2p) || does(update) || does(plasticity)) {
    const Parts parts{.g2p = does(g2p), .update = does(update), .plasticity = does(plasticity)};
    particle_stages(parts, to == g2p || from == g2p, report);
  }
  step_.at = to;
  return report;
}

template <class T, int dim>
StepReport Twin<T, dim>::run(Boundary from, Boundary to, double dt) {
  const int first = stage_of(from);
  const int last = stage_of(to);
  const bool stands = step_.at == first || (first == step_start && step_.at == plasticity);
  if (!stands || last < first)
    throw std::invalid_argument("the solver does not stand where it can run from " + std::string(from) +
                                " to " + std::string(to));
  // The caller's Δt is not this solver's to cut.
  return run_stages(first, last, dt, 0);
}

template <class T, int dim>
StepReport Twin<T, dim>::advance(const std::function<double(double max_speed)>& next_dt) {
  if (step_.at != step_start && step_.at != plasticity)
    throw std::invalid_argument("advance() needs the start of a step");
  begin_step();
  return run_stages(step_start, plasticity, next_dt(step_.max_speed), mpm_options(scene_).implicit.step_cuts);
}

template <class T, int dim>
std::vector<std::pair<std::string, double>> Twin<T, dim>::stage_seconds() {
  std::vector<std::pair<std::string, double>> out{{"sort", clocks_.seconds[sort_clock]},
                                                  {"p2g", clocks_.seconds[p2g_clock]},
                                                  {"grid", clocks_.seconds[grid_clock]},
                                                  {"g2p", clocks_.seconds[particles_clock]}};
  clocks_.seconds.fill(0.0);
  return out;
}

template <class T, int dim>
std::vector<std::pair<std::string, int>> Twin<T, dim>::stage_threads() {
  std::vector<std::pair<std::string, int>> out{{"sort", clocks_.threads[sort_clock]},
                                               {"p2g", clocks_.threads[p2g_clock]},
                                               {"grid", clocks_.threads[grid_clock]},
                                               {"g2p", clocks_.threads[particles_clock]},
                                               {"solve", clocks_.solving_threads}};
  clocks_.threads.fill(0);
  clocks_.solving_threads = 0;
  return out;
}

template <class T, int dim>
Solver::Storage Twin<T, dim>::storage() const {
  return {.particle_bytes = particles_.bytes(),
          .grid_bytes = nodes_.bytes() + particles_.order.grid().bytes()};
}

template class Twin<float, 2>;
template class Twin<float, 3>;
template class Twin<double, 2>;
template class Twin<double, 3>;

}  // namespace repose::optimized
