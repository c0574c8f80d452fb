#include "reference/mpm/kernels.h"

#include "reference/interface/methods/mpm_options.h"
#include "reference/mpm/stencil.h"
#include "tests/unit/mpm/scenes.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>

namespace repose {

std::ostream& operator<<(std::ostream& out, Kernel kernel) {
  return out << (kernel == Kernel::cubic ? "cubic" : "quadratic");
}

}  // namespace repose

namespace repose::test {
namespace {

namespace data = boost::unit_test::data;
const auto both_kernels = data::make({Kernel::quadratic, Kernel::cubic});

double support(Kernel kernel) { return kernel == Kernel::cubic ? 2.0 : 1.5; }

/// Moments of a stencil, each summed over its nodes.
template <int d>
struct Moments {
  double zeroth = 0.0;
  Vec<d> first = Vec<d>::Zero();
  Mat<d> second = Mat<d>::Zero();
  Vec<d> gradient = Vec<d>::Zero();       ///< Σ ∇w = 0
  Mat<d> gradient_of_x = Mat<d>::Zero();  ///< Σ x_i ∇wᵀ = 1
};

template <int d>
Moments<d> moments(const Scene& scene, const Vec<d>& x) {
  Moments<d> sum;
  for (const StencilNode<d>& i : Stencil<d>(scene.grid, mpm_options(scene).kernel, x)) {
    sum.zeroth += i.w;
    sum.first += i.w * i.offset;
    sum.second += i.w * i.offset * i.offset.transpose();
    sum.gradient += i.grad_w;
    sum.gradient_of_x += i.offset * i.grad_w.transpose();
  }
  return sum;
}

template <int d>
void check_identities(Kernel kernel) {
  const Scene scene = empty_box(d, kernel, Transfer::apic, 1.0);
  const Mat<d> one = Mat<d>::Identity();
  std::mt19937_64 random(1);
  for (int sample = 0; sample < 300; ++sample) {
    // The whole domain, its border and every node included.
    Vec<d> x = draw_vector<d>(random, 0.0, 12.0);
    if (sample % 3 == 0) x = x.array().round();
    const Moments<d> sum = moments<d>(scene, x);
    BOOST_TEST(std::abs(sum.zeroth - 1.0) <= 8 * u);
    // Positions up to 12 h round by 12 u: Δx is known to that, whatever the kernel does.
    BOOST_TEST(sum.first.cwiseAbs().maxCoeff() <= (8 + 12) * u);
    BOOST_TEST((sum.second - affine_inertia(kernel, 1.0) * one).cwiseAbs().maxCoeff() <= (8 + 12) * u);
    BOOST_TEST(sum.gradient.cwiseAbs().maxCoeff() <= (8 + 12) * u);
    BOOST_TEST((sum.gradient_of_x - one).cwiseAbs().maxCoeff() <= (16 + 24) * u);
  }
}

BOOST_AUTO_TEST_SUITE(kernels)

BOOST_DATA_TEST_CASE(stencils_reproduce_constants_positions_and_the_inertia, both_kernels, kernel) {
  check_identities<2>(kernel);
  check_identities<3>(kernel);
}

BOOST_DATA_TEST_CASE(weights_are_positive_inside_the_support_and_zero_outside, both_kernels, kernel) {
  for (int n = -300; n <= 300; ++n) {
    const double at = 0.01 * n;
    if (std::abs(at) < support(kernel) - 1e-9) {
      BOOST_TEST(kernel_value(kernel, at) > 0.0);
    } else if (std::abs(at) >= support(kernel)) {
      BOOST_TEST(kernel_value(kernel, at) == 0.0);
      BOOST_TEST(kernel_slope(kernel, at) == 0.0);
    }
    BOOST_TEST(kernel_value(kernel, at) == kernel_value(kernel, -at));
    if (n != 0) BOOST_TEST(kernel_slope(kernel, at) == -kernel_slope(kernel, -at));
  }
  BOOST_TEST(kernel_value(kernel, 0.0) == (kernel == Kernel::cubic ? 2.0 / 3.0 : 0.75));
}

BOOST_DATA_TEST_CASE(slopes_and_curvatures_are_derivatives_on_the_whole_support, both_kernels, kernel) {
  const double step = 1e-5;
  for (int n = -420; n <= 420; ++n) {
    const double at = 0.005 * n + 0.0013;  // no sample within a step of a knot
    const double slope = (kernel_value(kernel, at + step) - kernel_value(kernel, at - step)) / (2.0 * step);
    const double curvature =
        (kernel_slope(kernel, at + step) - kernel_slope(kernel, at - step)) / (2.0 * step);
    // Third derivatives are at most 3: step²/6 · 3, and rounding u/step.
    BOOST_TEST(std::abs(slope - kernel_slope(kernel, at)) < step * step / 2.0 + 4 * u / step);
    BOOST_TEST(std::abs(curvature - kernel_curvature(kernel, at)) < 4 * u / step);
  }
}

/// D = h²/3 needs every node: with one missing at the border of a grid without margin, [Klar16 Eq.8] is not
/// constant.
BOOST_AUTO_TEST_CASE(a_clipped_stencil_loses_weight_position_and_inertia) {
  double weight = 0.0, first = 0.0, second = 0.0;
  const double x = 0.3;
  for (int i = 0; i <= 2; ++i) {  // the node at −1 is missing
    const double w = kernel_value(Kernel::cubic, x - i);
    weight += w;
    first += w * (i - x);
    second += w * (i - x) * (i - x);
  }
  BOOST_TEST(std::abs(weight - 0.943) < 5e-4);
  BOOST_TEST(std::abs(first - 0.074) < 5e-4);
  BOOST_TEST(std::abs(second - 0.237) < 5e-4);

  // The margin keeps the stencil whole up to the border, and a step further it is refused instead of clipped.
  for (const Kernel kernel : {Kernel::cubic, Kernel::quadratic}) {
    const Scene scene = empty_box(2, kernel, Transfer::apic, 1.0);
    for (const double at : {0.0, 0.3, 11.7, 12.0}) {
      BOOST_TEST(std::abs(moments<2>(scene, Vec<2>(at, 6.0)).zeroth - 1.0) <= 8 * u);
    }
    BOOST_CHECK_THROW(Stencil<2>(scene.grid, kernel, Vec<2>(-1.6, 6.0)), std::out_of_range);
    BOOST_CHECK_THROW(Stencil<2>(scene.grid, kernel, Vec<2>(13.6, 6.0)), std::out_of_range);
  }
}

/// |N̂′|/N̂ = 3/(2 − |u|): the speed that a force gives a rim node has no bound, although w v has one.
BOOST_AUTO_TEST_CASE(rim_nodes_have_unbounded_force_per_mass) {
  for (const double gap : {1e-1, 1e-3, 1e-6, 1e-9}) {
    const double at = 2.0 - gap;
    const double exact_gap = 2.0 - at;
    const double ratio = -kernel_slope(Kernel::cubic, at) / kernel_value(Kernel::cubic, at);
    BOOST_TEST(std::abs(ratio * exact_gap - 3.0) < 20 * u);
  }
}

/// |Δt ∂v| of particles whose nodes move less than C h per step: sup Σ|N̂′| = 1.5 (cubic), 2 (quadratic).
BOOST_AUTO_TEST_CASE(a_nodal_courant_number_of_one_does_not_exclude_inversion) {
  const auto largest = [](Kernel kernel) {
    double most = 0.0;
    for (int n = 0; n <= 1000; ++n) {
      double sum = 0.0;
      for (int i = -3; i <= 4; ++i) sum += std::abs(kernel_slope(kernel, 1e-3 * n - i));
      most = std::max(most, sum);
    }
    return most;
  };
  BOOST_TEST(std::abs(largest(Kernel::cubic) - 1.5) < 1e-12);
  BOOST_TEST(std::abs(largest(Kernel::quadratic) - 2.0) < 1e-12);
}

BOOST_AUTO_TEST_CASE(node_ids_and_positions_are_those_of_the_grid) {
  Scene scene = empty_box(3);
  scene.grid.domain_min = Point(-0.3, 0.2, 1.0);
  const Vec<3> x(0.11, 0.83, 1.47);
  std::int64_t last = -1;
  int count = 0;
  for (const StencilNode<3>& i : Stencil<3>(scene.grid, mpm_options(scene).kernel, x)) {
    BOOST_TEST(i.id > last);  // ascending
    BOOST_TEST((x + i.offset - scene.grid.node_position(i.id)).norm() < 8 * u);
    last = i.id;
    ++count;
  }
  BOOST_TEST(count == 64);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
