#include "validation/metrics/statistics.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <random>
#include <stdexcept>

using namespace repose::metrics;

BOOST_AUTO_TEST_SUITE(metrics_statistics)

BOOST_AUTO_TEST_CASE(quantiles_interpolate_between_neighbours) {
  const std::vector<double> five{4.0, 0.0, 1.0, 3.0, 2.0};
  BOOST_TEST(quantile(five, 0.0) == 0.0);
  BOOST_TEST(quantile(five, 1.0) == 4.0);
  BOOST_TEST(quantile(five, 0.5) == 2.0);
  BOOST_TEST(quantile(five, 0.625) == 2.5);
  BOOST_TEST(quantile({7.0}, 0.98) == 7.0);
  BOOST_CHECK_THROW(quantile({}, 0.5), std::invalid_argument);
  BOOST_CHECK_THROW(quantile(five, -0.1), std::invalid_argument);
  BOOST_CHECK_THROW(quantile(five, 1.1), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(an_exact_line_has_no_error) {
  const std::vector<double> x{0.0, 1.0, 2.0, 4.0};
  const std::vector<double> y{1.0, 0.5, 0.0, -1.0};
  const Line line = fit_line(x, y);
  BOOST_TEST(line.slope == -0.5);
  BOOST_TEST(line.intercept == 1.0);
  BOOST_TEST(line.slope_error == 0.0);
}

/// Residuals (1, −2, 1)·a at x = −1, 0, 1 leave slope and mean alone: r² sums to 6a², error √(6a²/1/2) = √3
/// a.
BOOST_AUTO_TEST_CASE(standard_error_is_that_of_known_residuals) {
  const double a = 0.25;
  const std::vector<double> x{-1.0, 0.0, 1.0};
  const std::vector<double> y{-2.0 + a, -2.0 * a, 2.0 + a};
  const Line line = fit_line(x, y);
  BOOST_TEST(std::abs(line.slope - 2.0) < 1e-15);
  BOOST_TEST(std::abs(line.slope_error - std::sqrt(3.0) * a) < 1e-15);
}

/// Over many noisy fits the squared standard error must equal the variance of the slopes: 2000 fits give it
/// to √(2/2000) = 3 %; five of those.
BOOST_AUTO_TEST_CASE(standard_error_is_the_scatter_of_repeated_fits) {
  std::mt19937_64 bits(9);
  const auto uniform = [&] { return static_cast<double>(bits() >> 11) * 0x1p-53; };
  double mean_square_error = 0.0;
  double mean_square_slope = 0.0;
  const int fits = 2000;
  std::vector<double> x(12);
  std::vector<double> y(12);
  for (int fit = 0; fit < fits; ++fit) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<double>(i);
      y[i] = uniform() - 0.5;
    }
    const Line line = fit_line(x, y);
    mean_square_error += line.slope_error * line.slope_error / fits;
    mean_square_slope += line.slope * line.slope / fits;
  }
  BOOST_TEST(mean_square_error / mean_square_slope > 0.85);
  BOOST_TEST(mean_square_error / mean_square_slope < 1.15);
}

BOOST_AUTO_TEST_CASE(lines_need_three_points_of_two_abscissas) {
  const std::vector<double> two{0.0, 1.0};
  const std::vector<double> same{1.0, 1.0, 1.0};
  BOOST_CHECK_THROW(fit_line(two, two), std::invalid_argument);
  BOOST_CHECK_THROW(fit_line(same, same), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
