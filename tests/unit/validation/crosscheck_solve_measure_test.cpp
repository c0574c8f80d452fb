#include "reference/interface/methods/mpm_probes.h"
#include "tests/unit/validation/implicit_solves.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/crosscheck/mpm/solve_nodes.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace measures_of_solves {

using namespace repose;
using namespace repose::crosscheck;

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// Walls of a bowl, 53° to either side of a flat bottom.
std::vector<SolveNodes::Gap> bowl() {
  return {{.body = 0, .rate = -0.1, .n = Point(0.6, 0.8, 0.0), .separating = true},
          {.body = 1, .rate = -0.2, .n = Point(0.0, 1.0, 0.0), .separating = true},
          {.body = 2, .rate = -0.3, .n = Point(-0.6, 0.8, 0.0), .separating = true}};
}

/// A case's history, to be spoiled.
struct Judged {
  FirstSolve solve;

  explicit Judged(std::string_view scenario, const Setup& setup) : solve("reference", scenario, setup) {}
  std::string fault() const { return named_fault(solve, solve.c.scene); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_solve_measure)

/// Two of three walls in a plane carry a push, and which is open: along x by 1 it is 5/3 on one side wall and pulls 4/3 on
/// the bottom, or the other way round, or 5/6 on both side walls, pulled on one. The shortest of all, 5/6, is the measure of one choice.
BOOST_AUTO_TEST_CASE(walls_that_meet_in_one_corner_may_be_pushed_two_at_a_time) {
  const auto walls = bowl();
  const NodeHold all{false, {0, 1, 2}};
  BOOST_TEST(SolveNodes::rank(walls) == 2);
  const auto choices = SolveNodes::choices(walls);
  BOOST_REQUIRE(choices.size() == 3u);
  const auto by = [&](std::size_t one, std::size_t other) {
    for (const auto& choice : choices)
      if (choice.size() == 2 && choice[0].body == one && choice[1].body == other)
        return SolveNodes::violation(walls, all, choice, Point::UnitX());
    return -1.0;
  };
  const auto close = boost::test_tools::tolerance(16.0 * eps);
  BOOST_TEST(by(0, 1) == 4.0 / 3.0, close);
  BOOST_TEST(by(1, 2) == 5.0 / 3.0, close);
  BOOST_TEST(by(0, 2) == 5.0 / 6.0, close);
  BOOST_TEST(SolveNodes::violation(walls, all, walls, Point::UnitX()) == 5.0 / 6.0, close);
  // Where a choice closes its own gaps the third may open or be left.
  for (const auto& choice : choices) {
    const Point step = SolveNodes::closing(choice);
    for (const auto& one : choice) BOOST_TEST(std::abs(one.rate + one.n.dot(step)) < 16.0 * eps);
  }
}

BOOST_AUTO_TEST_CASE(independent_walls_all_count_and_none_is_a_choice_too) {
  const auto walls = bowl();
  const std::vector<SolveNodes::Gap> two{walls[0], walls[2]};
  BOOST_REQUIRE(SolveNodes::choices(two).size() == 1u);
  BOOST_TEST(SolveNodes::choices(two)[0].size() == 2u);
  BOOST_REQUIRE(SolveNodes::choices({}).size() == 1u);
  BOOST_TEST(SolveNodes::choices({})[0].empty());
  // Singular values of normals at an angle θ are √(1 ± cos θ); here cos θ = 0.28, 0.8 and, alone, none.
  BOOST_TEST(SolveNodes::skewness(two) == 1.0 / std::sqrt(1.0 - 0.28),
             boost::test_tools::tolerance(16.0 * eps));
  BOOST_TEST(SolveNodes::skewness({walls[0], walls[1]}) == 1.0 / std::sqrt(1.0 - 0.8),
             boost::test_tools::tolerance(16.0 * eps));
  BOOST_TEST(SolveNodes::skewness({walls[1]}) == 1.0, boost::test_tools::tolerance(16.0 * eps));
}

/// Unstrained rubber at rest, deep inside all three walls of the bowl, which it would leave by none. The readable solver lets the first
/// two count: of R/m = −Δt g the side wall pulls 1.7/0.6. Of all three, the pushes of least length pull nothing, and a solve that
/// tested 0.3 was held to 0.
BOOST_AUTO_TEST_CASE(a_solve_may_choose_which_walls_of_a_bowl_count) {
  Judged j("implicit_flight", MpmSetup{.dim = 2});
  Scene& scene = j.solve.c.scene;
  scene.gravity = Point(1.7, -9.2, 0.0);
  scene.colliders.clear();
  for (const SolveNodes::Gap& one : bowl()) {
    Collider& wall = scene.colliders.emplace_back();
    wall.shape = HalfSpace{.point = Point(0.0, 1.0, 0.0), .normal = one.n};
  }
  auto& v_p = j.solve.c.start.get(field::v).value;
  std::fill(v_p.begin(), v_p.end(), 0.0);
  auto& kind = j.solve.c.start.get(field::material).value;
  std::fill(kind.begin(), kind.end(), 1.0);
  BOOST_TEST((scene.materials.at(1).kind == MaterialKind::elastic));
  j.solve.again("reference");

  BOOST_TEST(SolveNodes::violation(bowl(), {false, {0, 1, 2}}, bowl(), -scene.gravity) == 0.0);
  double& said = j.solve.history.iterations.at(0).error;
  const double told = said;
  BOOST_TEST(told == 1.7 / 0.6 / scene.gravity.norm(), boost::test_tools::tolerance(0.02));
  BOOST_TEST(j.fault() == "none");
  for (const double share : {1e-7, 1.0 + 1e-6}) {
    said = share * told;
    BOOST_TEST(j.fault() == "newton_error");
  }
}

/// What a node balances is a sum of lengths of all stresses around it. Unstrained sand that slides along a floor by 400 of what
/// gravity gives has none, but the strains that rounding leaves: they
/// decide some of that sum and 400 times less of the residual.
BOOST_AUTO_TEST_CASE(a_residual_is_known_no_better_than_what_it_is_relative_to) {
  Judged j("implicit_flight", MpmSetup{.dim = 2, .kernel = Kernel::cubic});
  Scene& scene = j.solve.c.scene;
  scene.gravity = Point(1.7, -9.2, 0.0);
  Collider floor;
  floor.shape = HalfSpace{.point = Point(0.0, 0.3, 0.0), .normal = Point::UnitY()};  // holds all nodes
  floor.contact = Contact::slipping;
  scene.colliders = {floor};
  auto& v_p = j.solve.c.start.get(field::v).value;
  std::fill(v_p.begin(), v_p.end(), 0.0);
  j.solve.again("reference");

  const double dt = j.solve.c.dt, slide = 12.0;
  const auto& m = j.solve.state.get(field::m_i).value;
  std::vector<double> v(2 * m.size(), 0.0);
  for (std::size_t n = 0; n < m.size(); ++n) v[2 * n] = slide;
  const NodeImpulses own = impulses_at(*j.solve.solver, 2, v, dt);
  const auto plain = PlainBalance(scene, j.solve.state, dt).impulses(v);
  BOOST_REQUIRE(plain.has_value());
  Counters unused;
  const Arithmetic exact = exact_of(j.solve);
  const BalanceBounds bounds = balance_bounds({scene, exact, j.solve.state, v, 0.0, {}, dt}, unused);

  // As ImplicitOptions has it. The coordinate that is largest is that of the domain's end.
  const double tolerance = mpm_options(scene).implicit.newton_tolerance;
  const double reach =
      std::max(scene.grid.domain_min.cwiseAbs().maxCoeff(), scene.grid.domain_max().cwiseAbs().maxCoeff());
  double said = 0.0, differs = 0.0, known = 0.0;
  for (std::size_t n = 0; n < m.size(); ++n) {
    const double rounding =
        64.0 * (m[n] * slide + own.magnitude[n] + (1.0 + dt * slide / scene.grid.h) * bounds.stiff[n]) +
        16.0 * m[n] * reach / dt;
    const double of_node = m[n] * (slide - dt * 1.7) / (own.magnitude[n] + eps * rounding / tolerance);
    if (of_node <= said) continue;
    said = of_node;
    differs = std::abs(own.magnitude[n] - plain->magnitude[n]) / own.magnitude[n];
    known = bounds.impulse[n] / own.magnitude[n];
  }
  BOOST_TEST(said > 100.0);
  BOOST_TEST(differs > 64.0 * eps);  // the slip of 16 roundings that this was held to before
  BOOST_TEST(differs <= known);

  std::vector<NodeHold> holds(m.size(), NodeHold{false, {0}});
  const auto named = [&](double share) {
    j.solve.history = {};
    NewtonIteration& one = j.solve.history.iterations.emplace_back();
    one.tested = one.closed = v;
    one.dv = std::vector<double>(v.size(), 0.0);
    one.holds = holds;
    one.error = share * said;
    j.solve.history.v_bar = v;
    j.solve.history.holds = holds;
    return j.fault();
  };
  // The end of the made-up solve is none, and is named as such: behind the test.
  for (const double off : {0.0, -0.1 * known, 0.1 * known}) BOOST_TEST(named(1.0 + off) != "newton_error");
  for (const double off : {-10.0 * known, 10.0 * known}) BOOST_TEST(named(1.0 + off) == "newton_error");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace measures_of_solves
