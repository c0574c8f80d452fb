#include "optimized/simd/choose_target.h"
#include "optimized/simd/probe.h"
#include "reference/interface/base/error.h"
#include "tests/unit/optimized/states.h"

#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

/// The vector maths of every instruction set of this machine against 64-bit mantissas (long double): 11 bits more than
/// double, so that the oracle's own error is below a thousandth of a unit.
namespace repose::optimized_tests {

namespace {

using Long = long double;
using optimized::Probe;
template <class T>
constexpr Long unit = static_cast<Long>(std::numeric_limits<T>::epsilon()) / 2;

template <class T>
std::vector<const Probe<T>*> probes() {
  std::vector<const Probe<T>*> out;
  for (const char* name : {"SSE4", "AVX2", "AVX3"}) {
    try {
      out.push_back(&optimized::probe<T>(name));
    } catch (const BadInput&) {
    }
  }
  return out;
}

template <int dim>
using Matrix = Eigen::Matrix<Long, dim, dim>;

template <class T, int dim>
Matrix<dim> matrix(const T* s) {
  Eigen::Matrix<T, dim, dim> m;
  if constexpr (dim == 2)
    m << s[0], s[2], s[2], s[1];
  else
    m << s[0], s[3], s[4], s[3], s[1], s[5], s[4], s[5], s[2];
  return m.template cast<Long>();
}
template <class T, int dim>
void pack(const Matrix<dim>& m, T* s) {
  for (int a = 0; a < dim; ++a) s[a] = static_cast<T>(m(a, a));
  if constexpr (dim == 2) {
    s[2] = static_cast<T>(m(0, 1));
  } else {
    s[3] = static_cast<T>(m(0, 1));
    s[4] = static_cast<T>(m(0, 2));
    s[5] = static_cast<T>(m(1, 2));
  }
}

/// Q diag(λ) Qᵀ with a random rotation.
template <int dim>
Matrix<dim> turned(const std::array<double, 3>& lambda, std::mt19937_64& random) {
  Eigen::Matrix<Long, dim, dim> a;
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j) a(i, j) = static_cast<Long>(draw(random, -1, 1));
  const Matrix<dim> q = Eigen::SelfAdjointEigenSolver<Matrix<dim>>(a + a.transpose()).eigenvectors();
  Eigen::Matrix<Long, dim, 1> l;
  for (int i = 0; i < dim; ++i) l[i] = static_cast<Long>(lambda[static_cast<std::size_t>(i)]);
  return q * l.asDiagonal() * q.transpose();
}

/// Strains b − 1 of every kind: zero, tiny, denormal, equal eigenvalues, nearly equal ones, around the radius where the
/// series gives way to the spectrum, large, nearly flattened.
template <class T, int dim>
std::vector<T> strains(bool large) {
  std::mt19937_64 random(23);
  std::vector<T> out;
  constexpr std::size_t size = dim == 2 ? 3 : 6;
  const auto add = [&](const std::array<double, 3>& lambda) {
    out.resize(out.size() + size);
    pack<T, dim>(turned<dim>(lambda, random), out.data() + out.size() - size);
  };
  const double denormal = static_cast<double>(std::numeric_limits<T>::denorm_min()) * 1000;
  add({0, 0, 0});
  add({denormal, -denormal, 2 * denormal});
  for (int k = 0; k < 400; ++k) {
    const double size_of = std::pow(10.0, draw(random, -12, -0.65));
    const double a = draw(random, -1, 1) * size_of / 1.8, b = draw(random, -1, 1) * size_of / 1.8;
    add({a, b, draw(random, -1, 1) * size_of / 1.8});
    add({a, a, b});
    add({a, a, a});
    add({a, a * (1 + 1e-7), a * (1 - 1e-7)});
    if (!large) continue;
    const double c = std::exp(draw(random, -3, 3)) - 1;
    add({c, std::exp(draw(random, -3, 3)) - 1, std::exp(draw(random, -3, 3)) - 1});
    add({c, c, a});
    add({c, c, c});
    const double edge = draw(random, 0.24, 0.26) / std::sqrt(dim);
    add({edge, -edge, edge});
  }
  return out;
}

}  // namespace

