// The tables of methods against what solvers do: a list that no table gives must not part from it.
#include "reference/interface/method.h"
#include "reference/interface/methods/all.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/cases.h"
#include "validation/solvers.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

namespace data = boost::unit_test::data;

namespace repose::validation_tests {

using namespace repose::crosscheck;

namespace {

/// Runs one step of a case with a solver and calls look(state) at each of its boundaries.
template <class Look>
void at_each_boundary(const Case& c, Solver& solver, const Look& look) {
  solver.load(c.start);
  const auto list = solver.boundaries();
  for (std::size_t n = 0; n < list.size(); ++n) {
    if (n > 0) solver.run(list[n - 1], list[n], c.dt);
    look(solver.save(list[n], false));
  }
}

/// Holds one state against the rows of its boundary: names, places, components, units, numbers.
void hold_against_table(const Snapshot& state, int dim, const std::string& where) {
  const method::Method& table = method::mpm;
  std::set<std::string_view> names;
  for (const Field& field : state.fields) {
    const method::FieldRow* const row = find_field(table, field.name);
    BOOST_TEST_CONTEXT(where << " at " << state.at << ", field " << field.name) {
      BOOST_TEST_REQUIRE(row != nullptr);
      BOOST_TEST(holds(table, *row, state.at));
      BOOST_TEST((field.place == row->place));
      BOOST_TEST(field.components == components(*row, dim));
      BOOST_TEST(field.unit == unit(*row, dim));
      const std::size_t elements = field.place == Place::node ? state.node.size() : state.particles();
      BOOST_TEST(field.value.size() == elements * static_cast<std::size_t>(field.components));
      names.insert(row->name);
    }
  }
  const auto wanted = fields_at(table, state.at);
  BOOST_TEST(names.size() == wanted.size(), where << " at " << state.at << " lacks a field of the table");
  BOOST_TEST(state.node.empty() == !has(table, state.at, Place::node));
}

/// A case of few particles that meet a body, in steps of either kind.
Case case_of(int dim, Integrator integrator) {
  const std::string_view wanted = integrator == Integrator::implicit_ ? "implicit" : "";
  for (const Scenario& one : scenarios()) {
    if (one.takes_long || one.name.find(wanted) == std::string::npos) continue;
    Case c = make_case(one.name, {.dim = dim});
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
      hold_against_table(state, dim, name);
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
  }
  BOOST_CHECK_THROW(method::named("none"), std::out_of_range);
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
    const auto fields = method::particles_at_rest(method::mpm, dim, 2);
    BOOST_TEST(fields.size() == 9U);
    for (const Field& one : fields) {
      double sum = 0.0;
      for (const double value : one.value) sum += value;
      BOOST_TEST(sum == (one.name == field::F ? 2.0 * dim : 0.0), one.name);
    }
  }
}

}  // namespace repose::validation_tests
