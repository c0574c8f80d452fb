#pragma once

#include "reference/interface/base/error.h"
#include "reference/interface/scene_file/scene_file.h"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

namespace repose {

/// A small scene; the numbers of its lines are those of the messages below.
inline const std::string small_scene = R"(dimension = 2
spacing = 0.1
frame_rate = 50
duration = 1
max_dt = 1e-3
method = "mpm"
[domain]
min = [0, 0]
max = [1, 1]

[[material]]
name = "sand"
density = 1600
youngs_modulus = 1e6
poisson_ratio = 0.3
friction_angle_deg = 35

[[seed]]
shape = "box"
min = [0.2, 0.2]
max = [0.6, 0.6]
material = "sand"
seed = 1

[[collider]]
shape = "half_space"
point = [0, 0.1]
normal = [0, 2]
friction = 0.5
)";

inline std::string with(std::string_view what, std::string_view instead) {
  std::string text = small_scene;
  const auto at = text.find(what);
  BOOST_REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), instead);
}

inline std::string message_of(const std::string& text) {
  try {
    parse_scene(text, "s.toml");
  } catch (const BadInput& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace repose
