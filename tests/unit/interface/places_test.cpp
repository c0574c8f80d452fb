// Places of the grid and ids of particles.

#include "reference/interface/base/grid.h"
#include "reference/interface/particles/particle_ids.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <set>
#include <vector>

namespace {

namespace data = boost::unit_test::data;
using namespace repose;

Grid grid_of(int dim, bool periodic) {
  return {.dim = dim,
          .h = 0.25,
          .domain_min = Point(-0.5, 0.25, dim == 3 ? 1.0 : 0.0),
          .cells = {4, 3, dim == 3 ? 5 : 1},
          .periodic = {periodic, false, false}};
}

/// By which axes a place lies half a spacing behind its corner, as one would say it.
std::array<bool, 3> halves(Place place) {
  switch (place) {
    case Place::cell:
      return {true, true, true};
    case Place::face_x:
      return {false, true, true};
    case Place::face_y:
      return {true, false, true};
    case Place::face_z:
      return {true, true, false};
    case Place::edge_xy:
      return {false, false, true};
    case Place::edge_xz:
      return {false, true, false};
    case Place::edge_yz:
      return {true, false, false};
    default:
      return {false, false, false};
  }
}

Snapshot of_particles(std::size_t count) {
  Snapshot state;
  state.set({.name = "mass", .unit = "kg", .value = std::vector<double>(count, 1.0)});
  return state;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(places)

BOOST_AUTO_TEST_CASE(each_kind_has_its_names) {
  std::set<std::string_view> words;
  for (std::size_t n = 0; n < place_kinds; ++n) {
    const auto place = static_cast<Place>(n);
    BOOST_TEST((names::of(place).place == place));
    words.insert(names::of(place).one);
    words.insert(names::of(place).several);
  }
  BOOST_TEST(words.size() == 2 * place_kinds);
}

/// Counted by hand: n nodes along an axis have n − 1 middles between them, along a periodic one n.
BOOST_DATA_TEST_CASE(a_grid_has_as_many_places_of_each_kind_as_fit,
                     data::make({2, 3}) * data::make({false, true}), dim, periodic) {
  const Grid grid = grid_of(dim, periodic);
  const std::int64_t ids = grid.nodes(0) * grid.nodes(1) * grid.nodes(2);
  for (const auto& [place, one, several] : names::places) {
    const auto half = halves(place);
    std::int64_t expected = on_grid(place) ? 1 : 0;
    for (int axis = 0; axis < dim; ++axis)
      expected *=
          grid.nodes(axis) - (half[static_cast<std::size_t>(axis)] && !grid.is_periodic(axis) ? 1 : 0);
    const bool of_space_alone = place == Place::face_z || place == Place::edge_xz || place == Place::edge_yz;
    if (dim == 2 && of_space_alone) expected = 0;
    std::int64_t found = 0;
    for (std::int64_t id = -3; id < ids + 3; ++id) found += grid.has(place, id) ? 1 : 0;
    BOOST_TEST(found == expected, several);
    if (expected > 0) BOOST_TEST(expected > 10, several);
  }
}

BOOST_DATA_TEST_CASE(places_lie_half_a_spacing_behind_their_lower_corner, data::make({2, 3}), dim) {
  const Grid grid = grid_of(dim, false);
  const std::int64_t corner = grid.node_id(1, 2, dim == 3 ? 3 : 0);
  for (const auto& [place, one, several] : names::places) {
    if (!grid.has(place, corner)) continue;
    const auto half = halves(place);
    Point expected(-0.25, 0.75, dim == 3 ? 1.75 : 0.0);
    for (int axis = 0; axis < dim; ++axis)
      if (half[static_cast<std::size_t>(axis)]) expected[axis] += 0.125;
    BOOST_TEST((grid.position(place, corner) == expected), one);  // dyadic: exact
  }
  BOOST_TEST((grid.position(Place::edge_xy, corner) == grid.node_position(corner)) == (dim == 2));
}

BOOST_AUTO_TEST_CASE(ids_of_particles_are_listed_only_where_they_have_gaps) {
  ParticleIds ids;
  Snapshot state = of_particles(3);
  ids.load(state);
  BOOST_TEST(ids.next() == 3);
  ids.append(2);
  ids.save(state);
  BOOST_TEST(state.ids(Place::particle).empty());
  BOOST_TEST(state.next_id == 5);
  const std::vector<std::size_t> second{1};
  ids.remove(second);
  BOOST_TEST(ids.size() == 4U);
  BOOST_TEST(ids.of(0) == 0);
  BOOST_TEST(ids.of(1) == 2);
  ids.append(1);
  ids.save(state);
  const std::vector<std::int64_t> expected{0, 2, 3, 4, 5};
  BOOST_TEST(state.ids(Place::particle) == expected, boost::test_tools::per_element());
  BOOST_TEST(state.next_id == 6);
  // All but the first two leave, then all: what comes has new ids none the less.
  const std::vector<std::size_t> others{1, 2, 3, 4};
  ids.remove(others);
  ids.save(state);
  BOOST_TEST(state.ids(Place::particle).empty());
  const std::vector<std::size_t> first{0};
  ids.remove(first);
  BOOST_TEST(ids.size() == 0U);
  ids.append(2);
  BOOST_TEST(ids.of(0) == 6);
  BOOST_TEST(ids.of(1) == 7);
  BOOST_TEST(ids.next() == 8);
}

/// One that lacks an early particle may end at any number.
BOOST_AUTO_TEST_CASE(listed_ids_are_forgotten_where_none_is_missing_and_only_there) {
  for (const std::vector<std::int64_t>& listed :
       {std::vector<std::int64_t>{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {0, 2, 4}, {5, 6, 7}}) {
    Snapshot state = of_particles(3);
    state.ids(Place::particle) = listed;
    state.next_id = 9;
    ParticleIds ids;
    ids.load(state);
    for (std::size_t n = 0; n < 3; ++n) BOOST_TEST(ids.of(n) == listed[n]);
    ids.save(state);
    BOOST_TEST(state.ids(Place::particle).empty() == (listed[2] == 2));
    BOOST_TEST(state.next_id == 9);
  }
}

BOOST_AUTO_TEST_CASE(a_state_takes_particles_behind_its_own) {
  for (const bool gone : {false, true}) {
    Snapshot state = of_particles(3);
    if (gone) state.next_id = 7;
    append(state, of_particles(2));
    BOOST_TEST(state.particles() == 5U);
    BOOST_TEST(state.id(Place::particle, 2) == 2);
    BOOST_TEST(state.id(Place::particle, 3) == (gone ? 7 : 3));
    BOOST_TEST(state.next_particle() == (gone ? 9 : 5));
    BOOST_TEST(state.ids(Place::particle).empty() == !gone);
  }
  Snapshot lacking = of_particles(1);
  lacking.set({.name = "x", .unit = "m", .components = 2, .value = {0.0, 0.0}});
  BOOST_CHECK_THROW(append(lacking, of_particles(1)), std::out_of_range);
}

BOOST_AUTO_TEST_CASE(the_same_elements_are_the_same_however_they_are_listed) {
  const Snapshot plain = of_particles(3);
  Snapshot listed = plain;
  listed.ids(Place::particle) = {0, 1, 2};
  BOOST_TEST(same_elements(plain, listed));
  listed.ids(Place::particle) = {0, 1, 3};
  BOOST_TEST(!same_elements(plain, listed));
  BOOST_TEST(!same_elements(plain, of_particles(4)));
  Snapshot cells = plain;
  cells.ids(Place::cell) = {4};
  BOOST_TEST(!same_elements(plain, cells));
  BOOST_TEST(same_elements(plain, cells, Place::particle));
  BOOST_TEST(plain.count(Place::scene) == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
