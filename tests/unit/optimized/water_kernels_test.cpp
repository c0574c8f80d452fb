// Kernels of water in an implicit step: its energy, what it takes from nodes, and how that changes.
#include "optimized/implicit/kernels.h"
#include "optimized/layout/block.h"
#include "optimized/layout/buffer.h"
#include "tests/unit/optimized/states.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace data = boost::unit_test::data;

namespace repose::optimized_tests {

using namespace repose::optimized;

namespace {

/// Drops in a block, in the order of their cells, whose nodes move with `together` and a little each for itself.
template <int dim>
struct SomeDrops {
  using P = Pack<dim>;
  static constexpr std::size_t count = 45, values = Block<dim>::tile_values;
  const ImplicitKernels<dim>& kernels;
  int kernel;
  std::vector<P> packs = std::vector<P>(count / 8 + 1);
  std::vector<std::uint8_t> code;
  std::vector<double> v = std::vector<double>(values);
  double gamma;

  SomeDrops(const char* simd, int kernel_, double gamma_, bool tension, double together)
      : kernels(implicit_water_kernels<dim>(simd)), kernel(kernel_), gamma(gamma_) {
    std::mt19937_64 random(5);
    for (std::size_t k = 0; k < count; ++k) code.push_back(static_cast<std::uint8_t>(random() % 64));
    std::sort(code.begin(), code.end());
    for (P& pack : packs)
      for (auto& field : pack.field) std::fill(std::begin(field), std::end(field), 0.0);
    for (std::size_t k = 0; k < count; ++k) {
      auto& field = packs[k / P::lanes].field;
      const std::size_t lane = k % P::lanes;
      for (std::size_t a = 0; a < P::axes; ++a) field[P::offset + a][lane] = draw(random, -0.5, 0.5);
      field[P::scale][lane] = draw(random, 0.5, 1.0);
      field[P::log_J][lane] = draw(random, -0.2, 0.2);
      field[P::stiffness][lane] = 3.0;
      field[P::exponent][lane] = -gamma;
      field[P::lambda][lane] = 3.0 * gamma;
      field[P::least_pressure][lane] = tension ? -std::numeric_limits<double>::infinity() : 0.0;
    }
    for (std::size_t at = 0; at < values; ++at)
      v[at] = at % 4 == 0 || at % 4 > dim ? 0.0 : together + draw(random, -0.05, 0.05);
  }

