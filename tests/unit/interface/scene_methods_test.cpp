// Scenes of several methods: which one a file is of, and that each reads, checks and writes its own options.
#include "reference/interface/methods/all.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/scene/key_kinds.h"
#include "reference/interface/scene/scheme_keys.h"
#include "reference/interface/scene/step_control.h"
#include "tests/unit/interface/small_scene.h"

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

namespace repose {
namespace {

/// Options of a second method, which needs no elasticity and bounds Δt.
struct SlideOptions {
  double speed = 2.0;
  bool is_quick = false;

  static const SchemeTable& table();
};

const Keys<SlideOptions>& slide_keys() {
  static const Keys<SlideOptions> keys{
      key("speed", &SlideOptions::speed, kind::Number(rule::positive, "m/s"), initial, "of all that slides"),
      key("quick", &SlideOptions::is_quick, kind::Flag{}, initial, "not slow"),
  };
  return keys;
}

const SchemeTable& SlideOptions::table() {
  static const SchemeTable table = scheme_table(SchemeParts<SlideOptions>{
      .method = "slide",
      .keys = slide_keys(),
      .check_rules =
          [](const SlideOptions& options, const ScenePart& part) {
            if (options.is_quick && options.speed < 1.0)
              part.refuse_value("quick", "true", "false below 1 m/s");
          },
      .step_bounds = [](const Scene& scene) -> std::vector<StepBound> {
        return {{scene.grid.h / scene.scheme.as<SlideOptions>().speed / 1024.0, "speed"}};
      }});
  return table;
}

const method::Method slide{"slide", SlideOptions::table, {}, {}, {}, {}, nullptr};
const method::Method* const both[] = {&method::mpm, &slide};

Scene parse(const std::string& text, std::string_view method = {}) {
  return parse_scene(text, "s.toml", method, both);
}

std::string refusal(const std::string& text, std::string_view method = {}) {
  try {
    parse(text, method);
  } catch (const BadInput& error) {
    return error.what();
  }
  return "accepted";
}

const std::string of_mpm = "method = \"mpm\"\n";
const std::string of_slide = "method = \"slide\"\n";
const std::string options_of_both = "\n[slide]\nspeed = 3\n[mpm]\nkernel = \"quadratic\"\n";

BOOST_AUTO_TEST_SUITE(scene_methods)

BOOST_AUTO_TEST_CASE(a_scene_says_its_method) {
  BOOST_TEST(refusal(with(of_mpm, "\n")) == "s.toml:1: method is missing: must be one of \"mpm\", \"slide\"");
  BOOST_TEST(refusal(with(of_mpm, "method = \"mmp\"\n")) ==
             "s.toml:6: method = \"mmp\": must be one of \"mpm\", \"slide\"");
  BOOST_TEST(refusal(with(of_mpm, "methd = \"mpm\"\n")) ==
             "s.toml:6: methd = \"mpm\": unknown key; did you mean method?");
  BOOST_TEST(refusal(with("", "")) == "accepted");
}

/// The form of files before there were methods: nothing is guessed, the line says what to write.
BOOST_AUTO_TEST_CASE(options_in_front_of_all_tables_are_sent_to_their_table) {
  BOOST_TEST(
      refusal(with(of_mpm, "kernel = \"cubic\"\nintegrator = \"implicit\"\n[implicit]\nstep_cuts = 1\n")) ==
      "s.toml:1: method is missing: must be one of \"mpm\", \"slide\"; put kernel, integrator, implicit into "
      "[mpm]");
  BOOST_TEST(refusal(with(of_mpm, of_mpm + "speed = 2\nkernel = \"cubic\"\n")) ==
             "s.toml:7: speed = 2: must stand in [slide]");
  BOOST_TEST(refusal(with("[[seed]]", "[implicit]\nstep_cuts = 1\n[[seed]]")) ==
             "s.toml:18: implicit = {...}: must stand in [mpm]");
}

BOOST_AUTO_TEST_CASE(one_of_the_methods_is_picked_by_the_file_or_by_who_reads_it) {
  const std::string text = small_scene + options_of_both;
  const Scene first = parse(text);
  BOOST_TEST(first.scheme.method() == "mpm");
  BOOST_TEST((mpm_options(first).kernel == Kernel::quadratic));
  const Scene second = parse(with(of_mpm, of_slide) + options_of_both);
  BOOST_TEST(second.scheme.method() == "slide");
  BOOST_TEST(second.scheme.as<SlideOptions>().speed == 3.0);
  BOOST_TEST(parse(text, "slide").scheme.method() == "slide");
  BOOST_TEST(parse(text, "slide").scheme.as<SlideOptions>().speed == 3.0);
  BOOST_TEST(refusal(text, "glide") == "method = \"glide\": must be one of \"mpm\", \"slide\"");
  // Without a table the method has its defaults.
  BOOST_TEST(parse(small_scene, "slide").scheme.as<SlideOptions>().speed == 2.0);
}

BOOST_AUTO_TEST_CASE(the_tables_of_the_others_are_checked_too) {
  BOOST_TEST(refusal(small_scene + "\n[slide]\nspeed = 0\n") ==
             "s.toml:32: speed = 0: must be a finite number > 0 [m/s]");
  BOOST_TEST(refusal(small_scene + "\n[slide]\nsped = 1\n") ==
             "s.toml:32: sped = 1: unknown key; did you mean speed [m/s]?");
  BOOST_TEST(refusal(small_scene + "\n[slide]\nspeed = 0.5\nquick = true\n") ==
             "s.toml:33: quick = true: must be false below 1 m/s");
  BOOST_TEST(refusal(small_scene + "\n[slide]\nspeed = 1.5\nquick = true\n") == "accepted");
  BOOST_TEST(refusal(with(of_mpm, of_slide) + "\n[mpm]\nkernel = \"square\"\n") ==
             "s.toml:32: kernel = \"square\": must be one of \"quadratic\", \"cubic\"");
}

BOOST_AUTO_TEST_CASE(the_resolved_scene_holds_the_picked_method_alone_and_reads_back) {
  for (const std::string method : {"mpm", "slide"}) {
    const Scene scene = parse(small_scene + options_of_both, method);
    const std::string resolved = scene_to_toml(scene);
    for (const std::string other : {"mpm", "slide"})
      BOOST_TEST((resolved.find("[" + other + "]") != std::string::npos) == (other == method));
    const Scene again = parse(resolved);
    BOOST_TEST(again.scheme.method() == method);
    BOOST_TEST(scene_to_toml(again) == resolved);
  }
}

BOOST_AUTO_TEST_CASE(options_are_those_of_the_scenes_method_or_nobodys) {
  const auto says = [](const char* text) {
    return [text](const std::logic_error& error) { return std::string(error.what()) == text; };
  };
  Scene scene = parse(small_scene, "slide");
  BOOST_CHECK_EXCEPTION(mpm_options(scene), std::logic_error,
                        says("the scene is of the method \"slide\", not of \"mpm\""));
  Scene copy = scene;
  copy.scheme.as<SlideOptions>().speed = 7.0;
  BOOST_TEST(scene.scheme.as<SlideOptions>().speed == 2.0);
  scene.scheme = MpmOptions{};
  BOOST_CHECK_NO_THROW(mpm_options(scene));
  scene.scheme = {};
  BOOST_CHECK_EXCEPTION(mpm_options(scene), std::logic_error,
                        says("the scene is of the method \"\", not of \"mpm\""));
  BOOST_CHECK_THROW(StepControl{scene}, std::logic_error);
  BOOST_CHECK_THROW(scene_to_toml(scene), std::logic_error);
  BOOST_CHECK_EXCEPTION(validate(scene), BadInput, [](const BadInput& error) {
    return std::string(error.what()).starts_with("scene: method is missing: ");
  });
}

BOOST_AUTO_TEST_CASE(a_method_asks_for_the_elasticity_that_it_needs) {
  std::string text = with("youngs_modulus = 1e6\npoisson_ratio = 0.3\n", "");
  BOOST_TEST(
      refusal(text) ==
      "s.toml:11: youngs_modulus is missing: must be a finite number > 0 [Pa]: method = \"mpm\" needs it");
  BOOST_TEST(refusal(text, "slide") == "accepted");
  BOOST_TEST(refusal(with("youngs_modulus = 1e6\n", ""), "slide") ==
             "s.toml:14: poisson_ratio = 0.3: must be left out unless youngs_modulus is given");
  BOOST_TEST(refusal(with("poisson_ratio = 0.3\n", ""), "slide") ==
             "s.toml:11: poisson_ratio is missing: must be a number in (-1, 0.5)");
  Scene scene = parse(text, "slide");
  BOOST_CHECK_NO_THROW(validate(scene));
  BOOST_TEST(scene_to_toml(scene).find("youngs_modulus") == std::string::npos);
  scene.scheme = MpmOptions{};
  BOOST_CHECK_EXCEPTION(validate(scene), BadInput, [](const BadInput& error) {
    return std::string(error.what()) ==
           "material \"sand\": youngs_modulus is missing: must be a finite number > 0 [Pa]: method = \"mpm\" "
           "needs it";
  });
}

/// h/speed/1024 = 0.1/2/1024 s = 48.8 µs.
BOOST_AUTO_TEST_CASE(the_step_obeys_the_bounds_of_the_method) {
  const Scene scene = parse(small_scene, "slide");
  const auto bound = StepControl(scene).bound(0.0);
  BOOST_TEST(bound.limited_by == "speed");
  BOOST_TEST(bound.dt == 0.1 / 2.0 / 1024.0);
  BOOST_TEST(StepControl(parse(small_scene)).bound(0.0).limited_by != "speed");
}

BOOST_AUTO_TEST_CASE(programs_are_held_to_the_rules_of_files) {
  Scene scene = parse(small_scene + options_of_both, "slide");
  scene.scheme.as<SlideOptions>() = {.speed = 0.5, .is_quick = true};
  BOOST_CHECK_EXCEPTION(validate(scene), BadInput, [](const BadInput& error) {
    return std::string(error.what()) == "[slide]: quick = true: must be false below 1 m/s";
  });
  scene.scheme.as<SlideOptions>() = {.speed = -1.0};
  BOOST_CHECK_EXCEPTION(validate(scene), BadInput, [](const BadInput& error) {
    return std::string(error.what()) == "[slide]: speed = -1: must be a finite number > 0";
  });
}

BOOST_AUTO_TEST_CASE(methods_and_their_options_have_one_name) {
  for (const method::Method* method : method::all()) BOOST_TEST(method->options().method == method->name);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
