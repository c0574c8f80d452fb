// Wedges in scene files: read, written, and refused where they are none.
#include "reference/interface/base/error.h"
#include "reference/interface/scene_file/scene_file.h"

#include <fmt/format.h>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <numbers>
#include <string>

namespace repose {
namespace {

std::string scene_with(int dim, const std::string& keys, const std::string& periodic = "") {
  const auto vector = [&](const char* x) {
    return fmt::format("[{0}, {0}{1}]", x, dim == 3 ? fmt::format(", {}", x) : "");
  };
  return fmt::format(
      "method = 'mpm'\ndimension = {}\nspacing = 0.1\nframe_rate = 10\nduration = 1\nmax_dt = 1e-3\n"
      "[domain]\nmin = {}\nmax = {}\n{}\n[[material]]\nname = 'sand'\ndensity = 1000\nyoungs_modulus = 1e5\n"
      "poisson_ratio = 0.3\nfriction_angle_deg = 30\n[[seed]]\nshape = 'sphere'\ncentre = {}\nradius = 0.1\n"
      "material = 'sand'\nseed = 1\n[[collider]]\nname = 'roof'\nshape = 'wedge'\n{}\n",
      dim, vector("0"), vector("2"), periodic, vector("1.5"), keys);
}

std::string refusal(int dim, const std::string& keys, const std::string& periodic = "") {
  try {
    parse_scene(scene_with(dim, keys, periodic), "s.toml");
  } catch (const BadInput& error) {
    return error.what();
  }
  return "accepted";
}

bool says(const std::string& text, std::string_view what) { return text.find(what) != std::string::npos; }

const std::string in_space = "tip = [1, 0.5, 1]\nnormal = [0, 3, 4]\nedge = [0, 4, -3]\nangle_deg = 60";

BOOST_AUTO_TEST_SUITE(wedge_scene_test)

BOOST_AUTO_TEST_CASE(a_wedge_is_read_and_written_as_it_is) {
  const Scene flat = parse_scene(scene_with(2, "tip = [1, 0.5]\nnormal = [3, 4]\nangle_deg = 60"), "s.toml");
  const Scene deep = parse_scene(scene_with(3, in_space), "s.toml");
  const auto& roof = std::get<Wedge>(flat.colliders.at(0).shape);
  BOOST_TEST((roof.tip == Point(1, 0.5, 0)));
  BOOST_TEST((roof.normal - Point(0.6, 0.8, 0)).norm() < 1e-15);
  BOOST_TEST((roof.edge == Point::UnitZ()));
  BOOST_TEST(std::abs(roof.angle - std::numbers::pi / 3.0) < 1e-15);
  BOOST_TEST((std::get<Wedge>(deep.colliders.at(0).shape).edge - Point(0, 0.8, -0.6)).norm() < 1e-15);
  for (const Scene& scene : {flat, deep}) {
    const Scene back = parse_scene(scene_to_toml(scene), "s.toml");
    const auto& a = std::get<Wedge>(scene.colliders.at(0).shape);
    const auto& b = std::get<Wedge>(back.colliders.at(0).shape);
    BOOST_TEST((a.tip == b.tip));
    BOOST_TEST((a.normal == b.normal));
    BOOST_TEST((a.edge == b.edge));
    BOOST_TEST(a.angle == b.angle);
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_wedge_is_refused_by_name) {
  const std::string flat = "tip = [1, 0.5]\nnormal = [0, 1]\n";
  BOOST_TEST(refusal(2, flat + "angle_deg = 179.99") == "accepted");
  for (const char* angle : {"0", "-10", "180", "nan"})
    BOOST_TEST(says(refusal(2, flat + "angle_deg = " + angle), "angle_deg"), angle);
  BOOST_TEST(says(refusal(2, flat), "angle_deg"));
  BOOST_TEST(says(refusal(2, flat + "angle_deg = 60\nhollow = true"), "hollow"));
  BOOST_TEST(says(refusal(2, flat + "angle_deg = 60\nedge = [0, 0, 1]"), "edge"));
  BOOST_TEST(says(refusal(3, "tip = [1, 0.5, 1]\nnormal = [0, 1, 0]\nangle_deg = 60"), "edge"));
  BOOST_TEST(says(refusal(3, "tip = [1, 0.5, 1]\nnormal = [0, 1, 0]\nedge = [0, 0.001, 1]\nangle_deg = 60"),
                  "perpendicular to normal"));
  Scene turned = parse_scene(scene_with(3, in_space), "s.toml");
  turned.colliders[0].hollow = true;
  BOOST_CHECK_THROW(validate(turned), BadInput);
}

/// Only a wedge that is the same at both ends of the domain can stand in it.
BOOST_AUTO_TEST_CASE(a_wedge_lies_along_periodic_axes_or_is_refused) {
  const std::string along = "tip = [1, 0.5, 1]\nnormal = [0, 1, 0]\nedge = [0, 0, -2]\nangle_deg = 60";
  BOOST_TEST(refusal(3, along, "periodic = ['z']") == "accepted");
  BOOST_TEST(refusal(3, along + "\nspin = [0, 0, 1]", "periodic = ['z']") == "accepted");
  BOOST_TEST(says(refusal(3, along + "\nspin = [0, 1, 0]", "periodic = ['z']"), "spin"));
  BOOST_TEST(says(refusal(3, along, "periodic = ['x']"), "stand in its own way"));
  BOOST_TEST(says(refusal(2, "tip = [1, 0.5]\nnormal = [0, 1]\nangle_deg = 60", "periodic = ['x']"),
                  "stand in its own way"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
