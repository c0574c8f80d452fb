#include "validation/memory_need.h"

#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/particles/sampling.h"
#include "validation/solvers.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

namespace repose {
namespace {

namespace data = boost::unit_test::data;

Scene block(int dim, double edge_cells, double particles_per_cell) {
  Scene s;
  s.scheme = MpmOptions{.elastic_bound = 0.5};
  s.grid = {.dim = dim, .h = 0.1, .cells = {60, 60, dim == 3 ? 60 : 1}};
  s.materials = {{.name = "sand", .density = 1600, .youngs_modulus = 1e5, .poisson_ratio = 0.3}};
  s.gravity = {0, -9.81, 0};
  s.step = {.max_dt = 1e-4, .cfl = 1.0};
  s.frame_rate = 10.0;
  s.duration = 1.0;
  Seed body;
  body.name = "block";
  body.where = "s.toml:7";
  body.shape = Box{.min = {1, 1, 1}, .max = Point::Constant(1.0 + 0.1 * edge_cells)};
  body.sampling = Sampling::regular;
  body.particles_per_cell = particles_per_cell;
  s.seeds = {body};
  return s;
}

/// The estimate against what the solvers say they hold after a step. Below: buffers grow by halves and the fast solver
/// counts what it keeps only at times. Above: whole blocks at borders, and what is there while particles are sorted.
BOOST_DATA_TEST_CASE(the_estimate_covers_what_the_solvers_hold_and_no_multiple_of_it,
                     data::make({2, 3}) * data::make({"reference", "optimized"}) * data::make({false, true}),
                     dim, name, single) {
  const Precision precision = single ? Precision::single_ : Precision::double_;
  if (!has_precision(name, precision)) return;
  const Scene scene = dim == 2 ? block(2, 40, 16) : block(3, 20, 8);
  const SolverOptions options{.precision = precision, .threads = 1, .simd = {}};
  const auto solver = make_solver(name, scene, options);
  solver->load(sample(scene));
  solver->advance([](double) { return 1e-4; });
  const auto particles = static_cast<double>(solver->particles());
  const Solver::Storage storage = solver->storage();
  // The readable solver tells the bytes of one particle.
  const double holds =
      static_cast<double>(storage.grid_bytes) +
      static_cast<double>(storage.particle_bytes) * (std::string(name) == "reference" ? particles : 1.0);
  const MemoryNeed need = memory_need(scene, name, options);
  BOOST_TEST(particles > 20000.0);
  BOOST_TEST(need.particles == particles);
  BOOST_TEST(need.bytes - need.state_bytes >= 0.8 * holds);
  BOOST_TEST(need.bytes - need.state_bytes <= 2.5 * holds);
  BOOST_TEST(need.state_bytes >= particles * snapshot_bytes_per_particle(scene));
}

std::string refusal(const Scene& scene, std::string_view solver, double gib) {
  try {
    require_memory(memory_need(scene, solver, {}), "s.toml", {gib * 0x1p30, "--more"});
    return "accepted";
  } catch (const BadInput& error) {
    return error.what();
  }
}

BOOST_AUTO_TEST_CASE(a_body_of_too_many_particles_is_named_with_key_count_need_and_option) {
  const Scene scene = block(2, 40, 1e6);
  const std::string message = refusal(scene, "optimized", 16);
  BOOST_TEST(message.find("s.toml:7: seed \"block\": particles_per_cell = 1000000: with 1.6e+09 particles") ==
             0U);
  BOOST_TEST(message.find("GiB: must need at most 16 GiB (--more raises this)") != std::string::npos);
  BOOST_TEST(refusal(scene, "optimized", 1e4) == "accepted");
  // Of two bodies the larger one is at fault.
  Scene two = scene;
  two.seeds.push_back(two.seeds[0]);
  two.seeds[0].particles_per_cell = 4;
  two.seeds[1].where = "s.toml:20";
  BOOST_TEST(refusal(two, "optimized", 16).find("s.toml:20: ") == 0U);
}

BOOST_AUTO_TEST_CASE(more_particles_than_indices_are_refused_whatever_the_memory) {
  BOOST_TEST(refusal(block(2, 40, 1e6), "optimized", 1e300) == "accepted");
  for (const double per_cell : {2e6, 1e18, 1e308}) {
    BOOST_TEST(refusal(block(2, 40, per_cell), "optimized", 1e300).find("must give at most 2147483647") !=
               std::string::npos);
  }
}

/// Four bytes per node of the whole domain: the readable solver's table, and none of the fast one's.
BOOST_AUTO_TEST_CASE(the_readable_solver_needs_memory_for_the_whole_domain) {
  Scene scene = block(2, 10, 4);
  scene.grid.cells = {100000, 100000, 1};
  const MemoryNeed need = memory_need(scene, "reference", {});
  BOOST_TEST(need.domain_bytes == 4.0 * 100005.0 * 100005.0);
  BOOST_TEST(refusal(scene, "reference", 16) ==
             "s.toml: domain: this solver's table of all nodes needs 37.3 GiB: must need at most 16 GiB "
             "(--more raises "
             "this), or another solver");
  BOOST_TEST(refusal(scene, "reference", 40) == "accepted");
  BOOST_TEST(refusal(scene, "optimized", 1) == "accepted");
}

BOOST_AUTO_TEST_CASE(vectors_of_implicit_steps_count_up_to_the_number_of_unknowns) {
  Scene scene = block(3, 20, 8);
  const double explicit_bytes = memory_need(scene, "optimized", {}).bytes;
  mpm_options(scene).integrator = Integrator::implicit_;
  mpm_options(scene).implicit.gmres_restart = 15;
  mpm_options(scene).implicit.gmres_iterations = 15;
  const MemoryNeed usual = memory_need(scene, "optimized", {});
  BOOST_TEST(usual.krylov_bytes > 15.0 * 3.0 * 8.0 * usual.nodes);
  BOOST_TEST(usual.bytes > explicit_bytes + usual.krylov_bytes);
  mpm_options(scene).implicit.gmres_restart = 1000000;
  mpm_options(scene).implicit.gmres_iterations = 1000000;
  BOOST_TEST(
      refusal(scene, "optimized", 16).find("s.toml: implicit: gmres_restart: the vectors it keeps need ") ==
      0U);
  mpm_options(scene).implicit.gmres_iterations = 20;
  BOOST_TEST(refusal(scene, "optimized", 1) == "accepted");
}

BOOST_AUTO_TEST_CASE(only_the_frames_asked_for_count) {
  Scene scene = block(2, 10, 4);
  Emitter e;
  e.name = "spout";
  e.shape = Box{.min = {3, 5, 0}, .max = {4, 5.1, 0}};
  e.velocity = {0, -1, 0};
  e.rate = 1.0;
  e.stop = 1.0;
  e.particles_per_cell = 4.0;
  scene.emitters = {e};
  const double body = 400.0;
  BOOST_TEST(memory_need(scene, "optimized", {}).particles == body + 400.0,
             boost::test_tools::tolerance(1e-9));
  BOOST_TEST(memory_need(scene, "optimized", {}, 5).particles == body + 200.0,
             boost::test_tools::tolerance(1e-9));
  BOOST_TEST(memory_need(scene, "optimized", {}, 0).particles == body, boost::test_tools::tolerance(1e-9));
}

}  // namespace
}  // namespace repose
