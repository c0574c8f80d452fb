#include "validation/memory_need.h"

#include "reference/interface/base/error.h"
#include "reference/interface/base/one_line.h"
#include "validation/solvers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace repose {

namespace {

/// A state is sampled into growing lists: half as much again as it holds.
constexpr double growing = 1.5;

/// GMRES and MINRES keep no more vectors than there are unknowns.
double krylov_bytes(const Footprint& solver, const Scene& scene, double nodes) {
  if (solver.kept_vectors == 0.0) return 0.0;
  const double unknowns = nodes * scene.dim();
  const double vectors = std::min(unknowns, solver.kept_vectors);
  constexpr double others = 10.0;  // velocities, residuals, the preconditioner
  return static_cast<double>(sizeof(double)) * (unknowns * (vectors + others) + vectors * vectors);
}

std::string in_gib(double bytes) { return fmt::format("{:.3g} GiB", bytes / 0x1p30); }

}  // namespace

MemoryNeed memory_need(const Scene& scene, std::string_view solver, const SolverOptions& options,
                       std::int64_t frames) {
  const Footprint one = footprint(solver, scene, options);
  const double end = frames < 0 ? scene.duration : static_cast<double>(frames) / scene.frame_rate;
  const double of_state = growing * snapshot_bytes_per_particle(scene);
  MemoryNeed need;
  double most = -1.0;
  for (const BodySize& body : body_sizes(scene, end, one.block_edge)) {
    const double bytes =
        body.particles * (one.bytes_per_particle + of_state) + body.nodes * one.bytes_per_node;
    need.particles += body.particles;
    need.nodes += body.nodes;
    need.body_bytes += bytes;
    // Where sizes overflow against each other there is no number: larger than any.
    const double weight = std::isnan(bytes) ? std::numeric_limits<double>::infinity() : bytes;
    if (weight > most) {
      most = weight;
      need.largest = body;
    }
  }
  need.state_bytes = need.particles * of_state;
  need.domain_bytes = one.domain_bytes;
  need.krylov_bytes = krylov_bytes(one, scene, need.nodes);
  need.bytes = need.body_bytes + need.domain_bytes + need.krylov_bytes;
  return need;
}

void require_memory(const MemoryNeed& need, std::string_view source, const MemoryLimit& limit) {
  const std::string raised = limit.raised_by.empty() ? "" : fmt::format(" ({} raises this)", limit.raised_by);
  const std::string allowed = fmt::format("must need at most {}{}", in_gib(limit.bytes), raised);
  if (!(need.particles <= most_particles)) {
    throw BadInput(
        fmt::format("{}: particles_per_cell = {}: gives {:.3g} particles, which need {}: must give at most "
                    "{:.0f}",
                    need.largest.where, need.largest.particles_per_cell, need.particles, in_gib(need.bytes),
                    most_particles));
  }
  if (need.bytes <= limit.bytes) return;
  if (need.body_bytes >= std::max(need.domain_bytes, need.krylov_bytes)) {
    throw BadInput(fmt::format(
        "{}: particles_per_cell = {}: with {:.3g} particles and {:.3g} nodes the scene needs {}: {}",
        need.largest.where, need.largest.particles_per_cell, need.particles, need.nodes, in_gib(need.bytes),
        allowed));
  }
  const std::string where = in_one_line(source, longest_path);
  if (need.domain_bytes >= need.krylov_bytes) {
    throw BadInput(fmt::format("{}: domain: this solver's table of all nodes needs {}: {}, or another solver",
                               where, in_gib(need.domain_bytes), allowed));
  }
  throw BadInput(fmt::format("{}: implicit: gmres_restart: the vectors it keeps need {}: {}", where,
                             in_gib(need.krylov_bytes), allowed));
}

}  // namespace repose
