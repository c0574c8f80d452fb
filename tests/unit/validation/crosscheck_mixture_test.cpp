// The judge of mixture: a plain model without mistakes lies inside its bounds, in double and in float, and what leaves them is seen.
#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_options.h"
#include "reference/mixture/mixture_solver.h"
#include "tests/unit/validation/crosscheck_wrapper.h"
#include "validation/crosscheck/cases.h"
#include "validation/crosscheck/lockstep.h"
#include "validation/crosscheck/run_case.h"
#include "validation/faults/faulty_solver.h"
#include "validation/faults/mixture/faults.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <ostream>
#include <string>

namespace data = boost::unit_test::data;

namespace {

using namespace repose;
using namespace repose::crosscheck;

/// A case of each scenario, by turns in two and three dimensions and by either kernel. Sanitizers look at the code, which is
/// nearly the same for all: every third. Solved stages have no plain model that could be laid beside the bounds.
std::vector<Case> cases_in_turn(Precision precision) {
  std::vector<Case> result;
  const std::size_t each = REPOSE_SANITIZED != 0 ? 3 : 1;
  for (std::size_t n = 0; n < scenarios("mixture").size(); n += each) {
    result.push_back(make_case(scenarios("mixture")[n].name, {.method = "mixture",
                                                              .dim = n % 2 == 0 ? 2 : 3,
                                                              .variant = {n % 4, n / 2 % 2},
                                                              .precision = precision}));
    if (solves(mixture_options(result.back().scene).integrator)) {
      result.pop_back();
      continue;
    }
    result.back().share_of_ties = 1.0;
    result.back().steps = 1;
    result.back().needs.clear();
  }
  return result;
}

/// The readable solver, which says that it computes in a precision, and keeps all but places in it.
std::unique_ptr<Solver> stating(const Scene& scene, Precision precision) {
  auto solver = std::make_unique<Wrapper>(make_mixture_solver(scene));
  const double unit = precision == Precision::single_ ? 0x1p-24 : 0x1p-53;
  solver->stated = Rounding{.unit = unit, .position = 4.0 * scene.grid.h * unit, .strain = "F"};
  if (precision == Precision::single_)
    solver->on_load = [](Snapshot& state) {
      for (Field& field : state.fields)
        if (field.name != field::x && field.name != field::x_n)
          for (double& value : field.value) value = static_cast<double>(static_cast<float>(value));
    };
  return solver;
}

Lockstep one_step(const Case& c, Precision precision, Boundary stage) {
  const auto candidate = faults::make_faulty_solver(
      stating(c.scene, precision), c.scene, faults::mixture_model(), precision, stage, faults::no_mistake);
  const auto reference = make_mixture_solver(c.scene);
  return LockstepDriver(c.scene, *candidate, *reference).run(c.start, c.dt, 1);
}

CaseReport by_the_readable_solver(const Case& c) {
  const Factory readable = [](const Scene& scene, const SolverOptions&) {
    return make_mixture_solver(scene);
  };
  return run_case(c, readable, readable);
}

/// A case in which something is missed that its scenario is there for.
struct Missed {
  std::string_view scenario, counter;
  void (*spoil)(Case&);
};
std::ostream& operator<<(std::ostream& out, const Missed& one) {
  return out << one.scenario << " without " << one.counter;
}

/// The lid becomes a wall that sand alone reaches.
void put_lid_aside(Case& c) {
  const double x = c.scene.grid.domain_min[0] + 5.3 * c.scene.grid.h;
  c.scene.colliders.at(2).shape = HalfSpace{Point(x, 0.0, 0.0), Point::UnitX()};
}
void weaken_drag(Case& c) { mixture_options(c.scene).kappa *= 0.1; }

const Missed missed[] = {
    {"mixture_walls", "water: contacts with body 2", put_lid_aside},
    {"mixture_walls_as_given", "water: contacts with body 2", put_lid_aside},
    {"mixture_solved_walls", "water: nodes held by body 2", put_lid_aside},
    {"mixture_solved_as_given", "water: nodes held by body 2", put_lid_aside},
    {"mixture_stiff_drag", "stiff drag", weaken_drag},
    {"mixture_solved_stiff", "stiff drag", weaken_drag},
    {"mixture_solved_walls", "stiff drag", weaken_drag},
    {"mixture_unilateral", "region A", [](Case& c) { c.scene.materials[0].unilateral->a = -0.3; }},
    {"mixture_unilateral", "region C", [](Case& c) { c.scene.materials[0].unilateral->b = 0.3; }},
};

/// The fields that mixture alone has, and the stage behind which they are made.
const std::map<std::string_view, Boundary>& own_fields() {
  static const std::map<std::string_view, Boundary> all{
      {field::m_i_w, boundary::p2g},          {field::p_i_w, boundary::p2g},
      {field::reversible, boundary::forces},  {field::p_star_w, boundary::forces},
      {field::p_drag, boundary::drag},        {field::p_drag_w, boundary::drag},
      {field::p_bar_w, boundary::collisions}, {field::p_tilde_w, boundary::friction},
      {field::x_n, boundary::update},         {field::phi_p, boundary::saturation},
      {field::phi_i, boundary::saturation},   {field::c_C, boundary::saturation}};
  return all;
}

/// One stage of which the readable solver's answer is changed.
Lockstep changed(const Case& c, Boundary stage, const std::function<void(Snapshot&)>& change) {
  const auto list = method::boundaries(method::mixture);
  const auto end = std::find(list.begin(), list.end(), stage);
  const auto before = make_mixture_solver(c.scene);
  before->load(c.start);
  if (*(end - 1) != boundary::step_start) before->run(boundary::step_start, *(end - 1), c.dt);
  Wrapper candidate(make_mixture_solver(c.scene));
  candidate.stated = Rounding{.unit = 0x1p-24, .position = 4.0 * c.scene.grid.h * 0x1p-24, .strain = "F"};
  candidate.on_save = [&](Snapshot& state) {
    if (candidate.last == Wrapper::Last::run && state.at == stage) change(state);
  };
  const auto reference = make_mixture_solver(c.scene);
  return LockstepDriver(c.scene, candidate, *reference).replay(before->save(*(end - 1), false), c.dt);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_mixture)

BOOST_DATA_TEST_CASE(a_plain_model_of_each_stage_stays_inside_the_bounds, data::make({false, true}),
                     in_float) {
  const Precision precision = in_float ? Precision::single_ : Precision::double_;
  std::map<std::string_view, double> closest;
  for (const Case& c : cases_in_turn(precision))
    for (const Boundary stage : method::boundaries(method::mixture)) {
      if (stage == boundary::step_start) continue;
      const Lockstep result = one_step(c, precision, stage);
      BOOST_TEST(!result.divergence.has_value(),
                 c.name << " " << stage << " "
                        << (result.divergence ? result.divergence->field.field : std::string()));
      for (const Worst& worst : result.worst)
        if (worst.stage == stage && std::isfinite(worst.field.worst.ratio))
          closest[stage] = std::max(closest[stage], worst.field.worst.ratio);
    }
  // A bound that nothing comes near would see nothing.
  for (const auto& [stage, ratio] : closest) BOOST_TEST(ratio > 1e-3, stage);
  BOOST_TEST(closest.size() == method::boundaries(method::mixture).size() - 1);
}

/// A third of a bound passes, three do not and are named.
BOOST_DATA_TEST_CASE(each_field_of_its_own_is_held_to_its_bound, data::make({2, 3}), dim) {
  Case c = make_case("mixture_reversible_volume", {.method = "mixture", .dim = dim});
  mixture_options(c.scene).wet_mass = 0.0;
  for (const auto& [name, stage] : own_fields()) {
    // Of a node or grain that both phases have to do with.
    const auto state_at = [&, at = stage] {
      const auto solver = make_mixture_solver(c.scene);
      solver->load(c.start);
      solver->run(boundary::step_start, at, c.dt);
      return solver->save(at, false);
    };
    const Snapshot state = state_at();
    const Field& field = state.get(name);
    const auto k = static_cast<std::size_t>(field.components);
    std::size_t element = 0;
    for (std::size_t e = 0; e < field.value.size() / k; ++e) {
      const bool both = field.place != Place::node ||
                        (state.get(field::m_i).value[e] > 1e-3 && state.get(field::m_i_w).value[e] > 1e-3);
      if (both && field.value[e * k] != 0.0) element = e;
    }
    const auto with = [&, name = name, stage = stage](double amount) {
      return changed(c, stage, [&](Snapshot& other) { other.get(name).value[element * k] += amount; });
    };
    double bound = -1.0;
    const Lockstep no_number = with(std::numeric_limits<double>::quiet_NaN());
    BOOST_TEST_REQUIRE(no_number.divergence.has_value(), name);
    for (const Worst& worst : no_number.worst)
      if (worst.field.field == name && worst.stage == stage) bound = worst.field.worst.bound.total();
    BOOST_TEST(bound >= 0.0, name);
    const double step = bound > 0.0 ? bound : 1e-3;
    if (bound > 0.0) BOOST_TEST(!with(0.3 * step).divergence.has_value(), name);
    const Lockstep beyond = with(-3.0 * step);
    BOOST_TEST_REQUIRE(beyond.divergence.has_value(), name);
    BOOST_TEST(beyond.divergence->field.field == name);
    BOOST_TEST(beyond.divergence->stage == stage);
  }
}

BOOST_DATA_TEST_CASE(a_case_without_what_its_scenario_is_there_for_is_mistrusted, data::make(missed), one) {
  Case c = make_case(one.scenario, {.method = "mixture", .dim = 2});
  BOOST_TEST(name_of(by_the_readable_solver(c).verdict) == "pass");
  one.spoil(c);
  const CaseReport spoiled = by_the_readable_solver(c);
  BOOST_TEST(name_of(spoiled.verdict) == "mistrusted");
  const bool named = std::any_of(
      spoiled.shortfalls.begin(), spoiled.shortfalls.end(),
      [&](const std::string& shortfall) { return shortfall.starts_with(std::string(one.counter) + ":"); });
  BOOST_TEST(named);
}

/// What was counted of either phase is a part of what was counted of both, in steps of either kind.
BOOST_DATA_TEST_CASE(phases_are_counted_apart_and_together,
                     data::make({"mixture_walls", "mixture_solved_walls"}), scenario) {
  const Counters all =
      by_the_readable_solver(make_case(scenario, {.method = "mixture", .dim = 2})).lockstep.counters;
  const auto of = [&](const std::string& name) { return all.contains(name) ? all.at(name) : 0.0; };
  int seen = 0;
  for (const std::string name : {"contacts with body 0", "contacts with body 2", "sticking", "sliding",
                                 "held nodes", "nodes held by body 0", "nodes held by body 2"}) {
    if (of(name) == 0.0) continue;
    ++seen;
    BOOST_TEST(of("sand: " + name) > 0.0, name);
    BOOST_TEST(of("water: " + name) > 0.0, name);
    BOOST_TEST(of("sand: " + name) + of("water: " + name) == of(name), name);
  }
  BOOST_TEST(seen >= 3);
}

/// Who keeps nodes wet for longer than water is there shows in this scenario.
BOOST_DATA_TEST_CASE(water_that_runs_off_leaves_grains_dry_that_it_had_wetted, data::make({2, 3}), dim) {
  const Case c = make_case("mixture_threshold", {.method = "mixture", .dim = dim});
  const auto solver = make_mixture_solver(c.scene);
  solver->load(c.start);
  std::vector<double> once_wet(c.start.particles(), 0.0);
  int dried = 0;
  for (int step = 0; step < c.steps; ++step) {
    solver->run(boundary::step_start, boundary::saturation, c.dt);
    const Snapshot state = solver->save(boundary::saturation, false);
    dried = 0;
    for (std::size_t p = 0; p < state.particles(); ++p) {
      const double phi = state.get(field::phi_p).value[p];
      once_wet[p] = std::max(once_wet[p], phi);
      if (once_wet[p] > 0.1 && phi == 0.0) ++dried;
    }
    solver->run(boundary::saturation, boundary::plasticity, c.dt);
  }
  BOOST_TEST(dried >= 20);
}

BOOST_AUTO_TEST_SUITE_END()
