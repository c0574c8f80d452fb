// Semi-implicit steps of two phases: what they tend to, what drag does in them, what they tell.
#include "reference/mixture/coupled_step.h"

#include "reference/interface/base/error.h"
#include "reference/interface/methods/mixture_probes.h"
#include "reference/mpm/reference_solver.h"
#include "tests/unit/mixture/coupled_scenes.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

namespace repose::test {
namespace {

/// The state at collisions of the first step.
template <int d>
Snapshot collided(const Scene& scene, double dt, StepReport* report = nullptr) {
  const auto solver = solver_of<d>(scene);
  const StepReport seen = solver->run(boundary::step_start, boundary::collisions, dt);
  if (report != nullptr) *report = seen;
  return solver->save(boundary::collisions, false);
}

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double one : values) most = std::max(most, std::abs(one));
  return most;
}

/// Speed of a phase at a node.
template <int d>
Vec<d> speed(const Snapshot& state, std::string_view momentum, std::string_view mass, std::size_t n) {
  return vector_at<d>(state, momentum, n) / state.get(mass).value[n];
}

BOOST_AUTO_TEST_SUITE(coupled_step)

/// Their difference in one step, impulses of order Δt² with all that couples them: half of Δt leaves a quarter.
BOOST_AUTO_TEST_CASE_TEMPLATE(short_steps_tend_to_explicit_ones_in_first_order, D, Dims) {
  constexpr int d = D::d;
  for (const Transfer transfer : {Transfer::apic, Transfer::flip_pic}) {
    const MixtureOptions options = solved({.transfer = transfer,
                                           .flip_share = 0.9,
                                           .drag = Drag::printed,
                                           .c_E = 40.0,
                                           .reversible = ReversibleTerm::mass});
    double apart[2][2] = {};
    for (const int half : {0, 1}) {
      const double dt = half == 1 ? 5e-6 : 1e-5;
      Scene scene = solved_box(d, options);
      const Snapshot solved_state = collided<d>(scene, dt);
      mixture_options(scene).integrator = Integrator::explicit_;
      const Snapshot explicit_state = collided<d>(scene, dt);
      for (const int water : {0, 1}) {
        const auto& one = solved_state.get(water == 1 ? field::p_bar_w : field::p_bar).value;
        const auto& other = explicit_state.get(water == 1 ? field::p_bar_w : field::p_bar).value;
        for (std::size_t i = 0; i < one.size(); ++i)
          apart[water][half] = std::max(apart[water][half], std::abs(one[i] - other[i]));
      }
    }
    for (const auto& of_phase : apart) {
      BOOST_TEST(of_phase[0] / of_phase[1] > 3.7);
      BOOST_TEST(of_phase[0] / of_phase[1] < 4.3);
    }
  }
}

/// Without drag and reversible term each phase takes the semi-implicit step of mpm, as far as both are solved, among bodies.
BOOST_AUTO_TEST_CASE_TEMPLATE(phases_that_nothing_couples_step_as_each_does_alone, D, Dims) {
  constexpr int d = D::d;
  Scene scene = solved_box(d, solved({.softening = Softening::none}));
  scene.materials.pop_back();
  Collider floor;
  floor.shape = HalfSpace{Point(0.0, 0.5, 0.0), Point(0.0, 1.0, 0.0)};
  floor.friction = 0.4;
  scene.colliders = {floor};
  const std::vector<Particle<d>> all = slurry<d>(scene);
  const auto both = make_mixture_solver(scene);
  both->load(mixed_start<d>(all, scene));
  static constexpr double dt = 7e-3;  // twice what explicit steps allow
  BOOST_TEST(dt > 2.0 * elastic_dt(scene, 0.5));
  for (const Boundary to : {boundary::collisions, boundary::friction, boundary::plasticity}) {
    static constexpr std::string_view of_nodes[] = {field::p_bar, field::p_tilde};
    both->run(to == boundary::collisions ? boundary::step_start
              : to == boundary::friction ? boundary::collisions
                                         : boundary::friction,
              to, dt);
    const Snapshot mixed = both->save(to, false);
    for (const int phase : {0, 1}) {
      const Scene lone =
          mixture::scene_of_part(scene, phase == 1 ? mixture::Phase::water : mixture::Phase::solid);
      const auto solver = make_reference_solver(lone);
      std::vector<Particle<d>> own;
      for (const Particle<d>& p : all)
        if (p.material == phase) own.push_back(p);
      solver->load(start<d>(lone, own));
      solver->run(boundary::step_start, to, dt);
      const Snapshot alone = solver->save(to, false);
      if (to == boundary::plasticity) {
        std::size_t at = 0;
        for (std::size_t n = 0; n < all.size(); ++n)
          if (all[n].material == phase) {
            BOOST_TEST((vector_at<d>(mixed, field::v, n) - vector_at<d>(alone, field::v, at)).norm() < 1e-7);
            BOOST_TEST(std::abs(numbers(mixed, field::J, n)[0] - numbers(alone, field::J, at)[0]) < 1e-9);
            ++at;
          }
        continue;
      }
      const std::string_view name = of_nodes[to == boundary::friction ? 1 : 0];
      const std::string there = std::string(name) + (phase == 1 ? "_w" : "");
      const auto& mass = mixed.get(phase == 1 ? field::m_i_w : field::m_i).value;
      std::size_t at = 0;
      double apart = 0.0, most = 0.0;
      for (std::size_t n = 0; n < mass.size(); ++n) {
        if (mass[n] == 0.0) {
          BOOST_TEST(vector_at<d>(mixed, there, n).isZero(0.0));
          continue;
        }
        apart = std::max(apart, (vector_at<d>(mixed, there, n) - vector_at<d>(alone, name, at)).norm());
        most = std::max(most, vector_at<d>(alone, name, at).norm());
        ++at;
      }
      BOOST_TEST(at == alone.count(Place::node));
      BOOST_TEST(apart <= 1e-8 * most, there << " " << apart << " of " << most);
    }
  }
}

