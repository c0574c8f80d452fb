/// Bounds of places, strains and the return mapping, worked out by hand.
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "tests/unit/validation/crosscheck_bounds.h"
#include "validation/mechanics/stencil.h"

#include <boost/test/data/test_case.hpp>

#include <Eigen/LU>

#include <algorithm>

namespace {

using namespace repose;
using namespace repose::crosscheck;

/// Roundings of a plane strain formed from F: 4 · 6 of the sweeps, 12 of the products.
constexpr double roundings = 36.0;

double of_F(double m, const Candidate& c) {
  return gamma_of(m, double_unit) + (c.strain == "F" ? gamma_of(m, c.unit) : 0.0);
}
double of_strain(double m, const Candidate& c) { return c.strain == "hencky" ? gamma_of(m, c.unit) : 0.0; }

/// What a stored strain loses to a function f of X: a series up to ‖X‖ = ¼, eigenvectors beyond.
double of_function(const Candidate& c, double X, double f, double slope) {
  return X <= 0.25 ? of_strain(4.0, c) * f : of_strain(16.0, c) * (f + slope * X);
}

/// A grain between G2P and its update, or between update and plasticity, with this diagonal F or F̂.
Snapshot strained(const Grain& grain, Boundary at, double first, double second) {
  Snapshot state = state_at(grain, at);
  state.get(at == boundary::update ? field::F_trial : field::F).value = {first, 0.0, 0.0, second};
  return state;
}

Carried all_carried(std::string_view name, std::size_t count, double error) {
  return {{std::string(name), std::vector<double>(count, error)}};
}

struct Sand {
  double k, alpha;
};
Sand constants(const Material& m, double angle) {
  const Lame l = lame(m);
  return {(l.lambda + l.mu) / l.mu, std::sqrt(2.0 / 3.0) * 2.0 * std::sin(angle) / (3.0 - std::sin(angle))};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_particle_bounds)

/// Six sweeps of d(d − 1)/2 rotations with four roundings each, and two products of 2d + 2; kernels bend as their second
/// and third derivatives say.
BOOST_AUTO_TEST_CASE(numbers_of_roundings_and_bends_in_two_and_three_dimensions) {
  BOOST_TEST(strain_roundings(2) == 24.0 + 12.0);
  BOOST_TEST(strain_roundings(3) == 72.0 + 16.0);
  BOOST_TEST(weight_bend(2) == 4.0);
  BOOST_TEST(weight_bend(3) == 9.0);
  BOOST_TEST(gradient_bend(Kernel::quadratic, 3, 0.01) == 9.0 * 0.01);
  BOOST_TEST(near(gradient_bend(Kernel::cubic, 3, 0.01), 1.5 * 9.0 * 1e-4));
  BOOST_TEST(near(gradient_bend(Kernel::cubic, 2, 0.01), 1.5 * 4.0 * 1e-4));
}

BOOST_DATA_TEST_CASE(places_move_by_a_velocity_that_is_known, boost::unit_test::data::make(candidates), c) {
  const Grain grain;
  Snapshot at = strained(grain, boundary::g2p, 1.0, 1.0);
  at.get(field::v_bar).value = {2.0, -1.0};
  const double e = 1e-9;
  const Ran ran(grain, at, boundary::update, c, all_carried(field::v_bar, 2, e));
  for (std::size_t a = 0; a < 2; ++a) {
    const Bound& x = ran.bound(field::x, a);
    BOOST_TEST(near(x.rounding, both(3.0, c) * Grain::dt * (a == 0 ? 2.0 : 1.0)));
    BOOST_TEST(near(x.position, 2.0 * Grain::dx(c)));
    BOOST_TEST(near(x.carried, Grain::dt * std::sqrt(2.0) * e));
    BOOST_TEST(x.underflow + x.tie == 0.0);
  }
}

/// Large strains go through eigenvectors, small ones through series.
BOOST_DATA_TEST_CASE(trial_strains,
                     boost::unit_test::data::make(candidates) * boost::unit_test::data::make({0.2, 0.01}), c,
                     size) {
  const Grain grain;
  Snapshot at = strained(grain, boundary::g2p, std::exp(size), std::exp(-size));
  at.get(field::grad_v).value = {1.0, -2.0, 0.5, 3.0};
  const double e_grad = 1e-7, e_F = 1e-8;
  Carried carried = all_carried(field::grad_v, 4, e_grad);
  carried.merge(all_carried(field::F, 4, e_F));
  const Ran ran(grain, at, boundary::update, c, carried);
  Eigen::Matrix2d A, F;
  A << 1.0, -2.0, 0.5, 3.0;
  A *= Grain::dt;
  F << std::exp(size), 0.0, 0.0, std::exp(-size);
  const Eigen::Matrix2d B = Eigen::Matrix2d::Identity() + A, F_hat = B * F, b = F_hat * F_hat.transpose();
  // Eigenvalues of b̂ from trace and determinant.
  const double half = 0.5 * b.trace(), root = std::sqrt(half * half - b.determinant());
  const double kappa = (half + root) / (half - root), least = half - root;
  const double strain = 0.5 * std::hypot(std::log(half + root), std::log(half - root));
  const double growth = B.squaredNorm() * F.squaredNorm() / b.norm();
  const double a2 = (1.0 + A.norm()) * (1.0 + A.norm());
  const double stretch = std::hypot(std::expm1(2.0 * size), std::expm1(-2.0 * size));
  const double M = a2 * stretch + 2.0 * A.norm() + A.squaredNorm();
  const double X_error = a2 * of_function(c, 2.0 * std::sqrt(2.0) * size, stretch, std::exp(2.0 * size)) +
                         of_strain(10.0, c) * M;
  const double kept = 0.5 * X_error / least +
                      of_function(c, (b - Eigen::Matrix2d::Identity()).norm(), strain, 1.0 / least) +
                      of_strain(1.0, c) * strain;
  for (std::size_t i = 0; i < 4; ++i) {
    const Bound& bound = ran.bound(field::F_trial, i);
    BOOST_TEST(near(bound.rounding, of_F(16.0, c) * growth * kappa + kept));
    BOOST_TEST(
        near(bound.carried, from_F(roundings, c) * kappa +
                                Grain::dt * 2.0 * e_grad * B.norm() * F.squaredNorm() / b.norm() * kappa +
                                2.0 * e_F * growth * kappa));
    BOOST_TEST(bound.position + bound.underflow + bound.tie == 0.0);
  }
  // The point of a stored strain: what is lost is a part of the strain and of its change.
  if (c.strain == "hencky" && c.unit == float_unit && size < 0.1)
    BOOST_TEST(ran.bound(field::F_trial, 0).rounding < 60.0 * float_unit * (strain + A.norm()));
}

BOOST_DATA_TEST_CASE(a_grain_that_sticks_to_its_neighbours, boost::unit_test::data::make(candidates), c) {
  const Grain grain;
  Snapshot at = strained(grain, boundary::update, std::exp(-0.019), std::exp(-0.021));
  at.get(field::q).value = {0.5};
  const double e = 1e-9;
  const Ran ran(grain, at, boundary::plasticity, c, all_carried(field::F_trial, 4, e));
  BOOST_TEST(ran.after.get(field::plastic_case).value[0] == 1.0);
  const double norm = std::hypot(0.019, 0.021), kappa = std::exp(2.0 * 0.002);
  const Bound& F = ran.bound(field::F, 0);
  BOOST_TEST(near(F.carried, from_F(roundings, c) * kappa + 2.0 * e + both(2.0, c) * norm));
  BOOST_TEST(near(F.rounding, from_F(roundings, c) * kappa));
  BOOST_TEST(F.tie == 0.0);
  const Bound& q = ran.bound(field::q, 0);
  BOOST_TEST(near(q.total(), both(2.0, c) * 0.5));
  BOOST_TEST(ran.bound(field::v_c, 0).total() == 0.0);
  BOOST_TEST(ran.bound(field::plastic_case, 0).total() == 0.0);
}

BOOST_DATA_TEST_CASE(a_grain_that_leaves_its_neighbours, boost::unit_test::data::make(candidates), c) {
  const Grain grain;
  Snapshot at = strained(grain, boundary::update, std::exp(0.02), std::exp(0.01));
  at.get(field::q).value = {0.5};
  const double e = 1e-9, e_q = 1e-8;
  Carried carried = all_carried(field::F_trial, 4, e);
  carried.merge(all_carried(field::q, 1, e_q));
  const Ran ran(grain, at, boundary::plasticity, c, carried);
  BOOST_TEST(ran.after.get(field::plastic_case).value[0] == 2.0);
  const double norm = std::hypot(0.02, 0.01), kappa = std::exp(2.0 * 0.01);
  const Bound& F = ran.bound(field::F, 0);
  BOOST_TEST(F.carried == 0.0);  // no strain is left
  BOOST_TEST(near(F.rounding, from_F(roundings, c) * kappa));
  const Bound& q = ran.bound(field::q, 0);
  BOOST_TEST(near(q.carried, from_F(roundings, c) * kappa + 2.0 * e + both(4.0, c) * norm + e_q));
  BOOST_TEST(near(q.rounding, both(2.0, c) * (0.5 + norm)));
  BOOST_TEST(q.tie == 0.0);
}

/// With hardening and volume correction: every error there is.
BOOST_DATA_TEST_CASE(a_grain_that_slides_along_its_neighbours, boost::unit_test::data::make(candidates), c) {
  Grain grain;
  Material m = hardening_sand();
  m.volume_correction = true;
  grain.c.scene.materials = {m};
  Snapshot at = strained(grain, boundary::update, std::exp(0.03), std::exp(-0.06));
  at.get(field::q).value = {0.5};
  at.get(field::v_c).value = {0.004};
  const double e = 1e-9, e_q = 1e-8, e_v = 3e-9;
  Carried carried = all_carried(field::F_trial, 4, e);
  carried.merge(all_carried(field::q, 1, e_q));
  carried.merge(all_carried(field::v_c, 1, e_v));
  const Ran ran(grain, at, boundary::plasticity, c, carried);
  BOOST_TEST(ran.after.get(field::plastic_case).value[0] == 3.0);
  const FrictionLaw& law = m.friction;
  const double fade = std::exp(-law.h2 * 0.5), size = law.h1 * 0.5 + law.h3;
  const double phi = law.h0 + (law.h1 * 0.5 - law.h3) * fade;
  const double phi_error =
      both(5.0, c) * (law.h0 + size * fade * (1.0 + law.h2 * 0.5)) + e_q * (law.h1 + size * law.h2) * fade;
  const auto [k, alpha] = constants(m, phi);
  const double alpha_error = 1.5 * std::sqrt(2.0 / 3.0) * phi_error + both(6.0, c) * alpha;
  const double kappa = std::exp(2.0 * 0.09), norm = std::hypot(0.03, 0.06), scale = norm + 0.004;
  const double eps = from_F(roundings, c) * kappa + 2.0 * e;
  const double trace = 0.03 - 0.06 + 0.004, dev = 0.045 * std::sqrt(2.0);
  const double trace_error = std::sqrt(2.0) * eps + e_v + both(4.0, c) * scale;
  const double dev_error = eps + both(6.0, c) * scale;
  const double slip = dev + k * trace * alpha;
  const double slip_error =
      dev_error + k * (-trace * alpha_error + alpha * trace_error) + both(8.0, c) * (dev - k * trace * alpha);
  const double radius = -k * alpha * trace;
  const Bound& F = ran.bound(field::F, 0);
  BOOST_TEST(near(F.carried, trace_error / std::sqrt(2.0) + k * (alpha * trace_error - trace * alpha_error) +
                                 radius * 2.0 * dev_error / dev + both(12.0, c) * scale));
  BOOST_TEST(near(F.rounding, from_F(roundings, c) * kappa));
  BOOST_TEST(F.tie == 0.0);
  const Bound& q = ran.bound(field::q, 0);
  BOOST_TEST(near(q.carried, slip_error + e_q));
  BOOST_TEST(near(q.rounding, both(2.0, c) * (0.5 + slip)));
  // All of v_c is consumed, in every solver.
  BOOST_TEST(ran.bound(field::v_c, 0).total() == 0.0);
}

/// Elastic bodies are not mapped: everything passes through, q and v_c rounded once.
BOOST_DATA_TEST_CASE(a_grain_of_an_elastic_body, boost::unit_test::data::make(candidates), c) {
  Grain grain;
  grain.c.scene.materials[0].kind = MaterialKind::elastic;
  Snapshot at = strained(grain, boundary::update, std::exp(0.03), std::exp(-0.06));
  at.get(field::q).value = {0.5};
  at.get(field::v_c).value = {0.004};
  const double e = 1e-9;
  const Ran ran(grain, at, boundary::plasticity, c, all_carried(field::F_trial, 4, e));
  BOOST_TEST(ran.after.get(field::plastic_case).value[0] == 0.0);
  const double kappa = std::exp(2.0 * 0.09), norm = std::hypot(0.03, 0.06);
  const double stored = c.strain == "hencky" ? gamma_of(1.0, c.unit) * norm : 0.0;
  const Bound& F = ran.bound(field::F, 0);
  BOOST_TEST(near(F.carried, 2.0 * e));
  BOOST_TEST(near(F.rounding, from_F(roundings, c) * kappa + stored));
  BOOST_TEST(near(ran.bound(field::q, 0).total(), both(1.0, c) * 0.5));
  BOOST_TEST(near(ran.bound(field::v_c, 0).total(), both(1.0, c) * 0.004));
  BOOST_TEST(ran.bound(field::plastic_case, 0).total() == 0.0);
}

/// On the cone: inside or at its surface, as rounding likes; the strain is the same.
BOOST_DATA_TEST_CASE(a_grain_on_the_cone_is_undecided, boost::unit_test::data::make(candidates), c) {
  const Grain grain;
  const Material& m = grain.c.scene.materials[0];
  const auto [k, alpha] = constants(m, m.friction.h0);
  const double p = 0.01, s = k * alpha * 2.0 * p / std::sqrt(2.0);
  const Ran ran(grain, strained(grain, boundary::update, std::exp(s - p), std::exp(-s - p)),
                boundary::plasticity, c);
  Counters counted = ran.counters;
  BOOST_TEST(counted["undecided plastic case"] == 1.0);
  BOOST_TEST(counted["undecided for want of strain"] == 0.0);
  BOOST_TEST(ran.bound(field::plastic_case, 0).tie == 3.0);
  const double kappa = std::exp(4.0 * s), scale = std::hypot(s - p, s + p), dev = s * std::sqrt(2.0);
  const double eps = from_F(roundings, c) * kappa;
  const double trace_error = std::sqrt(2.0) * eps + both(4.0, c) * scale;
  const double alpha_error = 1.5 * std::sqrt(2.0 / 3.0) * both(5.0, c) * m.friction.h0 + both(6.0, c) * alpha;
  const double slip_error = eps + both(6.0, c) * scale + k * (2.0 * p * alpha_error + alpha * trace_error) +
                            both(8.0, c) * 2.0 * dev;
  BOOST_TEST(near(ran.bound(field::F, 0).tie, trace_error * (1.0 + k * alpha) + slip_error));
  BOOST_TEST(ran.bound(field::q, 0).tie < slip_error);
  BOOST_TEST(near(ran.bound(field::q, 0).carried, slip_error));
}

/// Sand that has never moved is inside in a solver that stores F. One that stores ε may hand out as F = 1 what it knows as
/// a strain of 10⁻³⁴: that is no more than rounding, and of no account.
BOOST_DATA_TEST_CASE(undeformed_sand_is_decided, boost::unit_test::data::make(candidates), c) {
  const Grain grain;
  const auto undecided = [&](double first, std::string_view counter) {
    Ran ran(grain, strained(grain, boundary::update, first, 1.0), boundary::plasticity, c);
    return ran.counters[std::string(counter)];
  };
  BOOST_TEST(undecided(1.0, "undecided plastic case") == (c.strain == "F" ? 0.0 : 1.0));
  BOOST_TEST(undecided(1.0, "undecided for want of strain") == undecided(1.0, "undecided plastic case"));
  BOOST_TEST(undecided(1.0 + 0x1p-51, "undecided plastic case") == 1.0);
  BOOST_TEST(undecided(1.0 + 0x1p-51, "undecided for want of strain") == 1.0);
  BOOST_TEST(undecided(1.0 + 0x1p-30, "undecided plastic case") ==
             (c.unit == float_unit && c.strain == "F" ? 1.0 : 0.0));
}

BOOST_DATA_TEST_CASE(what_is_only_stored, boost::unit_test::data::make(candidates), c) {
  const Grain grain;
  const Arithmetic arithmetic = grain.arithmetic_with(c);
  const auto stored = [&](std::string_view name, int components, std::vector<double> values) {
    return stored_bound(grain.c.scene, arithmetic,
                        {std::string(name), "", Place::particle, components, std::move(values)});
  };
  BOOST_TEST(near(stored(field::x, 2, {3.0, 1.0}).bound[0].total(), Grain::dx(c)));
  BOOST_TEST(near(stored(field::v, 2, {-3.0, 0.0}).bound[0].total(), both(3.0, c) * 3.0));
  BOOST_TEST(stored(field::v, 2, {-3.0, 0.0}).bound[1].total() == arithmetic.smallest);
  BOOST_TEST(stored(field::material, 1, {1.0}).bound[0].total() == 0.0);
  const double size = 0.01, kappa = std::exp(4.0 * size);
  const FieldBound F = stored(field::F, 4, {std::exp(size), 0.0, 0.0, std::exp(-size)});
  for (const Bound& one : F.bound)
    BOOST_TEST(near(one.total(), from_F(roundings, c) * kappa + of_strain(1.0, c) * std::sqrt(2.0) * size));
  BOOST_TEST(stored(field::F, 4, {1.0, 0.0, 0.0, 1.0}).bound[0].total() == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
