#include "reference/physics/drucker_prager.h"

#include "reference/physics/hardening.h"
#include "tests/unit/physics/laws.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <functional>

namespace repose::test {
namespace {

/// One particle under volume changes.
template <int d>
struct Sample {
  Vec<d> eps = Vec<d>::Zero();
  double v_c = 0.0;
  double q = 0.0;
};

/// A rule that takes the state with its trial strain to the state after plasticity.
template <int d>
using Rule = std::function<Sample<d>(const Sample<d>&)>;

const Lame moduli = sand_lame();
const double alpha_30 = friction_to_slope(30.0 * degree);

template <int d>
Vec<d> returned(const Vec<d>& eps) {
  return return_to_cone<d>(eps, moduli, alpha_30).eps;
}

template <int d>
Rule<d> adopted(bool volume_correction) {
  return [volume_correction](const Sample<d>& trial) {
    const auto update = return_with_memory<d>(trial.eps, trial.v_c, volume_correction, moduli, alpha_30);
    return Sample<d>{update.eps, update.v_c, trial.q + update.delta_q};
  };
}

/// The sign as printed in [Tam17 Eq.26]: v_c + log det F_new − log det F̂.
template <int d>
Sample<d> printed_sign(const Sample<d>& trial) {
  const Vec<d> shifted = trial.eps + trial.v_c / d * Vec<d>::Ones();
  const Vec<d> eps = returned<d>(shifted);
  return {eps, trial.v_c + eps.sum() - trial.eps.sum(), trial.q};
}

/// A common variant: the shift is forgotten (strain unshifted, v_c = 0) as soon as the sand holds together
/// again.
template <int d>
Sample<d> forgetting(const Sample<d>& trial) {
  const double trace = trial.eps.sum() + trial.v_c;
  if (trace > 0.0) return {Vec<d>::Zero(), trial.v_c + trial.eps.sum(), trial.q};
  return {returned<d>(trial.eps), 0.0, trial.q};
}

/// Hardening by the shifted strain instead of the unshifted trial.
template <int d>
Sample<d> hardening_by_shifted_strain(const Sample<d>& trial) {
  Sample<d> next = adopted<d>(true)(trial);
  const Vec<d> shifted = trial.eps + trial.v_c / d * Vec<d>::Ones();
  if (shifted.sum() > 0.0) next.q = trial.q + shifted.norm();
  return next;
}

/// Changes ln J by an amount in equal isotropic steps.
template <int d>
Sample<d> change_volume(Sample<d> sample, double log_J, int steps, const Rule<d>& rule) {
  for (int n = 0; n < steps; ++n) {
    sample.eps += log_J / (steps * d) * Vec<d>::Ones();
    sample = rule(sample);
  }
  return sample;
}

/// p/K = −tr ε after ln J: +0.05, then −0.08.
template <int d>
double pressure_after_expansion_and_compression(int steps, const Rule<d>& rule) {
  return -change_volume<d>(change_volume<d>({}, 0.05, steps, rule), -0.08, steps, rule).eps.sum();
}

BOOST_AUTO_TEST_SUITE(volume_correction)

/// Exact p/K: what is compressed beyond the expansion, 0.03.
BOOST_AUTO_TEST_CASE_TEMPLATE(expansion_is_given_back_before_pressure_rises, D, Dims) {
  constexpr int d = D::d;
  for (const int steps : {4, 40, 1024}) {
    // steps · some ten roundings of a strain below 0.08
    const double bound = 10 * 2 * steps * u * 0.08;
    BOOST_TEST(std::abs(pressure_after_expansion_and_compression<d>(steps, adopted<d>(true)) - 0.03) < bound);
    BOOST_TEST(std::abs(pressure_after_expansion_and_compression<d>(steps, adopted<d>(false)) - 0.08) <
               bound);
  }
}

/// The variant that forgets v_c is wrong by up to a step: 0.0320 in 40 steps.
BOOST_AUTO_TEST_CASE(forgetting_the_gained_volume_depends_on_the_step_size) {
  const Rule<3> rule = forgetting<3>;
  BOOST_TEST(std::abs(pressure_after_expansion_and_compression<3>(40, rule) - 0.0320) < 5e-5);
  BOOST_TEST(std::abs(pressure_after_expansion_and_compression<3>(4, rule) - 0.0400) < 5e-5);
  BOOST_TEST(std::abs(pressure_after_expansion_and_compression<3>(1024, rule) - 0.0301) < 5e-5);
}

/// Printed, the sign makes the correction grow without end in a particle that has separated and rests.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_printed_sign_grows_at_rest_and_the_adopted_one_is_consumed, D, Dims) {
  constexpr int d = D::d;
  const auto out_and_back = [](const Rule<d>& rule) {
    return change_volume<d>(change_volume<d>({}, 0.01, 1, rule), -0.01, 1, rule);
  };
  const Sample<d> good = out_and_back(adopted<d>(true));
  BOOST_TEST(good.eps.norm() < 4 * u * 0.01);
  BOOST_TEST(std::abs(good.v_c) < 4 * u * 0.01);

