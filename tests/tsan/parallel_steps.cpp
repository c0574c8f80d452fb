#include "optimized/mixture/mixture_solver.h"
#include "optimized/mpm/optimized_solver.h"
#include "reference/interface/methods/mixture_options.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/particles/sampling.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

/// A few steps of the fast solver with 1, 2 and 4 threads: a block of sand that falls into a corner, in explicit and in
/// implicit steps, and one of 64 and more blocks of the sparse grid that turns, so that particles go from block to block; that one
/// with water in it, too, and solved with it. Under the thread sanitizer it finds data races; everywhere it checks that the
/// number of threads changes no bit and no count.
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

/// A scene, and what makes its steps.
struct Run {
  Scene scene;
  bool solves = false;  ///< takes steps that are solved for
  std::unique_ptr<Solver> (*make)(const Scene&, const SolverOptions&) = make_optimized_solver;
  const char* kind() const { return solves ? "implicit" : "explicit"; }
};

/// The same with as much water in it, which drags.
Run with_water(Scene scene, bool solves) {
  Material water;
  water.name = "water";
  water.kind = MaterialKind::water;
  water.density = 1000.0;
  water.water_stiffness = 5e4;
  water.water_gamma = 3.0;
  scene.materials[0].cohesion = 200.0;
  scene.materials.push_back(water);
  Seed pores = scene.seeds[0];
  pores.name = "pores";
  pores.material = 1;
  pores.seed = 8;
  scene.seeds.push_back(pores);
  scene.title += " with water";
  scene.scheme = MixtureOptions{.integrator = solves ? Integrator::semi_implicit : Integrator::explicit_,
                                .drag = Drag::mesh_consistent,
                                .kappa = 1e4,
                                .reversible = ReversibleTerm::volume};
  if (solves) {
    scene.materials[0].volume_correction = false;  // Hencky's energy has no room for it there
    mixture_options(scene).implicit.newton_tolerance = 1e-2;
    scene.step.max_dt = 2e-4;
  }
  return {std::move(scene), solves, optimized::make_mixture_solver};
}

/// @param counts of all steps  @param helped whether all threads took part in a loop of each stage
Snapshot run(const Run& of, const Snapshot& start, Precision precision, int threads,
             std::vector<Counts>& counts, bool& helped) {
  const Scene& scene = of.scene;
  SolverOptions options;
  options.precision = precision;
  options.threads = threads;
  options.all_threads = true;  // some of these loops are so short that they would keep to one
  const auto solver = of.make(scene, options);
  solver->load(start);
  counts.clear();
  for (int step = 0; step < (of.solves ? implicit_steps : explicit_steps); ++step) {
    const StepReport report = solver->advance([&](double) { return scene.step.max_dt; });
    counts.push_back(report.counts);
  }
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
  for (const Run& of :
       {Run{block_in_a_corner(2)}, Run{block_in_a_corner(3)}, Run{turning_block(2)}, Run{turning_block(3)},
        Run{implicit_block(), true}, with_water(turning_block(2), false), with_water(turning_block(3), false),
        with_water(turning_block(2), true)}) {
    const int dim = of.scene.dim();
    const Snapshot start = sample(of.scene);
    for (const Precision precision : {Precision::single_, Precision::double_}) {
      bool helped = true;
      std::vector<Counts> counts, counts_of_one;
      const Snapshot one = run(of, start, precision, 1, counts_of_one, helped);
      // The premise: the run moved something, so that equal results are not those of a solver that did nothing.
      if (same(one, start)) {
        std::printf("%s, %dD, %s: nothing moved\n", of.scene.title.c_str(), dim, of.kind());
        ++failures;
      }
      for (const int threads : {2, 4}) {
        const bool equal =
            same(run(of, start, precision, threads, counts, helped), one) && counts == counts_of_one;
        // A block in a corner has fewer blocks than four threads could share.
        const bool enough = helped || start.particles() < 1000;
        std::printf("%s, %dD, %s, %s, %zu particles, %d threads: %s%s\n", of.scene.title.c_str(), dim,
                    of.kind(), precision == Precision::single_ ? "float" : "double", start.particles(),
                    threads, equal ? "the same bits" : "DIFFERENT", enough ? "" : ", but NOT BY ALL OF THEM");
        if (!equal || !enough) ++failures;
      }
    }
  }
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