/// Where stress is next to nothing, drag alone closes the difference of the phases at each node, w' = w/(1 + r Δt), at once:
/// whatever r Δt, one Newton iteration and a product or two.
BOOST_AUTO_TEST_CASE_TEMPLATE(stiff_drag_is_solved_at_once_and_closes_velocities, D, Dims) {
  constexpr int d = D::d;
  static constexpr double dt = 1e-3;
  for (const double r_dt : {1.0, 100.0, 1e8}) {
    Scene scene = solved_box(d, solved({.drag = Drag::printed, .softening = Softening::none}));
    for (Material& material : scene.materials) {
      material.youngs_modulus *= 1e-16;
      material.water_stiffness *= 1e-16;
    }
    // c_E of the heaviest node of both phases.
    const MixtureState<d> state = at_p2g<d>(scene);
    double heaviest = 0.0;
    for (const MixedNode<d>& node : state.nodes)
      if (node.m_s > 0.0 && node.m_w > 0.0) heaviest = std::max(heaviest, node.m_s + node.m_w);
    mixture_options(scene).c_E = r_dt / (dt * heaviest);
    StepReport report;
    const Snapshot after = collided<d>(scene, dt, &report);
    BOOST_TEST(report.counts[counter::newton_iterations] == 1U);
    BOOST_TEST(report.counts[counter::gmres_iterations] <= 2U);
    BOOST_TEST(report.counts[counter::dragged_nodes] > 20U);
    double closed = 0.0;
    for (std::size_t n = 0; n < after.count(Place::node); ++n) {
      const double m_s = after.get(field::m_i).value[n], m_w = after.get(field::m_i_w).value[n];
      if (m_s == 0.0 || m_w == 0.0) continue;
      const Vec<d> w =
          speed<d>(after, field::p_i, field::m_i, n) - speed<d>(after, field::p_i_w, field::m_i_w, n);
      const Vec<d> v_s = speed<d>(after, field::p_bar, field::m_i, n);
      const Vec<d> v_w = speed<d>(after, field::p_bar_w, field::m_i_w, n);
      const double r = mixture_options(scene).c_E * (m_s + m_w) * dt;
      BOOST_TEST((v_s - v_w - w / (1.0 + r)).norm() <= 1e-10 * w.norm() + 1e-13 * (v_s.norm() + v_w.norm()));
      closed = std::max(closed, r / (1.0 + r));
      const Vec<d> together = vector_at<d>(after, field::p_i, n) + vector_at<d>(after, field::p_i_w, n) +
                              dt * (m_s + m_w) * in_plane<d>(scene.gravity);
      // What drag gives is known to the rounding of its two parts.
      const double parts = dt * mixture_options(scene).c_E * m_s * m_w * (v_s.norm() + v_w.norm());
      BOOST_TEST((m_s * v_s + m_w * v_w - together).norm() <=
                 1e-10 * together.norm() + 128.0 * 0x1p-52 * parts);
    }
    BOOST_TEST(closed > 0.4);
  }
}