using Scalars = boost::mpl::list<float, double>;
using Numbers = boost::mpl::list<
    std::pair<float, std::integral_constant<int, 2>>, std::pair<float, std::integral_constant<int, 3>>,
    std::pair<double, std::integral_constant<int, 2>>, std::pair<double, std::integral_constant<int, 3>>>;

BOOST_AUTO_TEST_CASE(this_machine_has_an_instruction_set) {
  BOOST_TEST(!probes<float>().empty());
  BOOST_TEST_MESSAGE("instruction sets: " << optimized::available_targets());
}

/// ‖error‖ ≤ c u (‖ε‖ + ‖X‖/(1 + λ_min)): the second part is what rounding X alone does.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_tensor_logarithm_is_accurate, Kind, Numbers) {
  using T = typename Kind::first_type;
  constexpr int dim = Kind::second_type::value;
  constexpr std::size_t size = dim == 2 ? 3 : 6;
  const std::vector<T> in = strains<T, dim>(true);
  for (const auto* p : probes<T>()) {
    std::vector<T> out(in.size());
    p->half_log1p[dim - 2](in.data(), in.size() / size, out.data());
    Long worst = 0, worst_small = 0;
    for (std::size_t k = 0; k < in.size(); k += size) {
      const Matrix<dim> X = matrix<T, dim>(&in[k]);
      const Eigen::SelfAdjointEigenSolver<Matrix<dim>> e(X);
      Eigen::Matrix<Long, dim, 1> l;
      for (int a = 0; a < dim; ++a) l[a] = std::log1p(e.eigenvalues()[a]) / 2;
      const Matrix<dim> expected = e.eigenvectors() * l.asDiagonal() * e.eigenvectors().transpose();
      const Long error = (matrix<T, dim>(&out[k]) - expected).norm();
      const Long scale = expected.norm() + X.norm() / (1 + e.eigenvalues()[0]);
      if (scale == 0) {
        BOOST_TEST(error == 0);
        continue;
      }
      const Long floor = 8 * static_cast<Long>(std::numeric_limits<T>::denorm_min());
      if (error > floor) worst = std::max(worst, error / (unit<T> * scale));
      if (error > floor && X.norm() <= 0.25L)
        worst_small = std::max(worst_small, error / (unit<T> * expected.norm()));
    }
    BOOST_TEST_MESSAGE(p->name << " " << sizeof(T) * 8 << " bit, " << dim << "D: ½ ln(1+X) within " << worst
                               << " u, small strains within " << worst_small << " u of their own norm");
    // The last product rounds each component a few times (measured 2.1 u); Jacobi's rotations add up to some 20 u.
    BOOST_TEST(worst_small <= 4.0L);
    BOOST_TEST(worst <= 16.0L);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_tensor_exponential_is_accurate, Kind, Numbers) {
  using T = typename Kind::first_type;
  constexpr int dim = Kind::second_type::value;
  constexpr std::size_t size = dim == 2 ? 3 : 6;
  const std::vector<T> in = strains<T, dim>(true);
  for (const auto* p : probes<T>()) {
    std::vector<T> out(in.size());
    p->expm1[dim - 2](in.data(), in.size() / size, out.data());
    Long worst = 0, worst_small = 0;
    for (std::size_t k = 0; k < in.size(); k += size) {
      const Matrix<dim> X = matrix<T, dim>(&in[k]);
      const Eigen::SelfAdjointEigenSolver<Matrix<dim>> e(X);
      Eigen::Matrix<Long, dim, 1> l;
      for (int a = 0; a < dim; ++a) l[a] = std::expm1(e.eigenvalues()[a]);
      const Matrix<dim> expected = e.eigenvectors() * l.asDiagonal() * e.eigenvectors().transpose();
      const Long error = (matrix<T, dim>(&out[k]) - expected).norm();
      // What rounding X alone does: ‖X‖ e^λ_max.
      const Long scale = expected.norm() + X.norm() * std::exp(e.eigenvalues()[dim - 1]);
      const Long floor = 8 * static_cast<Long>(std::numeric_limits<T>::denorm_min());
      if (scale == 0) BOOST_TEST(error == 0);
      if (scale == 0 || error <= floor) continue;
      worst = std::max(worst, error / (unit<T> * scale));
      if (X.norm() <= 0.25L) worst_small = std::max(worst_small, error / (unit<T> * expected.norm()));
    }
    BOOST_TEST_MESSAGE(p->name << " " << sizeof(T) * 8 << " bit, " << dim << "D: exp(X)−1 within " << worst
                               << " u, small strains within " << worst_small << " u of their own norm");
    BOOST_TEST(worst_small <= 4.0L);
    BOOST_TEST(worst <= 16.0L);
  }
}

