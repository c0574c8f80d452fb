#include "reference/interface/base/one_line.h"
#include "tests/unit/interface/small_scene.h"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>

namespace repose {
namespace {

BOOST_AUTO_TEST_SUITE(scene_limits_test)

/// Each edit of the small scene, and how the line with which it is refused begins.
BOOST_AUTO_TEST_CASE(what_nobody_means_is_refused_in_one_short_line) {
  const struct {
    std::string text;
    std::string message;
  } cases[] = {
      {with("dimension = 2", "dimension = 4294967298"), "s.toml:1: dimension = 4294967298: must be 2 or 3"},
      {with("spacing = 0.1", "spacing = 1e-51"),
       "s.toml:2: spacing = 1e-51: must be a number from 1e-50 to 1e50"},
      {with("1600", "99999999999999999999"), "s.toml:13: not TOML: "},
      {with("duration = 1", "duration = 1e300"),
       "s.toml:4: duration = 1e+300: must be at most 1e+09 frames of 1/frame_rate; it is 5e+301"},
      {with("frame_rate = 50", "frame_rate = 1e300"),
       "s.toml:4: duration = 1: must be at most 1e+09 frames of 1/frame_rate; it is 1e+300"},
      {with("frame_rate = 50", "frame_rate = 1e-9"),
       "s.toml:3: frame_rate = 1e-09: must be such that a frame takes at most 1e+09 steps; steps of 0.001 s, "
       "limited "
       "by max_dt, make it 1e+12"},
      {with("1e6", "1e308"),
       "s.toml:3: frame_rate = 50: must be such that a frame takes at most 1e+09 steps"},
      {with("seed = 1", "seed = 1\nvelocity = [1e150, 0]"),
       "s.toml:3: frame_rate = 50: must be such that a frame takes at most 1e+09 steps; steps of 1e-151 s, "
       "limited by "
       "cfl"},
      {with("frame_rate = 50", "frame_rate = \"\"\"a\nb\nc\"\"\""),
       "s.toml:3: frame_rate = \"a\\nb\\nc\": must be a finite number > 0 [1/s]"},
      {with("dimension = 2", "dimension = 2\nmpm.kernel = \"cu\\nbic\\u001b[31m\""),
       "s.toml:2: kernel = \"cu\\nbic\\u001b[31m\": must be one of "},
      {with("dimension = 2", "dimension = 2\nfoo = \"\"\"a\nb\nc\"\"\""),
       "s.toml:2: foo = \"a\\nb\\nc\": unknown key"},
      {with("dimension = 2", "dimension = 2\n\"a\\nb\" = 1"), "s.toml:2: a\\nb = 1: unknown key"},
      {with("name = \"sand\"", "name = \"" + std::string(70000, 's') + "\""), "s.toml:12: name = \"ssss"},
      {with("max_dt = 1e-3", "max_dt = 1e-3\n" + std::string(70000, 'k') + " = 1"), "s.toml:6: kkkk"},
  };
  for (const auto& c : cases) {
    const std::string message = message_of(c.text);
    BOOST_TEST(message.substr(0, c.message.size()) == c.message);
    BOOST_TEST(in_one_line(message) == message);
  }
}

/// 2⁵³ + 1 lies between two doubles.
BOOST_AUTO_TEST_CASE(integers_that_are_no_doubles_are_read_as_the_nearest) {
  for (const auto& [text, value] : {std::pair{"9007199254740993", 0x1p53},
                                    {"9007199254740995", 0x1p53 + 4},
                                    {"9223372036854775807", 0x1p63}}) {
    BOOST_TEST(parse_scene(with("1600", text), "s.toml").materials[0].density == value);
  }
  BOOST_TEST(parse_scene(with("[0, 2]", "[0, 9007199254740993]"), "s.toml").colliders.size() == 1U);
}

/// Found by mutation: an angle that is a subnormal number of degrees.
BOOST_AUTO_TEST_CASE(the_smallest_angles_are_written_and_read_back) {
  for (const char* angle : {"5e-324", "1e-310", "2e-308", "1e-300"}) {
    const Scene scene =
        parse_scene(with("friction_angle_deg = 35", std::string("friction_angle_deg = ") + angle), "s.toml");
    const std::string written = scene_to_toml(scene);
    BOOST_TEST(scene_to_toml(parse_scene(written, "again.toml")) == written);
  }
}

BOOST_AUTO_TEST_CASE(names_may_have_200_bytes_and_no_more) {
  const auto named = [](std::size_t bytes) {
    return message_of(with(
        "shape = \"half_space\"\npoint = [0, 0.1]\nnormal = [0, 2]",
        "name = \"" + std::string(bytes, 'n') + "\"\nshape = \"room\"\nmin = [0.1, 0.1]\nmax = [0.9, 0.9]"));
  };
  BOOST_TEST(message_of(with("[[seed]]", "[[seed]]\nname = \"" + std::string(200, 'n') + "\"")) ==
             "accepted");
  BOOST_TEST(message_of(with("[[seed]]", "[[seed]]\nname = \"" + std::string(201, 'n') + "\""))
                 .ends_with("must be a name in quotes, of 1 to 200 bytes"));
  // The walls of a room add ".x_min": the scene as it is written must be readable too.
  BOOST_TEST(named(194) == "accepted");
  BOOST_TEST(named(195).find("s.toml:26: name = ") == 0U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