/// p* ∓ the drag at the solution is p_drag, and where no body is p̄ is that.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_fields_behind_the_solve_say_what_each_part_gave, D, Dims) {
  constexpr int d = D::d;
  static constexpr double dt = 1e-3;
  const Scene scene = solved_box(d, solved({.energy = Energy::unilateral,
                                            .drag = Drag::mesh_consistent,
                                            .kappa = 2e5,
                                            .reversible = ReversibleTerm::volume}));
  const auto solver = solver_of<d>(scene);
  solver->run(boundary::step_start, boundary::p2g, dt);
  const Snapshot before = solver->save(boundary::p2g, false);
  const auto asked = make_mixture_solver(scene);
  asked->load(before);
  solver->run(boundary::p2g, boundary::collisions, dt);
  const Snapshot after = solver->save(boundary::collisions, false);
  std::vector<double> v, v_w;
  for (std::size_t n = 0; n < after.count(Place::node); ++n)
    for (int a = 0; a < d; ++a) {
      const auto of = [&](std::string_view p, std::string_view m) {
        const double mass = after.get(m).value[n];
        return mass > 0.0 ? vector_at<d>(after, p, n)[a] / mass : 0.0;
      };
      v.push_back(of(field::p_bar, field::m_i));
      v_w.push_back(of(field::p_bar_w, field::m_i_w));
    }
  const PhaseVelocities at{v, v_w};
  const std::vector<double> drag = drag_impulse(*asked, d, at, dt);
  const std::vector<double> reversible = reversible_impulse(*asked, dt);
  const PhaseImpulses given = impulses_at(*asked, d, at, dt);
  BOOST_TEST(reversible == after.get(field::reversible).value, boost::test_tools::per_element());
  BOOST_TEST(largest(drag) > 0.0);
  BOOST_TEST(largest(reversible) > 0.0);
  const double most = largest(after.get(field::p_star).value);
  for (const int water : {0, 1}) {
    const auto of = [&](std::string_view name) -> const std::vector<double>& {
      return after.get(std::string(name) + (water == 1 ? "_w" : "")).value;
    };
    const double sign = water == 1 ? -1.0 : 1.0;
    const NodeImpulses& own = water == 1 ? given.water : given.sand;
    for (std::size_t i = 0; i < drag.size(); ++i) {
      const double forces = of(field::p_i)[i] + own.impulse[i] + sign * reversible[i];
      BOOST_TEST(std::abs(of(field::p_star)[i] - forces) <= 1e-13 * most);
      BOOST_TEST(std::abs(of(field::p_drag)[i] - (of(field::p_star)[i] - sign * drag[i])) <= 1e-13 * most);
      BOOST_TEST(std::abs(of(field::p_bar)[i] - of(field::p_drag)[i]) <= 1e-9 * most);
      BOOST_TEST(std::abs(of(field::p_bar)[i] - of(field::p_bar)[i]) <= most);
    }
  }
  BOOST_TEST(after.count(Place::node) == before.count(Place::node));

  // What the probes do not answer.
  BOOST_CHECK_THROW(solver->probe(probes::reversible, {}, dt), std::logic_error);
  BOOST_CHECK_THROW(drag_impulse(*asked, d, {std::span(v).first(d), v_w}, dt), std::invalid_argument);
}

/// The change of the impulses is their derivative, of each phase by its own velocities alone.
BOOST_AUTO_TEST_CASE(probes_tell_the_change_of_each_phase) {
  constexpr int d = 2;
  static constexpr double dt = 1e-3, step = 1e-4;
  const Scene scene = solved_box(d, solved({.energy = Energy::unilateral}));
  const auto solver = solver_of<d>(scene);
  solver->run(boundary::step_start, boundary::p2g, dt);
  const std::size_t count = d * solver->save(boundary::p2g, false).count(Place::node);
  std::mt19937_64 random(3);
  std::vector<double> dv(count), none(count, 0.0), ahead(count), behind(count);
  for (std::size_t i = 0; i < count; ++i) {
    dv[i] = draw(random, -1.0, 1.0);
    ahead[i] = step * dv[i];
    behind[i] = -ahead[i];
  }
  for (const bool water : {false, true}) {
    const auto of = [&](const std::vector<double>& v) {
      return water ? PhaseVelocities{none, v} : PhaseVelocities{v, none};
    };
    const PhaseChanges change = impulse_change(*solver, d, of(none), of(dv), dt);
    const PhaseImpulses more = impulses_at(*solver, d, of(ahead), dt),
                        less = impulses_at(*solver, d, of(behind), dt);
    const auto& own = water ? change.water : change.sand;
    const double most = largest(own);
    BOOST_TEST(most > 0.0);
    BOOST_TEST(largest(water ? change.sand : change.water) == 0.0);
    for (std::size_t i = 0; i < count; ++i) {
      const auto& one = water ? more.water.impulse : more.sand.impulse;
      const auto& two = water ? less.water.impulse : less.sand.impulse;
      BOOST_TEST(std::abs((one[i] - two[i]) / (2.0 * step) - own[i]) <= 1e-5 * most);
    }
  }
}

