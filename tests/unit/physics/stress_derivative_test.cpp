#include "reference/physics/stress_derivative.h"

#include "tests/unit/physics/stress_derivative_mistakes.h"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include <map>
#include <stdexcept>

namespace repose {
namespace {

using namespace test;

/// The change of stress of a sample along one direction in fifty digits.
template <int d>
struct Expected {
  Sample<d> sample;
  Mat<d> dF, dP;
  Part part;
};

template <int d>
struct Oracle {
  std::vector<Expected<d>> list;
  int unjudged = 0;  ///< states that rounding puts on the other side of the cone than fifty digits do
};

/// All samples, each along two directions, on the side of the case that the adopted form takes.
template <int d>
const Oracle<d>& oracle() {
  static const Oracle<d> result = [] {
    Oracle<d> found;
    Random random(7);
    for (const Sample<d>& sample : samples<d>()) {
      const Part part = adopted<d>(sample.F, sample.sand).part;
      for (int n = 0; n < 2; ++n) {
        Expected<d> one{sample, random_matrix<d>(random, 1.0), Mat<d>::Zero(), part};
        if (test::fifty_derivative<d>(sample.F, one.dF, sample.sand, part, one.dP)) {
          found.list.push_back(one);
        } else {
          ++found.unjudged;
        }
      }
    }
    return found;
  }();
  return result;
}

/// Largest error in units of the bound, and how often each case was judged.
struct Verdict {
  double worst = 0.0;
  std::string where;
  std::map<Part, int> judged;
};

template <int d>
Verdict judge(const Derivative<d>& derivative) {
  Verdict verdict;
  for (const Expected<d>& one : oracle<d>().list) {
    const Sample<d>& sample = one.sample;
    const ReturnedStress<d> stress = derivative(sample.F, sample.sand);
    ++verdict.judged[one.part];
    const double ratio = (stress_change<d>(stress, one.dF) - one.dP).cwiseAbs().maxCoeff() / bound<d>(sample);
    if (!(ratio <= verdict.worst)) {
      verdict.worst = ratio;
      verdict.where =
          fmt::format("{} (v_c {}, case {})", sample.why, sample.sand.v_c, static_cast<int>(one.part));
    }
  }
  return verdict;
}

/// Both sides of the bound: the adopted form within it in every case, every planted mistake far beyond.
template <int d>
void judge_all() {
  const Verdict right = judge<d>(adopted<d>);
  BOOST_TEST_MESSAGE(
      fmt::format("{}D  {:64} error/bound {:9.3g}  at {}", d, "adopted", right.worst, right.where));
  BOOST_TEST(right.worst <= 1.0);
  for (const Part part : {Part::elastic, Part::inside, Part::tip, Part::surface}) {
    BOOST_TEST(right.judged.at(part) >= 50);
  }
  BOOST_TEST(oracle<d>().unjudged <= 14);  // of those on the cone, to rounding, of four kinds of sand

  for (const Planted<d>& plant : planted<d>()) {
    const Verdict wrong = judge<d>(plant.derivative);
    BOOST_TEST_MESSAGE(
        fmt::format("{}D  {:64} error/bound {:9.3g}  at {}", d, plant.mistake, wrong.worst, wrong.where));
    BOOST_TEST(wrong.worst > 10.0, plant.mistake << " passes");
  }
}

BOOST_AUTO_TEST_SUITE(stress_derivative_test)

BOOST_AUTO_TEST_CASE(derivative_agrees_with_fifty_digits_and_planted_mistakes_do_not_2d) { judge_all<2>(); }
BOOST_AUTO_TEST_CASE(derivative_agrees_with_fifty_digits_and_planted_mistakes_do_not_3d) { judge_all<3>(); }

/// The tools of the planted mistakes add none of their own.
template <int d>
void rebuild() {
  const Derivative<d> rebuilt = [](const Mat<d>& F, const Sand& sand) {
    const ReturnedStress<d> stress = adopted<d>(F, sand);
    return with_return<d>(
        stress, sand,
        return_derivative<d>(shifted<d>(stress, sand), lame(sand.material), sand.cone(), stress.part));
  };
  BOOST_TEST(judge<d>(rebuilt).worst <= 1.0);
}
BOOST_AUTO_TEST_CASE(rebuilt_derivative_is_right) {
  rebuild<2>();
  rebuild<3>();
}

template <int d>
void compare_stress() {
  for (const Sample<d>& sample : samples<d>()) {
    const Mat<d> expected =
        test::fifty_stress<d>(test::in_fifty<d>(sample.F), sample.sand).P.template cast<double>();
    BOOST_TEST((piola_stress<d>(adopted<d>(sample.F, sample.sand)) - expected).cwiseAbs().maxCoeff() <=
               bound<d>(sample));
  }
}
BOOST_AUTO_TEST_CASE(stress_agrees_with_fifty_digits) {
  compare_stress<2>();
  compare_stress<3>();
}

/// Without friction cohesion bounds shear alone: under pressure and in tension, inside and on the cylinder.
template <int d>
void judge_cylinder() {
  Random random(11);
  const Sand clay{sand_of(MaterialKind::sand, false, 2e4), 0.0, 0.0};
  const double limit = 2e4 / (2.0 * lame(clay.material).mu);
  std::map<Part, int> judged;
  for (const double mean : {-0.2, -0.01, 0.0, 0.03})
    for (const double share : {0.3, 0.9, 1.2, 4.0})
      for (int n = 0; n < 3; ++n) {
        const Vec<d> eps = mean * Vec<d>::Ones() + share * limit * random_shear<d>(random);
        const Sample<d> sample{"cylinder", with_strain<d>(eps, random), clay, limit};
        const Mat<d> dF = random_matrix<d>(random, 1.0);
        const ReturnedStress<d> stress = adopted<d>(sample.F, clay);
        Mat<d> dP;
        BOOST_TEST_REQUIRE(test::fifty_derivative<d>(sample.F, dF, clay, stress.part, dP));
        ++judged[stress.part];
        BOOST_TEST((stress_change<d>(stress, dF) - dP).cwiseAbs().maxCoeff() <= bound<d>(sample));
        const Mat<d> P = test::fifty_stress<d>(test::in_fifty<d>(sample.F), clay).P.template cast<double>();
        BOOST_TEST((piola_stress<d>(stress) - P).cwiseAbs().maxCoeff() <= bound<d>(sample));
      }
  BOOST_TEST(judged[Part::inside] == 24);
  BOOST_TEST(judged[Part::surface] == 24);
}
BOOST_AUTO_TEST_CASE(a_cone_without_a_tip_has_the_derivative_of_fifty_digits) {
  judge_cylinder<2>();
  judge_cylinder<3>();
}

/// One-sided borders: at the tip, and on the cone under pure shear, both cases' derivatives exist and differ.
BOOST_AUTO_TEST_CASE(derivative_on_a_border_is_that_of_the_case_taken) {
  const Material sand = sand_of(MaterialKind::sand, false);
  const ReturnedStress<2> at_rest = returned_stress<2>(Mat<2>::Identity(), sand, alpha, 0.0);
  BOOST_TEST(static_cast<int>(at_rest.part) == static_cast<int>(Part::inside));
  BOOST_TEST(at_rest.dP_dsigma.norm() > 0.0);
  Mat<2> stretched = Mat<2>::Identity();
  stretched(0, 0) += 0x1p-52;
  const ReturnedStress<2> apart = returned_stress<2>(stretched, sand, alpha, 0.0);
  BOOST_TEST(static_cast<int>(apart.part) == static_cast<int>(Part::tip));
  BOOST_TEST(apart.dP_dsigma.norm() == 0.0);
  BOOST_TEST(apart.m.norm() == 0.0);
}

BOOST_AUTO_TEST_CASE(inverted_or_singular_deformation_is_refused) {
  for (const MaterialKind kind : {MaterialKind::elastic, MaterialKind::sand}) {
    Mat<3> F = Mat<3>::Identity();
    F(1, 1) = -1.0;
    BOOST_CHECK_THROW(returned_stress<3>(F, sand_of(kind, false), alpha, 0.0), std::invalid_argument);
    F(1, 1) = 0.0;
    BOOST_CHECK_THROW(returned_stress<3>(F, sand_of(kind, false), alpha, 0.0), std::invalid_argument);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
