#include "optimized/mpm/optimized_solver.h"
#include "reference/interface/sampling.h"

#include <cstdio>
#include <cstdlib>

/// A few steps of the fast solver with 1, 2 and 4 threads: a block of sand that falls into a corner, in explicit and in
/// implicit steps. Under the thread sanitizer it finds data races; everywhere it checks that the number of threads
/// changes no bit.
namespace {

using namespace repose;

constexpr int explicit_steps = 6;
constexpr int implicit_steps = 2;

Scene block_in_a_corner(int dim) {
  Scene scene;
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

/// Many nodes with a particle each: solves of fewer unknowns keep to one thread. The corner stands off the domain's
/// border, past which long steps may carry a particle.
Scene implicit_block() {
  Scene scene = block_in_a_corner(2);
  scene.integrator = Integrator::implicit_;
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

Snapshot run(const Scene& scene, const Snapshot& start, Precision precision, int threads) {
  SolverOptions options;
  options.precision = precision;
  options.threads = threads;
  options.all_threads = true;  // some of these loops are so short that they would keep to one
  const auto solver = make_optimized_solver(scene, options);
  solver->load(start);
  const int steps = scene.integrator == Integrator::implicit_ ? implicit_steps : explicit_steps;
  for (int step = 0; step < steps; ++step) solver->advance([&](double) { return scene.step.max_dt; });
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
  for (const Scene& scene : {block_in_a_corner(2), block_in_a_corner(3), implicit_block()}) {
    const int dim = scene.dim();
    const char* const kind = scene.integrator == Integrator::implicit_ ? "implicit" : "explicit";
    const Snapshot start = sample(scene);
    for (const Precision precision : {Precision::single_, Precision::double_}) {
      const Snapshot one = run(scene, start, precision, 1);
      // The premise: the run moved something, so that equal results are not those of a solver that did nothing.
      if (same(one, start)) {
        std::printf("%dD, %s: nothing moved\n", dim, kind);
        ++failures;
      }
      for (const int threads : {2, 4}) {
        const bool equal = same(run(scene, start, precision, threads), one);
        std::printf("%dD, %s, %s, %zu particles, %d threads: %s\n", dim, kind,
                    precision == Precision::single_ ? "float" : "double", start.particles(), threads,
                    equal ? "the same bits" : "DIFFERENT");
        if (!equal) ++failures;
      }
    }
  }
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