/// Q orthonormal, and Q diag(λ) Qᵀ = X, to a few tens of roundings of ‖X‖.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_spectrum_rebuilds_the_tensor, Kind, Numbers) {
  using T = typename Kind::first_type;
  constexpr int dim = Kind::second_type::value;
  constexpr std::size_t size = dim == 2 ? 3 : 6;
  constexpr std::size_t result = static_cast<std::size_t>(dim + dim * dim);
  const std::vector<T> in = strains<T, dim>(true);
  for (const auto* p : probes<T>()) {
    std::vector<T> out(in.size() / size * result);
    p->decompose[dim - 2](in.data(), in.size() / size, out.data());
    Long worst = 0, crooked = 0;
    for (std::size_t k = 0; k < in.size() / size; ++k) {
      const Matrix<dim> X = matrix<T, dim>(&in[size * k]);
      Matrix<dim> Q;
      Eigen::Matrix<Long, dim, 1> l;
      for (int a = 0; a < dim; ++a) {
        l[a] = out[result * k + static_cast<std::size_t>(a)];
        for (int b = 0; b < dim; ++b) Q(a, b) = out[result * k + static_cast<std::size_t>(dim + dim * a + b)];
      }
      crooked = std::max(crooked, (Q * Q.transpose() - Matrix<dim>::Identity()).norm() / unit<T>);
      const Long error = (Q * l.asDiagonal() * Q.transpose() - X).norm();
      // Where squares underflow nothing is turned; strains that small are left to the series.
      if (X.norm() > std::sqrt(static_cast<Long>(std::numeric_limits<T>::min())) / unit<T>)
        worst = std::max(worst, error / (unit<T> * X.norm()));
    }
    BOOST_TEST_MESSAGE(p->name << " " << sizeof(T) * 8 << " bit, " << dim << "D: spectrum within " << worst
                               << " u, axes within " << crooked << " u");
    BOOST_TEST(worst <= 40.0L);  // 15 or 18 rotations of some 2 u each
    BOOST_TEST(crooked <= 60.0L);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(logarithm_and_exponential_of_numbers_keep_their_bounds, T, Scalars) {
  std::mt19937_64 random(5);
  std::vector<T> in{T{0},
                    std::numeric_limits<T>::denorm_min(),
                    -std::numeric_limits<T>::denorm_min(),
                    std::numeric_limits<T>::min(),
                    T{1e-20F},
                    T{1},
                    T{80}};
  for (int k = 0; k < 20000; ++k) {
    in.push_back(static_cast<T>(draw(random, -0.999, 1)));
    in.push_back(static_cast<T>(std::pow(10.0, draw(random, -30, 1.5))));
    in.push_back(static_cast<T>(-std::pow(10.0, draw(random, -30, -0.01))));
  }
  for (const auto* p : probes<T>()) {
    std::vector<T> log(in.size()), exp(in.size());
    p->log1p(in.data(), in.size(), log.data());
    p->scalar_expm1(in.data(), in.size(), exp.data());
    Long worst_log = 0, worst_exp = 0;
    for (std::size_t k = 0; k < in.size(); ++k) {
      const Long x = in[k];
      const auto ulps = [&](T found, Long expected) {
        const Long smallest = std::numeric_limits<T>::denorm_min();
        const Long ulp =
            std::max(smallest, std::ldexp(2 * unit<T>, std::ilogb(expected == 0 ? smallest : expected)));
        return std::abs(static_cast<Long>(found) - expected) / ulp;
      };
      worst_log = std::max(worst_log, ulps(log[k], std::log1p(x)));
      worst_exp = std::max(worst_exp, ulps(exp[k], std::expm1(x)));
    }
    BOOST_TEST_MESSAGE(p->name << " " << sizeof(T) * 8 << " bit: log1p within " << worst_log
                               << " ulp, expm1 within " << worst_exp << " ulp");
    BOOST_TEST(worst_log <= 4.0L);
    BOOST_TEST(worst_exp <= 4.0L);
  }
}

/// On the ranges that the law of hardening asks for; beyond them finite and on the right side.
BOOST_AUTO_TEST_CASE_TEMPLATE(exponential_and_sine_are_accurate, T, Scalars) {
  constexpr bool is_float = sizeof(T) == 4;
  const T right = static_cast<T>(1.5707963267948966);
  std::vector<T> x{T{0}, T{-0.0F}, is_float ? T{-86} : T{-707}, is_float ? T{88} : T{709}};
  std::vector<T> angle{T{0}, T{-0.0F}, right, -right};
  std::mt19937_64 random(17);
  for (int k = 0; k < 20000; ++k) {
    const double sign = k % 2 == 0 ? 1 : -1;
    x.push_back(static_cast<T>(draw(random, -1, 0) * (is_float ? 86 : 707)));
    x.push_back(static_cast<T>(sign * std::pow(10.0, draw(random, -30, 1.9))));
    angle.push_back(static_cast<T>(draw(random, -1.5707, 1.5707)));
    angle.push_back(static_cast<T>(sign * std::pow(10.0, draw(random, -30, 0.19))));
  }
  const T huge = std::numeric_limits<T>::max();
  const std::vector<T> beyond{-huge, -1000, 1000, huge};
  for (const auto* p : probes<T>()) {
    const auto worst = [](auto map, const std::vector<T>& in, auto exact) {
      std::vector<T> out(in.size());
      map(in.data(), in.size(), out.data());
      Long most = 0;
      for (std::size_t k = 0; k < in.size(); ++k) {
        const Long expected = exact(static_cast<Long>(in[k]));
        if (expected == 0) {
          BOOST_TEST(out[k] == T{0});
          continue;
        }
        const Long ulp = std::ldexp(2 * unit<T>, std::ilogb(expected));
        most = std::max(most, std::abs(static_cast<Long>(out[k]) - expected) / ulp);
      }
      return most;
    };
    const Long exp = worst(p->exp, x, [](Long v) { return std::exp(v); });
    const Long sine = worst(p->acute_sine, angle, [](Long v) { return std::sin(v); });
    BOOST_TEST_MESSAGE(p->name << " " << sizeof(T) * 8 << " bit: exp within " << exp << " ulp, sine within "
                               << sine << " ulp");
    BOOST_TEST(exp <= 2.0L);
    BOOST_TEST(sine <= 2.0L);

    std::vector<T> out(beyond.size());
    p->exp(beyond.data(), beyond.size(), out.data());
    for (std::size_t k = 0; k < beyond.size(); ++k) {
      BOOST_TEST(std::isnormal(out[k]));
      BOOST_TEST((out[k] > T{1}) == (beyond[k] > T{0}));
    }
    p->acute_sine(beyond.data(), beyond.size(), out.data());
    for (std::size_t k = 0; k < beyond.size(); ++k)
      BOOST_TEST(std::abs(static_cast<Long>(out[k]) - (beyond[k] > T{0} ? 1 : -1)) <= 4 * unit<T>);
  }
}

/// Σ w = 1, Σ d = 0, Σ g = 0, Σ g Δ = 1, Σ w Δ² = D/h², and each weight against the piecewise polynomial of [Klar16 Eq.6]
/// at its distance: relative to its own size, also where it is small.
BOOST_AUTO_TEST_CASE_TEMPLATE(weights_are_the_b_splines, T, Scalars) {
  std::vector<T> in{T{-0.5F}, T{0.5F}, T{0}};
  std::mt19937_64 random(3);
  for (int k = 0; k < 2000; ++k) in.push_back(static_cast<T>(draw(random, -0.5, 0.5)));
  for (int k = 2; k < 20; ++k) in.push_back(static_cast<T>(0.5 - std::pow(2.0, -k)));
  for (const auto* p : probes<T>()) {
    for (const int K : {3, 4}) {
      std::vector<T> out(12 * in.size());
      p->weights[K - 3](in.data(), in.size(), out.data());
      Long worst = 0;
      for (std::size_t k = 0; k < in.size(); ++k) {
        const T* w = &out[12 * k];
        const T* delta = w + 4;
        const T* g = w + 8;
        Long sum = 0, first = 0, slope = 0, slope_moment = 0, second = 0;
        for (int i = 0; i < K; ++i) {
          // Nodes lie at whole numbers, the cell's centre at 1.5 (cubic) or 1 (quadratic) from the first.
          const Long x = i - (K == 4 ? 1.5L : 1.0L) - static_cast<Long>(in[k]);
          const Long r = std::abs(x);
          Long exact = 0, exact_slope = 0;
          if (K == 4) {
            exact = r < 1 ? r * r * r / 2 - r * r + 2.0L / 3 : (2 - r) * (2 - r) * (2 - r) / 6;
            exact_slope = r < 1 ? 1.5L * r * r - 2 * r : -(2 - r) * (2 - r) / 2;
          } else {
            exact = r < 0.5L ? 0.75L - r * r : (1.5L - r) * (1.5L - r) / 2;
            exact_slope = r < 0.5L ? -2 * r : r - 1.5L;
          }
          // ∇w is the derivative by the particle's place of N̂(x_p − x_i): it points towards the node.
          exact_slope *= x > 0 ? -1 : 1;
          sum += w[i];
          first += delta[i];
          slope += g[i];
          slope_moment += static_cast<Long>(g[i]) * x;
          second += static_cast<Long>(delta[i]) * x;
          if (exact > 0)
            worst = std::max(worst, std::abs(static_cast<Long>(w[i]) - exact) / (unit<T> * exact));
          BOOST_REQUIRE(std::abs(static_cast<Long>(delta[i]) - exact * x) <= 8 * unit<T>);
          BOOST_REQUIRE(std::abs(static_cast<Long>(g[i]) - exact_slope) <= 4 * unit<T>);
        }
        BOOST_REQUIRE(std::abs(sum - 1) <= 8 * unit<T>);
        BOOST_REQUIRE(std::abs(first) <= 8 * unit<T>);
        BOOST_REQUIRE(std::abs(slope) <= 8 * unit<T>);
        BOOST_REQUIRE(std::abs(slope_moment - 1) <= 16 * unit<T>);
        BOOST_REQUIRE(std::abs(second - (K == 4 ? 1.0L / 3 : 0.25L)) <= 8 * unit<T>);
      }
      BOOST_TEST_MESSAGE(p->name << " " << sizeof(T) * 8 << " bit, K = " << K << ": weights within " << worst
                                 << " u of their own size");
      BOOST_TEST(worst <= 12.0L);  // a cube of a distance that was rounded once, times a constant
    }
  }
}

}  // namespace repose::optimized_tests
