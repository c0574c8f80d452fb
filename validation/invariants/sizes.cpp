#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/invariants/invariants.h"
#include "validation/invariants/plain.h"
#include "validation/memory_need.h"
#include "validation/solvers.h"

#include "reference/interface/particles/emitters.h"
#include "reference/interface/particles/sampling.h"

#include <cmath>
#include <string>

namespace repose::invariants {

namespace {

Scene sized_scene(Dice& dice, int n, int dim) {
  Scene scene;
  scene.grid = {.dim = dim, .h = 0.1, .cells = {40, 40, dim == 3 ? 40 : 1}};
  scene.scheme = MpmOptions{.kernel = n % 2 == 0 ? Kernel::cubic : Kernel::quadratic, .elastic_bound = 0.5};
  Material m;
  m.name = "m";
  m.density = 1000.0;
  m.youngs_modulus = 1e4;
  m.poisson_ratio = 0.3;
  scene.materials = {m};
  scene.step = {.max_dt = 1e-3, .cfl = 1.0};
  scene.frame_rate = 10.0;
  scene.duration = 1.0;
  Seed seed;
  seed.name = "body";
  seed.shape = random_shape(static_cast<Kind>(1 + n % 3), dice, dim);
  const Point shift = Point::Constant(2.0) - surface_of(seed.shape, dim).centre;
  std::visit(
      [&](auto& s) {
        using S = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<S, Box>) {
          s.min += shift;
          s.max += shift;
        } else if constexpr (requires { s.centre; }) {
          s.centre += shift;
        }
      },
      seed.shape);
  seed.sampling = static_cast<Sampling>(n / 3 % 3);
  seed.particles_per_cell = dice.between(3.0, 9.0);
  scene.seeds = {seed};
  return scene;
}

/// What is estimated from the scene against what sampling gives and solvers then hold: particles to what a border of one
/// particle's width leaves open. Nodes: a body reaches a node more or less per axis than counted, of seven or more, (6/7)³
/// of them at least; and at most, where it is smaller than a block, 3 blocks per axis for one, of which its stencils reach a
/// half. Bytes: between the same.
void estimates_of_memory(int dim, Ledger& ledger) {
  ledger.needs("scenes", 15);
  Dice dice(111);
  for (int n = 0; n < 18; ++n) {
    const Scene scene = sized_scene(dice, n, dim);
    const Snapshot state = sample(scene);
    const auto count = static_cast<double>(state.particles());
    const Surface surface = surface_of(scene.seeds[0].shape, dim);
    // Of a lattice the particles within half a spacing of the surface may go either way: area · spacing/2 over the volume,
    // of which a walk takes the root; four deviations, and what rounding of the lattice to the box does.
    const double rim =
        scene.seeds[0].sampling == Sampling::poisson_disk ? 0.02 : 0.25 + 8.0 / std::sqrt(count);
    for (const std::string& name : solvers_of(method::mpm.name)) {
      const auto solver = make_solver(name, scene);
      solver->load(state);
      const StepReport report = solver->advance([](double) { return 1e-3; });
      const MemoryNeed need = memory_need(scene, name, {});
      ledger.near("particles over those sampled", need.particles / count, 1.0, rim, surface.centre);
      ledger.within("nodes over those in use",
                    need.nodes / static_cast<double>(report.counts[counter::active_nodes]), 0.62, 27.0,
                    surface.centre);
      const Solver::Storage storage = solver->storage();
      // The readable solver tells the bytes of one particle.
      const double particles =
          static_cast<double>(storage.particle_bytes) * (name == "reference" ? count : 1.0);
      const double held = particles + static_cast<double>(storage.grid_bytes);
      ledger.within("bytes over those held", (need.bytes - need.state_bytes) / held, 0.62, 27.0,
                    surface.centre);
    }
    // A state is its fields: eight bytes for each number.
    double numbers = 0.0;
    for (const Field& f : state.fields) numbers += static_cast<double>(f.value.size());
    ledger.equal("bytes of a state per particle", snapshot_bytes_per_particle(scene), 8.0 * numbers / count);
    ledger.saw("scenes");
  }
}

/// What emitters let in until a time, by rate and by letting it in.
void sizes_of_inflow(int dim, Ledger& ledger) {
  ledger.needs("times", 10);
  Dice dice(112);
  Scene scene = sized_scene(dice, 0, dim);
  scene.seeds.clear();
  Emitter e;
  e.name = "spout";
  e.shape = Sphere{.centre = Point(2, 3, dim == 3 ? 2 : 0), .radius = 0.2};
  e.velocity = {0, -1, 0};
  e.rate = dim == 2 ? 0.3 : 0.1;
  e.start = 0.25;
  e.stop = 0.75;
  e.particles_per_cell = 5.0;
  scene.emitters = {e};
  const Inflow inflow(scene);
  for (const double end : {0.1, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 1.0}) {
    const double came = static_cast<double>(inflow.between(0.0, end).particles());
    const auto sizes = body_sizes(scene, end, 4);
    ledger.equal("emitters", static_cast<double>(sizes.size()), 1.0);
    ledger.near("particles that come in", sizes.front().particles, came, 0.5 + 1e-9 * came);
    ledger.saw("times");
  }
}

}  // namespace

void add_sizes(std::vector<Invariant>& all) {
  all.push_back({"estimates_of_memory",
                 "particles, nodes and bytes, against what solvers hold",
                 "sizes",
                 {2, 3},
                 estimates_of_memory});
  all.push_back({"sizes_of_inflow", "how many particles emitters let in", "sizes", {2, 3}, sizes_of_inflow});
}

}  // namespace repose::invariants
