/// Bounds of cohesive sand and of the unilateral energy.
#include "reference/interface/base/symmetric_eigen.h"
#include "reference/interface/methods/mpm.h"
#include "reference/mpm/stress.h"
#include "tests/unit/validation/crosscheck_bounds.h"
#include "validation/crosscheck/mpm/stress_bounds.h"
#include "validation/mechanics/unilateral.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

#include <map>
#include <numbers>

using namespace repose;
using namespace repose::crosscheck;

namespace {

/// A wet grain with F = diag(e^first, e^second) before its return.
Ran returned(Material wet, double first, double second, double v_c, const Candidate& c) {
  Grain grain;
  grain.c.scene.materials = {std::move(wet)};
  Snapshot at = state_at(grain, boundary::update);
  at.get(field::F_trial).value = {std::exp(first), 0.0, 0.0, std::exp(second)};
  at.get(field::v_c).value = {v_c};
  return {grain, at, boundary::plasticity, c};
}

Material wet_sand() {
  Material m = sand(30.0);
  m.cohesion = 1500.0;
  m.volume_correction = true;
  return m;
}

/// α at 30° and e_c in 2D, with their errors.
struct Tip {
  double alpha, e_c, error;
};
Tip tip_of(const Material& m, const Candidate& c) {
  const double alpha = std::sqrt(2.0 / 3.0) * 2.0 * 0.5 / 2.5;
  const double phi_error = both(5.0, c) * m.friction.h0;
  const double alpha_error = 1.5 * std::sqrt(2.0 / 3.0) * phi_error + both(6.0, c) * alpha;
  const Lame of = lame(m);
  const double e_c = m.cohesion / (alpha * (2.0 * of.lambda + 2.0 * of.mu));
  return {alpha, e_c, e_c * (2.0 * alpha_error / alpha + both(6.0, c))};
}

Tensor symmetric(std::mt19937_64& random, int dim) {
  const auto draw = [&] { return static_cast<double>(random() >> 11) * 0x1p-52 - 1.0; };
  Tensor E = Tensor::Zero();
  for (int a = 0; a < dim; ++a)
    for (int b = a; b < dim; ++b) E(a, b) = E(b, a) = draw();
  return E;
}

/// exp of a symmetric strain, d × d.
template <int d>
Mat<d> stretch(const Tensor& strain) {
  const Eigen::SelfAdjointEigenSolver<Mat<d>> eigen(Mat<d>(strain.topLeftCorner<d, d>()));
  const Vec<d> values = eigen.eigenvalues().array().exp();
  return eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
}

/// The largest share of its bound that a change of strain by just its error took, by region.
template <int d>
std::map<char, double> largest_shares(const Unilateral& of) {
  Scene scene;
  scene.grid.dim = d;
  scene.scheme = MpmOptions{.energy = Energy::unilateral};
  scene.materials = {sand(30.0)};
  scene.materials[0].unilateral = of;
  const Arithmetic arithmetic{.u_candidate = float_unit, .u_reference = double_unit};
  Snapshot state;
  state.fields = method::state_at_rest(method::mpm, d, 1);
  std::mt19937_64 random(5);
  std::map<char, double> shares;
  for (int sample = 0; sample < 600; ++sample) {
    // On the axis and beside it, from well before the fall to well behind it.
    const double z = -0.2 + 1.4 * sample / 600.0;
    const double root = std::sqrt(static_cast<double>(d));
    const Tensor shear = sample % 3 * 0.3 * std::abs(of.a) * of.strain_unit * symmetric(random, d);
    const Tensor mean = (of.a + z * (of.b - of.a)) * of.strain_unit / root * identity(d);
    const Mat<d> F = stretch<d>(mean + shear);
    for (int a = 0; a < d; ++a)
      for (int b = 0; b < d; ++b) state.get(field::F).value[static_cast<std::size_t>(a * d + b)] = F(a, b);
    Tensor wide = Tensor::Zero();
    wide.topLeftCorner<d, d>() = F;
    const Strain s = strain(wide, d);
    const double off = error_of_forming(arithmetic, wide, s, d);
    const double bound = stress_error(scene, arithmetic, state, 0).error;
    Particle<d> p;
    p.F = F;
    const Mat<d> tau = elastic_stress<d>(p, scene).tau;
    for (int way = 0; way < 8; ++way) {
      const Tensor E = symmetric(random, d);
      p.F = stretch<d>(Tensor(s.log + off / E.norm() * E));
      const double moved = (elastic_stress<d>(p, scene).tau - tau).norm();
      const double place = multiplier_place(scene, state, 0);
      const char region = place < 0.0 ? 'A' : place > 1.0 ? 'C' : 'B';
      BOOST_TEST(moved <= bound);
      if (bound > 0.0) shares[region] = std::max(shares[region], moved / bound);
    }
  }
  return shares;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_cohesion_bounds)

/// ln F̂ = (.03, .02) and v_c = .004 lie beyond the tip: what is left is e_c/2 in both directions.
BOOST_DATA_TEST_CASE(a_wet_grain_at_its_tip, boost::unit_test::data::make(candidates), c) {
  const Material m = wet_sand();
  const Tip tip = tip_of(m, c);
  const Ran ran = returned(m, 0.03, 0.02, 0.004, c);
  BOOST_TEST(ran.after.get(field::plastic_case).value[0] == 2.0);
  const double roundings = strain_roundings(2), kappa = std::exp(0.02), norm = std::hypot(0.03, 0.02);
  const double eps = from_F(roundings, c) * kappa, scale = norm + 0.004, root = std::sqrt(2.0);
  const double along = tip.e_c / root;
  BOOST_TEST(near(ran.bound(field::F, 0).carried, tip.error / root + both(3.0, c) * along));
  const double way = std::hypot(0.03 - tip.e_c / 2.0, 0.02 - tip.e_c / 2.0);
  BOOST_TEST(near(ran.bound(field::q, 0).carried,
                  eps + tip.error / root + both(4.0, c) * way + both(3.0, c) * along));
  BOOST_TEST(ran.bound(field::q, 0).tie == 0.0);
  const double trace_error = root * eps + both(4.0, c) * scale;
  BOOST_TEST(near(ran.bound(field::v_c, 0).carried, trace_error + tip.error + both(1.0, c) * scale));
  BOOST_TEST(near(ran.bound(field::v_c, 0).rounding, both(4.0, c) * scale));
}

/// Whether a gap opens or closes is decided by the unshifted trace against e_c: next to it by rounding.
BOOST_DATA_TEST_CASE(opening_or_closing_is_a_tie_next_to_the_tip_alone,
                     boost::unit_test::data::make(candidates), c) {
  Material m = wet_sand();
  const Tip tip = tip_of(m, c);
  const double shear = 0.01;
  const auto tie = [&](double beyond) {
    Ran ran = returned(m, 0.5 * (tip.e_c + beyond) + shear, 0.5 * (tip.e_c + beyond) - shear, 0.05, c);
    BOOST_TEST(ran.after.get(field::plastic_case).value[0] == 2.0);
    BOOST_TEST((ran.counters["undecided hardening"] == 1.0) == (ran.bound(field::q, 0).tie > 0.0));
    return ran.bound(field::q, 0).tie;
  };
  BOOST_TEST(near(tie(0.0), shear * std::sqrt(2.0)));
  BOOST_TEST(tie(-1e-3) == 0.0);
  BOOST_TEST(tie(1e-3) == 0.0);
  m.hardening_apart = HardeningApart::opening_and_closing;
  BOOST_TEST(tie(0.0) == 0.0);
}

/// A cone without a tip decides by shear alone, however large the tension.
BOOST_DATA_TEST_CASE(a_cone_without_a_tip_is_never_undecided_about_it,
                     boost::unit_test::data::make(candidates), c) {
  Material clay = sand(0.0);
  clay.cohesion = 1500.0;
  clay.von_mises = true;
  Ran ran = returned(clay, 0.2, 0.2, 0.0, c);
  BOOST_TEST(ran.after.get(field::plastic_case).value[0] == 1.0);
  BOOST_TEST(ran.counters["undecided plastic case"] == 0.0);
  BOOST_TEST(ran.bound(field::v_c, 0).total() == 0.0);
}

/// No strain within its error leaves the bound of the stress, and the bound is not of another size.
BOOST_AUTO_TEST_CASE(the_unilateral_stress_stays_within_its_bound_wherever_the_strain_is) {
  const Unilateral sets[] = {{.a = -0.003, .b = 0.0, .c0 = 0.01},
                             {.a = -0.02, .b = 0.0, .c0 = 1.1},
                             {.a = -0.5, .b = 0.0, .c0 = 2.0, .s_C = {}, .strain_unit = 0.01}};
  for (const Unilateral& of : sets) {
    for (auto shares : {largest_shares<2>(of), largest_shares<3>(of)}) {
      BOOST_TEST(shares['A'] > 0.2);
      BOOST_TEST(shares['B'] > 0.05);
    }
  }
}

/// ‖∂z/∂ε‖ and ‖∂²z/∂ε²‖ by differences along many ways: never more than stated, and somewhere not much less.
BOOST_AUTO_TEST_CASE(the_place_in_the_fall_changes_at_most_as_stated) {
  const Unilateral of{.a = -1.5, .b = 0.2, .c0 = 1.7, .s_C = {}, .strain_unit = 0.01};
  std::mt19937_64 random(6);
  for (const int dim : {2, 3}) {
    double most_slope = 0.0, most_bend = 0.0;
    const auto place = [&](const Tensor& log) {
      const Tensor dev = log - log.trace() / dim * identity(dim);
      return mechanics::multiplier_place(of, 0.1, dim, log.trace(), dev.norm(), 0.0);
    };
    for (int sample = 0; sample < 2000; ++sample) {
      const Tensor log = 0.02 * sample / 2000.0 * symmetric(random, dim);
      const Tensor way = symmetric(random, dim).normalized();
      const double step = 1e-5;
      const auto here = place(log), ahead = place(log + step * way), behind = place(log - step * way);
      const double slope = std::abs(ahead.z - behind.z) / (2.0 * step);
      const double bend = std::abs(ahead.z - 2.0 * here.z + behind.z) / (step * step);
      BOOST_TEST(slope <= here.slope * (1.0 + 1e-4));
      BOOST_TEST(bend <= here.bend * (1.0 + 1e-2) + 1.0);
      most_slope = std::max(most_slope, slope / here.slope);
      if (here.bend > 1e3) most_bend = std::max(most_bend, bend / here.bend);
    }
    BOOST_TEST(most_slope > 0.8);
    BOOST_TEST(most_bend > 0.5);
  }
}

/// Bounds of h′ and h″ over an interval: those of a fine net in it, and no more than half as much again where it is short.
BOOST_AUTO_TEST_CASE(the_fall_is_bounded_over_an_interval) {
  for (const double around : {1e-6, 0.01, 0.3})
    for (double z = -0.5; z < 1.5; z += 0.013) {
      double slope = 0.0, bend = 0.0;
      for (int n = -200; n <= 200; ++n) {
        const double at = z + around * n / 200.0;
        if (at <= 0.0 || at >= 1.0) continue;
        slope = std::max(slope, 30.0 * at * at * (1.0 - at) * (1.0 - at));
        bend = std::max(bend, std::abs(60.0 * at * (1.0 - at) * (1.0 - 2.0 * at)));
      }
      BOOST_TEST(mechanics::fall_slope(z, around) >= slope - 1e-12);
      BOOST_TEST(mechanics::fall_bend(z, around) >= bend - 1e-12);
      BOOST_TEST(mechanics::fall_slope(z, around) <= slope * (1.0 + 1e-4) + 1e-3);
      if (around < 1e-3) BOOST_TEST(mechanics::fall_bend(z, around) <= bend + 1e-3);
    }
}

BOOST_AUTO_TEST_SUITE_END()
