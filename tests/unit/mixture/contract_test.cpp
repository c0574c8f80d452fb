// The readable solver of the mixture as a solver: states at every boundary, one piece against stages, what it refuses.
#include "reference/interface/base/error.h"
#include "reference/mixture/mixture_solver.h"
#include "tests/unit/mixture/scenes.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <set>

namespace repose::test {
namespace {

constexpr double dt = 2e-4;

/// All that couples the phases, on a floor.
Scene coupled(int dim) {
  Scene scene = mixed_box(dim, {.drag = Drag::printed, .c_E = 30.0, .reversible = ReversibleTerm::volume});
  scene.gravity = Point(0.0, -9.81, 0.0);
  scene.materials[0].volume_correction = true;
  Collider floor;
  floor.shape = HalfSpace{Point(0.0, 0.5, 0.0), Point(0.0, 1.0, 0.0)};
  floor.friction = 0.4;
  scene.colliders = {floor};
  return scene;
}

template <int d>
std::unique_ptr<Solver> loaded(const Scene& scene) {
  auto solver = make_mixture_solver(scene);
  solver->load(mixed_start<d>(slurry<d>(scene), scene));
  return solver;
}

void require_same_bits(const Snapshot& a, const Snapshot& b) {
  BOOST_TEST(a.at == b.at);
  BOOST_TEST((a.time == b.time && a.step == b.step && a.next_id == b.next_id));
  BOOST_TEST(same_elements(a, b));
  BOOST_TEST_REQUIRE(a.fields.size() == b.fields.size());
  for (std::size_t n = 0; n < a.fields.size(); ++n)
    BOOST_TEST((a.fields[n].name == b.fields[n].name && a.fields[n].value == b.fields[n].value),
               a.fields[n].name << " at " << a.at);
}

bool names_particle(const SimulationError& error, std::int64_t id) { return error.particle == id; }

BOOST_AUTO_TEST_SUITE(contract)

BOOST_AUTO_TEST_CASE_TEMPLATE(states_hold_the_fields_of_the_table_and_load_without_a_change, D, Dims) {
  const Scene scene = coupled(D::d);
  const auto solver = loaded<D::d>(scene);
  const auto second = make_mixture_solver(scene);
  const auto stops = solver->boundaries();
  const auto of_table = method::boundaries(method::mixture);
  BOOST_TEST(std::equal(stops.begin(), stops.end(), of_table.begin(), of_table.end()));
  for (std::size_t n = 0; n < stops.size(); ++n) {
    if (n > 0) solver->run(stops[n - 1], stops[n], dt);
    const Snapshot state = solver->save(stops[n], true);
    std::set<std::string> names;
    for (const Field& field : state.fields) names.insert(field.name);
    for (const method::FieldRow* row : method::fields_at(method::mixture, stops[n])) {
      BOOST_TEST(names.erase(std::string(row->name)) == 1U, row->name << " at " << stops[n]);
      BOOST_TEST(state.get(row->name).unit == unit(*row, D::d));
    }
    BOOST_TEST(names.empty());
    second->load(state);
    require_same_bits(state, second->save(stops[n], true));
    if (n + 1 == stops.size()) continue;
    const auto third = loaded<D::d>(scene);
    for (std::size_t m = 0; m < n; ++m) third->run(stops[m], stops[m + 1], dt);
    third->run(stops[n], stops[n + 1], dt);
    second->run(stops[n], stops[n + 1], dt);
    require_same_bits(third->save(stops[n + 1], true), second->save(stops[n + 1], true));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_piece_gives_the_bits_and_counts_of_the_stages, D, Dims) {
  const Scene scene = coupled(D::d);
  const auto fused = loaded<D::d>(scene);
  const auto stages = loaded<D::d>(scene);
  for (int step = 0; step < 3; ++step) {
    const StepReport one = fused->advance([](double) { return dt; });
    Counts sum{};
    const auto stops = stages->boundaries();
    for (std::size_t n = 0; n + 1 < stops.size(); ++n)
      method::add(method::mixture, sum, stages->run(stops[n], stops[n + 1], dt).counts);
    BOOST_TEST((one.counts == sum));
    BOOST_TEST(one.counts[counter::wet_nodes] > 0U);
    BOOST_TEST(one.counts[counter::dragged_nodes] > 0U);
    BOOST_TEST(one.counts[counter::wet_nodes] < one.counts[counter::active_nodes]);
    require_same_bits(fused->save(boundary::step_start, true), stages->save(boundary::step_start, true));
  }
}

/// What is let in takes the next ids, whatever its phase, and is stepped as if it had been there.
BOOST_AUTO_TEST_CASE_TEMPLATE(particles_of_both_phases_can_be_added, D, Dims) {
  constexpr int d = D::d;
  const Scene scene = coupled(d);
  const auto all = slurry<d>(scene);
  const std::vector<Particle<d>> first(all.begin(), all.begin() + 70);
  const std::vector<Particle<d>> rest(all.begin() + 70, all.end());
  const auto solver = make_mixture_solver(scene);
  solver->load(mixed_start<d>(first, scene));
  solver->append(mixed_start<d>(rest, scene));
  const auto whole = loaded<d>(scene);
  require_same_bits(solver->save(boundary::step_start, false), whole->save(boundary::step_start, false));
  solver->advance([](double) { return dt; });
  whole->advance([](double) { return dt; });
  require_same_bits(solver->save(boundary::step_start, false), whole->save(boundary::step_start, false));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(what_stops_a_step_names_the_particle_among_all, D, Dims) {
  constexpr int d = D::d;
  const Scene scene = coupled(d);
  const auto particles = slurry<d>(scene);
  for (const int material : {0, 1}) {
    std::size_t guilty = 7;
    while (particles[guilty].material != material) ++guilty;
    Snapshot start = mixed_start<d>(particles, scene);
    const auto solver = make_mixture_solver(scene);
    Snapshot outside = start;
    outside.get(field::x).value[guilty * d] = -5.0;
    BOOST_CHECK_EXCEPTION(solver->load(outside), SimulationError, [&](const SimulationError& error) {
      return names_particle(error, static_cast<std::int64_t>(guilty));
    });
    start.get(field::x).value[guilty * d] = 1.15;  // alone, near the end of the domain
    start.get(field::v).value[guilty * d] = 3000.0;
    solver->load(start);
    BOOST_CHECK_EXCEPTION(solver->run(boundary::step_start, boundary::update, dt), SimulationError,
                          [&](const SimulationError& error) {
                            return names_particle(error, static_cast<std::int64_t>(guilty));
                          });
  }
}

BOOST_AUTO_TEST_CASE(states_that_no_mixture_can_have_are_refused) {
  const Scene scene = coupled(2);
  const auto solver = loaded<2>(scene);
  solver->run(boundary::step_start, boundary::saturation, dt);
  const Snapshot good = solver->save(boundary::saturation, false);
  const auto refused = [&](std::string_view name, double value) {
    Snapshot bad = good;
    bad.get(name).value[0] = value;
    try {
      solver->load(bad);
    } catch (const SimulationError&) {
      return true;
    } catch (const std::invalid_argument&) {
      return true;
    }
    return false;
  };
  BOOST_TEST(refused(field::c_C, -1.0));
  BOOST_TEST(refused(field::phi_p, 1.5));
  BOOST_TEST(refused(field::phi_i, 0.5));
  BOOST_TEST(refused(field::m_i, -1.0));
  BOOST_TEST(refused(field::m_i_w, -1.0));
  BOOST_TEST(refused(field::J, 0.9));  // of a grain of sand
  BOOST_TEST(!refused(field::c_C, 0.0));
}

/// Each number of a sum is at most its magnitude, nodes of one phase alone have none of the other, and what is no sum is refused.
BOOST_AUTO_TEST_CASE_TEMPLATE(sums_bound_the_numbers_of_their_fields, D, Dims) {
  const Scene scene = coupled(D::d);
  const auto solver = loaded<D::d>(scene);
  const auto stops = solver->boundaries();
  std::set<std::string_view> asked;
  for (std::size_t n = 0; n + 1 < stops.size(); ++n) {
    solver->run(stops[n], stops[n + 1], dt);
    const Snapshot state = solver->save(stops[n + 1], false);
    for (const std::string_view name :
         {field::m_i, field::m_i_w, field::p_i, field::p_i_w, field::reversible, field::p_bar, field::p_bar_w,
          field::p_tilde_w, field::v, field::C, field::v_bar, field::grad_v, field::phi_p}) {
      if (made_by(method::field_row(method::mixture, name)) != stops[n + 1]) continue;
      asked.insert(name);
      const Sums sums = solver->sums(name);
      const Field& field = state.get(name);
      BOOST_TEST_REQUIRE(sums.magnitude.size() == field.value.size());
      std::size_t beyond = 0;
      double tightest = 0.0;
      for (std::size_t i = 0; i < field.value.size(); ++i) {
        if (std::abs(field.value[i]) > sums.magnitude[i] * (1.0 + 1e-12)) ++beyond;
        if (field.value[i] != 0.0)
          tightest = std::max(tightest, std::abs(field.value[i]) / sums.magnitude[i]);
      }
      BOOST_TEST(beyond == 0U, name);
      BOOST_TEST(tightest > 0.05, name);
    }
  }
  BOOST_TEST(asked.size() == 13U);
  BOOST_CHECK_THROW(solver->sums(field::c_C), std::logic_error);
  BOOST_CHECK_THROW(solver->sums(field::p_drag), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
