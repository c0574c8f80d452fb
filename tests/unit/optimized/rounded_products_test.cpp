// Searches of linear systems by products in float, whose results are formed by exact ones.
#include "optimized/implicit/gmres.h"
#include "optimized/implicit/kernels.h"
#include "optimized/implicit/minres.h"
#include "optimized/layout/block.h"
#include "optimized/layout/buffer.h"
#include "reference/interface/methods/mpm.h"
#include "tests/unit/optimized/states.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace data = boost::unit_test::data;

namespace repose::optimized_tests {

using namespace repose::optimized;

namespace {

/// A chain of springs, some of them pushing: symmetric, with eigenvalues of both signs.
struct Chain {
  static constexpr std::size_t size = 1500;
  NodeVector b;

  Chain() {
    std::mt19937_64 random(9);
    for (std::size_t k = 0; k < size; ++k) b.push_back(test::draw(random, -1.0, 1.0));
  }
  template <class T>
  static void times(const NodeVector& v, NodeVector& out) {
    out.resize(size);
    for (std::size_t k = 0; k < size; ++k) {
      T sum = static_cast<T>(k % 3 == 0 ? -2.0 : 3.0) * static_cast<T>(v[k]);
      if (k > 0) sum += static_cast<T>(0.3) * static_cast<T>(v[k - 1]);
      if (k + 1 < size) sum += static_cast<T>(0.3) * static_cast<T>(v[k + 1]);
      out[k] = static_cast<double>(sum);
    }
  }
  double left(const NodeVector& x) const {
    NodeVector Ax;
    times<double>(x, Ax);
    double rest = 0.0, whole = 0.0;
    for (std::size_t k = 0; k < size; ++k) {
      rest += (b[k] - Ax[k]) * (b[k] - Ax[k]);
      whole += b[k] * b[k];
    }
    return std::sqrt(rest / whole);
  }
};

enum class By { minres, gmres };
std::ostream& operator<<(std::ostream& out, By by) { return out << (by == By::minres ? "minres" : "gmres"); }

struct Solved {
  LinearSolution found;
  int exact = 0, rounded = 0;  ///< products
};

/// @param round what stands for a product in float
Solved solve(By by, const Chain& chain, double tolerance, const Products::Of& round) {
  const ImplicitKernels<2>& kernels = implicit_kernels<2>("");
  const NodeAlgebra algebra(Chain::size, Team(1), kernels.dots, kernels.add);
  ImplicitOptions options;
  options.gmres_tolerance = tolerance;
  options.gmres_iterations = options.gmres_restart = 400;
  Solved result;
  Products products{.exact =
                        [&](const NodeVector& v, NodeVector& out) {
                          ++result.exact;
                          Chain::times<double>(v, out);
                        },
                    .least = std::sqrt(static_cast<double>(std::numeric_limits<float>::epsilon()))};
  if (round)
    products.rounded = [&](const NodeVector& v, NodeVector& out) {
      ++result.rounded;
      round(v, out);
    };
  std::vector<NodeVector> basis;
  result.found = by == By::minres
                     ? solve_by_minres(algebra, products, chain.b, options)
                     : solve_by_gmres(
                           algebra, products, [](NodeVector&) {}, chain.b, Chain::size, options, basis);
  return result;
}

}  // namespace

/// As many digits as asked for, a search for every three to four; the first of them costs no more products than exact ones would.
BOOST_DATA_TEST_CASE(searches_by_products_in_float_leave_what_was_asked_for,
                     data::make({By::minres, By::gmres}) * data::make({1e-3, 1e-8, 1e-13}), by, tolerance) {
  const Chain chain;
  const Solved in_float = solve(by, chain, tolerance, &Chain::times<float>);
  BOOST_TEST(in_float.found.residual <= tolerance);
  BOOST_TEST(std::abs(chain.left(in_float.found.x) - in_float.found.residual) <= 1e-14);
  BOOST_TEST(in_float.found.iterations == in_float.rounded);  // no search had to be made by exact ones
  // A search ends at 3.5 · 10⁻⁴ of what it began with, or up to ten times below.
  const int searches = tolerance == 1e-3 ? 1 : tolerance == 1e-8 ? 2 : 3;
  BOOST_TEST(in_float.exact >= searches);
  BOOST_TEST(in_float.exact <= (tolerance == 1e-3 ? 1 : searches + 1));
  const Solved in_double = solve(by, chain, tolerance, nullptr);
  BOOST_TEST((in_double.rounded == 0 && in_double.found.iterations >= 4));
  if (tolerance == 1e-3) BOOST_TEST(std::abs(in_float.found.iterations - in_double.found.iterations) <= 1);
}

/// What a search says is believed as long as it is what is formed.
BOOST_DATA_TEST_CASE(a_search_by_wrong_products_is_the_last_by_them, data::make({By::minres, By::gmres}),
                     by) {
  const Chain chain;
  int given = 0;
  const Solved result = solve(by, chain, 1e-6, [&](const NodeVector& v, NodeVector& out) {
    ++given;
    out = v;
    for (double& one : out) one *= 0.01;
  });
  BOOST_TEST(given > 0);
  BOOST_TEST(given <= 2);  // of such a matrix one product solves all, it says
  BOOST_TEST(result.found.residual <= 1e-6);
  BOOST_TEST(std::abs(chain.left(result.found.x) - result.found.residual) <= 1e-14);
}

namespace {

template <int dim>
void require_symmetric_rounding() {
  using P = Pack<dim>;
  using Q = RoundedPack<dim>;
  std::mt19937_64 random(21);
  P pack{};
  for (auto& field : pack.field)
    for (double& one : field) one = test::draw(random, 1.0, 2.0);
  // a_ji − s_i = a_ij − s_j and normal_ij = normal_ji but for rounding.
  const double off = 1.0 + std::numeric_limits<double>::epsilon();
  for (std::size_t i = 0; i < P::axes; ++i)
    for (std::size_t j = i + 1; j < P::axes; ++j)
      for (std::size_t lane = 0; lane < P::lanes; ++lane) {
        auto& field = pack.field;
        const std::size_t pair = P::shear + 2 * (i + j - 1);
        field[P::normal + P::axes * j + i][lane] = off * field[P::normal + P::axes * i + j][lane];
        field[pair][lane] = off * (field[pair + 1][lane] - field[P::s + i][lane] + field[P::s + j][lane]);
      }
  RoundedPack<dim> symmetric{}, as_it_is{};
  round_pack<dim>(pack, true, symmetric, 1);
  pack.field[P::s][3] += 0.5;
  round_pack<dim>(pack, false, as_it_is, 1);
  for (std::size_t i = 0; i < P::axes; ++i)
    for (std::size_t j = i + 1; j < P::axes; ++j)
      for (std::size_t lane = P::lanes; lane < Q::lanes; ++lane) {
        const std::size_t across = Q::across + 2 * (i + j - 1);
        BOOST_TEST(symmetric.field[across][lane] == symmetric.field[across + 1][lane]);
        BOOST_TEST(symmetric.field[Q::normal + P::axes * i + j][lane] ==
                   symmetric.field[Q::normal + P::axes * j + i][lane]);
        BOOST_TEST(as_it_is.field[across][lane] ==
                   static_cast<float>(pack.field[P::shear + 2 * (i + j - 1) + 1][lane - P::lanes] -
                                      pack.field[P::s + i][lane - P::lanes]));
        BOOST_TEST(as_it_is.field[across + 1][lane] ==
                   static_cast<float>(pack.field[P::shear + 2 * (i + j - 1)][lane - P::lanes] -
                                      pack.field[P::s + j][lane - P::lanes]));
      }
  // Premise: what was made unlike is.
  BOOST_TEST(as_it_is.field[Q::across][P::lanes + 3] != as_it_is.field[Q::across + 1][P::lanes + 3]);
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_rounded_of_a_symmetric_derivative_is_symmetric_to_the_bit) {
  require_symmetric_rounding<2>();
  require_symmetric_rounding<3>();
}

namespace {

/// Some particles of a block, in the order of their cells, with any derivative; the nodes move with `together` and a little each
/// for itself.
template <int dim>
struct SomeBlock {
  static constexpr std::size_t count = 45;
  std::vector<Pack<dim>> packs;
  std::vector<RoundedPack<dim>> rounded;
  std::vector<std::uint8_t> code;
  Buffer<double> from, to;
  Buffer<float> rounded_to;

