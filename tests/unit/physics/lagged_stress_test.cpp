// The stress whose return to the cone is left out, and the returned one of the unilateral energy.
#include "reference/physics/stress_derivative.h"

#include "reference/physics/unilateral.h"
#include "tests/unit/physics/fifty_digits.h"
#include "tests/unit/physics/stress_derivative_samples.h"
#include "tests/unit/samples.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <map>
#include <optional>

namespace repose::test {
namespace {

/// Falls between strains of −.2 and −.02: derivatives are those of a smooth function over some hundredths.
const Unilateral wide{.a = -0.2, .b = -0.02, .c0 = 0.8, .s_C = 0.01};

/// Elastic energy of F in fifty digits, its strain shifted by v_c/d.
template <int d>
Big lagged_energy(const BigMat<static_cast<std::size_t>(d)>& F, const Sand& sand, const Unilateral* of) {
  constexpr auto n = static_cast<std::size_t>(d);
  BigMat<n> Ft;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) Ft[a][b] = F[b][a];
  std::array<Big, n> eps = eigenvalues(multiply(F, Ft));
  Big squares = 0, trace = 0;
  for (Big& one : eps) {
    one = log(one) / 2;
    if (sand.material.kind == MaterialKind::sand && sand.material.volume_correction) one += Big(sand.v_c) / d;
    squares += one * one;
    trace += one;
  }
  const Lame moduli = lame(sand.material);
  if (of != nullptr) return unilateral_energy_of(eps, moduli, *of, of->s_C.value());
  return moduli.mu * squares + moduli.lambda * trace * trace / 2;
}

template <int d>
BigMat<static_cast<std::size_t>(d)> along(const BigMat<static_cast<std::size_t>(d)>& F, const Big& share,
                                          const Mat<d>& way) {
  auto moved = F;
  for (int a = 0; a < d; ++a)
    for (int b = 0; b < d; ++b)
      moved[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] += share * way(a, b);
  return moved;
}

template <int d>
char region(const Vec<d>& eps, const Unilateral& of) {
  const OfStrain<d> h = multiplier<d>(eps, of, of.s_C.value());
  return h.value == 1.0 && h.slope.isZero(0.0) ? 'A' : h.value == 0.0 ? 'C' : 'B';
}

/// What stresses and their derivatives are made of at strains of at most 1, roundings of z included.
template <int d>
double stiffness(const Sand& sand, const Unilateral* of) {
  const Lame moduli = lame(sand.material);
  const double stiff = 2.0 * moduli.mu + d * moduli.lambda;
  return of == nullptr ? stiff : 100.0 * stiff;
}

/// Deformations of strains up to a fifth, some with two equal stretches or all.
template <int d>
std::vector<Mat<d>> deformations(Random& random) {
  std::vector<Mat<d>> all;
  for (int n = 0; n < 40; ++n) {
    Vec<d> eps = Vec<d>::Constant(random.between(-0.2, 0.06));
    if (n % 4 > 0) eps += 0.08 * random_shear<d>(random);
    if (n % 4 == 1) eps[1] = eps[0];
    all.push_back(with_strain<d>(eps, random));
  }
  return all;
}

std::vector<Sand> sands() {
  std::vector<Sand> all;
  for (const auto& [kind, v_c] :
       {std::pair{MaterialKind::elastic, 0.0}, {MaterialKind::sand, 0.0}, {MaterialKind::sand, 0.05}})
    all.push_back({sand_of(kind, v_c > 0.0), alpha, v_c});
  return all;
}

BOOST_AUTO_TEST_SUITE(lagged_stress_test)

BOOST_AUTO_TEST_CASE_TEMPLATE(it_is_the_slope_of_the_shifted_energy_and_its_change_the_curvature, D, Dims) {
  constexpr int d = D::d;
  Random random(17);
  std::map<char, int> met;
  for (const Sand& sand : sands())
    for (const Unilateral* of : {static_cast<const Unilateral*>(nullptr), &wide})
      for (const Mat<d>& F : deformations<d>(random)) {
        const ReturnedStress<d> stress = lagged_stress<d>(F, sand.material, sand.cone(), sand.v_c, of);
        const double bound = 100.0 * u * stiffness<d>(sand, of);
        const auto F50 = widen<d>(F);
        const Mat<d> dF = random_matrix<d>(random, 1.0);
        const Mat<d> probe = random_matrix<d>(random, 1.0);
        const Big slope = (lagged_energy<d>(along<d>(F50, big_step, probe), sand, of) -
                           lagged_energy<d>(along<d>(F50, -big_step, probe), sand, of)) /
                          (2 * big_step);
        const auto corner = [&](int i, int j) {
          return lagged_energy<d>(along<d>(along<d>(F50, i * big_step, probe), j * big_step, dF), sand, of);
        };
        const Big bend =
            (corner(1, 1) - corner(1, -1) - corner(-1, 1) + corner(-1, -1)) / (4 * big_step * big_step);
        BOOST_TEST(std::abs(stress.psi - static_cast<double>(lagged_energy<d>(F50, sand, of))) <= bound);
        BOOST_TEST(std::abs(piola_stress<d>(stress).cwiseProduct(probe).sum() - static_cast<double>(slope)) <=
                   bound);
        BOOST_TEST(std::abs(stress_change<d>(stress, dF).cwiseProduct(probe).sum() -
                            static_cast<double>(bend)) <= bound);
        BOOST_TEST((stress.part == Part::elastic));
        Vec<d> eps = hencky_strain<d>(stress.svd);
        if (sand.material.volume_correction) eps += sand.v_c / d * Vec<d>::Ones();
        ++met[region<d>(eps, wide)];
      }
  for (const char part : {'A', 'B', 'C'}) BOOST_TEST(met[part] > 10);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(its_change_is_symmetric_and_that_of_sliding_sand_is_not, D, Dims) {
  constexpr int d = D::d;
  Random random(18);
  const auto asymmetry = [](const ReturnedStress<d>& stress, const Mat<d>& A, const Mat<d>& B) {
    return std::abs(stress_change<d>(stress, A).cwiseProduct(B).sum() -
                    stress_change<d>(stress, B).cwiseProduct(A).sum());
  };
  int sliding = 0;
  for (const Sand& sand : sands())
    for (const Unilateral* of : {static_cast<const Unilateral*>(nullptr), &wide})
      for (const Mat<d>& F : deformations<d>(random)) {
        const Mat<d> A = random_matrix<d>(random, 1.0);
        const Mat<d> B = random_matrix<d>(random, 1.0);
        const ReturnedStress<d> lagged = lagged_stress<d>(F, sand.material, sand.cone(), sand.v_c, of);
        const double size = lagged.dP_dsigma.norm() + lagged.m.norm() + lagged.p.norm();
        BOOST_TEST(asymmetry(lagged, A, B) <= 100.0 * u * size);
        const ReturnedStress<d> returned = returned_stress<d>(F, sand.material, sand.cone(), sand.v_c);
        if (returned.part == Part::surface && asymmetry(returned, A, B) > 1e-4 * size) ++sliding;
      }
  BOOST_TEST(sliding >= 10);  // premise
}

/// T20: grains that are apart by v_c bear nothing until they have closed again, as the return behind the step says. Without
/// the shift a compression by 1 % would push back with (λ + 2μ/d) times .01.
BOOST_AUTO_TEST_CASE_TEMPLATE(separated_grains_do_not_push_before_they_meet, D, Dims) {
  constexpr int d = D::d;
  const Unilateral ends_at_tip{.a = -0.003, .b = 0.0, .c0 = 0.01};
  const Sand apart{sand_of(MaterialKind::sand, true), alpha, 0.05};
  const auto pressure = [&](double v_c, double trace) {
    const Mat<d> F = std::exp(trace / d) * Mat<d>::Identity();
    const auto stress = lagged_stress<d>(F, apart.material, apart.cone(), v_c, &ends_at_tip);
    return -stress.P.cwiseProduct(stress.svd.sigma).sum() / d;
  };
  const Lame moduli = lame(apart.material);
  const double K = moduli.lambda + 2.0 * moduli.mu / d;
  BOOST_TEST(pressure(0.05, -0.01) == 0.0);
  BOOST_TEST(pressure(0.05, -0.0499) == 0.0, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(std::abs(pressure(0.05, -0.06) - 0.01 * K) <= 1e-12 * K);
  BOOST_TEST(std::abs(pressure(0.0, -0.01) - 0.01 * K) <= 1e-12 * K);  // what it would be
}

/// The unilateral stress of the strain that the return leaves: its value from that strain, its change by Richardson's
/// differences, from which the case is kept.
BOOST_AUTO_TEST_CASE_TEMPLATE(returned_unilateral_stress_has_the_derivative_of_its_differences, D, Dims) {
  constexpr int d = D::d;
  Random random(19);
  std::map<Part, int> judged;
  std::map<char, int> met;
  for (const Sand& sand : sands()) {
    const Unilateral* const of = sand.material.kind == MaterialKind::sand ? &wide : nullptr;
    for (const Mat<d>& F : deformations<d>(random)) {
      const auto at = [&](const Mat<d>& moved) {
        return returned_stress<d>(moved, sand.material, sand.cone(), sand.v_c, of);
      };
      const ReturnedStress<d> stress = at(F);
      const Lame moduli = lame(sand.material);
      const double stiff = stiffness<d>(sand, of);
      if (of != nullptr) {
        const Vec<d> eps =
            return_with_memory<d>(hencky_strain<d>(stress.svd), sand.v_c, sand.material, sand.cone()).eps;
        const Vec<d> tau = unilateral_energy<d>(eps, moduli, wide, *wide.s_C).slope;
        const Vec<d> P = tau.array() * (-eps).array().exp();
        BOOST_TEST((stress.P - P).norm() <= 10.0 * u * stiff);
        ++met[region<d>(eps, wide)];
      }
      const Mat<d> dF = random_matrix<d>(random, 1.0);
      constexpr double step = 2e-4;
      const auto central = [&](double share) {
        return Mat<d>((piola_stress<d>(at(F + share * dF)) - piola_stress<d>(at(F - share * dF))) /
                      (2.0 * share));
      };
      bool kept = true;
      for (const double share : {-step, step}) kept = kept && at(F + share * dF).part == stress.part;
      if (!kept) continue;
      ++judged[stress.part];
      const Mat<d> slope = (4.0 * central(0.5 * step) - central(step)) / 3.0;
      // Truncation step⁴/480 times fifth derivatives, of strains of .1; rounding u/step.
      BOOST_TEST((stress_change<d>(stress, dF) - slope).norm() <= 1e-7 * stiff);
    }
  }
  for (const Part part : {Part::elastic, Part::inside, Part::tip, Part::surface})
    BOOST_TEST(judged[part] > 5);
  for (const char part : {'A', 'B', 'C'}) BOOST_TEST(met[part] > 5);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
