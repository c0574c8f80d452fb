#include "reference/interface/scene_file/scene_file.h"

#include "reference/interface/base/error.h"
#include "reference/interface/base/one_line.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/particles/random.h"
#include "reference/interface/particles/sampling.h"
#include "tests/unit/interface/small_scene.h"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace repose {
namespace {

/// The TOML examples of the documentation.
std::vector<std::string> documented_examples() {
  std::ifstream file(std::string(REPOSE_SOURCE_DIR) + "/reference/interface/SCENES.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string fence = "```toml\n";
  std::vector<std::string> result;
  for (auto at = text.find(fence); at != std::string::npos; at = text.find(fence, at + 1)) {
    const auto begin = at + fence.size();
    result.push_back(text.substr(begin, text.find("```", begin) - begin));
  }
  return result;
}

BOOST_AUTO_TEST_SUITE(scene_file_test)

BOOST_AUTO_TEST_CASE(documented_examples_run) {
  const auto examples = documented_examples();
  BOOST_REQUIRE(examples.size() == 2U);
  const Scene flat = parse_scene(examples[0], "flat.toml");
  const Scene deep = parse_scene(examples[1], "deep.toml");
  BOOST_TEST((flat.dim() == 2 && deep.dim() == 3));
  BOOST_TEST(sample(flat).particles() > 1000U);
  const Snapshot state = sample(deep);
  BOOST_TEST(state.particles() > 5000U);
  BOOST_TEST(deep.materials[0].friction.h1 == 9 * degree);
  BOOST_TEST((deep.materials[1].kind == MaterialKind::elastic && deep.seeds[1].spin == Point(0, 0, 3)));
  BOOST_TEST((deep.colliders[0].hollow && deep.colliders[0].friction_from_push_only));
  BOOST_TEST(std::get<Cylinder>(deep.colliders[0].shape).half_length == 0.15);
}

BOOST_AUTO_TEST_CASE(a_room_is_its_walls_in_fixed_order) {
  const Scene s = parse_scene(small_scene + R"(
[[collider]]
name = "tank"
shape = "room"
min = [0.1, 0.1]
max = [0.9, 0.8]
walls = ["y_min", "x_max", "x_min"]
contact = "slipping"
)",
                              "s.toml");
  BOOST_REQUIRE(s.colliders.size() == 4U);
  const char* names[] = {"tank.x_min", "tank.x_max", "tank.y_min"};
  const Point inward[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}};
  for (std::size_t i = 0; i < 3; ++i) {
    const Collider& wall = s.colliders[i + 1];
    BOOST_TEST(wall.name == names[i]);
    BOOST_TEST((wall.contact == Contact::slipping));
    BOOST_TEST((std::get<HalfSpace>(wall.shape).normal == inward[i]));
  }
  BOOST_TEST(signed_distance(s.colliders[2], {0.5, 0.5, 0}, 0.0, s.grid).phi == 0.9 - 0.5);
}

