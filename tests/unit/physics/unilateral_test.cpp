// The unilateral energy against printed numbers, its borders, the axis of equal strains and fifty digits.
#include "reference/physics/unilateral.h"

#include "reference/physics/drucker_prager.h"
#include "reference/physics/hencky.h"
#include "tests/unit/physics/fifty_digits.h"
#include "tests/unit/samples.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace repose::test {
namespace {

Lame moduli_of(double E, double nu) {
  Material material;
  material.youngs_modulus = E;
  material.poisson_ratio = nu;
  return lame(material);
}

const Lame moduli = moduli_of(1000.0, 0.4);
/// a, b and c₀ of Table 2, row of Fig. 11, and those of Fig. 6.
const Unilateral table_2{.a = -0.003, .b = 0.0, .c0 = 0.01};
const Unilateral fig_6{.a = -0.5, .b = 0.0, .c0 = 1.1};

bool near(double value, double expected) { return std::abs(value - expected) <= 1e-11 * std::abs(expected); }

template <int d>
struct Known {
  Vec<d> eps;
  Unilateral of;
  double s_C, h, psi;
  Vec<d> tau;
};

template <int d>
OfStrain<d> judge(const Known<d>& at) {
  BOOST_TEST(near(multiplier<d>(at.eps, at.of, at.s_C).value, at.h));
  const OfStrain<d> psi = unilateral_energy<d>(at.eps, moduli, at.of, at.s_C);
  BOOST_TEST(near(psi.value, at.psi));
  for (int a = 0; a < d; ++a) BOOST_TEST(near(psi.slope[a], at.tau[a]));
  BOOST_TEST((psi.curvature - psi.curvature.transpose()).norm() <= 8 * u * psi.curvature.norm());
  return psi;
}

template <int d>
using BigVec = std::array<Big, static_cast<std::size_t>(d)>;

/// What values, slopes and curvatures are made of: their largest terms, and by how much a rounding of z moves them.
struct Scale {
  double value, slope, curvature;
};
template <int d>
Scale scale_of(const Vec<d>& eps, const Unilateral& of, double s_C) {
  const double stiff = 2.0 * moduli.mu + d * moduli.lambda;
  const double unit = of.strain_unit, width = of.b - of.a;
  const double tau = stiff * eps.norm();
  const double psi = tau * eps.norm();
  const double G = (1.0 + 1.34 * of.c0) / (width * unit);  // |∂z/∂ε|, f′ ≤ 4/3 c₀
  const double D = 2.2 * of.c0 / (width * unit * unit);    // |∂²z/∂ε²|
  const double size = (2.0 + of.c0) * eps.norm() / unit + std::abs(of.a) + std::abs(of.b) + std::abs(s_C);
  const double k = 1.0 + size / width;  // roundings of z
  return {psi * k, tau * k + 6.0 * psi * G * k,
          stiff * k + 12.0 * G * tau * k + psi * (60.0 * G * G + 6.0 * D) * k};
}

template <int d>
void against_fifty_digits(const Vec<d>& eps, const Unilateral& of, double s_C) {
  BigVec<d> at;
  for (std::size_t a = 0; a < d; ++a) at[a] = eps[static_cast<Eigen::Index>(a)];
  const auto energy = [&](int i, int by_i, int j, int by_j) {
    BigVec<d> moved = at;
    moved[static_cast<std::size_t>(i)] += by_i * big_step;
    moved[static_cast<std::size_t>(j)] += by_j * big_step;
    return unilateral_energy_of(moved, moduli, of, s_C);
  };
  const OfStrain<d> psi = unilateral_energy<d>(eps, moduli, of, s_C);
  const Scale scale = scale_of<d>(eps, of, s_C);
  BOOST_TEST(std::abs(psi.value - static_cast<double>(energy(0, 0, 0, 0))) <= 20 * u * scale.value);
  for (int i = 0; i < d; ++i) {
    const Big slope = (energy(i, 1, i, 0) - energy(i, -1, i, 0)) / (2 * big_step);
    BOOST_TEST(std::abs(psi.slope[i] - static_cast<double>(slope)) <= 20 * u * scale.slope);
    for (int j = 0; j < d; ++j) {
      const Big bend =
          (energy(i, 1, j, 1) - energy(i, 1, j, -1) - energy(i, -1, j, 1) + energy(i, -1, j, -1)) /
          (4 * big_step * big_step);
      BOOST_TEST(std::abs(psi.curvature(i, j) - static_cast<double>(bend)) <= 20 * u * scale.curvature);
    }
  }
}

/// Where a strain lies: A, B or C.
template <int d>
char region(const Vec<d>& eps, const Unilateral& of, double s_C) {
  const OfStrain<d> h = multiplier<d>(eps, of, s_C);
  return h.value == 1.0 && h.slope.isZero(0.0) ? 'A' : h.value == 0.0 ? 'C' : 'B';
}

BOOST_AUTO_TEST_SUITE(unilateral)

BOOST_AUTO_TEST_CASE(seven_strains_have_the_known_energy_stress_and_stiffness) {
  const auto plane = [](const Known<2>& at, double H11, double H12, double H22) {
    const OfStrain<2> psi = judge<2>(at);
    BOOST_TEST(near(psi.curvature(0, 0), H11));
    BOOST_TEST(near(psi.curvature(0, 1), H12));
    BOOST_TEST(near(psi.curvature(1, 1), H22));
  };
  plane({{-.004, -.006}, table_2, 0, 1, .09, {-17.1428571429, -18.5714285714}}, 2142.85714286, 1428.57142857,
        2142.85714286);
  plane({{-.0015, -.0005}, table_2, 0, .446500274583, .00167437602969, {-3.40056617808, -3.08163741057}},
        4584.64491624, 3952.10510954, 3957.42283766);
  plane({{-.001, -.001}, table_2, 0, .446500274585, .0015946438378, {-3.1626990345, -3.1626990345}},
        4262.55115412, 3943.62238656, 4262.55115412);
  plane({{.001, .0005}, table_2, 0, 0, 0, {0, 0}}, 0, 0, 0);
  plane({{-.0015, -.0005}, table_2, .0005, .746023839934, .00279758939975, {-4.34497544902, -3.81210127768}},
        3764.49875451, 2962.25934395, 3225.7682759);
  const OfStrain<3> space = judge<3>({{-.002, -.0005, -.0003},
                                      table_2,
                                      0,
                                      .572570084736,
                                      .00409387610586,
                                      {-5.65719648689, -5.04372853941, -4.96193281308}});
  BOOST_TEST(near(space.curvature(0, 0), 4790.62457977));
  BOOST_TEST(near(space.curvature(0, 1), 3999.68407824));
  BOOST_TEST(near(space.curvature(2, 2), 3924.84434018));
  plane({{-.2, -.1}, fig_6, 0, .360053849646, 29.5758519352, {-413.341493537, -388.269855616}}, 4013.9749523,
        3601.28818879, 3663.07759699);
}

/// From A and from C value, slope and curvature leave as the cube, the square and the first power.
BOOST_AUTO_TEST_CASE(the_fall_is_twice_continuous_at_both_borders) {
  for (const double z : {1e-3, 1e-6}) {
    const double rest = 3.0 * z;  // what is of one order more
    const Fall begins = fall(z, 1.0 - z), ends = fall(1.0 - z, z);
    BOOST_TEST(std::abs(begins.slope / (z * z) + 30.0) < 30.0 * rest);
    BOOST_TEST(std::abs(begins.curvature / z + 60.0) < 60.0 * rest);
    BOOST_TEST(std::abs(ends.value / (z * z * z) - 10.0) < 10.0 * rest);
    BOOST_TEST(std::abs(ends.slope / (z * z) + 30.0) < 30.0 * rest);
    BOOST_TEST(std::abs(ends.curvature / z - 60.0) < 60.0 * rest);
    BOOST_TEST(std::abs(1.0 - begins.value - ends.value) <= 4 * u);
    BOOST_TEST((fall(-z, 1.0 + z).value == 1.0 && fall(-z, 1.0 + z).slope == 0.0));
    BOOST_TEST((fall(1.0 + z, -z).value == 0.0 && fall(1.0 + z, -z).curvature == 0.0));
  }
  const Fall small = fall(1.0 - 1e-3, 1e-3);
  BOOST_TEST(std::abs(1.0 - fall(1e-3, 1.0 - 1e-3).value - small.value) < 4 * u);
}

/// Along the axis, b = s_C = 0, x = u/a: K_t/K = (200x³ − 450x⁴ + 252x⁵)/2, negative exactly from 5/6 to 20/21.
BOOST_AUTO_TEST_CASE_TEMPLATE(under_equal_strains_it_softens_exactly_from_5_6_to_20_21_of_a, D, Dims) {
  constexpr int d = D::d;
  const double K = moduli.lambda + 2.0 * moduli.mu / d;
  const auto at = [&](double x) {
    const Vec<d> eps = Vec<d>::Constant(x * table_2.a / std::sqrt(static_cast<double>(d)));
    return unilateral_energy<d>(eps, moduli, table_2, 0.0);
  };
  const auto tangent = [&](double x) { return at(x).curvature.sum() / (d * d * K); };
  for (const double x : {.1, .529857936, 5.0 / 6.0, .898713493, .97}) {
    const double x3 = x * x * x;
    BOOST_TEST(std::abs(tangent(x) - x3 * (200.0 - 450.0 * x + 252.0 * x * x) / 2.0) < 1e-11);
    const double trace_a = table_2.a * std::sqrt(static_cast<double>(d));
    const double pressure = -at(x).slope.sum() / d / (K * std::abs(trace_a));
    BOOST_TEST(std::abs(pressure - x3 * x * (50.0 - 90.0 * x + 42.0 * x * x) / 2.0) < 1e-11);
  }
  BOOST_TEST(std::abs(tangent(.898713493) + .320915981) < 1e-9);
  BOOST_TEST(std::abs(tangent(.529857936) - 2.403381620) < 1e-9);
  const double trace_a = table_2.a * std::sqrt(static_cast<double>(d));
  BOOST_TEST(std::abs(at(5.0 / 6.0).slope.sum() / (d * K * trace_a * 5.0 / 6.0) - 1.205632716) < 1e-9);
  const double gap = 1e-9;
  BOOST_TEST((tangent(5.0 / 6.0 - gap) > 0.0 && tangent(5.0 / 6.0 + gap) < 0.0));
  BOOST_TEST((tangent(20.0 / 21.0 - gap) < 0.0 && tangent(20.0 / 21.0 + gap) > 0.0));
  for (int n = 1; n < 1000; ++n) {
    const double x = 0.001 * n;
    BOOST_TEST((tangent(x) < 0.0) == (x > 5.0 / 6.0 && x < 20.0 / 21.0));
    BOOST_TEST((tangent(x) > -.320915982 && tangent(x) < 2.403381621));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(slope_and_curvature_agree_with_differences_of_fifty_digits, D, Dims) {
  constexpr int d = D::d;
  std::mt19937_64 random(41);
  std::map<char, int> met;
  Unilateral per_cent = fig_6;
  per_cent.strain_unit = 0.01;
  struct Set {
    Unilateral of;
    double s_C, mean, shear;
  };
  for (const Set& set :
       {Set{table_2, 0.0, 0.0025, 0.002}, Set{table_2, 0.0007, 0.003, 0.01}, Set{per_cent, 0.0, 0.006, 0.008},
        Set{per_cent, 0.3, 0.01, 0.02}, Set{fig_6, 0.1, 0.3, 0.6}}) {
    for (int n = 0; n < 60; ++n) {
      const double mean = draw(random, -set.mean, 0.2 * set.mean);
      Vec<d> eps = mean * Vec<d>::Ones();
      if (n % 6 > 0) eps += draw_vector<d>(random, -set.shear, set.shear);  // each sixth on the axis: v = 0
      ++met[region<d>(eps, set.of, set.s_C)];
      against_fifty_digits<d>(eps, set.of, set.s_C);
    }
  }
  for (const char part : {'A', 'B', 'C'}) BOOST_TEST(met[part] > 20);
  // Near both borders, on both sides.
  for (const double z : {-1e-9, 1e-9, 1e-3, 1.0 - 1e-3, 1.0 - 1e-9, 1.0 + 1e-9})
    against_fifty_digits<d>(Vec<d>::Constant((1.0 - z) * table_2.a / std::sqrt(static_cast<double>(d))),
                            table_2, 0.0);
}

/// Departs from the printed a = −3.0 of the row of Fig. 10: read as a plain strain it would leave no stiffness at all.
BOOST_AUTO_TEST_CASE(a_of_minus_three_is_no_plain_strain) {
  Unilateral printed = table_2;
  printed.a = -3.0;
  const auto h = [](const Unilateral& of, double trace) {
    return multiplier<2>(Vec<2>::Constant(trace / 2.0), of, 0.0).value;
  };
  BOOST_TEST(std::abs(h(printed, -0.01) - 1.3e-7) < 0.05e-7);
  BOOST_TEST(std::abs(h(printed, -0.2) - 1.0e-3) < 0.05e-3);
  BOOST_TEST(h(table_2, -0.01) == 1.0);
  BOOST_TEST(std::abs(h(fig_6, -0.01) - 2.8e-5) < 0.05e-5);
  BOOST_TEST(std::abs(h(fig_6, -0.2) - 0.14) < 0.005);
  Unilateral per_cent = fig_6;
  per_cent.strain_unit = 0.01;
  BOOST_TEST(h(per_cent, -0.01) == 1.0);
}

/// The borders open like u = −c₀ v far from the tip, the cone like u = −c* v, c* = 2μ/((dλ+2μ) α √d): region A covers the
/// cone far from its tip if and only if c₀ ≤ c*. No c₀ of Fig. 6 does.
template <int d>
double widest_opening(double nu, double degrees) {
  const Lame of = moduli_of(1000.0, nu);
  const double alpha = friction_to_slope(degrees * degree);
  return 2.0 * of.mu / ((d * of.lambda + 2.0 * of.mu) * alpha * std::sqrt(static_cast<double>(d)));
}

BOOST_AUTO_TEST_CASE(region_a_covers_the_cone_only_below_a_largest_opening) {
  BOOST_TEST(std::abs(widest_opening<2>(0.3, 30.0) - 0.87) < 0.005);
  BOOST_TEST(std::abs(widest_opening<2>(0.4, 30.0) - 0.43) < 0.005);
  BOOST_TEST(std::abs(widest_opening<3>(0.4, 30.0) - 0.25) < 0.005);
  const double limit = widest_opening<2>(0.4, 30.0);
  const auto far_on_the_cone = [&](double c0) {
    const double v = 100.0, u_at = -limit * v;  // in units of strain
    const Vec<2> eps = Vec<2>::Constant(u_at / std::sqrt(2.0)) + v / std::sqrt(2.0) * Vec<2>(1.0, -1.0);
    const Unilateral of{.a = -0.5, .b = 0.0, .c0 = c0};
    return region<2>(eps, of, 0.0);
  };
  BOOST_TEST(far_on_the_cone(0.98 * limit) == 'A');
  BOOST_TEST(far_on_the_cone(1.02 * limit) == 'C');
  BOOST_TEST((limit < 1.1 && 0.01 < limit));
}

/// Shares of the cone between u = −.01 and its tip in the regions A and C, 2D, φ = 30°.
std::map<char, double> shares(const Unilateral& of) {
  const double limit = widest_opening<2>(0.4, 30.0);
  std::map<char, double> share;
  constexpr int rows = 400;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j) {
      // A row's width is in proportion to |u|: each counts by it.
      const double u_at = -0.01 * (i + 0.5) / rows;
      const double v = -u_at / limit * (j + 0.5) / rows;
      const Vec<2> eps = Vec<2>::Constant(u_at / std::sqrt(2.0)) + v / std::sqrt(2.0) * Vec<2>(1.0, -1.0);
      share[region<2>(eps, of, 0.0)] += 2.0 * (i + 0.5) / rows / rows / rows;
    }
  return share;
}

BOOST_AUTO_TEST_CASE(fig_6_shows_its_claim_in_per_cent_and_not_in_plain_strain) {
  const struct {
    double c0, A, C;
  } rows[] = {{1.1, .3134, .2667}, {2.0, .2599, .3978}, {2.5, .2434, .4367}, {3.0, .2311, .4656}};
  for (const auto& row : rows) {
    Unilateral of{.a = -0.5, .b = 0.0, .c0 = row.c0, .s_C = {}, .strain_unit = 0.01};
    auto share = shares(of);
    BOOST_TEST(std::abs(share['A'] - row.A) < 1e-3);
    BOOST_TEST(std::abs(share['C'] - row.C) < 1e-3);
    of.strain_unit = 1.0;
    BOOST_TEST(shares(of)['A'] == 0.0);
  }
  BOOST_TEST(std::abs(shares(table_2)['A'] - .9100) < 1e-3);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_multiplier_follows_the_tip_of_the_cone, D, Dims) {
  constexpr int d = D::d;
  const double alpha = friction_to_slope(30.0 * degree);
  const Cone cone{alpha, 0.5};
  Unilateral of = table_2;
  of.strain_unit = 0.01;
  const double s_C = multiplier_shift<d>(of, moduli, cone);
  // The border of C, u = b + s_C with b = 0, goes through the tip.
  const Vec<d> tip = return_to_cone<d>(Vec<d>::Constant(1.0), moduli, cone).eps;
  BOOST_TEST(std::abs(tip.sum() / std::sqrt(static_cast<double>(d)) / of.strain_unit - s_C) < 4 * u * s_C);
  of.s_C = 0.25;
  BOOST_TEST(multiplier_shift<d>(of, moduli, cone) == 0.25);
  BOOST_TEST(multiplier_shift<d>(of, moduli, {0.0, 0.5}) == 0.25);
  BOOST_CHECK_THROW(multiplier_shift<d>(table_2, moduli, {0.0, 0.5}), std::invalid_argument);
  BOOST_TEST(multiplier_shift<d>(table_2, moduli, 0.0) == 0.0);
}

/// "No effect on the continuous behavior" holds where A covers the cone alone: what lies on the cone and not in A has less
/// stress.
BOOST_AUTO_TEST_CASE(states_on_the_cone_outside_of_region_a_lose_stress) {
  const Vec<2> sheared = return_to_cone<2>(Vec<2>(-.008, .004), moduli, friction_to_slope(30.0 * degree)).eps;
  const Vec<2> full = principal_kirchhoff_stress<2>(sheared, moduli);
  BOOST_TEST(region<2>(sheared, table_2, 0.0) == 'B');
  BOOST_TEST(unilateral_energy<2>(sheared, moduli, table_2, 0.0).value <
             0.999 *
                 (moduli.mu * sheared.squaredNorm() + 0.5 * moduli.lambda * sheared.sum() * sheared.sum()));
  const Vec<2> deep = 3.0 * sheared;
  BOOST_TEST(region<2>(deep, table_2, 0.0) == 'A');
  BOOST_TEST((unilateral_energy<2>(deep, moduli, table_2, 0.0).slope - 3.0 * full).norm() <
             8 * u * full.norm());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
