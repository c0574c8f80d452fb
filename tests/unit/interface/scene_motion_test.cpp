#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/scene_file/scene_file.h"

#include <boost/test/unit_test.hpp>

#include <string>

namespace repose {
namespace {

/// A scene that begins with these lines.
std::string scene_text(const std::string& first_lines) {
  return first_lines + R"(dimension = 2
spacing = 0.1
frame_rate = 50
duration = 1
max_dt = 1e-3
method = "mpm"
domain = { min = [0, 0], max = [1, 1] }
material = [ { name = "rubber", kind = "elastic", density = 1e3, youngs_modulus = 1e6, poisson_ratio = 0.3 } ]
seed = [ { shape = "box", min = [0.2, 0.2], max = [0.6, 0.6], material = "rubber", seed = 1 } ]
)";
}

std::string message_of(const std::string& first_lines) {
  try {
    parse_scene(scene_text(first_lines), "s.toml");
  } catch (const BadInput& error) {
    return error.what();
  }
  return "accepted";
}

BOOST_AUTO_TEST_SUITE(scene_motion)

BOOST_AUTO_TEST_CASE(what_moves_particles_is_read_and_read_back) {
  BOOST_TEST((mpm_options(parse_scene(scene_text(""), "s")).motion == ParticleMotion::before_friction));
  for (const std::string name : {"before_friction", "after_friction"}) {
    const Scene s = parse_scene(scene_text("mpm.particle_motion = \"" + name + "\"\n"), "s.toml");
    BOOST_TEST((mpm_options(s).motion == ParticleMotion::after_friction) == (name == "after_friction"));
    const std::string resolved = scene_to_toml(s);
    BOOST_TEST((mpm_options(parse_scene(resolved, "again.toml")).motion == mpm_options(s).motion));
    BOOST_TEST(scene_to_toml(parse_scene(resolved, "again.toml")) == resolved);
  }
  BOOST_TEST(
      message_of("mpm.particle_motion = \"v_tilde\"\n") ==
      "s.toml:1: particle_motion = \"v_tilde\": must be one of \"before_friction\", \"after_friction\"");
}

BOOST_AUTO_TEST_CASE(implicit_steps_refuse_motion_after_friction) {
  BOOST_TEST(message_of("mpm.integrator = \"implicit\"\nmpm.particle_motion = \"before_friction\"\n") ==
             "accepted");
  BOOST_TEST(message_of("mpm.integrator = \"implicit\"\nmpm.particle_motion = \"after_friction\"\n") ==
             "s.toml:2: particle_motion = \"after_friction\": must be \"before_friction\" or left out where "
             "integrator = \"implicit\"");
  Scene built = parse_scene(scene_text("mpm.particle_motion = \"after_friction\"\n"), "s.toml");
  BOOST_CHECK_NO_THROW(validate(built));
  mpm_options(built).integrator = Integrator::implicit_;
  BOOST_CHECK_THROW(validate(built), BadInput);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