/// Each edit of the small scene, and the whole line with which it is refused.
BOOST_AUTO_TEST_CASE(bad_input_is_refused_with_line_key_value_and_what_is_allowed) {
  const struct {
    std::string text;
    std::string message;
  } cases[] = {
      {with("friction_angle_deg", "friction_angle"),
       "s.toml:16: friction_angle = 35: unknown key; did you mean friction_angle_deg [degrees]?"},
      {with("spacing = 0.1", "spacing_mm = 100"),
       "s.toml:2: spacing_mm = 100: unknown key; did you mean spacing [m]?"},
      {with("friction = 0.5", "fricton = 0.5"),
       "s.toml:29: fricton = 0.5: unknown key; did you mean friction?"},
      {with("max_dt = 1e-3", "max_dt = 1e-3\nviscosity = true"),
       "s.toml:6: viscosity = true: unknown key; known here: "},
      {with("spacing = 0.1", "spacing = \"10 cm\""),
       "s.toml:2: spacing = \"10 cm\": must be a number from 1e-50 to 1e50 [m]"},
      {with("spacing = 0.1", "spacing = 0"),
       "s.toml:2: spacing = 0: must be a number from 1e-50 to 1e50 [m]"},
      {with("spacing = 0.1", "spacing = nan"),
       "s.toml:2: spacing = nan: must be a number from 1e-50 to 1e50 [m]"},
      {with("1e6", "inf"), "s.toml:14: youngs_modulus = inf: must be a finite number > 0 [Pa]"},
      {with("1e6", "-1"), "s.toml:14: youngs_modulus = -1: must be a finite number > 0 [Pa]"},
      {with("1600", "0"), "s.toml:13: density = 0: must be a finite number > 0 [kg/m3]"},
      {with("0.3", "0.5"), "s.toml:15: poisson_ratio = 0.5: must be a number in (-1, 0.5)"},
      {with("0.3", "-1"), "s.toml:15: poisson_ratio = -1: must be a number in (-1, 0.5)"},
      {with("deg = 35", "deg = 90"),
       "s.toml:16: friction_angle_deg = 90: must be an angle in [0, 90) degrees"},
      {with("deg = 35", "deg = -1"),
       "s.toml:16: friction_angle_deg = -1: must be an angle in [0, 90) degrees"},
      {with("1e-3", "-1e-3"), "s.toml:5: max_dt = -0.001: must be a finite number > 0 [s]"},
      {with("frame_rate = 50", "frame_rate = 0"),
       "s.toml:3: frame_rate = 0: must be a finite number > 0 [1/s]"},
      {with("duration = 1", "duration = 0.0"), "s.toml:4: duration = 0: must be a finite number > 0 [s]"},
      {with("duration = 1\n", ""), "s.toml:1: duration is missing: must be a finite number > 0 [s]"},
      {with("friction = 0.5", "friction = -0.5"), "s.toml:29: friction = -0.5: must be a finite number >= 0"},
      {with("[0, 2]", "[0, 0]"),
       "s.toml:28: normal = [0, 0]: must be a direction: a vector whose length is not 0"},
      {with("[0, 2]", "[0, 2, 0]"), "s.toml:28: normal = [0, 2, 0]: must be an array of 2 finite numbers"},
      {with("[0, 2]", "[0, nan]"), "s.toml:28: normal = [0, nan]: must be an array of 2 finite numbers"},
      {with("[1, 1]", "[1, 1.05]"),
       "s.toml:9: max = [1, 1.05]: must be a whole number of cells (spacing = 0.1 m)"},
      {with("[1, 1]", "[1, -1]"), "s.toml:9: max = [1, -1]: must be larger than domain.min along every axis"},
      {with("[0.6, 0.6]", "[1.1, 0.6]"),
       "s.toml:18: seed \"seed_1\": shape = from 0.2 to 1.1 m along x: must be inside the domain, from 0 to "
       "1 m"},
      {with("[0.6, 0.6]", "[0.6, 0.1]"),
       "s.toml:21: max = [0.6, 0.1]: must be larger than min along every axis"},
      {with("[0, 0.1]", "[0, 0.5]"), "s.toml:18: seed \"seed_1\": shape = centred at"},
      {with("material = \"sand\"", "material = \"mud\""),
       "s.toml:22: material = \"mud\": must be the name of a [[material]]: \"sand\""},
      {with("seed = 1", ""),
       "s.toml:18: seed is missing: must be an integer >= 0, the start of the random sequence"},
      {with("seed = 1", "seed = 1.5"), "s.toml:23: seed = 1.5: must be an integer >= 0"},
      {with("seed = 1", "seed = -1"), "s.toml:23: seed = -1: must be an integer >= 0"},
      {with("shape = \"box\"", "shape = \"cube\""),
       "s.toml:19: shape = \"cube\": must be one of \"box\", \"sphere\", \"cylinder\""},
      {with("dimension = 2", "dimension = 4"), "s.toml:1: dimension = 4: must be 2 or 3"},
      {with("dimension = 2", "dimension = 2\nmpm.transfer = \"flip_pic\""),
       "s.toml:2: flip_share is missing: must be"},
      {with("dimension = 2", "dimension = 2\nmpm.flip_share = 0.5"),
       "s.toml:2: flip_share = 0.5: must be left out unless transfer = \"flip_pic\""},
      {with("name = \"sand\"", "name = \"sand\"\nkind = \"elastic\""),
       "s.toml:17: friction_angle_deg = 35: must be left out unless kind = \"sand\""},
      {with("[[seed]]", "[[seeds]]"), "s.toml:18: seeds = [{...}]: unknown key; did you mean seed?"},
      {small_scene.substr(0, small_scene.find("[[seed]]")),
       "s.toml:1: seed is missing: must be at least one [[seed]]"},
      {with("deg = 35", "deg = 35\n[[material]]\nname = \"sand\""),
       "s.toml:18: name = \"sand\": must be different from the names before it"},
      {with("spacing = 0.1", "spacing = = 0.1"), "s.toml:2: not TOML: "},
      {with("spacing = 0.1", "spacing = 0.1\nspacing = 0.2"), "s.toml:3: not TOML: "},
      {with("[[seed]]", "seed = 3\n[[bucket]]"), "s.toml:18: seed = 3: unknown key"},
  };
  for (const auto& c : cases) {
    const std::string message = message_of(c.text);
    BOOST_TEST(message.substr(0, c.message.size()) == c.message);
    BOOST_TEST(in_one_line(message) == message);
  }
}

