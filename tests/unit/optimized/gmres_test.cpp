#include "optimized/implicit/gmres.h"

#include "optimized/implicit/kernels.h"
#include "tests/unit/samples.h"

#include <Eigen/Dense>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>

namespace data = boost::unit_test::data;

namespace repose::optimized_tests {

using namespace repose::optimized;

namespace {

Eigen::Map<const Eigen::VectorXd> as_eigen(const NodeVector& v) {
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}

/// 48 numbers of which 18 are unknowns, stretched by 1 to 10⁵: the rest is held, and gets nothing but rounding.
struct HeldSystem {
  static constexpr Eigen::Index size = 48, free = 18;
  Eigen::MatrixXd A{size, size};
  NodeVector b;

  HeldSystem() {
    std::mt19937_64 random(7);
    Eigen::MatrixXd mixed(size, free), shear(free, free);
    for (Eigen::Index k = 0; k < mixed.size(); ++k) mixed.data()[k] = test::draw(random, -1.0, 1.0);
    for (Eigen::Index k = 0; k < shear.size(); ++k) shear.data()[k] = test::draw(random, -0.02, 0.02);
    const Eigen::MatrixXd basis =
        Eigen::HouseholderQR<Eigen::MatrixXd>(mixed).householderQ() * Eigen::MatrixXd::Identity(size, free);
    for (Eigen::Index k = 0; k < free; ++k) {
      shear.row(k) *= std::pow(10.0, 5.0 * static_cast<double>(k) / (free - 1));
      shear(k, k) += std::pow(10.0, 5.0 * static_cast<double>(k) / (free - 1));
    }
    A = basis * shear * basis.transpose();
    const Eigen::VectorXd right = basis * Eigen::VectorXd::Ones(free);
    b.assign(right.begin(), right.end());
  }

  LinearSolution solve(double tolerance, std::size_t unknowns, int restart, int most) const {
    const ImplicitKernels<2>& kernels = implicit_kernels<2>("");
    const NodeAlgebra algebra(size, Team(1), kernels.dots, kernels.add);
    ImplicitOptions options;
    options.gmres_tolerance = tolerance;
    options.gmres_restart = restart;
    options.gmres_iterations = most;
    std::vector<NodeVector> basis;
    const auto product = [&](const NodeVector& v, NodeVector& out) {
      const Eigen::VectorXd result = A * as_eigen(v);
      out.assign(result.begin(), result.end());
    };
    return solve_by_gmres(
        algebra, product, [](NodeVector&) {}, b, unknowns, options, basis);
  }

  /// What a solution leaves of b.
  double left(const NodeVector& x) const {
    return (as_eigen(b) - A * as_eigen(x)).norm() / as_eigen(b).norm();
  }
};

}  // namespace

/// Down to what rounding allows, 10⁵ ε and ten times that, and not below in words alone.
BOOST_DATA_TEST_CASE(gmres_tells_what_its_solution_leaves, data::make({1e-3, 1e-8, 1e-12, 1e-18}),
                     tolerance) {
  const HeldSystem system;
  const LinearSolution found = system.solve(tolerance, HeldSystem::free, 300, 300);
  const double left = system.left(found.x);
  BOOST_TEST(std::abs(left - found.residual) <= 1e-2 * left);
  BOOST_TEST(left <= std::max(tolerance, 1e-10));
  if (tolerance == 1e-3) {
    BOOST_TEST(found.iterations >= 3);  // premise: a system to work on
    BOOST_TEST(found.iterations <= static_cast<int>(HeldSystem::free));
  }
}

/// As many vectors as unknowns are the whole space; with fewer it starts anew and may need more iterations.
BOOST_AUTO_TEST_CASE(a_cycle_of_gmres_has_no_more_vectors_than_unknowns) {
  const HeldSystem system;
  const LinearSolution whole = system.solve(1e-8, HeldSystem::free, 300, 300);
  const LinearSolution same = system.solve(1e-8, 300, static_cast<int>(HeldSystem::free), 300);
  BOOST_TEST(whole.iterations == same.iterations);
  BOOST_TEST((whole.x == same.x));
  const LinearSolution few = system.solve(1e-8, 3, 300, 12);
  BOOST_TEST(few.iterations == 12);
  BOOST_TEST((few.x == system.solve(1e-8, 300, 3, 12).x));
  BOOST_TEST(few.residual < 1.0);
}

}  // namespace repose::optimized_tests
