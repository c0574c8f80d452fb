#include "experiments/tampubolon2017/fig05_multiplier/judge.h"
#include "reference/interface/methods/mpm.h"
#include "tests/unit/experiments/number_search.h"

#include <fmt/format.h>
#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace repose;
using namespace repose::experiments;
using repose::test::demand;

namespace repose::experiments::tampubolon2017 {

namespace {

const MultiplierSet& set_of(std::string_view name) {
  static const std::vector<MultiplierSet> all = multiplier_sets();
  for (const MultiplierSet& set : all)
    if (set.name == name) return set;
  throw std::logic_error("no such set");
}

MultiplierFindings findings(const MultiplierSet& set, double depth) {
  const Material sand = multiplier_scene(2).materials.front();
  MultiplierFindings found;
  found.of_a = {3.0, 2.0, 1.0, 8};
  found.of_c = {3.0, 2.0, 1.0, 8};
  found.rows = 500;
  found.shares = {{set, 2, depth, sampled_shares(sand, 2, set.of, depth, found.rows),
                   integrated_shares(sand, 2, set.of, depth)}};
  return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(figure_multiplier)

/// One hundredth more of c₀ shows in the fourth digit of either share.
BOOST_AUTO_TEST_CASE(known_shares_come_out_of_their_parameters_and_of_no_others_near) {
  const Material sand = multiplier_scene(2).materials.front();
  const char* const names[] = {"share_of_a_fig6_c0_2_per_cent_to_0p01",
                               "share_of_c_fig6_c0_2_per_cent_to_0p01"};
  for (const char* name : names)
    demand(judge(findings(set_of("fig6_c0_2_per_cent"), 0.01), sand), name, Verdict::pass);
  MultiplierSet other = set_of("fig6_c0_2_per_cent");
  other.of.c0 *= 1.01;
  for (const char* name : names) demand(judge(findings(other, 0.01), sand), name, Verdict::fail);
}

BOOST_AUTO_TEST_CASE(most_of_a_cone_is_more_than_half_of_it) {
  const Material sand = multiplier_scene(2).materials.front();
  demand(judge(findings(set_of("table2"), 0.01), sand), "most_of_the_cone_table2", Verdict::pass);
  const auto number = judge(findings(set_of("fig6_c0_1p1_per_cent"), 0.01), sand);
  demand(number, "most_of_the_cone_fig6_c0_1p1_per_cent", Verdict::fail);
  BOOST_TEST(test::number(number, "most_of_the_cone_fig6_c0_1p1_per_cent").decides_claim());
}

BOOST_AUTO_TEST_CASE(an_opening_that_covers_more_the_larger_it_is_is_no_poorer) {
  const Material sand = multiplier_scene(2).materials.front();
  MultiplierFindings found = findings(set_of("fig6_c0_1p1_per_cent"), 0.01);
  found.shares.push_back(findings(set_of("fig6_c0_2_per_cent"), 0.01).shares[0]);
  demand(judge(found, sand), "share_of_a_falls_with_c0", Verdict::pass);
  demand(judge(found, sand), "share_of_c_grows_with_c0", Verdict::pass);
  std::swap(found.shares[0], found.shares[1]);
  demand(judge(found, sand), "share_of_a_falls_with_c0", Verdict::fail);
  demand(judge(found, sand), "share_of_c_grows_with_c0", Verdict::fail);
}

BOOST_AUTO_TEST_CASE(shares_in_space_agree_with_their_integral) {
  const Material sand = multiplier_scene(3).materials.front();
  const Unilateral& of = set_of("fig6_c0_1p1_per_cent").of;
  const ConeShares sampled = sampled_shares(sand, 3, of, 0.01, 500);
  const ConeShares integrated = integrated_shares(sand, 3, of, 0.01);
  BOOST_TEST((integrated.a > 0.05 && integrated.c > 0.05));
  BOOST_TEST(std::abs(sampled.a - integrated.a) < 5.5 / 500);
  BOOST_TEST(std::abs(sampled.c - integrated.c) < 5.5 / 500);
  MultiplierFindings found = findings(set_of("table2"), 0.01);
  demand(judge(found, sand), "shares_by_sampling_and_by_integral", Verdict::pass);
  found.shares[0].integrated.c += 0.01;
  demand(judge(found, sand), "shares_by_sampling_and_by_integral", Verdict::fail);
}

BOOST_AUTO_TEST_CASE(both_borders_are_left_as_the_third_power) {
  for (const bool of_a : {true, false}) {
    const BorderOrders orders = border_orders(multiplier_sets(), of_a);
    BOOST_TEST(orders.ways > 100);
    BOOST_TEST(std::abs(orders.value - 3.0) < 0.25);
    BOOST_TEST(std::abs(orders.slope - 2.0) < 0.25);
    BOOST_TEST(std::abs(orders.curvature - 1.0) < 0.25);
  }
  const Material sand = multiplier_scene(2).materials.front();
  MultiplierFindings found = findings(set_of("table2"), 0.01);
  found.of_c.curvature = 0.0;  // as of a fall that is once continuous
  demand(judge(found, sand), "order_of_curvature_at_border_of_c", Verdict::fail);
  demand(judge(found, sand), "order_of_curvature_at_border_of_a", Verdict::pass);
}

/// τ_k = ∂(h ψ)/∂ε_k by differences.
BOOST_AUTO_TEST_CASE(stress_is_the_slope_of_the_energy) {
  const Lame moduli = lame(multiplier_scene(2).materials.front());
  const MultiplierSet& set = set_of("fig6_c0_1p1_per_cent");
  for (const int dim : {2, 3}) {
    const std::array<double, 3> at{-0.0045, 0.0021, dim > 2 ? -0.0008 : 0.0};
    const auto energy = [&](std::array<double, 3> strain) {
      double trace = 0.0, squares = 0.0;
      for (const double e : strain) {
        trace += e;
        squares += e * e;
      }
      return multiplier(strain, dim, set.of) * (moduli.mu * squares + 0.5 * moduli.lambda * trace * trace);
    };
    BOOST_TEST((multiplier(at, dim, set.of) > 0.05 && multiplier(at, dim, set.of) < 0.95));
    const auto stress = unilateral_stress(at, dim, moduli, set.of);
    for (std::size_t k = 0; k < static_cast<std::size_t>(dim); ++k) {
      auto more = at, less = at;
      more[k] += 1e-8;
      less[k] -= 1e-8;
      BOOST_TEST(std::abs((energy(more) - energy(less)) / 2e-8 - stress[k]) < 1e-5 * moduli.mu * 0.0045);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_solver_gives_lone_particles_the_stress_of_each_region) {
  const Material sand = multiplier_scene(2).materials.front();
  for (const SolverChoice& solver : all_solvers(method::mpm.name))
    for (const int dim : {2, 3}) {
      MultiplierFindings found = findings(set_of("table2"), 0.01);
      found.stress = {measure_stress(dim, solver, set_of("table2"), 120)};
      for (std::size_t region = 0; region < 3; ++region) {
        BOOST_TEST(found.stress[0].states[region] > 5U);
        const std::string name = fmt::format("stress_in_region_{}_{}d_{}", "abc"[region], dim, solver.label);
        demand(judge(found, sand), name, Verdict::pass);
        found.stress[0].worst[region] = 1.01;
        demand(judge(found, sand), name, Verdict::fail);
      }
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::experiments::tampubolon2017
