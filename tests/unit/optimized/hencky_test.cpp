// Strain as the fast solver keeps it, from and to deformation gradients.
#include "optimized/mpm/hencky.h"
#include "tests/unit/optimized/states.h"

#include <Eigen/LU>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>

namespace repose::optimized_tests {

namespace data = boost::unit_test::data;
using optimized::hencky_strain;
using optimized::left_stretch;

BOOST_AUTO_TEST_CASE(the_strain_of_stretched_axes_is_half_the_log_of_their_squares_whatever_turns_before) {
  const double angle = 0.7;
  Mat<3> axes, before;
  axes << std::cos(angle), -std::sin(angle), 0, std::sin(angle), std::cos(angle), 0, 0, 0, 1;
  before << 1, 0, 0, 0, std::cos(angle), std::sin(angle), 0, -std::sin(angle), std::cos(angle);
  const Vec<3> stretch(3.0, 1.0, 0.25);
  const Mat<3> strain = hencky_strain<3>(axes * stretch.asDiagonal() * before);
  const Mat<3> expected = axes * Vec<3>(std::log(3.0), 0.0, std::log(0.25)).asDiagonal() * axes.transpose();
  BOOST_TEST((strain - expected).norm() < 1e-14);
}

BOOST_AUTO_TEST_CASE(a_small_strain_keeps_its_digits) {
  Mat<2> F = Mat<2>::Identity();
  F(0, 1) = 1e-12;  // the strain of a small shear is half of it, off the diagonal
  const Mat<2> strain = hencky_strain<2>(F);
  BOOST_TEST(strain(0, 1) == 5e-13, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(std::abs(strain(0, 0)) < 1e-24);
  BOOST_TEST(hencky_strain<2>(Mat<2>::Identity()).norm() == 0.0);
}

BOOST_DATA_TEST_CASE(the_stretch_of_a_strain_squares_to_that_of_the_gradient, data::make({1e-6, 0.1, 2.0}),
                     size) {
  std::mt19937_64 random(3);
  int judged = 0;
  for (int k = 0; k < 100; ++k) {
    Mat<3> F = Mat<3>::Identity();
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) F(a, b) += draw(random, -size, size);
    if (std::abs(F.determinant()) < 1e-2) continue;
    ++judged;
    const Mat<3> V = left_stretch<3>(hencky_strain<3>(F));
    BOOST_TEST((V - V.transpose()).norm() <= 1e-15 * V.norm());
    BOOST_TEST((V * V - F * F.transpose()).norm() <= 1e-12 * F.squaredNorm());
  }
  BOOST_TEST(judged > 80);
}

}  // namespace repose::optimized_tests
