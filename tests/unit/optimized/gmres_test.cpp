#include "optimized/implicit/gmres.h"

#include "optimized/implicit/kernels.h"
#include "reference/interface/methods/implicit_options.h"
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
    std::vector<NodeVector> basis;
    return solve(tolerance, unknowns, restart, most, basis);
  }

  LinearSolution solve(double tolerance, std::size_t unknowns, int restart, int most,
                       std::vector<NodeVector>& basis) const {
    const ImplicitKernels<2>& kernels = implicit_kernels<2>("");
    const NodeAlgebra algebra(size, Team(1), kernels.dots, kernels.add);
    ImplicitOptions options;
    options.gmres_tolerance = tolerance;
    options.gmres_restart = restart;
    options.gmres_iterations = most;
    const auto product = [&](const NodeVector& v, NodeVector& out) {
      const Eigen::VectorXd result = A * as_eigen(v);
      out.assign(result.begin(), result.end());
    };
    return solve_by_gmres(
        algebra, {.exact = product}, [](NodeVector&) {}, b, unknowns, options, basis);
  }

  /// The second and later vectors of a cycle, each made perpendicular to those before it by one pass only.
  std::vector<Eigen::VectorXd> vectors_of_one_pass(std::size_t count) const {
    std::vector<Eigen::VectorXd> q{as_eigen(b).normalized()};
    while (q.size() <= count) {
      const Eigen::VectorXd w = A * q.back();
      Eigen::VectorXd rest = w;
      for (const Eigen::VectorXd& before : q) rest -= before.dot(w) * before;
      q.push_back(rest.normalized());
    }
    return {q.begin() + 1, q.end()};
  }

  /// What a solution leaves of b.
  double left(const NodeVector& x) const {
    return (as_eigen(b) - A * as_eigen(x)).norm() / as_eigen(b).norm();
  }
};

/// The largest product of two of them, all of length 1.
template <class Vectors>
double largest_product(const Vectors& q) {
  double largest = 0.0;
  for (std::size_t i = 0; i < q.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) largest = std::max(largest, std::abs(q[i].dot(q[j])));
  return largest;
}

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

/// To some rounding errors of 48 products, where one pass loses four more digits: each vector is nearly in the span of those
/// before it, since the stretches lie five orders apart.
BOOST_AUTO_TEST_CASE(vectors_of_a_cycle_are_perpendicular_to_rounding) {
  const HeldSystem system;
  constexpr int count = 12;
  std::vector<NodeVector> basis;
  const LinearSolution found = system.solve(1e-18, HeldSystem::free, count, count, basis);
  BOOST_TEST_REQUIRE(found.iterations == count);
  BOOST_TEST_REQUIRE(basis.size() == static_cast<std::size_t>(count));
  // The first one's place holds the remainder by now.
  std::vector<Eigen::VectorXd> q;
  for (std::size_t k = 1; k < basis.size(); ++k) q.emplace_back(as_eigen(basis[k]));
  BOOST_TEST(largest_product(system.vectors_of_one_pass(count - 1)) > 1e-12);  // premise
  BOOST_TEST(largest_product(q) < 1e-14);
  for (const Eigen::VectorXd& one : q) BOOST_TEST(std::abs(one.norm() - 1.0) < 1e-14);
}

}  // namespace repose::optimized_tests
