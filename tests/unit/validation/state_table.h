#pragma once

#include "reference/interface/method.h"
#include "validation/crosscheck/cases.h"

#include <boost/test/unit_test.hpp>

#include <set>
#include <string>
#include <string_view>

namespace repose {

/// Runs one step of a case with a solver and calls look(state) at each of its boundaries.
template <class Look>
void at_each_boundary(const crosscheck::Case& c, Solver& solver, const Look& look) {
  solver.load(c.start);
  const auto list = solver.boundaries();
  for (std::size_t n = 0; n < list.size(); ++n) {
    if (n > 0) solver.run(list[n - 1], list[n], c.dt);
    look(solver.save(list[n], false));
  }
}

/// Holds one state against the rows of its boundary: names, places, components, units, numbers.
inline void hold_against_table(const method::Method& table, const Snapshot& state, int dim,
                               const std::string& where) {
  BOOST_TEST(state.method == table.name);
  std::set<std::string_view> names;
  for (const Field& field : state.fields) {
    const method::FieldRow* const row = find_field(table, field.name);
    BOOST_TEST_CONTEXT(where << " at " << state.at << ", field " << field.name) {
      BOOST_TEST_REQUIRE(row != nullptr);
      BOOST_TEST(holds(table, *row, state.at));
      BOOST_TEST((field.place == row->place));
      BOOST_TEST(field.components == components(*row, dim));
      BOOST_TEST(field.unit == unit(*row, dim));
      BOOST_TEST(field.value.size() == state.count(field.place) * static_cast<std::size_t>(field.components));
      names.insert(row->name);
    }
  }
  const auto wanted = fields_at(table, state.at);
  BOOST_TEST(names.size() == wanted.size(), where << " at " << state.at << " lacks a field of the table");
  for (const auto& [place, one, several] : names::places)
    if (!has(table, state.at, place)) BOOST_TEST(state.ids(place).empty(), one);
  if (has(table, state.at, Place::node)) BOOST_TEST(!state.ids(Place::node).empty());
}

}  // namespace repose
