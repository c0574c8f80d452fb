#include "reference/interface/base/error.h"
#include "reference/interface/scene_file/scene_file.h"
#include "tests/unit/interface/small_scene.h"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <string>

namespace repose {
namespace {

BOOST_AUTO_TEST_SUITE(scene_friction)

BOOST_AUTO_TEST_CASE(hardening_must_keep_the_angle_in_its_range) {
  const auto law = [](std::string_view h0, std::string_view h1, std::string_view h2, std::string_view h3) {
    return message_of(with("friction_angle_deg = 35",
                           fmt::format("h0_deg = {}\nh1_deg = {}\nh2 = {}\nh3_deg = {}", h0, h1, h2, h3)));
  };
  BOOST_TEST(law("35", "9", "0.2", "10") == "accepted");
  BOOST_TEST(law("10", "9", "0.2", "10").find("s.toml:16: h0_deg = 10: must be larger than h3") == 0U);
  BOOST_TEST(law("35", "-9", "0.2", "10").find("s.toml:17: h1_deg = -9: must be a finite angle >= 0") == 0U);
  BOOST_TEST(law("35", "9", "-0.2", "10").find("s.toml:18: h2 = -0.2: must be") == 0U);
  BOOST_TEST(law("35", "9", "0.2", "-1").find("s.toml:19: h3_deg = -1: must be") == 0U);
  BOOST_TEST(law("35", "9", "0", "10").find("s.toml:16: h0_deg = 35: must be such that") == 0U);
  // Largest angle h0 + (h1/h2) e^(−1) with h3 = 0: 35 + 150/e = 90.18 is too much, 35 + 149/e = 89.8 is not.
  BOOST_TEST(law("35", "150", "1", "0").find("it reaches 90.18 degrees") != std::string::npos);
  BOOST_TEST(law("35", "149", "1", "0") == "accepted");
  BOOST_TEST(
      message_of(with("friction_angle_deg = 35", "friction_angle_deg = 35\nh2 = 1")).find("s.toml:16:") ==
      0U);
}

/// [Narain10] prints asin(√(3/2) α): 21.5568, 37.7612 and 59.0171 degrees for α of 0.3, 0.5 and 0.7.
BOOST_AUTO_TEST_CASE(a_friction_angle_may_be_given_as_the_alpha_of_narain) {
  const auto given = [](const std::string& alpha) {
    return with("friction_angle_deg = 35", "friction_alpha = " + alpha);
  };
  for (const auto& [alpha, degrees] : {std::pair{"0.3", 21.5568}, {"0.5", 37.7612}, {"0.7", 59.0171}}) {
    const Scene scene = parse_scene(given(alpha), "s.toml");
    BOOST_TEST(std::abs(scene.materials[0].friction.h0 / degree - degrees) < 5e-5);
    const std::string resolved = scene_to_toml(scene);
    BOOST_TEST(resolved.find(fmt::format("friction_alpha = {}\n", alpha)) != std::string::npos);
    BOOST_TEST(resolved.find("friction_angle") == std::string::npos);
    const Scene again = parse_scene(resolved, "again.toml");
    BOOST_TEST(again.materials[0].friction.h0 == scene.materials[0].friction.h0);
    BOOST_TEST(scene_to_toml(again) == resolved);
  }
  BOOST_TEST(message_of(given("0")) == "accepted");
  BOOST_TEST(message_of(given("0.816496580927726")) == "accepted");  // √(2/3) = 0.81649658092772603…
  const std::string refused = ": must be a number >= 0 and less than sqrt(2/3)";
  BOOST_TEST(message_of(given("0.8164965809277261")) ==
             "s.toml:16: friction_alpha = 0.8164965809277261" + refused);
  BOOST_TEST(message_of(given("-1e-9")) == "s.toml:16: friction_alpha = -1e-09" + refused);
  BOOST_TEST(message_of(given("0.3\nfriction_angle_deg = 35")) ==
             "s.toml:16: friction_alpha = 0.3: must be left out where friction_angle_deg is given");
  BOOST_TEST(message_of(given("0.3\nh0_deg = 35")) ==
             "s.toml:16: friction_alpha = 0.3: must be left out where the hardening h0 to h3 is given");

  Scene built = parse_scene(given("0.3"), "s.toml");
  BOOST_CHECK_NO_THROW(validate(built));
  built.materials[0].friction.h0 += 1e-9;  // another angle than α says
  BOOST_CHECK_THROW(validate(built), BadInput);
  built.materials[0].friction.narain_alpha.reset();
  BOOST_CHECK_NO_THROW(validate(built));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
