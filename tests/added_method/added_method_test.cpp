// A method that was added by new files and an entry in each list: what the house does with any method it does with this one.
#include "experiments/figures/scene_run.h"
#include "experiments/run/recorded_run.h"
#include "reference/interface/base/error.h"
#include "reference/interface/methods/all.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/particles/sampling.h"
#include "reference/interface/scene_file/scene_file.h"
#include "tests/added_method/flight.h"
#include "tests/added_method/judging.h"
#include "tests/unit/validation/crosscheck_wrapper.h"
#include "tests/unit/validation/state_table.h"
#include "validation/crosscheck/bits.h"
#include "validation/crosscheck/lockstep.h"
#include "validation/crosscheck/run_case.h"
#include "validation/faults/zoo.h"
#include "validation/methods.h"
#include "validation/solvers.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <unistd.h>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

namespace data = boost::unit_test::data;
namespace fs = std::filesystem;

namespace {

using namespace repose;
using namespace repose::crosscheck;

Factory solver_named(std::string name) {
  return
      [name](const Scene& scene, const SolverOptions& options) { return make_solver(name, scene, options); };
}

Setup setup_of(int dim, Precision precision = Precision::double_) {
  return {.method = flight::table.name, .dim = dim, .precision = precision};
}

/// One grain without weight, whose height rounding in float tells from the ground's by one place at most, and which in
/// double lies above it.
Case hovering(double above) {
  Case c = make_case("flight_falls", setup_of(2, Precision::single_));
  c.scene.gravity = Point::Zero();
  c.needs.clear();
  c.steps = 2;
  for (Field& field : c.start.fields)
    if (field.place == Place::particle) field.value.resize(static_cast<std::size_t>(field.components));
  for (double& speed : c.start.get(flight::velocity).value) speed = 0.0;
  auto height = static_cast<float>(flight::ground(c.scene) + above);
  if (static_cast<double>(height) <= flight::ground(c.scene))
    height = std::nextafter(height, std::numeric_limits<float>::infinity());
  c.start.get(field::x).value[1] = static_cast<double>(height);
  return c;
}

/// A candidate that lands every grain in the first step.
Lockstep landing_anyway(const Case& c) {
  Wrapper candidate(make_solver("flight_fast", c.scene, {.precision = Precision::single_}));
  candidate.on_save = [&](Snapshot& state) {
    const bool behind = state.at == flight::landing || (state.at == boundary::step_start && state.step == 1 &&
                                                        candidate.last != Wrapper::Last::load);
    if (!behind || state.step > 1) return;
    for (double& flag : state.get(flight::landed).value) flag = 1.0;
  };
  const auto reference = make_solver("flight_readable", c.scene);
  return LockstepDriver(c.scene, candidate, *reference).run(c.start, c.dt, c.steps);
}

Scene scene_of_a_run() {
  Scene scene = make_case("flight_falls", setup_of(2)).scene;
  Material grains;
  grains.name = "grains";
  grains.density = 2000.0;
  scene.materials = {grains};
  Seed seed;
  seed.name = "cloud";
  seed.shape = Box{.min = {-0.1, -0.11, 0.0}, .max = {0.1, 0.0, 0.0}};
  seed.sampling = Sampling::regular;
  seed.particles_per_cell = 4.0;
  scene.seeds = {seed};
  scene.gravity = Point(0.0, -9.8, 0.0);
  return scene;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(added_method)

BOOST_AUTO_TEST_CASE(lists_know_it_beside_the_others) {
  BOOST_TEST(&method::named("flight") == &flight::table);
  BOOST_TEST(method::all().size() == 3U);
  BOOST_TEST(judged_methods().size() == 3U);
  BOOST_TEST(solvers_of("flight").size() == 2U);
  BOOST_TEST(solvers_of("mpm").size() == 2U);
  BOOST_TEST(judging_solver("flight") == "flight_readable");
  BOOST_TEST(usual_solver("flight") == "flight_fast");
  BOOST_TEST(usual_solver("mpm") == "optimized");
  BOOST_CHECK_THROW(usual_solver("diffusion"), BadInput);
  BOOST_TEST(experiments::with_readable_solver({.method = "flight", .solver = "flight_fast"}).solver ==
             "flight_readable");
}

BOOST_DATA_TEST_CASE(states_of_both_solvers_hold_what_the_table_says, data::make({2, 3}), dim) {
  const Case c = make_case("flight_falls", setup_of(dim));
  for (const std::string& name : solvers_of("flight")) {
    const auto solver = make_solver(name, c.scene);
    std::size_t looked = 0;
    at_each_boundary(c, *solver, [&](const Snapshot& state) {
      hold_against_table(flight::table, state, dim, name);
      ++looked;
    });
    BOOST_TEST(looked == method::boundaries(flight::table).size());
  }
}

BOOST_AUTO_TEST_CASE(every_case_of_lockstep_and_every_claim_of_equal_bits_passes) {
  std::size_t judged = 0;
  for (const CaseName& name : case_names()) {
    if (name.setup.method != flight::table.name) continue;
    const CaseReport report = run_case(make_case(name.scenario, name.setup), solver_named("flight_fast"),
                                       solver_named("flight_readable"));
    BOOST_TEST(name_of(report.verdict) == "pass",
               name.name << ": " << (report.shortfalls.empty() ? "" : report.shortfalls[0]));
    ++judged;
  }
  BOOST_TEST(judged == 3U * 4U);
  for (const CaseName& name : bit_names()) {
    if (name.setup.method != flight::table.name) continue;
    const CaseReport report =
        run_bits(name, solver_named("flight_fast"), solver_named("flight_readable"), "");
    BOOST_TEST(name_of(report.verdict) == "pass",
               name.name << ": " << (report.shortfalls.empty() ? "" : report.shortfalls[0]));
    ++judged;
  }
  BOOST_TEST(judged >= 3U * 4U + 8U * 6U);
}

BOOST_AUTO_TEST_CASE(planted_mistakes_are_named_at_their_boundary_and_field) {
  int tried = 0;
  for (const faults::Fault& fault : faults::faults()) {
    if (fault.setup.method != flight::table.name) continue;
    for (const Precision precision : {Precision::single_, Precision::double_}) {
      const faults::Trial trial =
          faults::try_fault(fault, precision, "flight_fast", solver_named("flight_readable"));
      BOOST_TEST(trial.control_passes(), "without its fault: " << row(trial));
      BOOST_TEST(trial.well_placed(), row(trial));
      ++tried;
    }
  }
  BOOST_TEST(tried == 10);
}

/// Within rounding either decision is right, and the reference goes on from the candidate's; beyond it is not.
BOOST_AUTO_TEST_CASE(a_decision_may_differ_within_rounding_alone) {
  const Lockstep tied = landing_anyway(hovering(0.0));
  BOOST_TEST(!tied.divergence.has_value(),
             (tied.divergence ? tied.divergence->stage + " " + tied.divergence->field.field : ""));
  BOOST_TEST(tied.counters.at(std::string(flight::undecided)) == 1.0);
  BOOST_TEST_REQUIRE(tied.last.particles() == 1U);
  BOOST_TEST(tied.last.get(flight::landed).value[0] == 1.0);

  const Case clear = hovering(1e-6);
  const Lockstep wrong = landing_anyway(clear);
  BOOST_TEST_REQUIRE(wrong.divergence.has_value());
  BOOST_TEST(wrong.divergence->stage == flight::landing);
  BOOST_TEST(wrong.divergence->field.field == flight::landed);
  // Premise: left to itself no grain lands.
  const auto solver = make_solver("flight_readable", clear.scene);
  solver->load(clear.start);
  solver->advance([&](double) { return clear.dt; });
  BOOST_TEST(solver->save(boundary::step_start, false).get(flight::landed).value[0] == 0.0);
}

BOOST_AUTO_TEST_CASE(solvers_and_states_of_other_methods_are_refused) {
  const Scene scene = scene_of_a_run();
  BOOST_CHECK_THROW(make_solver("optimized", scene), BadInput);
  Scene of_mpm = scene;
  of_mpm.scheme = MpmOptions{};
  BOOST_CHECK_THROW(make_solver("flight_fast", of_mpm), BadInput);
  const auto solver = make_solver("flight_fast", scene);
  BOOST_CHECK_THROW(solver->load(sample(of_mpm)), std::invalid_argument);
  BOOST_CHECK_NO_THROW(solver->load(sample(scene)));
  BOOST_CHECK_THROW(solver->probe("height", {}, 1e-3), std::logic_error);
}

BOOST_AUTO_TEST_CASE(a_scene_file_holds_its_options_beside_those_of_others) {
  Scene scene = scene_of_a_run();
  scene.scheme = flight::Options{.ground = 0.5};
  const std::string text = scene_to_toml(scene) + "\n[mpm]\nkernel = \"quadratic\"\n";
  const Scene again = parse_scene(text, "flight.toml");
  BOOST_TEST(again.scheme.method() == "flight");
  BOOST_TEST(again.scheme.as<flight::Options>().ground == 0.5);
  BOOST_CHECK_EXCEPTION(parse_scene(text, "flight.toml", "mpm"), BadInput, [](const BadInput& error) {
    return std::string(error.what()).find("youngs_modulus") !=
           std::string::npos;  // which flight does not need
  });
}

BOOST_AUTO_TEST_CASE(a_run_writes_its_counters_and_goes_on_from_its_states) {
  const fs::path folder = fs::temp_directory_path() / ("added_method_" + std::to_string(::getpid()));
  fs::remove_all(folder);
  const Scene scene = scene_of_a_run();
  std::uint64_t landings = 0;
  for (const bool resume : {false, true}) {
    const auto solver = make_solver("flight_fast", scene);
    const auto run = experiments::run_recorded(
        *solver, scene,
        {.out = folder, .resume = resume, .frames = resume ? std::int64_t{10} : std::int64_t{5}});
    BOOST_TEST((run.resumed_from_step > 0) == resume);
    landings += run.summary.total.counts[flight::landings];
    BOOST_TEST(describe(run.summary).find("particles landed") != std::string::npos);
  }
  BOOST_TEST(landings > 0U);
  std::ifstream table(folder / "steps.csv");
  std::string line;
  std::getline(table, line);
  BOOST_TEST(line ==
             "step,time_s,dt_s,limited_by,max_speed_m_per_s,particles,flying,landings,inside_solids,deepest_"
             "inside_solids_m");
  std::uint64_t told = 0;
  while (std::getline(table, line)) {
    std::istringstream row(line);
    std::string cell;
    for (int column = 0; column < 8; ++column) std::getline(row, cell, ',');
    told += std::stoull(cell);
  }
  BOOST_TEST(told == landings);
  fs::remove_all(folder);
}

BOOST_AUTO_TEST_SUITE_END()