BOOST_AUTO_TEST_CASE(values_just_inside_their_range_are_accepted) {
  for (const std::string& text :
       {with("0.3", "0.4999999"), with("0.3", "-0.9999999"), with("deg = 35", "deg = 89.999999"),
        with("deg = 35", "deg = 0"), with("[0.6, 0.6]", "[1, 1]"), with("friction = 0.5", "friction = 0"),
        with("friction = 0.5", "contact = \"sticky\""), with("spacing = 0.1", "spacing = 1")}) {
    BOOST_TEST(message_of(text) == "accepted");
  }
}

BOOST_AUTO_TEST_CASE(resolved_scenes_read_back_bit_for_bit) {
  for (const std::string& text : documented_examples()) {
    const Scene once = parse_scene(text, "once.toml");
    const std::string resolved = scene_to_toml(once);
    const Scene twice = parse_scene(resolved, "twice.toml");
    BOOST_TEST(scene_to_toml(twice) == resolved);
    // What a run starts from is the same in every bit.
    const Snapshot a = sample(once);
    const Snapshot b = sample(twice);
    BOOST_REQUIRE(a.fields.size() == b.fields.size());
    for (std::size_t f = 0; f < a.fields.size(); ++f) BOOST_TEST((a.fields[f].value == b.fields[f].value));
    for (std::size_t m = 0; m < once.materials.size(); ++m) {
      BOOST_TEST(once.materials[m].friction.h0 == twice.materials[m].friction.h0);
      BOOST_TEST(once.materials[m].friction.h3 == twice.materials[m].friction.h3);
    }
    for (std::size_t c = 0; c < once.colliders.size(); ++c) {
      const Point x(0.123, 0.234, once.dim() == 3 ? 0.0345 : 0.0);
      BOOST_TEST(signed_distance(once.colliders[c], x, 0.7, once.grid).phi ==
                 signed_distance(twice.colliders[c], x, 0.7, twice.grid).phi);
    }
  }
}

