// What no solver takes in: every field a state can carry, emptied, cut, misplaced or out of range, at every boundary.

#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/snapshot_check.h"
#include "validation/crosscheck/cases.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/solvers.h"

#include <fmt/format.h>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <numeric>
#include <random>

namespace {

namespace data = boost::unit_test::data;
using namespace repose;
using crosscheck::Case;

struct Kind {
  std::string solver;
  Precision precision = Precision::double_;
  int dim = 2;
  bool implicit = false;
};
std::ostream& operator<<(std::ostream& out, const Kind& kind) {
  return out << kind.solver << (kind.precision == Precision::single_ ? " float " : " double ") << kind.dim
             << "D" << (kind.implicit ? " implicit" : "");
}

std::vector<Kind> kinds() {
  std::vector<Kind> all;
  for (const std::string& solver : solver_names())
    for (const Precision precision : {Precision::single_, Precision::double_})
      if (has_precision(solver, precision))
        for (const int dim : {2, 3})
          for (const bool implicit : {false, true}) all.push_back({solver, precision, dim, implicit});
  return all;
}

Case case_of(const Kind& kind) {
  Case c = crosscheck::make_case(kind.implicit ? "implicit_floor" : "room_corner",
                                 crosscheck::MpmSetup{.dim = kind.dim, .precision = kind.precision});
  // Few particles: each is forged by itself.
  for (Field& field : c.start.fields) field.value.resize(static_cast<std::size_t>(12 * field.components));
  return c;
}

std::unique_ptr<Solver> solver_of(const Kind& kind, const Scene& scene) {
  SolverOptions options;
  options.precision = kind.precision;
  return make_solver(kind.solver, scene, options);
}

/// The solver's own state at each of its boundaries, native fields included.
std::vector<Snapshot> states(const Kind& kind, const Case& c) {
  const auto solver = solver_of(kind, c.scene);
  solver->load(c.start);
  std::vector<Snapshot> all{solver->save(boundary::step_start, true)};
  const auto list = solver->boundaries();
  for (std::size_t i = 0; i + 1 < list.size(); ++i) {
    solver->run(list[i], list[i + 1], c.dt);
    all.push_back(solver->save(list[i + 1], true));
  }
  return all;
}

struct Forged {
  std::string what;
  Snapshot snapshot;
};

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

/// Every way in which a good state is spoiled here.
std::vector<Forged> forgeries(const Snapshot& good, const Scene& scene) {
  std::vector<Forged> all;
  const auto forge = [&](const std::string& what, const std::function<void(Snapshot&)>& spoil) {
    all.push_back({what, good});
    spoil(all.back().snapshot);
  };
  const auto has = [&](std::string_view name) { return good.find(name) != nullptr; };
  for (const Field& field : good.fields) {
    const std::string name = field.name;
    const auto with = [&](const std::string& what, const std::function<void(Field&)>& spoil) {
      forge(name + " " + what, [&](Snapshot& s) { spoil(s.get(name)); });
    };
    const bool native = name.starts_with(field::native_prefix);
    // Without all its native fields a state is one of any solver; strain and node velocities come one by one.
    const bool one_of_two = name.ends_with(".offset") || name.ends_with(".base");
    if (!native || one_of_two) forge(name + " missing", [&](Snapshot& s) { s.erase(name); });
    with("empty", [](Field& f) { f.value.clear(); });
    with("short", [](Field& f) { f.value.pop_back(); });
    with("long", [](Field& f) { f.value.push_back(0.5); });
    with("without its last element",
         [](Field& f) { f.value.resize(f.value.size() - static_cast<std::size_t>(f.components)); });
    with("of other components", [](Field& f) { f.components = f.components == 1 ? 2 : 1; });
    with("of another place", [](Field& f) { f.place = Place::scene; });
    with("nan", [](Field& f) { f.value.back() = nan; });
    with("inf", [](Field& f) { f.value.front() = inf; });
    with("-inf", [](Field& f) { f.value[f.value.size() / 2] = -inf; });
  }
  const auto number = [&](std::string_view name, const std::vector<double>& values) {
    if (!has(name)) return;
    for (const double value : values)
      forge(fmt::format("{} {}", name, value), [&](Snapshot& s) {
        auto& numbers = s.get(name).value;
        numbers[numbers.size() / 2] = value;
      });
  };
  number(field::mass, {0.0, -1.0});
  number(field::volume, {0.0, -1.0});
  number(field::material, {-1.0, 0.5, static_cast<double>(scene.materials.size()), 1e9, 1e300});
  number(field::plastic_case, {-1.0, 0.5, 4.0, 1e9});
  number(field::x, {1e300, -1e300, 1e9});
  number(field::m_i, {-1.0});
  number("native.optimized.offset", {0.75, -0.75, 1e9});
  number("native.optimized.base", {0.5, -1.0, 1e9, -1e300});
  if (has("native.optimized.base"))
    forge("in another cell than x", [](Snapshot& s) { s.get("native.optimized.base").value[3] += 1.0; });
  const std::string_view strain = good.at == boundary::update ? field::F_trial : field::F;
  forge("turned inside out", [&](Snapshot& s) {  // two rows change places, and det F its sign
    auto& F = s.get(strain).value;
    std::swap_ranges(F.begin(), F.begin() + scene.dim(), F.begin() + scene.dim());
  });
  forge("flattened", [&](Snapshot& s) {
    auto& F = s.get(strain).value;
    std::fill_n(F.begin(), s.get(strain).components, 0.0);
  });
  for (const double value : {nan, inf, -inf, -1.0}) {
    forge(fmt::format("time {}", value), [&](Snapshot& s) { s.time = value; });
    forge(fmt::format("dt {}", value), [&](Snapshot& s) { s.dt = value; });
  }
  forge("step -1", [](Snapshot& s) { s.step = -1; });
  forge("least step", [](Snapshot& s) { s.step = std::numeric_limits<std::int64_t>::min(); });
  forge("boundary", [](Snapshot& s) { s.at = "lunch"; });
  const auto listed = [&](const std::string& what,
                          const std::function<void(std::vector<std::int64_t>&)>& spoil) {
    forge("ids " + what, [&](Snapshot& s) {
      auto& ids = s.ids(Place::particle);
      ids.resize(s.particles());
      std::iota(ids.begin(), ids.end(), std::int64_t{5});
      s.next_id = 0;
      spoil(ids);
    });
  };
  listed("too few", [](auto& ids) { ids.pop_back(); });
  listed("too many", [](auto& ids) { ids.push_back(ids.back() + 1); });
  listed("twice the same", [](auto& ids) { ids[1] = ids[0]; });
  listed("that fall", [](auto& ids) { std::swap(ids[2], ids[3]); });
  listed("below 0", [](auto& ids) { ids.front() = -1; });
  forge("the next id among those that are there", [](Snapshot& s) { s.next_id = 11; });
  forge("a next id below 0", [](Snapshot& s) { s.next_id = -1; });
  for (const Place place : {Place::cell, Place::face_x, Place::edge_xy, Place::body, Place::scene})
    forge(fmt::format("a {} where there are none", names::of(place).one),
          [&](Snapshot& s) { s.ids(place) = {0}; });
  if (good.ids(Place::node).empty()) {
    forge("a node where there are none", [](Snapshot& s) { s.ids(Place::node) = {5}; });
    return all;
  }
  std::int64_t count = 1;
  for (int a = 0; a < 3; ++a) count *= scene.grid.nodes(a);
  for (const std::int64_t id : {std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()})
    forge(fmt::format("node {}", id), [&](Snapshot& s) { s.ids(Place::node).front() = id; });
  for (const std::int64_t id : {count, std::numeric_limits<std::int64_t>::max()})
    forge(fmt::format("node {}", id), [&](Snapshot& s) { s.ids(Place::node).back() = id; });
  forge("nodes in reverse",
        [](Snapshot& s) { std::reverse(s.ids(Place::node).begin(), s.ids(Place::node).end()); });
  forge("a node twice", [](Snapshot& s) { s.ids(Place::node)[1] = s.ids(Place::node)[0]; });
  forge("no nodes", [](Snapshot& s) { s.ids(Place::node).clear(); });
  forge("a node missing", [](Snapshot& s) { s.ids(Place::node).pop_back(); });
  return all;
}

/// The message of a refusal; empty if there was none.
std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const SimulationError& error) {
    return error.what();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

bool same_bits(const Snapshot& a, const Snapshot& b) {
  const auto equal = [](const Field& f, const Field& g) {
    return f.name == g.name &&
           std::equal(f.value.begin(), f.value.end(), g.value.begin(), g.value.end(), [](double x, double y) {
             return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
           });
  };
  return a.at == b.at && a.time == b.time && a.step == b.step && a.listed == b.listed &&
         a.next_id == b.next_id &&
         std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(), equal);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(solvers_load)

/// And the same state unforged is taken in, also by a solver that has just refused it forged.
BOOST_DATA_TEST_CASE(forged_states_are_refused_in_one_line_at_every_boundary, data::make(kinds()), kind) {
  const Case c = case_of(kind);
  const auto solver = solver_of(kind, c.scene);
  const std::vector<Snapshot> all = states(kind, c);
  BOOST_TEST(all.size() == solver->boundaries().size());
  std::size_t with_nodes = 0;
  for (const Snapshot& good : all) {
    BOOST_REQUIRE_EQUAL(good.particles(), 12U);
    with_nodes += good.ids(Place::node).empty() ? 0U : 1U;
    for (const Forged& forged : forgeries(good, c.scene)) {
      const std::string message = refusal([&] { solver->load(forged.snapshot); });
      BOOST_TEST((!message.empty() && message.find('\n') == std::string::npos),
                 forged.what << " at " << good.at << ": '" << message << "'");
    }
    BOOST_TEST(refusal([&] { solver->load(good); }) == "");
    BOOST_TEST(same_bits(solver->save(good.at, true), good), "at " << good.at);
  }
  BOOST_TEST(with_nodes >= 3U);
}

BOOST_DATA_TEST_CASE(forged_particles_are_not_appended_and_change_nothing, data::make(kinds()), kind) {
  const Case c = case_of(kind);
  const auto solver = solver_of(kind, c.scene);
  const Snapshot start = states(kind, c).front();
  solver->load(start);
  for (const Forged& forged : forgeries(start, c.scene)) {
    BOOST_TEST(refusal([&] { solver->append(forged.snapshot); }) != "", forged.what);
    BOOST_TEST(solver->particles() == 12U);
  }
  BOOST_TEST(same_bits(solver->save(boundary::step_start, true), start));
  Snapshot late = start;
  late.get(field::mass).value[3] = -1.0;
  try {
    solver->append(late);
    BOOST_ERROR("a negative mass was appended");
  } catch (const SimulationError& error) {
    BOOST_TEST(error.particle == 15);  // behind the twelve that are there
  }
  solver->append(start);
  BOOST_TEST(solver->particles() == 24U);
}

/// Numbers that a file may hold and no state has: refused, or gone on from to an end or an error, never out of memory's
/// bounds. Seeded; what is drawn is printed where it fails.
BOOST_DATA_TEST_CASE(any_number_anywhere_is_refused_or_simulated, data::make(kinds()), kind) {
  const Case c = case_of(kind);
  const std::vector<Snapshot> all = states(kind, c);
  std::mt19937_64 random(20);
  const std::vector<double> nasty{0.0,  -0.0, 1.0,          -1.0,   0.5,   -0.5,    3.0,
                                  1e9,  -1e9, 4294967296.0, 1e-320, 1e-30, -1e-300, 1e30,
                                  1e38, 1e39, 1e150,        -1e155, 1e300, -1e308};
  int refused = 0;
  int loaded = 0;
  for (int n = 0; n < 200; ++n) {
    Snapshot forged = all[random() % all.size()];
    Field& field = forged.fields[random() % forged.fields.size()];
    const std::size_t place = random() % field.value.size();
    const bool bits = random() % 2 == 0;
    field.value[place] = bits ? std::bit_cast<double>(random()) : nasty[random() % nasty.size()];
    BOOST_TEST_CONTEXT("draw " << n << ": " << field.name << "[" << place << "] = " << field.value[place]
                               << " at " << forged.at) {
      const auto solver = solver_of(kind, c.scene);
      try {
        solver->load(forged);
        ++loaded;
        if (forged.at != boundary::plasticity) solver->run(forged.at, boundary::plasticity, c.dt);
        solver->advance([&](double) { return c.dt; });
      } catch (const std::exception&) {
        ++refused;
      }
    }
  }
  BOOST_TEST(loaded > 20);
  BOOST_TEST(refused > 20);
}

BOOST_AUTO_TEST_CASE(a_state_from_a_file_is_refused_in_its_name) {
  const Kind kind{"reference"};
  const Case c = case_of(kind);
  const auto solver = solver_of(kind, c.scene);
  for (const Forged& forged : forgeries(c.start, c.scene)) {
    const auto named = [](const BadInput& error) {
      return std::string_view(error.what()).starts_with("some/state.hdf: no usable state: ");
    };
    BOOST_CHECK_EXCEPTION(load_from_file(*solver, forged.snapshot, "some/state.hdf"), BadInput, named);
  }
  BOOST_CHECK_NO_THROW(load_from_file(*solver, c.start, "some/state.hdf"));
}

BOOST_AUTO_TEST_SUITE_END()
