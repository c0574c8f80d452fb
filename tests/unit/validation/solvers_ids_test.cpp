// Particles keep their ids, and ids are never given twice.

#include "reference/interface/base/error.h"
#include "validation/crosscheck/cases.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/solvers.h"

#include <fmt/format.h>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace data = boost::unit_test::data;
using namespace repose;
using crosscheck::Case;

struct IdsOf {
  std::string solver;
  int dim = 2;
  bool implicit = false;
};
std::ostream& operator<<(std::ostream& out, const IdsOf& kind) {
  return out << kind.solver << " " << kind.dim << "D" << (kind.implicit ? " implicit" : "");
}

std::vector<IdsOf> all_of_mpm() {
  std::vector<IdsOf> all;
  for (const std::string& solver : solvers_of("mpm"))
    for (const int dim : {2, 3})
      for (const bool implicit : {false, true}) all.push_back({solver, dim, implicit});
  return all;
}

constexpr std::size_t count = 12;

struct Numbered {
  Case c;
  std::unique_ptr<Solver> solver;
  std::vector<std::int64_t> own{100, 101, 102, 105, 108, 109, 110, 111, 112, 120, 121, 130};

  explicit Numbered(const IdsOf& kind)
      : c(crosscheck::make_case(kind.implicit ? "implicit_floor" : "room_corner",
                                crosscheck::MpmSetup{.dim = kind.dim})) {
    for (Field& field : c.start.fields)
      field.value.resize(count * static_cast<std::size_t>(field.components));
    solver = make_solver(kind.solver, c.scene, {});
  }
  Snapshot with_own(std::int64_t next) const {
    Snapshot state = c.start;
    state.ids(Place::particle) = own;
    state.next_id = next;
    return state;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(solvers_ids)

BOOST_DATA_TEST_CASE(particles_keep_their_ids_at_every_boundary, data::make(all_of_mpm()), kind) {
  const Numbered n(kind);
  for (const std::int64_t next : {140, 0}) {
    n.solver->load(n.with_own(next));
    const auto list = n.solver->boundaries();
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) n.solver->run(list[i - 1], list[i], n.c.dt);
      const Snapshot state = n.solver->save(list[i], true);
      BOOST_TEST(state.ids(Place::particle) == n.own, boost::test_tools::per_element());
      BOOST_TEST(state.next_id == (next == 0 ? 131 : 140));
      BOOST_CHECK_NO_THROW(n.solver->load(state));
    }
  }
}

BOOST_DATA_TEST_CASE(particles_that_come_take_ids_that_nobody_had, data::make(all_of_mpm()), kind) {
  const Numbered n(kind);
  n.solver->load(n.with_own(140));
  n.solver->append(n.c.start);
  n.solver->append(n.with_own(0));  // what they were elsewhere does not count
  const Snapshot grown = n.solver->save(boundary::step_start, true);
  BOOST_REQUIRE_EQUAL(grown.particles(), 3 * count);
  for (std::size_t p = 0; p < 3 * count; ++p)
    BOOST_TEST(grown.id(Place::particle, p) ==
               (p < count ? n.own[p] : 140 + static_cast<std::int64_t>(p - count)));
  BOOST_TEST(grown.next_id == 164);
  // The last ones are gone: their ids are not given again, and a list is needed only then.
  Snapshot rest = n.c.start;
  rest.next_id = 15;
  n.solver->load(rest);
  BOOST_TEST(n.solver->save(boundary::step_start, true).ids(Place::particle).empty());
  n.solver->append(n.c.start);
  const Snapshot again = n.solver->save(boundary::step_start, true);
  BOOST_TEST(again.id(Place::particle, 11) == 11);
  BOOST_TEST(again.id(Place::particle, 12) == 15);
  BOOST_TEST(again.next_id == 27);
}

BOOST_DATA_TEST_CASE(errors_name_particles_by_id, data::make(all_of_mpm()), kind) {
  const Numbered n(kind);
  const auto names = [](std::int64_t id) {
    return [id](const SimulationError& error) {
      BOOST_TEST(error.particle == id, error.what());
      return error.particle == id;
    };
  };
  // The fourth particle has the id 105.
  Snapshot massless = n.with_own(140);
  massless.get(field::mass).value[3] = 0.0;
  BOOST_CHECK_EXCEPTION(n.solver->load(massless), SimulationError, names(105));
  Snapshot outside = n.with_own(140);
  outside.get(field::x).value[3 * static_cast<std::size_t>(kind.dim)] = 1e6;
  BOOST_CHECK_EXCEPTION(n.solver->load(outside), SimulationError, names(105));
  n.solver->load(n.with_own(140));
  BOOST_CHECK_EXCEPTION(n.solver->append(massless), SimulationError, names(143));
  BOOST_CHECK_EXCEPTION(n.solver->append(outside), SimulationError, names(143));
  Snapshot falls = n.with_own(140);
  std::swap(falls.ids(Place::particle)[3], falls.ids(Place::particle)[4]);
  const std::string pair = fmt::format("particle {} follows {}", n.own[3], n.own[4]);
  BOOST_CHECK_EXCEPTION(n.solver->load(falls), std::invalid_argument,
                        [&](const std::invalid_argument& error) {
                          return std::string_view(error.what()).find(pair) != std::string_view::npos;
                        });
  // And in a step.
  Snapshot fast = n.with_own(140);
  fast.get("v").value[3 * static_cast<std::size_t>(kind.dim)] = 1e7;
  n.solver->load(fast);
  BOOST_CHECK_EXCEPTION(n.solver->run(boundary::step_start, n.solver->boundaries().back(), n.c.dt),
                        SimulationError, [&](const SimulationError& error) {
                          return std::find(n.own.begin(), n.own.end(), error.particle) != n.own.end();
                        });
}

BOOST_AUTO_TEST_SUITE_END()
