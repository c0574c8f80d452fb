// Scenes of two phases: keys of the method mixture, what it asks of materials, what particles come in with.
#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_options.h"
#include "reference/interface/methods/mixture_parts.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/particles/sampling.h"
#include "reference/interface/scene/step_control.h"
#include "tests/unit/interface/small_scene.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace repose {
namespace {

/// The small scene as one of cohesive sand and water. @param options lines of the table mixture
std::string mixed_with(std::string_view options) {
  std::string text = with("method = \"mpm\"", "method = \"mixture\"");
  text.insert(text.find("[domain]"), "[mixture]\n" + std::string(options) + "\n");
  const auto sand = text.find("friction_angle_deg");
  text.insert(sand, "cohesion = 250\n");
  text.insert(text.find("[[seed]]"),
              "[[material]]\nname = \"water\"\nkind = \"water\"\ndensity = 1000\nwater_stiffness = 5e4\n"
              "water_gamma = 3\n\n");
  return text;
}

MixtureOptions options_of(std::string_view lines) {
  return mixture_options(parse_scene(mixed_with(lines), "s.toml"));
}

BOOST_AUTO_TEST_SUITE(scene_mixture)

BOOST_AUTO_TEST_CASE(an_empty_table_takes_the_papers_choices_without_drag_and_term) {
  const MixtureOptions options = options_of("");
  BOOST_TEST((options.kernel == Kernel::quadratic && options.transfer == Transfer::apic));
  BOOST_TEST((options.motion == ParticleMotion::after_friction && options.energy == Energy::hencky));
  BOOST_TEST((options.drag == Drag::none && options.reversible == ReversibleTerm::none));
  BOOST_TEST((options.softening == Softening::linear && options.wet_mass == 0.0));
  BOOST_TEST((options.water_contact == WaterContact::slipping && options.water_friction == 0.0));
  BOOST_TEST(options.elastic_bound == 0.5);
  BOOST_TEST(MixtureOptions{}.flip_share == 1.0);  // all FLIP, as of mpm
  BOOST_TEST(MpmOptions{}.flip_share == 1.0);
}

BOOST_AUTO_TEST_CASE(each_drag_has_a_coefficient_of_its_own) {
  const MixtureOptions masses = options_of("drag = \"printed\"\nc_E = 12.5");
  BOOST_TEST((masses.drag == Drag::printed && masses.c_E == 12.5));
  const MixtureOptions volumes = options_of("drag = \"mesh_consistent\"\nkappa = 157");
  BOOST_TEST((volumes.drag == Drag::mesh_consistent && volumes.kappa == 157.0));
  for (const auto& [lines, key] : {std::pair{"drag = \"printed\"", "c_E is missing"},
                                   {"drag = \"mesh_consistent\"", "kappa is missing"},
                                   {"drag = \"printed\"\nkappa = 1\nc_E = 1", "kappa = 1: must be left out"},
                                   {"c_E = 1", "c_E = 1: must be left out"},
                                   {"drag = \"printed\"\nc_E = -1", "c_E = -1: must be a finite number >= 0"},
                                   {"drag = \"yes\"", "drag = \"yes\": must be"},
                                   {"saturation = \"none\"\nwet_mass = 1", "wet_mass = 1: must be left out"},
                                   {"integrator = \"implicit\"", "integrator"}})
    BOOST_TEST(message_of(mixed_with(lines)).find(key) != std::string::npos, message_of(mixed_with(lines)));
}

BOOST_AUTO_TEST_CASE(a_scene_of_both_phases_is_read_and_written_again) {
  const Scene scene =
      parse_scene(mixed_with("drag = \"mesh_consistent\"\nkappa = 157\nreversible_term = \"volume\"\n"
                             "saturation = \"beyond_two_fifths\"\nwet_mass = 0.5\nwater_friction = 0.1"),
                  "s.toml");
  const std::string text = scene_to_toml(scene);
  const MixtureOptions again = mixture_options(parse_scene(text, "again"));
  BOOST_TEST((again.reversible == ReversibleTerm::volume && again.kappa == 157.0));
  BOOST_TEST((again.softening == Softening::beyond_two_fifths && again.wet_mass == 0.5));
  BOOST_TEST(again.water_friction == 0.1);
  BOOST_TEST(scene_to_toml(parse_scene(text, "again")) == text);
}

/// Both waves bound Δt, here water's: √(γk/ρ) = 12.2 m/s beside sand of 1 kPa.
BOOST_AUTO_TEST_CASE(the_faster_phase_bounds_steps) {
  Scene scene = parse_scene(mixed_with(""), "s.toml");
  scene.materials[0].youngs_modulus = 1e3;
  scene.step.max_dt = 1.0;
  scene.frame_rate = 1e-3;
  const double c = std::sqrt(3.0 * 5e4 / 1000.0);
  BOOST_TEST(wave_speed(scene.materials[0]) < c);
  const StepControl::Choice free = StepControl(scene).bound(0.0);
  BOOST_TEST(free.limited_by == "elastic_bound");
  BOOST_TEST(std::abs(free.dt / (0.5 * scene.grid.h / c) - 1.0) < 1e-14);
}

BOOST_AUTO_TEST_CASE(grains_come_in_as_cohesive_as_they_are_dry) {
  Scene scene = parse_scene(mixed_with(""), "s.toml");
  for (const int material : {0, 1}) {
    scene.seeds[0].material = material;
    const Snapshot start = sample(scene);
    BOOST_TEST(start.particles() > 0U);
    for (const double c_C : start.get(field::c_C).value)
      BOOST_TEST_REQUIRE(c_C == (material == 0 ? 250.0 : 0.0));
    for (const double J : start.get(field::J).value) BOOST_TEST_REQUIRE(J == 1.0);
  }
}

/// What is stepped phase by phase: materials keep their places, water slips along all bodies or meets them as sand does.
BOOST_AUTO_TEST_CASE(each_phase_has_a_scene_of_mpm) {
  Scene scene = parse_scene(mixed_with("water_friction = 0.2"), "s.toml");
  Collider body;
  body.contact = Contact::sticky;
  body.friction = 0.7;
  scene.colliders = {body};
  const Scene solid = mixture::scene_of_part(scene, mixture::Phase::solid);
  const Scene water = mixture::scene_of_part(scene, mixture::Phase::water);
  BOOST_TEST((!is_water(solid) && is_water(water)));
  BOOST_TEST((solid.materials.size() == 2U && water.materials.size() == 2U));
  BOOST_TEST((solid.materials[0].cohesion == 250.0 && water.materials[1].water_gamma == 3.0));
  BOOST_TEST((solid.colliders[0].contact == Contact::sticky && solid.colliders[0].friction == 0.7));
  BOOST_TEST((water.colliders[0].contact == Contact::slipping && water.colliders[0].friction == 0.2));
  mixture_options(scene).water_contact = WaterContact::as_given;
  const Scene rough = mixture::scene_of_part(scene, mixture::Phase::water);
  BOOST_TEST((rough.colliders[0].contact == Contact::sticky && rough.colliders[0].friction == 0.7));
}

/// Parts that are put back make the state they came from, and have the fields of mpm's own states.
BOOST_AUTO_TEST_CASE(a_state_is_the_sum_of_its_phases) {
  const Scene scene = parse_scene(mixed_with(""), "s.toml");
  for (const Boundary at : method::boundaries(method::mixture)) {
    Snapshot state;
    state.method = method::mixture.name;
    state.at = at;
    if (method::has(method::mixture, at, Place::node)) state.ids(Place::node) = {7, 9, 12};
    for (const method::FieldRow* row : method::fields_at(method::mixture, at))
      state.set(blank(*row, 2, row->place == Place::node ? 3 : 5));
    state.get(field::material).value = {0, 1, 1, 0, 1};
    double count = 1.0;
    for (Field& field : state.fields)
      if (field.name != field::material)
        for (double& value : field.value) value = count++;
    if (method::has(method::mixture, at, Place::node)) {
      state.get(field::m_i).value = {1.0, 0.0, 2.0};
      state.get(field::m_i_w).value = {0.0, 3.0, 4.0};
    }
    Snapshot other = state;
    for (const mixture::Phase phase : mixture::phases) {
      const mixture::Members own = members(state, scene, phase);
      const Snapshot part = part_of(state, own, phase);
      BOOST_TEST(part.particles() == (phase == mixture::Phase::water ? 3U : 2U));
      BOOST_TEST(part.fields.size() == method::fields_at(method::mpm, mixture::boundary_of_part(at)).size());
      for (Field& field : other.fields)
        if (field.place == Place::particle && method::find_field(method::mpm, field.name) != nullptr &&
            part.find(field.name) != nullptr)
          for (const std::size_t e : own.particles)
            field.value.at(e * static_cast<std::size_t>(field.components)) = -1.0;
      put_back(other, part, own, phase);
    }
    for (std::size_t n = 0; n < state.fields.size(); ++n)
      BOOST_TEST((state.fields[n].value == other.fields[n].value), state.fields[n].name << " at " << at);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
