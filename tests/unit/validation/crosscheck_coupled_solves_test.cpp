// How the solves of two phases at once are judged, iteration by iteration.
#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_options.h"
#include "reference/interface/methods/mixture_probes.h"
#include "tests/unit/validation/implicit_solves.h"
#include "validation/crosscheck/mixture/coupled_balance.h"

#include <Eigen/Dense>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <functional>

namespace data = boost::unit_test::data;

namespace of_two_phases {

using namespace repose;
using namespace repose::crosscheck;

namespace {

/// A case's history, to be spoiled, and what the judge says of it.
struct Judged {
  FirstSolve solve;
  Scene believed;  ///< by which the judge judges
  std::vector<double> reversible;
  Arithmetic exact;
  PhaseBalance sand, water;

  explicit Judged(std::string_view scenario, std::string_view solver = "reference")
      : solve(solver, scenario, Setup{.method = "mixture", .dim = 2}),
        believed(solve.c.scene),
        reversible(reversible_impulse(*solve.solver, solve.c.dt)),
        exact(arithmetic(solve.c.scene, {}, {})),
        sand(solve.state, solve.c.scene, solve.c.dt, mixture::Phase::solid),
        water(solve.state, solve.c.scene, solve.c.dt, mixture::Phase::water) {}

  MixtureOptions& options() { return mixture_options(believed); }
  NewtonIteration& iteration(std::size_t k) { return solve.history.iterations.at(k); }
  std::size_t nodes() const { return solve.state.count(Place::node); }
  TwoPhaseBalance balance() const {
    return {believed,
            exact,
            solve.state,
            solve.c.dt,
            sand,
            water,
            reversible,
            [this](const PhaseVelocities& v, const PhaseVelocities& dv) {
              return impulse_change(*solve.solver, 2, v, dv, solve.c.dt);
            }};
  }
  /// "none", the field that is named, or "nodes"
  std::string fault(Counters& counters) const {
    const TwoPhaseBalance balance = this->balance();
    const auto of_nodes = balance.of_nodes(solve.history);
    if (!of_nodes) return "nodes";
    const auto found = judge_solve(balance, *of_nodes, counters);
    return found ? found->field : "none";
  }
  std::string fault() const {
    Counters unused;
    return fault(unused);
  }
  /// The first node of a kind.
  std::size_t node(bool has_sand, bool has_water) const {
    for (std::size_t n = 0; n < nodes(); ++n)
      if ((solve.state.get(field::m_i).value[n] > 0.0) == has_sand &&
          (solve.state.get(field::m_i_w).value[n] > 0.0) == has_water)
        return n;
    throw std::logic_error("no such node");
  }
};

struct Spoiled {
  std::string what, scenario, named;
  std::function<void(Judged&)> spoil;
};
std::ostream& operator<<(std::ostream& out, const Spoiled& one) { return out << one.what; }

/// Numbers of one phase in a vector of both.
void scale(std::vector<double>& v, bool water, double factor) {
  const std::size_t half = v.size() / 2;
  for (std::size_t i = water ? half : 0; i < (water ? v.size() : half); ++i) v[i] *= factor;
}

const std::vector<Spoiled> spoiled{
    {"nothing", "mixture_solved", "none", [](Judged&) {}},
    {"nothing of stiff drag", "mixture_solved_stiff", "none", [](Judged&) {}},
    {"nothing at walls", "mixture_solved_walls", "none", [](Judged&) {}},
    {"drag a hundredth stronger than the solver's", "mixture_solved", "gmres_residual",
     [](Judged& j) { j.options().c_E *= 1.01; }},
    {"no drag", "mixture_solved", "gmres_residual", [](Judged& j) { j.options().drag = Drag::none; }},
    {"no reversible term", "mixture_solved", "newton_error",
     [](Judged& j) { j.reversible.assign(j.reversible.size(), 0.0); }},
    {"the reversible term the other way", "mixture_solved", "gmres_residual",
     [](Judged& j) {
       for (double& r : j.reversible) r = -r;
     }},
    {"a residual said to be smaller", "mixture_solved", "newton_error",
     [](Judged& j) { j.iteration(1).error *= 0.999; }},
    {"a residual said to be larger", "mixture_solved_walls", "newton_error",
     [](Judged& j) { j.iteration(1).error *= 1.001; }},
    {"a tolerance looser than the solver's", "mixture_solved", "newton_error",
     [](Judged& j) {
       j.options().implicit.newton_tolerance = 1.5 * j.solve.history.iterations.back().error;
     }},
    {"an iteration left out", "mixture_solved", "newton_move",
     [](Judged& j) { j.solve.history.iterations.erase(j.solve.history.iterations.begin() + 1); }},
    {"water that starts from elsewhere", "mixture_solved", "newton_start",
     [](Judged& j) { j.iteration(0).tested[2 * (j.nodes() + j.node(false, true))] += 1e-9; }},
    {"water that moves before it is solved", "mixture_solved", "newton_closed",
     [](Judged& j) { j.iteration(0).closed[2 * (j.nodes() + j.node(true, true))] += 1e-9; }},
    {"a dv of water that is a thousandth off", "mixture_solved", "gmres_residual",
     [](Judged& j) { scale(j.iteration(1).dv, true, 1.001); }},
    {"a dv of sand that is a thousandth off", "mixture_solved_stiff", "gmres_residual",
     [](Judged& j) { scale(j.iteration(0).dv, false, 1.001); }},
    {"a linear residual said to be smaller", "mixture_solved_stiff", "gmres_residual",
     [](Judged& j) { j.iteration(0).linear_residual *= 0.9; }},
    {"a way that leads uphill", "mixture_solved", "newton_move",
     [](Judged& j) {
       for (double& one : j.iteration(1).dv) one = -one;
       j.iteration(1).turn = Turn::reversed;
     }},
    {"a move said to be halved", "mixture_solved", "newton_move",
     [](Judged& j) { ++j.iteration(0).halvings; }},
    {"velocities of water where none is", "mixture_solved", "nodes",
     [](Judged& j) { j.solve.history.v_bar[2 * (j.nodes() + j.node(true, false))] = 1.0; }},
    {"water held where none is", "mixture_solved_walls", "nodes",
     [](Judged& j) { j.iteration(0).holds[j.nodes() + j.node(true, false)].bodies = {0}; }},
    {"nodes missing", "mixture_solved", "nodes", [](Judged& j) { j.iteration(0).dv.pop_back(); }},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_coupled_solves)

BOOST_DATA_TEST_CASE(what_a_solve_of_two_phases_says_and_is_not_so_is_named, data::make(spoiled), one) {
  Judged judged(one.scenario);
  BOOST_TEST_REQUIRE(!judged.solve.history.iterations.empty());
  one.spoil(judged);
  BOOST_TEST(judged.fault() == one.named);
}

BOOST_DATA_TEST_CASE(either_solvers_solves_of_two_phases_are_as_told,
                     data::make({"reference", "optimized"}) *
                         data::make({"mixture_solved", "mixture_solved_stiff", "mixture_solved_walls",
                                     "mixture_solved_as_given", "mixture_solved_apart"}),
                     solver, scenario) {
  const Judged judged(scenario, solver);
  Counters seen;
  BOOST_TEST(judged.fault(seen) == "none");
  BOOST_TEST(seen["linear systems judged"] >= 1.0);
}

/// R·dv is the slope of the energy of both along dv, drag and reversible term in it.
BOOST_AUTO_TEST_CASE(what_both_balance_is_the_slope_of_their_energy) {
  const Judged judged("mixture_solved");
  const TwoPhaseBalance balance = judged.balance();
  const std::size_t count = balance.nodes().size();
  std::vector<double> v(2 * count), dv(2 * count);
  const double speed = judged.solve.c.scene.grid.h / judged.solve.c.dt;
  for (std::size_t i = 0; i < v.size(); ++i) {
    v[i] = balance.velocity_before(i / 2)[static_cast<Eigen::Index>(i % 2)] +
           1e-3 * speed * std::sin(static_cast<double>(2 * i));
    dv[i] = 1e-2 * speed * std::sin(static_cast<double>(3 * i + 1));
  }
  const auto at = [&](double share) {
    std::vector<double> moved = v;
    for (std::size_t i = 0; i < v.size(); ++i) moved[i] += share * dv[i];
    return moved;
  };
  const Standing here = balance.stand(v);
  BOOST_TEST_REQUIRE(here.v.size() == v.size());
  double slope = 0.0, size = 0.0;
  for (std::size_t n = 0; n < count; ++n) {
    const double one = here.R[n].dot(point_at(dv, n, 2));
    slope += one;
    size += std::abs(one);
  }
  constexpr double step = 1e-3;
  const Measured up = balance.height(at(step)), down = balance.height(at(-step));
  BOOST_TEST(std::abs(slope) > 1e-4 * size);  // premise
  BOOST_TEST(std::abs((up.value - down.value) / (2.0 * step) - slope) <=
             1e-5 * size + (up.error + down.error) / step);
}

/// The two norms belong together: r = A y of any free y has the length of y, however stiff the drag and whatever holds a node.
BOOST_DATA_TEST_CASE(lengths_of_residuals_and_of_ways_are_those_of_one_scale, data::make({1.0, 1e3, 1e6}),
                     stiffer) {
  Judged judged("mixture_solved_stiff");
  judged.options().kappa *= stiffer;
  const TwoPhaseBalance balance = judged.balance();
  const std::size_t count = balance.nodes().size();
  // Every third node is held along x, every fifth along a slope.
  const SolveBalance::FreePart free = [](std::size_t n, const Point& w) {
    Point left = w;
    if (n % 3 == 0) left.x() = 0.0;
    if (n % 3 != 0 && n % 5 == 0) left -= w.dot(Point(0.6, 0.8, 0.0)) * Point(0.6, 0.8, 0.0);
    return left;
  };
  std::vector<double> y;
  for (std::size_t n = 0; n < count; ++n) {
    const Point one =
        free(n, Point(std::sin(static_cast<double>(3 * n)), std::cos(static_cast<double>(5 * n)), 0.0));
    y.push_back(one.x());
    y.push_back(one.y());
  }
  std::vector<Point> r;
  for (std::size_t n = 0; n < count; ++n) r.emplace_back(balance.mass(n) * point_at(y, n, 2));
  std::size_t pairs = 0;
  const auto& in_sand = judged.sand.part.members.nodes;
  const auto& in_water = judged.water.part.members.nodes;
  for (std::size_t s = 0; s < in_sand.size(); ++s)
    for (std::size_t w = 0; w < in_water.size(); ++w) {
      if (in_sand[s] != in_water[w]) continue;
      const std::size_t k = in_sand.size() + w;
      const double D = drag_of_step(judged.believed, balance.mass(s), balance.mass(k), judged.solve.c.dt);
      const Point j = D * (point_at(y, s, 2) - point_at(y, k, 2));
      r[s] += j;
      r[k] -= j;
      ++pairs;
    }
  BOOST_TEST(pairs >= 15U);
  for (std::size_t n = 0; n < count; ++n) r[n] = free(n, r[n]);
  const Measured squared = balance.squared(r, free);
  const double due = balance.squared_length(y);
  BOOST_TEST(std::abs(squared.value - due) <= squared.error + 1e-9 * due);
  BOOST_TEST(squared.error <= 1e-6 * due);
}

/// m (v* − vⁿ) is what all but drag gives at vⁿ, and drag by v* itself.
BOOST_AUTO_TEST_CASE(explicit_velocities_of_both_are_behind_their_own_drag) {
  const Judged judged("mixture_solved_stiff");
  const TwoPhaseBalance balance = judged.balance();
  const std::size_t count = balance.nodes().size(), of_sand = judged.sand.part.members.nodes.size();
  std::vector<double> before(2 * count);
  for (std::size_t i = 0; i < before.size(); ++i)
    before[i] = balance.velocity_before(i / 2)[static_cast<Eigen::Index>(i % 2)];
  const std::vector<double> v = balance.explicit_velocities();
  BOOST_TEST_REQUIRE(v.size() == before.size());
  std::vector<Point> left = balance.stand(before).R;
  for (std::size_t n = 0; n < count; ++n)
    left[n] += balance.mass(n) * (point_at(v, n, 2) - point_at(before, n, 2));
  const auto& in_sand = judged.sand.part.members.nodes;
  const auto& in_water = judged.water.part.members.nodes;
  double stiffest = 0.0;
  for (std::size_t s = 0; s < of_sand; ++s)
    for (std::size_t w = of_sand; w < count; ++w) {
      if (in_sand[s] != in_water[w - of_sand]) continue;
      const double D = drag_of_step(judged.believed, balance.mass(s), balance.mass(w), judged.solve.c.dt);
      const auto slip = [&](const std::vector<double>& u) {
        return Point(point_at(u, s, 2) - point_at(u, w, 2));
      };
      const Point changed = D * (slip(v) - slip(before));
      left[s] += changed;
      left[w] -= changed;
      stiffest = std::max(stiffest, D / balance.mass(s));
    }
  BOOST_TEST(stiffest > 10.0);  // premise: drag by vⁿ would be far off
  for (std::size_t n = 0; n < count; ++n)
    BOOST_TEST(left[n].norm() <=
               1e-9 * balance.mass(n) * (1.0 + stiffest) * (1.0 + point_at(v, n, 2).norm()));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace of_two_phases