  Sample<d> bad = out_and_back(printed_sign<d>);
  double previous = std::abs(bad.v_c);
  BOOST_TEST(previous > 0.0099);
  for (int step = 0; step < 20; ++step) {
    bad = printed_sign<d>(bad);
    BOOST_TEST(std::abs(bad.v_c) > 1.9 * previous);  // doubles every step
    previous = std::abs(bad.v_c);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(strain_and_correction_add_up_to_the_total_change_of_volume, D, Dims) {
  constexpr int d = D::d;
  std::mt19937_64 random(21);
  Sample<d> sample;
  double total = 0.0;
  for (int step = 0; step < 500; ++step) {
    const Vec<d> change = draw_vector<d>(random, -0.01, 0.01);
    total += change.sum();
    sample.eps += change;
    sample = adopted<d>(true)(sample);
    BOOST_TEST(sample.v_c >= 0.0);
    BOOST_TEST(sample.v_c * sample.eps.norm() == 0.0);  // either separated and free of stress, or in contact
    BOOST_TEST(std::abs(sample.eps.sum() + sample.v_c - total) < 10 * u * (step + 1) * 0.1);
  }
}

/// q must not grow while nothing moves. d = 2, v_c = 0.05: q stays at 0.035; with the shifted strain it
/// reaches 35.4.
BOOST_AUTO_TEST_CASE(a_separated_particle_at_rest_does_not_harden) {
  Sample<2> good = change_volume<2>({}, 0.05, 1, adopted<2>(true));
  Sample<2> bad = good;
  const double separated = 0.05 / std::sqrt(2.0);  // ‖(0.025, 0.025)‖
  BOOST_TEST(std::abs(good.q - separated) < 4 * u);
  for (int step = 0; step < 1000; ++step) {
    good = adopted<2>(true)(good);
    bad = hardening_by_shifted_strain<2>(bad);
  }
  BOOST_TEST(std::abs(good.q - separated) < 4 * u);
  BOOST_TEST(std::abs(bad.q - 35.4) < 0.05);
}

BOOST_AUTO_TEST_CASE(hardening_by_separation_does_not_depend_on_the_step_size) {
  struct Row {
    int steps;
    double shifted;
  };
  for (const Row row : {Row{10, 0.19}, Row{100, 1.8}, Row{1000, 17.7}}) {
    BOOST_TEST(std::abs(change_volume<2>({}, 0.05, row.steps, adopted<2>(true)).q - 0.0354) < 5e-5);
    const double bad = change_volume<2>({}, 0.05, row.steps, hardening_by_shifted_strain<2>).q;
    BOOST_TEST(std::abs(bad - row.shifted) < 0.05);
  }
}

BOOST_AUTO_TEST_CASE(without_correction_v_c_stays_zero) {
  const auto update = return_with_memory<3>(Vec<3>(0.1, 0.1, 0.1), 0.0, false, moduli, alpha_30);
  BOOST_TEST(update.v_c == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
