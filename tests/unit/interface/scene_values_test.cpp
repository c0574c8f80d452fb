// Values that a scene's file leaves out, and values that are not taken as they are given.
#include "reference/interface/methods/mpm_options.h"
#include "tests/unit/interface/small_scene.h"

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace repose {
namespace {

BOOST_AUTO_TEST_SUITE(scene_values_test)

BOOST_AUTO_TEST_CASE(a_small_scene_gets_every_default) {
  const Scene s = parse_scene(small_scene, "s.toml");
  BOOST_TEST((s.dim() == 2 && s.grid.h == 0.1 && s.grid.cells[0] == 10 && s.grid.cells[1] == 10 &&
              s.grid.cells[2] == 1));
  BOOST_TEST((mpm_options(s).kernel == Kernel::cubic && mpm_options(s).transfer == Transfer::apic &&
              mpm_options(s).flip_share == 1.0));
  BOOST_TEST((mpm_options(s).motion == ParticleMotion::before_friction));
  BOOST_TEST((s.gravity == Point(0, -9.81, 0)));
  BOOST_TEST((s.step.max_dt == 1e-3 && s.step.cfl == 1.0 && mpm_options(s).elastic_bound == 0.6));
  BOOST_TEST((s.materials[0].friction.h0 == 35 * degree && s.materials[0].friction.h3 == 0.0));
  BOOST_TEST((s.materials[0].kind == MaterialKind::sand && !s.materials[0].volume_correction));
  BOOST_TEST((s.seeds[0].name == "seed_1" && s.seeds[0].where == "s.toml:18" &&
              s.seeds[0].particles_per_cell == 4.0));
  BOOST_TEST((s.colliders[0].name == "collider_1" && s.colliders[0].contact == Contact::separating));
  BOOST_TEST((std::get<HalfSpace>(s.colliders[0].shape).normal == Point(0, 1, 0)));
  BOOST_TEST(
      mpm_options(parse_scene(with("duration", "mpm.kernel = \"quadratic\"\nduration"), "s")).elastic_bound ==
      0.5);
}

/// What a program that builds a scene in space leaves out.
BOOST_AUTO_TEST_CASE(a_body_in_space_is_sampled_as_densely_as_one_that_no_file_describes) {
  const Scene s = parse_scene(R"(dimension = 3
spacing = 0.1
frame_rate = 50
duration = 1
max_dt = 1e-3
method = "mpm"
domain = {min = [0, 0, 0], max = [1, 1, 1]}
material = [{name = "sand", density = 1600, youngs_modulus = 1e6, poisson_ratio = 0.3, friction_angle_deg = 35}]
seed = [{shape = "sphere", centre = [0.5, 0.5, 0.5], radius = 0.2, material = "sand", seed = 1}]
[[emitter]]
shape = "box"
min = [0.4, 0.8, 0.4]
max = [0.5, 0.9, 0.5]
velocity = [0, -0.3, 0]
rate = 0.002
material = "sand"
seed = 4
)",
                              "s.toml");
  BOOST_TEST((s.seeds.at(0).particles_per_cell == 8.0 && Seed{}.particles_per_cell == 8.0));
  BOOST_TEST((s.emitters.at(0).particles_per_cell == 8.0 && Emitter{}.particles_per_cell == 8.0));
}

BOOST_AUTO_TEST_CASE(a_direction_of_nearly_length_one_has_it_afterwards) {
  for (const char* given : {"[0.6000001, 0.8]", "[0.6000000000001, 0.8]", "[3, 4]"}) {
    const Scene s = parse_scene(with("[0, 2]", given), "s.toml");
    const Point& normal = std::get<HalfSpace>(s.colliders[0].shape).normal;
    BOOST_TEST(std::abs(normal.norm() - 1.0) <= 1e-15, given);
    BOOST_TEST(std::abs(normal.x() / normal.y() - 0.75) <= 2e-7, given);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