  explicit SomeBlock(double together) : packs(count / 8 + 1), rounded(count / 16 + 1) {
    using P = Pack<dim>;
    std::mt19937_64 random(5);
    for (std::size_t k = 0; k < count; ++k) code.push_back(static_cast<std::uint8_t>(random() % 64));
    std::sort(code.begin(), code.end());
    for (std::size_t k = 0; k < packs.size(); ++k) {
      for (auto& field : packs[k].field)
        for (double& one : field) one = test::draw(random, -1.0, 1.0);
      for (std::size_t a = 0; a < P::axes; ++a)
        for (double& one : packs[k].field[P::offset + a]) one *= 0.5;
      round_pack<dim>(packs[k], false, rounded[k / 2], k % 2);
    }
    constexpr std::size_t values = Block<dim>::tile_values;
    from.resize(values), to.resize(values), rounded_to.resize(values);
    std::fill(rounded_to.begin(), rounded_to.end(), 0.0F);
    for (std::size_t v = 0; v < values; ++v)
      from[v] = v % 4 == 0 ? 0.0 : together + test::draw(random, -1.0, 1.0);
  }

  /// Furthest that floats are from doubles, over the largest number.
  double apart(const ImplicitKernels<dim>& kernels, int kernel) {
    PackBlock<dim> exact;
    exact.packs = packs.data(), exact.code = code.data(), exact.count = count;
    exact.per_h = 2.0, exact.dt_over_h = 0.5;
    exact.from = from.data(), exact.to = to.data();
    kernels.change[kernel](exact);
    kernels.rounded_change[kernel]({.packs = rounded.data(),
                                    .code = code.data(),
                                    .count = count,
                                    .scale = 1.0F,
                                    .from = from.data(),
                                    .to = rounded_to.data()});
    double largest = 0.0, off = 0.0;
    for (std::size_t v = 0; v < to.size(); ++v) {
      largest = std::max(largest, std::abs(to[v]));
      off = std::max(off, std::abs(to[v] - static_cast<double>(rounded_to[v])));
    }
    BOOST_TEST(largest > 0.1);  // premise
    return off / largest;
  }
};

template <int dim>
void compare_products(int kernel, const char* simd) {
  constexpr double eps = std::numeric_limits<float>::epsilon();
  for (const double together : {0.0, 1e5}) {
    SomeBlock<dim> block(together);
    const double apart = block.apart(implicit_kernels<dim>(simd), kernel);
    // Some hundred roundings; not 10⁵ of what all nodes have in common.
    BOOST_TEST(apart <= 100.0 * eps);
    BOOST_TEST(apart > 0.01 * eps);
  }
}

}  // namespace

BOOST_DATA_TEST_CASE(a_product_in_float_is_the_one_in_double_but_for_rounding,
                     data::make({2, 3}) * data::make({0, 1}) * data::make({"", "SSE4"}), dim, kernel, simd) {
  if (dim == 2)
    compare_products<2>(kernel, simd);
  else
    compare_products<3>(kernel, simd);
}

/// A float solver searches with products in float: from the same state as many as a double one needs.
BOOST_DATA_TEST_CASE(a_float_solver_needs_as_many_products_as_a_double_one,
                     data::make({2, 3}) * data::make({Kernel::quadratic, Kernel::cubic}) *
                         data::make({false, true}),
                     dim, kernel, semi_implicit) {
  Scene scene = empty_scene(dim, kernel, Transfer::apic);
  add_bodies(scene);
  scene.materials[0] = wet_sand();
  scene.materials[0].volume_correction = false;
  MpmOptions& options = mpm_options(scene);
  options.integrator = semi_implicit ? Integrator::semi_implicit : Integrator::implicit_;
  options.energy = Energy::hencky;
  options.implicit = {.newton_tolerance = 1e-3,
                      .newton_iterations = 60,
                      .gmres_restart = 60,
                      .gmres_iterations = 60,
                      .gmres_tolerance = 1e-3};
  constexpr double dt = 2e-3;
  const Snapshot start = random_state(scene, dim == 3 ? 1500 : 500, 0.3, 0.6, 11, 0.5, 0.004);
  const auto in_double = solver_of(scene, Precision::double_, 1);
  const auto in_float = solver_of(scene, Precision::single_, 1);
  in_float->load(start);
  in_float->run(boundary::step_start, boundary::p2g, dt);
  // The float's own numbers, so that both solve one system.
  in_double->load(in_float->save(boundary::p2g, false));
  const SolveHistory one = in_double->solve_history(dt), other = in_float->solve_history(dt);
  BOOST_TEST_REQUIRE(!one.iterations.empty());
  BOOST_TEST_REQUIRE(!other.iterations.empty());
  const NewtonIteration &a = one.iterations[0], &b = other.iterations[0];
  BOOST_TEST(a.gmres_iterations >= 3);  // premise: a system to work on
  BOOST_TEST(std::abs(a.gmres_iterations - b.gmres_iterations) <= 1);
  BOOST_TEST(b.linear_residual <= 1e-3);
}

}  // namespace repose::optimized_tests