  PackBlock<dim> block(const std::vector<double>& from, std::vector<double>& to) {
    PackBlock<dim> one;
    one.packs = packs.data(), one.code = code.data(), one.count = count;
    one.per_h = 2.0, one.dt_over_h = 0.5;
    one.from = from.data(), one.to = to.data();
    return one;
  }
  /// Σ Δt V⁰ ψ at `at`; sets what nodes lose.
  double move(const std::vector<double>& at, std::vector<double>& taken) {
    std::vector<double> magnitude(values / 4);
    BlockEnergy energy;
    PackBlock<dim> one = block(at, taken);
    one.magnitude = magnitude.data();
    one.lagged = true;
    one.energy = &energy;
    BOOST_TEST(kernels.move[kernel](one));
    return energy.sum;
  }
  std::vector<double> moved(const std::vector<double>& by, double share) const {
    std::vector<double> at = v;
    for (std::size_t k = 0; k < at.size(); ++k) at[k] += share * by[k];
    return at;
  }
};

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

template <int dim>
void differentiate(int kernel, double gamma, bool tension, const char* simd) {
  constexpr double step = 1e-5;
  SomeDrops<dim> drops(simd, kernel, gamma, tension, 0.3);
  std::vector<double> way(drops.values), other(drops.values);
  std::mt19937_64 random(8);
  for (std::size_t at = 0; at < way.size(); ++at) {
    if (at % 4 == 0 || at % 4 > dim) continue;
    way[at] = draw(random, -1.0, 1.0);
    other[at] = draw(random, -1.0, 1.0);
  }
  std::vector<double> taken(drops.values), before(taken), behind(taken), change(taken), of_other(taken);
  drops.move(drops.v, taken);
  // Partly along the slope, so that it is felt.
  const double steepest = *std::max_element(taken.begin(), taken.end());
  for (std::size_t at = 0; at < way.size(); ++at) way[at] += taken[at] / steepest;
  const double high = drops.move(drops.moved(way, step), behind);
  const double low = drops.move(drops.moved(way, -step), before);
  drops.move(drops.v, taken);  // and what products go by
  // Energies are of Δt ψ; Δt is dt_over_h/per_h.
  const double slope = (high - low) / (2.0 * step) / 0.25;
  const double size = std::sqrt(dot(taken, taken) * dot(way, way));
  BOOST_TEST(std::abs(slope) > 1e-2 * size);
  BOOST_TEST(std::abs(slope - dot(taken, way)) <= 1e-7 * size);

  PackBlock<dim> one = drops.block(way, change);
  drops.kernels.change[kernel](one);
  double off = 0.0, largest = 0.0;
  for (std::size_t at = 0; at < change.size(); ++at) {
    const double difference = (behind[at] - before[at]) / (2.0 * step);
    off = std::max(off, std::abs(difference - change[at]));
    largest = std::max(largest, std::abs(change[at]));
  }
  BOOST_TEST(largest > 0.1);
  BOOST_TEST(off <= 1e-6 * largest);
  PackBlock<dim> two = drops.block(other, of_other);
  drops.kernels.change[kernel](two);
  BOOST_TEST(std::abs(dot(other, change) - dot(way, of_other)) <=
             1e-13 * std::sqrt(dot(change, change) * dot(other, other)));
}

/// What a node's own velocity does to it: the blocks on the diagonal.
template <int dim>
void compare_columns(int kernel) {
  SomeDrops<dim> drops("", kernel, 7.0, true, 0.0);
  std::vector<double> taken(drops.values), columns(dim * drops.values), change(drops.values);
  drops.move(drops.v, taken);
  PackBlock<dim> all = drops.block(drops.v, columns);
  drops.kernels.columns[kernel](all);
  const std::size_t node = Block<dim>::tile_offset(drops.code[20]);
  for (std::size_t c = 0; c < dim; ++c) {
    std::vector<double> unit(drops.values);
    unit[node + 1 + c] = 1.0;
    PackBlock<dim> one = drops.block(unit, change);
    drops.kernels.change[kernel](one);
    BOOST_TEST(change[node + 1 + c] > 0.0);
    for (std::size_t b = 0; b < dim; ++b)
      BOOST_TEST(std::abs(change[node + 1 + b] - columns[c * drops.values + node + 1 + b]) <=
                 1e-13 * change[node + 1 + c]);
  }
}

template <int dim>
void compare_rounded(int kernel, const char* simd, double together) {
  using Q = RoundedPack<dim>;
  constexpr double eps = std::numeric_limits<float>::epsilon();
  SomeDrops<dim> drops(simd, kernel, 7.0, true, 0.0);
  std::vector<double> taken(drops.values), change(drops.values), way(drops.values);
  drops.move(drops.v, taken);
  std::mt19937_64 random(8);
  for (std::size_t at = 0; at < way.size(); ++at)
    if (at % 4 != 0 && at % 4 <= dim) way[at] = together + draw(random, -1.0, 1.0);
  PackBlock<dim> one = drops.block(way, change);
  drops.kernels.change[kernel](one);
  std::vector<Q> rounded(drops.packs.size() / 2 + 1);
  for (std::size_t k = 0; k < drops.packs.size(); ++k)
    round_water_pack<dim>(drops.packs[k], rounded[k / 2], k % 2);
  Buffer<float> to;  // aligned as tiles are
  to.resize(drops.values);
  std::fill(to.begin(), to.end(), 0.0F);
  drops.kernels.rounded_change[kernel]({.packs = rounded.data(),
                                        .code = drops.code.data(),
                                        .count = drops.count,
                                        .scale = 1.0F,
                                        .from = way.data(),
                                        .to = to.data()});
  double largest = 0.0, off = 0.0;
  for (std::size_t at = 0; at < change.size(); ++at) {
    if (at % 4 == 0 || at % 4 > dim) continue;
    largest = std::max(largest, std::abs(change[at]));
    off = std::max(off, std::abs(change[at] - static_cast<double>(to[at])));
  }
  BOOST_TEST(largest > 0.1);
  BOOST_TEST(off <= 100.0 * eps * largest);
  BOOST_TEST(off > 0.01 * eps * largest);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(water_kernels)

BOOST_DATA_TEST_CASE(what_water_takes_is_the_slope_of_its_energy_and_changes_as_its_derivative_says,
                     data::make({2, 3}) * data::make({0, 1}) * data::make({1.0, 7.0}) *
                         data::make({true, false}) * data::make({"", "SSE4"}),
                     dim, kernel, gamma, tension, simd) {
  if (dim == 2)
    differentiate<2>(kernel, gamma, tension, simd);
  else
    differentiate<3>(kernel, gamma, tension, simd);
}

BOOST_DATA_TEST_CASE(blocks_of_nodes_are_what_each_does_to_itself, data::make({0, 1}), kernel) {
  compare_columns<2>(kernel);
  compare_columns<3>(kernel);
}

BOOST_DATA_TEST_CASE(a_product_of_water_in_float_is_the_one_in_double_but_for_rounding,
                     data::make({2, 3}) * data::make({0, 1}) * data::make({"", "SSE4"}) *
                         data::make({0.0, 1e5}),
                     dim, kernel, simd, together) {
  if (dim == 2)
    compare_rounded<2>(kernel, simd, together);
  else
    compare_rounded<3>(kernel, simd, together);
}

/// Volumes that a step would turn inside out, and those that it nearly does.
BOOST_AUTO_TEST_CASE(drops_without_volume_are_unsound) {
  for (const double squeeze : {0.9, 1.1}) {
    SomeDrops<2> drops("", 0, 7.0, true, 0.0);
    // v = −s x/Δt: Δt tr ∇v = −2 s.
    for (std::size_t at = 0; at < drops.values; ++at) {
      const std::size_t node = at / 4;
      const auto x = static_cast<double>(at % 4 == 1 ? node * 4 / Block<2>::row_values
                                                     : node % (Block<2>::row_values / 4));
      drops.v[at] = at % 4 == 1 || at % 4 == 2 ? -0.5 * squeeze * x / 0.5 : 0.0;
    }
    std::vector<double> taken(drops.values), magnitude(drops.values / 4);
    PackBlock<2> one = drops.block(drops.v, taken);
    one.magnitude = magnitude.data();
    BOOST_TEST(drops.kernels.move[0](one) == (squeeze < 1.0));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::optimized_tests
