// The tables of methods against what solvers do: a list that no table gives must not part from it.
#include "reference/interface/method.h"
#include "reference/interface/methods/all.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "tests/unit/validation/state_table.h"
#include "validation/crosscheck/cases.h"
#include "validation/crosscheck/judge.h"
#include "validation/crosscheck/mpm/cases.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/faults/model.h"
#include "validation/methods.h"
#include "validation/solvers.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>
#include <typeinfo>

namespace data = boost::unit_test::data;

namespace repose::validation_tests {

using namespace repose::crosscheck;

namespace {

/// A case of few particles that meet a body, in steps of either kind.
Case case_of(int dim, Integrator integrator) {
  const std::string_view wanted = integrator == Integrator::implicit_ ? "implicit" : "";
  for (const Scenario& one : mpm_scenarios()) {
    if (one.takes_long || one.name.find(wanted) == std::string::npos) continue;
    Case c = make_case(one.name, MpmSetup{.dim = dim});
    if (mpm_options(c.scene).integrator == integrator && !c.stops && !c.scene.colliders.empty()) return c;
  }
  throw std::logic_error("no such case");
}

}  // namespace

BOOST_DATA_TEST_CASE(states_of_both_solvers_hold_what_the_table_says,
                     data::make({2, 3}) * data::make({false, true}), dim, implicit) {
  const Integrator integrator = implicit ? Integrator::implicit_ : Integrator::explicit_;
  const Case c = case_of(dim, integrator);
  const auto boundaries = method::boundaries(method::mpm, integrator);
  for (const std::string& name : solver_names()) {
    const auto solver = make_solver(name, c.scene);
    const auto list = solver->boundaries();
    BOOST_TEST(std::equal(list.begin(), list.end(), boundaries.begin(), boundaries.end()));
    std::size_t seen = 0;
    at_each_boundary(c, *solver, [&](const Snapshot& state) {
      hold_against_table(method::mpm, state, dim, name);
      ++seen;
    });
    BOOST_TEST(seen == boundaries.size());
  }
}

/// The table must be one that can be read: stages within the boundaries, no name twice, units and values at rest where
/// states begin.
BOOST_AUTO_TEST_CASE(tables_of_methods_are_sound) {
  for (const method::Method* table : method::all()) {
    const auto all = boundaries(*table);
    BOOST_TEST(&method::named(table->name) == table);
    std::set<std::string_view> names, columns;
    const auto known = [&](Boundary at) { return std::find(all.begin(), all.end(), at) != all.end(); };
    for (const method::FieldRow& row : table->fields) {
      BOOST_TEST(names.insert(row.name).second);
      BOOST_TEST(!row.unit.empty());
      BOOST_TEST(known(row.made));
      BOOST_TEST(known(row.held));
      BOOST_TEST((row.again.empty() || known(row.again)));
      BOOST_TEST(holds(*table, row, row.made));
      BOOST_TEST(holds(*table, row, row.held));
    }
    for (const method::CounterRow& row : table->counters) BOOST_TEST(columns.insert(row.column).second);
    for (const method::ProbeRow& row : table->probes)
      BOOST_TEST((known(row.at) && known(row.from) && known(row.to)));
    BOOST_TEST(table->check != nullptr);
    BOOST_TEST(table->describe != nullptr);
    BOOST_TEST(columns.size() <= Counts::room);
    BOOST_TEST(state_at_rest(*table, 2, 1).size() >= 2U);
    for (const std::string_view name : {field::mass, field::x})
      BOOST_TEST((find_field(*table, name) != nullptr &&
                  holds(*table, field_row(*table, name), boundary::step_start)));
    const Judge& judge = judged(table->name).judge;
    BOOST_TEST(&judge.method == table);
    BOOST_TEST(&judged(table->name).model.method == table);
    BOOST_TEST(judge.counts.size() == table->counters.size());
    for (const method::StageRow& stage : table->stages)
      BOOST_TEST((stage.kind != method::Kind::solved || judge.solved != nullptr), stage.end);
    BOOST_TEST((table->probes.empty() || judged(table->name).model.probe != nullptr));
  }
  BOOST_CHECK_THROW(method::named("none"), std::out_of_range);
  BOOST_CHECK_THROW(judged("none"), std::out_of_range);
  BOOST_CHECK_THROW(method::boundary_named("none", "p2g"), std::out_of_range);
  BOOST_CHECK_THROW(method::boundary_named("mpm", "none"), std::out_of_range);
  for (const Boundary at : method::boundaries(method::mpm))
    BOOST_TEST(method::boundary_named("mpm", at) == at);
  BOOST_CHECK_THROW(method::field_row(method::mpm, "none"), std::out_of_range);
}

BOOST_AUTO_TEST_CASE(a_field_is_away_between_its_last_boundary_and_the_stage_that_makes_it_again) {
  const method::FieldRow& F = method::field_row(method::mpm, field::F);
  std::vector<Boundary> without;
  for (const Boundary at : boundaries(method::mpm))
    if (!holds(method::mpm, F, at)) without.push_back(at);
  BOOST_TEST(without == std::vector<Boundary>{boundary::update}, boost::test_tools::per_element());
  BOOST_TEST(made_by(F) == boundary::plasticity);
  BOOST_TEST(made_by(method::field_row(method::mpm, field::mass)) == boundary::step_start);
}

BOOST_AUTO_TEST_CASE(particles_at_rest_are_undeformed) {
  for (const int dim : {2, 3}) {
    const auto fields = method::state_at_rest(method::mpm, dim, 2);
    BOOST_TEST(fields.size() == 10U);
    for (const Field& one : fields) {
      double sum = 0.0;
      for (const double value : one.value) sum += value;
      BOOST_TEST(sum == (one.name == field::F ? 2.0 * dim : one.name == field::J ? 2.0 : 0.0), one.name);
    }
  }
}

/// Of several steps the largest or the sum, row by row.
BOOST_AUTO_TEST_CASE(counts_are_added_as_their_rows_say) {
  Counts sum, later;
  for (std::size_t row = 0; row < method::mpm.counters.size(); ++row) {
    sum[row] = 3 + row;
    later[row] = 10 - row / 2;
  }
  const Counts first = sum;
  add(method::mpm, sum, later);
  std::size_t largest = 0;
  for (std::size_t row = 0; row < method::mpm.counters.size(); ++row) {
    const bool by_largest = method::mpm.counters[row].largest;
    largest += by_largest ? 1 : 0;
    BOOST_TEST(sum[row] == (by_largest ? std::max(first[row], later[row]) : first[row] + later[row]));
  }
  BOOST_TEST(largest == 1U);
}

/// Both solvers answer each probe of the table where it may be asked, and none that is not in it.
BOOST_DATA_TEST_CASE(solvers_answer_the_probes_of_the_table_alone, data::make(solvers_of("mpm")), name) {
  const Case c = case_of(2, Integrator::implicit_);
  const auto solver = make_solver(name, c.scene);
  solver->load(c.start);
  for (const method::ProbeRow& probe : method::mpm.probes) {
    BOOST_CHECK_THROW(solver->probe(probe.name, {}, c.dt),
                      std::invalid_argument);  // asked without velocities
    solver->run(boundary::step_start, probe.at, c.dt);
    const std::size_t count = 2 * solver->save(probe.at, false).count(Place::node);
    const Field asked[] = {{"v", "m/s", Place::node, 2, std::vector<double>(count, 0.0)},
                           {"dv", "m/s", Place::node, 2, std::vector<double>(count, 0.0)}};
    BOOST_TEST(solver->probe(probe.name, asked, c.dt).front().value.size() == count);
    BOOST_CHECK_THROW(solver->probe(probe.name, {}, c.dt), std::invalid_argument);
    BOOST_CHECK_EXCEPTION(
        solver->probe("no_such_probe", asked, c.dt), std::logic_error,
        [](const std::logic_error& error) { return typeid(error) == typeid(std::logic_error); });
    solver->load(c.start);
  }
}

}  // namespace repose::validation_tests
