// Keys of water, and the one phase of a scene of mpm.
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/scene/step_control.h"
#include "reference/interface/snapshot_check.h"
#include "tests/unit/interface/small_scene.h"

#include <fmt/format.h>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace repose {
namespace {

constexpr std::string_view of_sand = "youngs_modulus = 1e6\npoisson_ratio = 0.3\nfriction_angle_deg = 35";
constexpr std::string_view of_water = "kind = \"water\"\nwater_stiffness = 50e3\nwater_gamma = 3";

/// The small scene with its sand made water.
std::string water_with(std::string_view lines, std::string_view law = of_water) {
  return with(of_sand, std::string(law) + "\n" + std::string(lines));
}

Snapshot one_particle(double J) {
  Snapshot s;
  s.method = method::mpm.name;
  s.fields = method::state_at_rest(method::mpm, 2, 1);
  s.get(field::mass).value = {1.0};
  s.get(field::volume).value = {1e-3};
  s.get(field::x).value = {0.5, 0.5};
  s.get(field::J).value = {J};
  return s;
}

void check(const Snapshot& state, const Scene& scene) {
  require_loadable(state, scene, method::mpm, std::array{boundary::step_start});
}

std::string refusal(const Snapshot& state, const Scene& scene) {
  try {
    check(state, scene);
  } catch (const SimulationError& error) {
    return error.what();
  }
  return "accepted";
}

BOOST_AUTO_TEST_SUITE(scene_water)

BOOST_AUTO_TEST_CASE(water_is_read_and_written_again) {
  const Scene scene = parse_scene(water_with(""), "s.toml");
  const Material& m = scene.materials[0];
  BOOST_TEST((m.kind == MaterialKind::water && m.water_stiffness == 50e3 && m.water_gamma == 3.0));
  BOOST_TEST(m.water_tension);
  BOOST_TEST(is_water(scene));
  BOOST_TEST(!is_water(parse_scene(small_scene, "s.toml")));
  const std::string text = scene_to_toml(scene);
  for (const char* key :
       {"youngs_modulus", "poisson_ratio", "friction_angle", "cohesion", "volume_correction"})
    BOOST_TEST(text.find(key) == std::string::npos, key);
  const Material torn = parse_scene(water_with("water_tension = false"), "s.toml").materials[0];
  BOOST_TEST(!torn.water_tension);
  const Scene again = parse_scene(text, "again");
  BOOST_TEST((again.materials[0].water_stiffness == 50e3 && again.materials[0].water_tension));
  BOOST_TEST(scene_to_toml(again) == text);
}

BOOST_AUTO_TEST_CASE(water_has_no_key_of_solids_and_they_none_of_water) {
  for (const char* line : {"friction_angle_deg = 30", "friction_alpha = 0.1", "h0_deg = 35", "cohesion = 0",
                           "volume_correction = false"}) {
    BOOST_TEST(message_of(water_with(line)) ==
               fmt::format("s.toml:17: {}: must be left out unless kind = \"sand\"", line));
  }
  BOOST_TEST(message_of(water_with("youngs_modulus = 1e6")) ==
             "s.toml:17: youngs_modulus = 1000000: must be left out unless kind = \"sand\" or \"elastic\"");
  BOOST_TEST(message_of(water_with("poisson_ratio = 0.3")) ==
             "s.toml:17: poisson_ratio = 0.3: must be left out unless kind = \"sand\" or \"elastic\"");
  for (const char* line : {"water_stiffness = 50", "water_gamma = 3", "water_tension = false"})
    BOOST_TEST(message_of(with(of_sand, fmt::format("{}\n{}", of_sand, line))) ==
               fmt::format("s.toml:17: {}: must be left out unless kind = \"water\"", line));
}

BOOST_AUTO_TEST_CASE(the_law_of_water_is_whole_and_positive) {
  BOOST_TEST(message_of(water_with("", "kind = \"water\"\nwater_gamma = 3")) ==
             "s.toml:11: water_stiffness is missing: must be a finite number > 0 [Pa]");
  BOOST_TEST(message_of(water_with("", "kind = \"water\"\nwater_stiffness = 3")) ==
             "s.toml:11: water_gamma is missing: must be a finite number > 0");
  BOOST_TEST(message_of(water_with("", "kind = \"water\"\nwater_stiffness = 0\nwater_gamma = 3")) ==
             "s.toml:15: water_stiffness = 0: must be a finite number > 0 [Pa]");
  BOOST_TEST(message_of(water_with("", "kind = \"water\"\nwater_stiffness = 50\nwater_gamma = -1")) ==
             "s.toml:16: water_gamma = -1: must be a finite number > 0");
}

BOOST_AUTO_TEST_CASE(a_scene_of_mpm_holds_one_phase_in_any_steps) {
  const std::string second = "[[material]]\nname = \"other\"\ndensity = 1000\n";
  const std::string wet = second + std::string(of_water) + "\n\n[[seed]]";
  BOOST_TEST(message_of(with("[[seed]]", wet)) ==
             "s.toml:21: kind = \"water\": must be \"sand\" or \"elastic\" beside those: a scene of method = "
             "\"mpm\" holds water alone, or none; one of method = \"mixture\" both");
  std::string text = water_with("");
  const std::string dry = second + std::string(of_sand) + "\n\n[[seed]]";
  text.replace(text.find("[[seed]]"), 8, dry);
  BOOST_TEST(message_of(text).find("kind") != std::string::npos);
  BOOST_TEST(message_of(text).find("\"water\" beside water: a scene of method = \"mpm\" holds water alone") !=
             std::string::npos);
  text = water_with("");
  text.replace(text.find("[[seed]]"), 8, second + std::string(of_water) + "\n\n[[seed]]");
  BOOST_TEST(message_of(text) == "accepted");

  text = water_with("");
  text.insert(text.find("[domain]"), "[mpm]\nintegrator = \"implicit\"\n");
  BOOST_TEST(message_of(text) == "accepted");

  // Built scenes are held to the same.
  Scene built = parse_scene(water_with(""), "s.toml");
  built.materials.push_back(parse_scene(small_scene, "s.toml").materials[0]);
  built.materials[1].name = "other";
  BOOST_CHECK_THROW(validate(built), BadInput);
  std::swap(built.materials[0], built.materials[1]);
  BOOST_CHECK_THROW(validate(built), BadInput);
}

/// c = √(γk/ρ) = √(3 · 50 kPa/1600 kg/m³) = 9.682 m/s.
BOOST_AUTO_TEST_CASE(the_speed_of_sound_bounds_steps) {
  Scene scene = parse_scene(water_with(""), "s.toml");
  const double c = std::sqrt(3.0 * 50e3 / 1600.0);
  BOOST_TEST(std::abs(wave_speed(scene.materials[0]) / c - 1.0) < 1e-15);
  scene.step.max_dt = 1.0;
  scene.frame_rate = 1e-3;
  const StepControl::Choice free = StepControl(scene).bound(0.0);
  BOOST_TEST(free.limited_by == "elastic_bound");
  BOOST_TEST(std::abs(free.dt / (0.6 * 0.1 / c) - 1.0) < 1e-15);
}

BOOST_AUTO_TEST_CASE(states_hold_each_material_in_its_own_measure) {
  const Scene wet = parse_scene(water_with(""), "s.toml");
  const Scene dry = parse_scene(small_scene, "s.toml");
  BOOST_TEST(one_particle(1.0).get(field::J).value == std::vector<double>{1.0});
  BOOST_TEST(refusal(one_particle(0.7), wet) == "accepted");
  BOOST_TEST(refusal(one_particle(1.0), dry) == "accepted");
  BOOST_TEST(refusal(one_particle(0.0), wet).find("inverted particle: J = 0") != std::string::npos);
  BOOST_TEST(refusal(one_particle(-0.5), wet).find("inverted particle: J = -0.5") != std::string::npos);
  BOOST_TEST(refusal(one_particle(0.5), dry).find("J = 0.5 of a particle that is no water") !=
             std::string::npos);
  Snapshot stretched = one_particle(1.0);
  stretched.get(field::F).value = {1.0, 0.0, 0.0, 0.9};
  BOOST_TEST(refusal(stretched, dry) == "accepted");
  BOOST_TEST(refusal(stretched, wet).find("F of a particle of water is not 1") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
