#include "optimized/mpm/optimized_solver.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/particles/sampling.h"

#include <cstdio>
#include <cstdlib>

/// A few steps of the fast solver with 1, 2 and 4 threads: a block of sand that falls into a corner, in explicit and in
/// implicit steps, and one of 64 and more blocks of the sparse grid that turns, so that particles go from block to block. Under the thread sanitizer it finds data races; everywhere it checks that the number of threads
/// changes no bit.
namespace {

using namespace repose;

constexpr int explicit_steps = 6;
constexpr int implicit_steps = 2;

Scene block_in_a_corner(int dim) {
  Scene scene;
  scene.scheme = MpmOptions{};
  scene.title = "block in a corner";
  scene.grid.dim = dim;
  scene.grid.h = 0.0625;
  // Wide enough that the block spans several blocks of the sparse grid.
  scene.grid.cells = {24, 16, dim == 3 ? 16 : 1};
  scene.gravity = Point(0.0, -9.81, 0.0);
  Material sand;
  sand.name = "sand";
  sand.density = 2200.0;
  sand.youngs_modulus = 3.537e5;
  sand.poisson_ratio = 0.3;
  sand.friction.h0 = 30.0 * degree;
  sand.volume_correction = true;
  scene.materials = {sand};
  Seed block;
  block.name = "block";
  block.shape = Box{Point(0.0, 0.0, 0.0), Point(0.75, 0.5, dim == 3 ? 0.5 : 0.0)};
  block.sampling = Sampling::jittered;
  block.particles_per_cell = dim == 3 ? 4.0 : 9.0;
  block.seed = 7;
  block.velocity = Point(-1.0, -1.0, 0.0);
  scene.seeds = {block};
  Collider floor;
  floor.name = "floor";
  floor.shape = HalfSpace{Point::Zero(), Point::UnitY()};
  floor.friction = 0.5;
  Collider wall = floor;
  wall.name = "wall";
  wall.shape = HalfSpace{Point::Zero(), Point::UnitX()};
  scene.colliders = {floor, wall};
  scene.step.max_dt = 2e-4;
  scene.frame_rate = 60.0;
  scene.duration = 1.0 / 60.0;
  return scene;
}

/// A particle in each cell; the outermost cross most of a cell in a step, in all directions.
Scene turning_block(int dim) {
  Scene scene = block_in_a_corner(dim);
  scene.title = "turning block";
  const int edge = dim == 3 ? 4 : 8;  // of a block of the sparse grid, in cells
  const int cells = edge * (dim == 3 ? 4 : 8);
  const double h = scene.grid.h;
  const double half = 0.5 * cells * h;
  scene.grid.domain_min = -1.6 * half * Point(1.0, 1.0, dim == 3 ? 1.0 : 0.0);
  const auto across = static_cast<std::int64_t>(1.6 * cells);
  scene.grid.cells = {across, across, dim == 3 ? across : 1};
  Seed& block = scene.seeds[0];
  block.shape =
      Box{-half * Point(1.0, 1.0, dim == 3 ? 1.0 : 0.0), half * Point(1.0, 1.0, dim == 3 ? 1.0 : 0.0)};
  block.particles_per_cell = 1.0;
  block.velocity = Point::Zero();
  scene.step.max_dt = 1e-3;
  block.spin = Point(0.0, 0.0, 0.7 * h / scene.step.max_dt / half);
  scene.colliders[0].shape = HalfSpace{Point(0.0, -1.01 * half, 0.0), Point::UnitY()};
  scene.colliders[1].shape = HalfSpace{Point(-1.01 * half, 0.0, 0.0), Point::UnitX()};
  return scene;
}

/// Many nodes with a particle each: solves of fewer unknowns keep to one thread. The corner stands off the domain's
/// border, past which long steps may carry a particle.
Scene implicit_block() {
  Scene scene = block_in_a_corner(2);
  mpm_options(scene).integrator = Integrator::implicit_;
  scene.grid.h = 0.005;
  scene.grid.cells = {200, 200, 1};
  scene.seeds[0].particles_per_cell = 1.0;
  const Point corner(0.05, 0.05, 0.0);
  scene.seeds[0].shape = Box{corner, corner + Point(0.75, 0.5, 0.0)};
  scene.colliders[0].shape = HalfSpace{corner, Point::UnitY()};
  scene.colliders[1].shape = HalfSpace{corner, Point::UnitX()};
  scene.step.max_dt = 1e-3;
  return scene;
}

/// @param helped whether all threads took part in a loop of each stage
Snapshot run(const Scene& scene, const Snapshot& start, Precision precision, int threads, bool& helped) {
  SolverOptions options;
  options.precision = precision;
  options.threads = threads;
  options.all_threads = true;  // some of these loops are so short that they would keep to one
  const auto solver = make_optimized_solver(scene, options);
  solver->load(start);
  const int steps = mpm_options(scene).integrator == Integrator::implicit_ ? implicit_steps : explicit_steps;
  for (int step = 0; step < steps; ++step) solver->advance([&](double) { return scene.step.max_dt; });
  helped = true;
  for (const auto& [stage, took_part] : solver->stage_threads())
    helped = helped && (took_part == threads || took_part == 0);
  return solver->save(boundary::step_start, false);
}

bool same(const Snapshot& a, const Snapshot& b) {
  if (a.fields.size() != b.fields.size()) return false;
  for (const Field& field : a.fields)
    if (field.value != b.get(field.name).value) return false;
  return true;
}

}  // namespace

int main() {
  int failures = 0;
  for (const Scene& scene :
       {block_in_a_corner(2), block_in_a_corner(3), turning_block(2), turning_block(3), implicit_block()}) {
    const int dim = scene.dim();
    const char* const kind = mpm_options(scene).integrator == Integrator::implicit_ ? "implicit" : "explicit";
    const Snapshot start = sample(scene);
    for (const Precision precision : {Precision::single_, Precision::double_}) {
      bool helped = true;
      const Snapshot one = run(scene, start, precision, 1, helped);
      // The premise: the run moved something, so that equal results are not those of a solver that did nothing.
      if (same(one, start)) {
        std::printf("%dD, %s: nothing moved\n", dim, kind);
        ++failures;
      }
      for (const int threads : {2, 4}) {
        const bool equal = same(run(scene, start, precision, threads, helped), one);
        // A block in a corner has fewer blocks than four threads could share.
        const bool enough = helped || start.particles() < 1000;
        std::printf("%dD, %s, %s, %zu particles, %d threads: %s%s\n", dim, kind,
                    precision == Precision::single_ ? "float" : "double", start.particles(), threads,
                    equal ? "the same bits" : "DIFFERENT", enough ? "" : ", but NOT BY ALL OF THEM");
        if (!equal || !enough) ++failures;
      }
    }
  }
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