/// Stages one by one, states loaded at each boundary, and whole steps: the same bits and counts.
BOOST_AUTO_TEST_CASE_TEMPLATE(steps_are_those_of_their_stages_and_load_at_each_boundary, D, Dims) {
  constexpr int d = D::d;
  Scene scene = solved_box(d, solved({.energy = Energy::unilateral, .drag = Drag::printed, .c_E = 200.0}));
  mixture_options(scene).implicit = {};
  scene.gravity = Point(0.0, -9.81, 0.0);
  Collider floor;
  floor.shape = HalfSpace{Point(0.0, 0.5, 0.0), Point(0.0, 1.0, 0.0)};
  floor.friction = 0.4;
  scene.colliders = {floor};
  static constexpr double dt = 1e-3;
  const auto fused = solver_of<d>(scene);
  const auto stages = solver_of<d>(scene);
  const auto again = make_mixture_solver(scene);
  const auto expected = method::boundaries(method::mixture, Integrator::semi_implicit);
  BOOST_TEST(
      std::equal(fused->boundaries().begin(), fused->boundaries().end(), expected.begin(), expected.end()));
  for (int step = 0; step < 2; ++step) {
    const StepReport one = fused->advance([](double) { return dt; });
    Counts sum{};
    const auto stops = stages->boundaries();
    for (std::size_t n = 0; n + 1 < stops.size(); ++n) {
      again->load(stages->save(stops[n], true));
      method::add(method::mixture, sum, stages->run(stops[n], stops[n + 1], dt).counts);
      again->run(stops[n], stops[n + 1], dt);
      const Snapshot a = stages->save(stops[n + 1], true), b = again->save(stops[n + 1], true);
      for (std::size_t f = 0; f < a.fields.size(); ++f)
        BOOST_TEST((a.fields[f].name == b.fields[f].name && a.fields[f].value == b.fields[f].value),
                   a.fields[f].name << " at " << a.at);
    }
    BOOST_TEST((one.counts == sum));
    for (const auto what : {counter::newton_iterations, counter::gmres_iterations, counter::contacts})
      BOOST_TEST(one.counts[what] > 0U, "counter " << what);
    for (const auto what : {counter::wet_nodes, counter::dragged_nodes})
      BOOST_TEST(one.counts[what] > 0U, "counter " << what);
    const Snapshot a = fused->save(boundary::step_start, true), b = stages->save(boundary::step_start, true);
    for (std::size_t f = 0; f < a.fields.size(); ++f) BOOST_TEST((a.fields[f].value == b.fields[f].value));
  }
  BOOST_CHECK_THROW(stages->sums(field::p_bar_w), std::logic_error);
}

/// The way told ends where the step does; two iterations of four products are too few for a long step, which is then cut.
BOOST_AUTO_TEST_CASE(solves_are_told_and_failed_ones_cut_the_step) {
  Scene scene = solved_box(2, solved({.energy = Energy::unilateral, .drag = Drag::printed, .c_E = 200.0}));
  const auto solver = solver_of<2>(scene);
  solver->run(boundary::step_start, boundary::p2g, 1e-3);
  const SolveHistory history = solver->solve_history(1e-3);
  solver->run(boundary::p2g, boundary::collisions, 1e-3);
  const Snapshot after = solver->save(boundary::collisions, false);
  const std::size_t nodes = after.count(Place::node);
  BOOST_TEST_REQUIRE(history.v_bar.size() == 4 * nodes);
  BOOST_TEST(history.holds.size() == 2 * nodes);
  BOOST_TEST(history.iterations.size() >= 2U);
  for (std::size_t n = 0; n < nodes; ++n) {
    const double m_w = after.get(field::m_i_w).value[n];
    BOOST_TEST(m_w * history.v_bar[2 * (nodes + n)] == vector_at<2>(after, field::p_bar_w, n)[0]);
  }

  mixture_options(scene).implicit = {
      .newton_tolerance = 1e-3, .newton_iterations = 2, .gmres_iterations = 4, .step_cuts = 12};
  const auto hasty = solver_of<2>(scene);
  const StepReport cut = hasty->advance([](double) { return 0.02; });
  BOOST_TEST((cut.counts[counter::step_cuts] > 0U && cut.counts[counter::step_cuts] < 12U));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
