// How semi-implicit solves, and those with the unilateral energy, are judged.
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/methods/mpm_probes.h"
#include "tests/unit/validation/implicit_solves.h"
#include "validation/crosscheck/mpm/setup.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace data = boost::unit_test::data;

namespace semi_implicit_solves {

using namespace repose;
using namespace repose::crosscheck;

namespace {

Setup setup_of(int dim, Kernel kernel) { return MpmSetup{.dim = dim, .kernel = kernel}; }

/// A case at p2g, and the judge's balance of it.
struct Balanced {
  Case c;
  std::unique_ptr<Solver> solver;
  Snapshot state;
  PlainBalance balance;
  std::vector<double> v, dv;

  Balanced(std::string_view scenario, int dim, Kernel kernel)
      : c(make_case(scenario, setup_of(dim, kernel))),
        solver(make_solver("reference", c.scene)),
        state(p2g()),
        balance(c.scene, state, c.dt),
        v(state.get(field::p_i).value),
        dv(v.size()) {
    const double speed = c.scene.grid.h / c.dt;
    for (std::size_t i = 0; i < v.size(); ++i) {
      v[i] /= state.get(field::m_i).value[i / static_cast<std::size_t>(dim)];
      v[i] += 1e-3 * speed * std::sin(static_cast<double>(2 * i));
      dv[i] = 1e-2 * speed * std::sin(static_cast<double>(3 * i + 1));
    }
  }
  Snapshot p2g() {
    solver->load(c.start);
    solver->run(boundary::step_start, boundary::p2g, c.dt);
    return solver->save(boundary::p2g, false);
  }
  std::vector<double> at(double share) const {
    std::vector<double> moved = v;
    for (std::size_t i = 0; i < v.size(); ++i) moved[i] += share * dv[i];
    return moved;
  }
};

const auto cases = data::make({"semi_hencky", "semi_regions"}) * data::make({2, 3});

BOOST_AUTO_TEST_SUITE(crosscheck_semi)

/// R·dv is the slope of the energy along dv. Strains move by 10⁻⁵ there and back, the energy's own rounding is divided by that.
BOOST_DATA_TEST_CASE(the_judges_impulses_are_the_slope_of_its_energy, cases, scenario, dim) {
  const Balanced j(scenario, dim, Kernel::quadratic);
  const auto impulses = j.balance.impulses(j.v);
  BOOST_TEST_REQUIRE(impulses.has_value());
  double slope = 0.0, size = 0.0;
  for (std::size_t i = 0; i < j.v.size(); ++i) {
    const double m = j.state.get(field::m_i).value[i / static_cast<std::size_t>(dim)];
    const double R = m * j.v[i] - j.state.get(field::p_i).value[i] - impulses->impulse[i];
    slope += R * j.dv[i];
    size += std::abs(R * j.dv[i]);
  }
  constexpr double step = 1e-3;
  const auto up = j.balance.energy(j.at(step)), down = j.balance.energy(j.at(-step));
  const double quotient = (up.sum() - down.sum()) / (2.0 * step);
  BOOST_TEST(std::abs(slope) > 1e-4 * size);  // premise
  BOOST_TEST(std::abs(quotient - slope) <= 1e-5 * size + (up.rounding + down.rounding) / step);
}

/// Of semi-implicit steps and of implicit ones with the unilateral energy: quotients of impulses, and the readable solver's product.
BOOST_DATA_TEST_CASE(the_judges_changes_are_the_derivative_of_its_impulses,
                     data::make({"semi_hencky", "semi_regions", "unilateral_solved"}) * data::make({2, 3}),
                     scenario, dim) {
  const Balanced j(scenario, dim, Kernel::cubic);
  const PlainBalance::Change change = j.balance.change(j.v, j.dv);
  const std::vector<double> product = impulse_change(*j.solver, dim, j.v, j.dv, j.c.dt);
  constexpr double step = 1e-5;
  const auto up = j.balance.impulses(j.at(step)), down = j.balance.impulses(j.at(-step));
  BOOST_TEST_REQUIRE((up && down));
  double largest = 0.0, off_quotient = 0.0, off_product = 0.0;
  for (std::size_t i = 0; i < j.v.size(); ++i) {
    largest = std::max(largest, std::abs(change.impulse[i]));
    off_quotient = std::max(off_quotient,
                            std::abs((up->impulse[i] - down->impulse[i]) / (2.0 * step) - change.impulse[i]));
    off_product = std::max(off_product, std::abs(product[i] - change.impulse[i]));
    BOOST_TEST(change.error[i / static_cast<std::size_t>(dim)] <= 1e-8 * largest + 1e-8);
  }
  BOOST_TEST(largest > 0.0);
  // Cases of the return change within a step of some particle: a kink of its derivative over 10⁻⁷ of strain.
  BOOST_TEST(off_quotient <= 1e-3 * largest);
  BOOST_TEST(off_product <= 1e-8 * largest);
}

/// The readable solver's solve, to be spoiled, and what the judge names.
struct Judged {
  FirstSolve solve;

  explicit Judged(std::string_view scenario) : solve("reference", scenario, plain_setup()) {}

  NewtonIteration& iteration(std::size_t k) { return solve.history.iterations.at(k); }
  std::string fault() const { return named_fault(solve, solve.c.scene); }
};

struct Spoiled {
  std::string what, named;
  std::function<void(Judged&)> spoil;
};
std::ostream& operator<<(std::ostream& out, const Spoiled& one) { return out << one.what; }

const std::vector<Spoiled> spoiled{
    {"nothing", "none", [](Judged&) {}},
    {"a way that leads uphill", "newton_move",
     [](Judged& j) {
       for (double& one : j.iteration(1).dv) one = -one;
       j.iteration(1).turn = Turn::reversed;
     }},
    {"a way said to be turned", "gmres_residual", [](Judged& j) { j.iteration(1).turn = Turn::reversed; }},
    {"a way that is not along the slope", "newton_move",
     [](Judged& j) { j.iteration(1).turn = Turn::slope; }},
    {"a dv that is a thousandth off", "gmres_residual",
     [](Judged& j) {
       for (double& one : j.iteration(1).dv) one *= 1.001;
     }},
    {"a move said to be halved", "newton_move", [](Judged& j) { ++j.iteration(0).halvings; }},
};

BOOST_DATA_TEST_CASE(what_a_semi_implicit_solve_says_and_is_not_so_is_named, data::make(spoiled), one) {
  Judged judged("semi_regions");
  BOOST_TEST_REQUIRE(judged.solve.history.iterations.size() >= 3U);
  one.spoil(judged);
  BOOST_TEST(judged.fault() == one.named);
}

BOOST_AUTO_TEST_CASE(a_way_that_is_turned_in_an_implicit_solve_is_named) {
  Judged judged("implicit_mixed_states");
  BOOST_TEST(judged.fault() == "none");
  judged.iteration(1).turn = Turn::reversed;
  BOOST_TEST(judged.fault() != "none");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace semi_implicit_solves