/// Scenes made by programs rather than read: what validate() accepts must be readable as written.
BOOST_AUTO_TEST_CASE(a_scene_that_is_valid_reads_back_whoever_made_it) {
  const Scene plain = parse_scene(with("", ""), "s.toml");
  int refused = 0;
  const auto judge = [&](const Scene& scene) {
    try {
      validate(scene);
    } catch (const BadInput&) {
      ++refused;
      return;
    }
    const std::string resolved = scene_to_toml(scene);
    BOOST_TEST(scene_to_toml(parse_scene(resolved, "resolved.toml")) == resolved);
  };
  for (const double h0 : {0.0, 0.1, 0.5})
    for (const double h1 : {0.0, 0.1})
      for (const double h2 : {0.0, 0.2})
        for (const double h3 : {0.0, 0.1}) {
          Scene scene = plain;
          scene.materials[0].friction = {.h0 = h0, .h1 = h1, .h2 = h2, .h3 = h3};
          judge(scene);
        }
  BOOST_TEST(refused > 5);
  refused = 0;
  for (const Transfer transfer : {Transfer::apic, Transfer::pic, Transfer::flip, Transfer::flip_pic})
    for (const double share : {0.0, 0.3, 1.0}) {
      Scene scene = plain;
      mpm_options(scene).transfer = transfer;
      mpm_options(scene).flip_share = share;
      judge(scene);
    }
  for (const int count : {0, 1, 1'000'000, 1'000'001})
    for (int ImplicitOptions::*option : {&ImplicitOptions::newton_iterations, &ImplicitOptions::gmres_restart,
                                         &ImplicitOptions::gmres_iterations, &ImplicitOptions::step_cuts}) {
      Scene scene = plain;
      mpm_options(scene).integrator = Integrator::implicit_;
      mpm_options(scene).implicit.*option = count;
      judge(scene);
    }
  BOOST_TEST(refused == 7);  // none for step_cuts = 0
}

