/// Bounds of sums, worked out by hand: a term that is missing, or one that is a factor too large, shows.
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "tests/unit/validation/crosscheck_bounds.h"

#include <boost/test/data/test_case.hpp>

#include <algorithm>
#include <limits>

namespace {

using namespace repose;
using namespace repose::crosscheck;

/// Roundings inside a weight (6 per axis), and of an affine velocity (3 per axis and 3).
constexpr double weight = 12.0, affine = 9.0;

double smallest(const Candidate& c) {
  return c.unit == float_unit ? 0x1p-126 : std::numeric_limits<double>::min();
}

/// What a weight's slope leaves out of its change over δx, at most: d² (δx/h)².
double bend(const Candidate& c) {
  const double step = Grain::dx(c) / Grain::h;
  return 4.0 * step * step;
}

/// The same of a slope of the quadratic kernel, whose second derivative jumps by 3: 3 d δx/h per h.
double slope_bend(const Candidate& c) { return 6.0 * Grain::dx(c) / Grain::h / Grain::h; }

void set(Snapshot& state, std::string_view name, std::vector<double> values) {
  std::vector<double>& to = state.get(name).value;
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = values[i % values.size()];
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_transfer_bounds)

BOOST_DATA_TEST_CASE(the_arithmetic_of_two_solvers_is_that_of_both, boost::unit_test::data::make(candidates),
                     c) {
  const Arithmetic a = Grain().arithmetic_with(c);
  BOOST_TEST(near(a.position, Grain::dx(c)));
  BOOST_TEST(near(a.g(7.0), both(7.0, c)));
  BOOST_TEST(near(a.from_F(36.0), from_F(36.0, c)));
  const bool keeps = c.strain == "hencky";
  BOOST_TEST(near(a.of_F(5.0), gamma_of(5.0, double_unit) + (keeps ? 0.0 : gamma_of(5.0, c.unit))));
  BOOST_TEST(near(a.of_strain(5.0), keeps ? gamma_of(5.0, c.unit) : 0.0));
  BOOST_TEST(a.smallest == smallest(c));
}

BOOST_DATA_TEST_CASE(mass_and_momentum_of_one_grain, boost::unit_test::data::make(candidates), c) {
  Grain grain;
  set(grain.c.start, field::v, {3.0, -1.0});
  set(grain.c.start, field::C, {2.0, -5.0, 0.5, 4.0});
  const Ran ran(grain, grain.c.start, boundary::p2g, c);
  const std::size_t n = ran.place_of(grain.c.scene.grid.node_id(3, 4, 0));
  const double w = 22.0 / 32.0 * 6.0 / 8.0;
  const double slope = 0.5 * 6.0 / 8.0 / Grain::h;  // |∂_x w|; ∂_y w = 0
  const Bound& m = ran.bound(field::m_i, n);
  BOOST_TEST(near(m.rounding, both(1.0 + weight + affine, c) * w * Grain::mass));
  BOOST_TEST(near(m.position, Grain::dx(c) * slope * Grain::mass + bend(c) * Grain::mass));
  BOOST_TEST(near(m.underflow, smallest(c)));
  BOOST_TEST(m.carried + m.tie == 0.0);
  // The node lies at (−⅛, 0) m from the grain: v + C Δ has terms 3 and 2/8 along x, 1 and 0.5/8 along y.
  const double s[] = {3.25, 1.0625};
  const double C_row[] = {7.0, 4.5};
  const double speed =
      std::sqrt(10.0) + std::sqrt(2.0) * std::sqrt(4.0 + 25.0 + 0.25 + 16.0) * 1.5 * Grain::h;
  for (std::size_t a = 0; a < 2; ++a) {
    const Bound& p = ran.bound(field::p_i, 2 * n + a);
    BOOST_TEST(near(p.rounding, both(1.0 + weight + affine, c) * w * Grain::mass * s[a]));
    BOOST_TEST(near(p.position, Grain::dx(c) * Grain::mass * (slope * s[a] + w * C_row[a]) +
                                    bend(c) * Grain::mass * speed));
    BOOST_TEST(near(p.underflow, smallest(c) * (1.0 + speed)));
    BOOST_TEST(p.carried + p.tie == 0.0);
  }
}

/// Momenta that cancel leave nothing, but their roundings.
BOOST_DATA_TEST_CASE(two_grains_of_opposite_momentum_have_the_roundings_of_both,
                     boost::unit_test::data::make(candidates), c) {
  Grain grain(Transfer::pic, 2);
  set(grain.c.start, field::v, {3.0, 1.0, -3.0, -1.0});
  const Ran ran(grain, grain.c.start, boundary::p2g, c);
  const std::size_t n = ran.place_of(grain.c.scene.grid.node_id(3, 4, 0));
  BOOST_TEST(ran.after.get(field::p_i).value[2 * n] == 0.0);
  const double w = 22.0 / 32.0 * 6.0 / 8.0;
  BOOST_TEST(near(ran.bound(field::p_i, 2 * n).rounding,
                  both(2.0 + weight + affine, c) * 2.0 * w * Grain::mass * 3.0));
  BOOST_TEST(near(ran.bound(field::m_i, n).rounding, both(2.0 + weight + affine, c) * 2.0 * w * Grain::mass));
}

/// F = diag(5/4, 4/5): ε = (ln 5/4, −ln 5/4), tr ε = 0, τ = 2μ ε, κ = (25/16)².
BOOST_DATA_TEST_CASE(momentum_behind_the_forces_of_one_grain, boost::unit_test::data::make(candidates), c) {
  Grain grain(Transfer::pic);
  set(grain.c.start, field::v, {3.0, -1.0});
  set(grain.c.start, field::F, {1.25, 0.0, 0.0, 0.8});
  const double e_m = 3e-9, e_p = 5e-9;  // carried, as they come from a stage before
  const Snapshot at = state_at(grain, boundary::p2g);
  const Carried carried{{std::string(field::m_i), std::vector<double>(at.count(Place::node), e_m)},
                        {std::string(field::p_i), std::vector<double>(2 * at.count(Place::node), e_p)}};
  const Ran ran(grain, at, boundary::forces, c, carried);
  // The node down left: both slopes.
  const std::size_t n = ran.place_of(grain.c.scene.grid.node_id(2, 3, 0));
  const double w = 1.0 / 32.0 / 8.0;
  const double dx_w = 0.25 / 8.0 / Grain::h, dy_w = 1.0 / 32.0 * 0.5 / Grain::h;
  const double h2 = Grain::h * Grain::h;
  const double xx = 1.0 / 8.0 / h2, yy = 1.0 / 32.0 / h2, xy = 0.25 * 0.5 / h2;
  const Lame l = lame(grain.c.scene.materials[0]);
  const double strain = std::log(1.25), modulus = 2.0 * l.mu + 2.0 * l.lambda;
  const double T = modulus * std::sqrt(2.0) * strain, tau = 2.0 * l.mu * strain;
  const double kappa = std::pow(25.0 / 16.0, 2);
  const double v[] = {3.0, 1.0}, g[] = {0.0, 8.0};
  const double hessian[] = {xx + xy, yy + xy};
  for (std::size_t a = 0; a < 2; ++a) {
    const Bound& p = ran.bound(field::p_star, 2 * n + a);
    const double m = ran.before.get(field::m_i).value[n];
    const double S =
        w * Grain::mass * (v[a] + Grain::dt * g[a]) + Grain::dt * Grain::volume * T * (dx_w + dy_w);
    const double last = std::abs(ran.before.get(field::p_i).value[2 * n + a]) + m * g[a] * Grain::dt +
                        std::abs(ran.after.get(field::p_star).value[2 * n + a]);
    // Weight 12, volume, Δt and contraction d + 4; stress 2 d + 5.
    BOOST_TEST(near(p.rounding, both(1.0 + weight + 6.0 + 9.0, c) * S + both(4.0, c) * last));
    const double slope = Grain::mass * (dx_w + dy_w) * (v[a] + Grain::dt * g[a]) +
                         Grain::dt * Grain::volume * tau * hessian[a];
    BOOST_TEST(near(p.position, Grain::dx(c) * slope + Grain::dt * Grain::volume * T * slope_bend(c)));
    BOOST_TEST(near(p.underflow, smallest(c)));
    BOOST_TEST(near(p.carried, Grain::dt * Grain::volume * modulus * from_F(36.0, c) * kappa * (dx_w + dy_w) +
                                   std::sqrt(2.0) * e_p + e_m * 8.0 * Grain::dt));
    BOOST_TEST(p.tie == 0.0);
  }
}

/// A grain far lighter than a roundoff of one, but not than the smallest number: its nodes keep their mass and the impulse
/// of its stress, which must be judged. Lighter than that, a node of one solver may be none of the other's.
BOOST_DATA_TEST_CASE(only_nodes_whose_mass_may_round_to_zero_may_lose_their_impulse,
                     boost::unit_test::data::make(candidates), c) {
  const auto underflow_of = [&](double mass, double& counted) {
    Grain grain(Transfer::pic);
    set(grain.c.start, field::mass, {mass});
    set(grain.c.start, field::F, {1.25, 0.0, 0.0, 0.8});
    const Ran ran(grain, state_at(grain, boundary::p2g), boundary::forces, c);
    const std::size_t n = ran.place_of(grain.c.scene.grid.node_id(2, 3, 0));
    BOOST_TEST(std::abs(ran.after.get(field::p_star).value[2 * n]) > 1.0);  // premise: an impulse to lose
    const auto found = ran.counters.find("nodes that may vanish");
    counted = found == ran.counters.end() ? 0.0 : found->second;
    return ran.bound(field::p_star, 2 * n).underflow;
  };
  double counted = 0.0;
  BOOST_TEST(near(underflow_of(1e-10 * c.unit, counted), smallest(c)));
  BOOST_TEST(counted == 0.0);
  BOOST_TEST(underflow_of(0.5 * smallest(c), counted) > 1.0);
  BOOST_TEST(counted >= 1.0);
}

BOOST_DATA_TEST_CASE(undeformed_sand_has_no_stress_to_round, boost::unit_test::data::make(candidates), c) {
  const Grain grain;
  const Ran ran(grain, state_at(grain, boundary::p2g), boundary::forces, c);
  for (std::size_t i = 0; i < 2 * ran.after.count(Place::node); ++i)
    BOOST_TEST((ran.bound(field::p_star, i).carried == 0.0) == (c.strain == "F"));
}

/// All nodes move with (2, −1) m/s; weights add up to 1, the magnitudes of slopes along x to 3/2 per h, along y to 1.
BOOST_DATA_TEST_CASE(velocities_gathered_by_one_grain, boost::unit_test::data::make(candidates), c) {
  const Grain grain;
  Snapshot at = state_at(grain, boundary::friction);
  const double v[] = {2.0, 1.0};
  for (const std::string_view name : {field::p_bar, field::p_tilde})
    for (std::size_t n = 0; n < at.count(Place::node); ++n)
      for (std::size_t a = 0; a < 2; ++a)
        at.get(name).value[2 * n + a] = at.get(field::m_i).value[n] * (a == 0 ? 2.0 : -1.0);
  const double e = 1e-9;
  const Carried carried{
      {std::string(field::p_bar), std::vector<double>(2 * at.count(Place::node), e)},
      {std::string(field::p_tilde), std::vector<double>(2 * at.count(Place::node), 2.0 * e)}};
  const Ran ran(grain, at, boundary::g2p, c, carried);
  const double h2 = Grain::h * Grain::h;
  const double all = 9.0 * std::sqrt(5.0);  // Σ ‖v̄‖ of the nine nodes
  // Σ w e √2/m_i with m_i = w m
  const double left = 9.0 * std::sqrt(2.0) * e / Grain::mass;
  const double per_D = 4.0 / h2, reach = 1.5 * Grain::h;
  // Σ w |Δ_b|; Σ_c |∂_c w Δ_b| + 1
  const double arm[] = {(0.625 + 22.0 * 0.125 + 9.0 * 0.375) / 32.0, 0.125};
  const double arm_slope[] = {1.0 + arm[0] / Grain::h + 1.0, 1.0 + arm[1] * 1.5 / Grain::h + 1.0};
  double grad_left = 0.0;  // Σ ‖∇w‖₁ e √2/m_i
  const double wx[] = {1.0 / 32.0, 22.0 / 32.0, 9.0 / 32.0}, wy[] = {0.125, 0.75, 0.125};
  const double gx[] = {0.25, 0.5, 0.75}, gy[] = {0.5, 0.0, 0.5};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      grad_left += (gx[i] / wx[i] + gy[j] / wy[j]) / Grain::h * std::sqrt(2.0) * e / Grain::mass;
  for (std::size_t a = 0; a < 2; ++a) {
    const Bound& v_bar = ran.bound(field::v_bar, a);
    BOOST_TEST(near(v_bar.rounding, both(9.0 + weight + 4.0, c) * v[a]));
    BOOST_TEST(near(v_bar.position, Grain::dx(c) * 2.5 / Grain::h * v[a] + bend(c) * all));
    BOOST_TEST(near(v_bar.underflow, 9.0 * smallest(c)));
    BOOST_TEST(near(v_bar.carried, left));
    const Bound& own = ran.bound(field::v, a);
    BOOST_TEST(near(own.rounding, both(9.0 + weight + 10.0, c) * v[a]));
    BOOST_TEST(near(own.position, Grain::dx(c) * 2.5 / Grain::h * v[a] + bend(c) * all));
    BOOST_TEST(near(own.carried, 2.0 * left));
    for (std::size_t b = 0; b < 2; ++b) {
      const Bound& grad = ran.bound(field::grad_v, 2 * a + b);
      BOOST_TEST(near(grad.rounding, both(9.0 + weight + 5.0, c) * v[a] * (b == 0 ? 1.5 : 1.0) / Grain::h));
      // Σ |∂_b∂_c w| = (4 + 3/2 · 1)/h² along either axis
      BOOST_TEST(near(grad.position, Grain::dx(c) * v[a] * 5.5 / h2 + slope_bend(c) * all));
      BOOST_TEST(near(grad.underflow, 9.0 * smallest(c) / Grain::h));
      BOOST_TEST(near(grad.carried, grad_left));
      const Bound& C = ran.bound(field::C, 2 * a + b);
      BOOST_TEST(near(C.rounding, both(9.0 + weight + 8.0, c) * v[a] * arm[b] * per_D));
      BOOST_TEST(
          near(C.position, Grain::dx(c) * v[a] * arm_slope[b] * per_D + bend(c) * all * per_D * reach));
      BOOST_TEST(near(C.underflow, 9.0 * smallest(c) / Grain::h));
      BOOST_TEST(near(C.carried, 2.0 * left * per_D * reach));
    }
  }
}

BOOST_DATA_TEST_CASE(flip_adds_the_velocities_that_it_takes_away, boost::unit_test::data::make(candidates),
                     c) {
  Grain grain(Transfer::flip);
  set(grain.c.start, field::v, {3.0, -1.0});
  const Snapshot at = state_at(grain, boundary::friction);
  const Ran ran(grain, at, boundary::g2p, c);
  // Every node has vⁿ = v of the one grain, and ṽ = vⁿ + Δt g: no stress, no body.
  const double own[] = {3.0, 1.0}, tilde[] = {3.0, 1.0 + 8.0 * Grain::dt};
  for (std::size_t a = 0; a < 2; ++a) {
    BOOST_TEST(
        near(ran.bound(field::v, a).rounding, both(10.0 + weight + 10.0, c) * (tilde[a] + own[a] + own[a])));
    for (std::size_t b = 0; b < 2; ++b) BOOST_TEST(ran.bound(field::C, 2 * a + b).total() == 0.0);
  }
}

/// A node that only the candidate reaches: what slopes leave out there, of a support that ends with slope 0.
BOOST_DATA_TEST_CASE(a_node_that_only_the_candidate_has, boost::unit_test::data::make(candidates), c) {
  Grain grain(Transfer::pic);
  set(grain.c.start, field::v, {3.0, -4.0});
  const auto of = [&](std::int64_t node, std::string_view name) {
    return absent_node_bound(grain.c.scene, grain.arithmetic_with(c), Grain::dt, grain.c.start, node, name);
  };
  const std::int64_t far = grain.c.scene.grid.node_id(7, 7, 0);
  for (const Bound& one : of(far, field::p_star)) BOOST_TEST(one.total() == 0.0);
  const std::int64_t near_by = grain.c.scene.grid.node_id(2, 3, 0);
  BOOST_TEST(of(near_by, field::m_i).size() == 1U);
  BOOST_TEST(near(of(near_by, field::m_i)[0].total(), bend(c) * Grain::mass + smallest(c)));
  BOOST_TEST(near(of(near_by, field::p_i)[1].total(), bend(c) * Grain::mass * 5.0 + smallest(c) * 6.0));
  BOOST_TEST(near(of(near_by, field::p_star)[1].total(),
                  bend(c) * Grain::mass * (5.0 + Grain::dt * 8.0) + smallest(c) * 6.0));
}

BOOST_AUTO_TEST_SUITE_END()
