// Keys of Tampubolon's sand: cohesion, hardening of separated grains, the unilateral energy.
#include "reference/interface/methods/mpm_options.h"
#include "tests/unit/interface/small_scene.h"

#include <fmt/format.h>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <string>
#include <tuple>
#include <utility>

namespace repose {
namespace {

std::string sand_with(std::string_view lines, std::string_view angle = "friction_angle_deg = 35") {
  return with("friction_angle_deg = 35", std::string(angle) + "\n" + std::string(lines));
}

std::string with_energy(std::string_view options, std::string_view lines,
                        std::string_view angle = "friction_angle_deg = 35") {
  std::string text = sand_with(lines, angle);
  const auto at = text.find("[domain]");
  return text.insert(at, "[mpm]\n" + std::string(options) + "\n");
}

BOOST_AUTO_TEST_SUITE(scene_cohesion_test)

BOOST_AUTO_TEST_CASE(sand_is_dry_and_of_the_plain_energy_where_nothing_else_is_said) {
  const Scene scene = parse_scene(small_scene, "s.toml");
  const Material& m = scene.materials[0];
  BOOST_TEST((m.cohesion == 0.0 && !m.von_mises && !m.unilateral));
  BOOST_TEST((m.hardening_apart == HardeningApart::opening));
  BOOST_TEST((mpm_options(scene).energy == Energy::hencky));
  BOOST_TEST(!tip_before_hardening(m, 2));
  BOOST_TEST(scene_to_toml(scene).find("tip of the cone") == std::string::npos);
}

/// E 10⁶ Pa, ν .3: dλ + 2μ = 1923076.923 Pa in 2D, 2500000 Pa in 3D; φ 35°: α = √(2/3) 2 sin φ/(3 − sin φ) = .386..
BOOST_AUTO_TEST_CASE(the_resolved_scene_tells_where_the_cone_ends) {
  const Scene scene = parse_scene(sand_with("cohesion = 500"), "s.toml");
  const Material& m = scene.materials[0];
  BOOST_TEST(m.cohesion == 500.0);
  const double sine = 0.573576436351046;
  const double alpha = 0.816496580927726 * 2.0 * sine / (3.0 - sine);
  for (const int dim : {2, 3}) {
    const auto tip = tip_before_hardening(m, dim);
    BOOST_REQUIRE(tip.has_value());
    const double stiffness = dim == 2 ? 1923076.923076923 : 2500000.0;
    BOOST_TEST(std::abs(tip->trace / (500.0 / (alpha * stiffness)) - 1.0) < 1e-14);
    BOOST_TEST(std::abs(tip->stress / (500.0 / (alpha * dim)) - 1.0) < 1e-14);
    // The stress of the tip's strain: (λ + 2μ/d) e_c.
    BOOST_TEST(std::abs(tip->stress / (stiffness / dim * tip->trace) - 1.0) < 1e-14);
  }
  const auto tip = tip_before_hardening(m, 2);
  const std::string text = scene_to_toml(scene);
  BOOST_TEST(text.find(fmt::format("\n# tip of the cone before hardening: tr ε = {}, stress {} Pa\n",
                                   tip->trace, tip->stress)) != std::string::npos);
  BOOST_TEST(parse_scene(text, "again").materials[0].cohesion == 500.0);
}

BOOST_AUTO_TEST_CASE(cohesion_without_friction_is_asked_for_by_name) {
  const std::string_view smooth = "friction_angle_deg = 0";
  BOOST_TEST(
      message_of(sand_with("cohesion = 500", smooth)) ==
      "s.toml:17: cohesion = 500: must be 0 where the friction angle is 0; von_mises = true bounds shear "
      "stress by it");
  const Scene scene = parse_scene(sand_with("cohesion = 500\nvon_mises = true", smooth), "s.toml");
  BOOST_TEST(scene.materials[0].von_mises);
  BOOST_TEST(!tip_before_hardening(scene.materials[0], 2));
  BOOST_TEST(parse_scene(scene_to_toml(scene), "again").materials[0].von_mises);
  BOOST_TEST(message_of(sand_with("cohesion = 500\nvon_mises = true")) ==
             "s.toml:18: von_mises = true: must be false unless the friction angle is 0 and cohesion > 0");
  BOOST_TEST(message_of(sand_with("von_mises = true", smooth)) ==
             "s.toml:17: von_mises = true: must be left out unless cohesion > 0");
  BOOST_TEST(message_of(sand_with("cohesion = -1")) ==
             "s.toml:17: cohesion = -1: must be a finite number >= 0 [Pa]");
  Scene built = parse_scene(sand_with("cohesion = 500"), "s.toml");
  BOOST_CHECK_NO_THROW(validate(built));
  built.materials[0].friction.h0 = 0.0;
  BOOST_CHECK_THROW(validate(built), BadInput);
  built.materials[0].von_mises = true;
  BOOST_CHECK_NO_THROW(validate(built));
  built.materials[0].cohesion = 0.0;
  BOOST_CHECK_THROW(validate(built), BadInput);
}

BOOST_AUTO_TEST_CASE(the_older_rule_of_hardening_is_kept_by_name) {
  const std::string older = "volume_correction = true\nhardening_apart = \"opening_and_closing\"";
  const Scene scene = parse_scene(sand_with(older), "s.toml");
  BOOST_TEST((scene.materials[0].hardening_apart == HardeningApart::opening_and_closing));
  BOOST_TEST((parse_scene(scene_to_toml(scene), "again").materials[0].hardening_apart ==
              HardeningApart::opening_and_closing));
  BOOST_TEST(message_of(sand_with("hardening_apart = \"opening\"")) ==
             "s.toml:17: hardening_apart = \"opening\": must be left out unless volume_correction = true");
}

BOOST_AUTO_TEST_CASE(the_unilateral_energy_needs_its_numbers) {
  const std::string_view asked = "energy = \"unilateral\"";
  const std::string table = "[material.unilateral]\na = -3e-3\nc0 = 0.01";
  const Scene scene = parse_scene(with_energy(asked, table), "s.toml");
  BOOST_TEST((mpm_options(scene).energy == Energy::unilateral));
  const Unilateral& u = scene.materials[0].unilateral.value();
  BOOST_TEST((u.a == -3e-3 && u.b == 0.0 && u.c0 == 0.01 && !u.s_C && u.strain_unit == 1.0));
  const Scene again = parse_scene(scene_to_toml(scene), "again");
  BOOST_TEST(again.materials[0].unilateral->a == -3e-3);
  BOOST_TEST(!again.materials[0].unilateral->s_C);

  BOOST_TEST(
      message_of(with_energy(asked, "")) ==
      "s.toml:13: unilateral is missing: must be a table with a and c0: energy = \"unilateral\" needs it");
  BOOST_TEST(message_of(with_energy(asked, "[material.unilateral]\na = 0\nc0 = 0.01")) ==
             "s.toml:19: unilateral = {...}: must be such that a < b");
  BOOST_TEST(message_of(with_energy(asked, "[material.unilateral]\na = -1e-3")) ==
             "s.toml:19: c0 is missing: must be a finite number >= 0");
  const std::string mises = "cohesion = 9\nvon_mises = true\n" + table;
  BOOST_TEST(
      message_of(with_energy(asked, mises, "friction_angle_deg = 0")) ==
      "s.toml:21: unilateral = {...}: must be with s_C where von_mises = true: such a cone has no tip to "
      "follow");
  BOOST_TEST(message_of(with_energy(asked, mises + "\ns_C = 0", "friction_angle_deg = 0")) == "accepted");
  // Elastic bodies have Hencky's energy.
  BOOST_TEST(message_of(with_energy(asked, "", "kind = \"elastic\"")) == "accepted");
}

/// Hencky's in explicit and implicit steps, the unilateral one in semi-implicit steps, unless something else is said.
BOOST_AUTO_TEST_CASE(the_energy_follows_the_integrator_where_it_is_not_given) {
  const std::string table = "[material.unilateral]\na = -3e-3\nc0 = 0.01";
  for (const auto& [name, integrator, usual] :
       {std::tuple{"explicit", Integrator::explicit_, Energy::hencky},
        {"semi_implicit", Integrator::semi_implicit, Energy::unilateral},
        {"implicit", Integrator::implicit_, Energy::hencky}}) {
    const std::string asked = std::string("integrator = \"") + name + "\"";
    const Scene scene = parse_scene(with_energy(asked, table), "s.toml");
    BOOST_TEST((mpm_options(scene).integrator == integrator));
    BOOST_TEST((mpm_options(scene).energy == usual), name);
    for (const auto& [word, energy] :
         {std::pair{"hencky", Energy::hencky}, {"unilateral", Energy::unilateral}}) {
      const std::string both = asked + "\nenergy = \"" + word + "\"";
      const Scene given = parse_scene(with_energy(both, table), "s.toml");
      BOOST_TEST((mpm_options(given).energy == energy), both);
      const Scene again = parse_scene(scene_to_toml(given), "again");
      BOOST_TEST((mpm_options(again).energy == energy && mpm_options(again).integrator == integrator), both);
    }
  }
  BOOST_TEST(
      message_of(with_energy("integrator = \"semi_implicit\"", "")) ==
      "s.toml:13: unilateral is missing: must be a table with a and c0: energy = \"unilateral\" needs it");
  BOOST_TEST(message_of(with_energy("integrator = \"semi_implicit\"\nenergy = \"hencky\"", "")) ==
             "accepted");
}

/// A strain shifted by v_c is tension to Hencky's energy, where nothing returns to the cone within the step.
BOOST_AUTO_TEST_CASE(semi_implicit_steps_correct_volume_with_the_unilateral_energy_alone) {
  const std::string table = "volume_correction = true\n[material.unilateral]\na = -3e-3\nc0 = 0.01";
  const auto message = [&](const std::string& options) { return message_of(with_energy(options, table)); };
  for (const char* accepted : {"integrator = \"semi_implicit\"", "energy = \"hencky\"",
                               "integrator = \"implicit\"\nenergy = \"hencky\"",
                               "integrator = \"implicit\"\nenergy = \"unilateral\""})
    BOOST_TEST(message(accepted) == "accepted", accepted);
  const std::string refused = message("integrator = \"semi_implicit\"\nenergy = \"hencky\"");
  BOOST_TEST(
      refused.find("volume_correction = true: must be false, or energy = \"unilateral\", where integrator "
                   "= \"semi_implicit\"") != std::string::npos,
      refused);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