BOOST_AUTO_TEST_CASE(implicit_steps_and_emitters_are_read_and_read_back) {
  const std::string text = with("duration", "mpm.integrator = \"implicit\"\nduration") + R"(
[mpm.implicit]
newton_tolerance = 1e-6
gmres_iterations = 60
unconverged = "keep"
step_cuts = 0

[[emitter]]
shape = "box"
min = [0.4, 0.8]
max = [0.5, 0.9]
velocity = [0, -0.3]
rate = 0.02
material = "sand"
seed = 4
start = 0.01
)";
  const Scene s = parse_scene(text, "s.toml");
  BOOST_TEST((mpm_options(s).integrator == Integrator::implicit_));
  BOOST_TEST(
      (mpm_options(s).implicit.newton_tolerance == 1e-6 && mpm_options(s).implicit.gmres_iterations == 60));
  BOOST_TEST((mpm_options(s).implicit.unconverged == Unconverged::keep));
  BOOST_TEST((mpm_options(s).implicit.step_cuts == 0 && mpm_options(s).implicit.gmres_restart == 15));
  BOOST_REQUIRE(s.emitters.size() == 1U);
  const Emitter& e = s.emitters[0];
  BOOST_TEST((e.name == "emitter_1" && e.rate == 0.02 && e.start == 0.01 && e.stop == s.duration));
  BOOST_TEST((e.particles_per_cell == 4.0 && e.seed == 4U && e.velocity == Point(0, -0.3, 0)));
  const std::string resolved = scene_to_toml(s);
  BOOST_TEST(scene_to_toml(parse_scene(resolved, "again.toml")) == resolved);

  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    other.replace(other.find(from), from.size(), to);
    return message_of(other);
  };
  const auto refuses = [](const std::string& message, const std::string& key) {
    return message.find(key) != std::string::npos && message.find("must be") != std::string::npos;
  };
  BOOST_TEST(changed("rate = 0.02", "rate = 0.03") == "accepted");  // 0.1 m · 0.3 m/s
  BOOST_TEST(refuses(changed("rate = 0.02", "rate = 0.0301"), "rate = 0.0301"));
  BOOST_TEST(refuses(changed("velocity = [0, -0.3]", "velocity = [0, 0]"), "velocity = 0"));
  BOOST_TEST(refuses(changed("max = [0.5, 0.9]", "max = [1.1, 0.9]"), "inside the domain"));
  BOOST_TEST(refuses(changed("start = 0.01", "start = 99"), "stop"));
  BOOST_TEST(refuses(changed("step_cuts = 0", "step_cuts = -1"), "step_cuts = -1"));
  BOOST_TEST(refuses(changed("\"keep\"", "\"take\""), "\"cut\""));
  BOOST_TEST(refuses(changed("newton_tolerance = 1e-6", "newton_tolerance = 1"), "newton_tolerance = 1"));
  BOOST_TEST(refuses(changed("\"implicit\"", "\"explicit\""), "left out unless"));
  BOOST_TEST(changed("step_cuts", "step_cut").find("unknown key") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(any_number_angle_and_direction_reads_back_bit_for_bit) {
  Random random(1);
  Scene s = parse_scene(small_scene, "s.toml");
  int radians = 0;
  for (int i = 0; i < 300; ++i) {
    s.title = "quote \" backslash \\ newline \n and φ";
    s.gravity.y() = i == 0 ? -0.0 : random.between(-1e3, 1e3) * std::pow(10.0, random.between(-20, 12));
    s.materials[0].friction.h0 = i < 90 ? i * degree : random.between(0.0, 1.57);
    const double turn = random.between(0.0, 6.28);
    auto& plane = std::get<HalfSpace>(s.colliders[0].shape);
    plane.point = {-5, -5, 0};
    plane.normal = {std::cos(turn), std::sin(turn), 0};
    plane.normal = plane.normal.normalized().eval();
    if (plane.normal.dot(Point(1, 1, 0)) < 0) plane.normal = -plane.normal;
    if (signed_distance(s.colliders[0], {0.4, 0.4, 0}, 0, s.grid).phi < 0) continue;
    const std::string text = scene_to_toml(s);
    if (text.find("friction_angle_rad") != std::string::npos) ++radians;
    if (i < 90) BOOST_TEST(text.find(fmt::format("friction_angle_deg = {}.0\n", i)) != std::string::npos);
    const Scene back = parse_scene(text, "back.toml");
    BOOST_TEST(back.title == s.title);
    BOOST_TEST(
        (std::bit_cast<std::uint64_t>(back.gravity.y()) == std::bit_cast<std::uint64_t>(s.gravity.y())));
    BOOST_TEST(back.materials[0].friction.h0 == s.materials[0].friction.h0);
    BOOST_TEST((std::get<HalfSpace>(back.colliders[0].shape).normal == plane.normal));
  }
  BOOST_TEST(radians > 0);  // the premise: some angles are no number of degrees
}

BOOST_AUTO_TEST_CASE(files_are_read_and_named_in_messages) {
  const auto folder = std::filesystem::temp_directory_path() / "repose_scene_file_test";
  std::filesystem::create_directories(folder);
  const auto file = folder / "small.toml";
  std::ofstream(file) << small_scene;
  BOOST_TEST(load_scene(file).seeds.size() == 1U);
  const auto refused = [](const std::filesystem::path& path) {
    try {
      load_scene(path);
    } catch (const BadInput& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  BOOST_TEST(refused(folder / "none.toml") ==
             (folder / "none.toml").string() + ": cannot be read: No such file or directory");
  BOOST_TEST(refused(folder) == folder.string() + ": is a folder: must be a scene file");
  std::filesystem::remove_all(folder);
}

BOOST_AUTO_TEST_CASE(scenes_built_by_programs_are_checked_too) {
  const Scene good = parse_scene(small_scene, "s.toml");
  BOOST_CHECK_NO_THROW(validate(good));
  const auto refuses = [&](const auto& spoil) {
    Scene bad = good;
    spoil(bad);
    BOOST_CHECK_THROW(validate(bad), BadInput);
  };
  refuses([](Scene& s) { s.seeds.clear(); });
  refuses([](Scene& s) { s.seeds[0].material = 1; });
  refuses([](Scene& s) { s.seeds[0].shape = HalfSpace{}; });
  refuses([](Scene& s) { s.seeds[0].velocity.z() = 1; });
  refuses([](Scene& s) { s.seeds[0].seed = ~0ULL; });
  refuses([](Scene& s) { s.materials[0].poisson_ratio = 0.5; });
  refuses([](Scene& s) { s.materials[0].friction.h0 = 35; });  // degrees taken for radians
  refuses([](Scene& s) { s.colliders[0].friction = NAN; });
  refuses([](Scene& s) { std::get<HalfSpace>(s.colliders[0].shape).normal *= 2; });
  refuses([](Scene& s) { s.step.max_dt = 0; });
  refuses([](Scene& s) { s.grid.h = -1; });
  refuses([](Scene& s) { s.colliders.push_back(s.colliders[0]); });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
