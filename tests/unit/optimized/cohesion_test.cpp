#include "tests/unit/optimized/grains.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

/// The return to a cone that cohesion has shifted, against the formulas of [Tam17 §3.1, §4.3.4] on principal strains.
namespace repose::optimized_tests {

namespace data = boost::unit_test::data;

namespace {

struct After {
  Vec<3> strain = Vec<3>::Zero();
  double q = 0.0, v_c = 0.0;
  int plastic_case = 0;
};

/// The formulas, and how far the trial is from where rounding decides.
After returned(const Grain& g, int dim, double& apart) {
  apart = 1.0;
  if (g.material.kind == MaterialKind::elastic) return {g.strain, g.q, g.v_c, 0};
  const Lame l = lame(g.material);
  const Vec<3> one = dim == 3 ? Vec<3>(1, 1, 1) : Vec<3>(1, 1, 0);
  const double alpha = slope_at(g.material, g.q);
  const double e_c = tip_of(g.material, dim, g.q);
  const double trace = g.strain.sum();
  const double shifted = trace + g.v_c;
  const Vec<3> dev = g.strain - trace / dim * one;
  const double radius =
      (g.material.cohesion - alpha * (dim * l.lambda + 2.0 * l.mu) * shifted) / (2.0 * l.mu);
  apart = std::min({std::abs(dev.norm() - radius), std::abs(shifted - e_c), std::abs(trace - e_c)});
  if (shifted > e_c) {
    const double opened = (g.strain - e_c / dim * one).norm();
    const bool hardens = trace > e_c || g.material.hardening_apart == HardeningApart::opening_and_closing;
    return {e_c / dim * one, g.q + (hardens ? opened : 0.0),
            g.material.volume_correction ? shifted - e_c : 0.0, 2};
  }
  if (dev.norm() <= radius) return {dev + shifted / dim * one, g.q, 0.0, 1};
  return {dev * (radius / dev.norm()) + shifted / dim * one, g.q + dev.norm() - radius, 0.0, 3};
}

/// Hardening and constant cones with and without cohesion, volume correction and hardening while grains close up, a cone
/// without a tip, and rubber.
std::vector<Material> all_materials(int dim) {
  std::vector<Material> all;
  const auto add = [&](const char* name, Material m) {
    m.name = name;
    all.push_back(m);
  };
  add("wet", wet_sand());
  Material m = plain_sand(dim, 0.003);
  m.hardening_apart = HardeningApart::opening_and_closing;
  add("wet, constant, hardens while closing", m);
  m = plain_sand(dim, 0.003);
  m.volume_correction = false;
  add("wet, forgets volume", m);
  m = plain_sand(dim, 0.0);
  m.friction.h0 = 0.0;
  m.cohesion = 0.004 * 2.0 * lame(m).mu;
  m.von_mises = true;
  m.volume_correction = false;
  add("von Mises", m);
  add("dry", sand());
  add("rubber", rubber());
  return all;
}

/// Strains about the tip, with and without volume gained before.
std::vector<Grain> grains_of(const std::vector<Material>& materials, int dim) {
  std::mt19937_64 random(17);
  std::vector<Grain> grains;
  for (std::size_t k = 0; k < 300 * materials.size(); ++k) {
    Grain g;
    g.material = materials[k * 7 % materials.size()];
    const double mean = draw(random, -0.004, 0.004);
    const double size = draw(random, 0.0, 0.006);
    for (int a = 0; a < dim; ++a) g.strain[a] = mean + draw(random, -size, size);
    g.axes = turned_axes(random, dim);
    if (g.material.kind == MaterialKind::sand) {
      g.q = draw(random, 0.0, 0.5);
      if (g.material.volume_correction && k % 2 == 0) g.v_c = draw(random, 0.0, 0.01);
    }
    grains.push_back(g);
  }
  return grains;
}

void judge(int dim, const std::vector<Material>& materials, Precision precision) {
  const std::vector<Grain> grains = grains_of(materials, dim);
  const Found found = after_plasticity(dim, grains, materials, precision);
  const double unit = precision == Precision::single_ ? 0x1.0p-24 : 0x1.0p-53;
  // Some twenty roundings of strains below 0.02, which the cone's slope and (dλ + 2μ)/2μ < 4 enlarge. Where the test makes F
  // and takes its logarithm, each of d×d entries of about 1 takes twenty of double's.
  const double bound = 20 * unit * 0.02 * 4 + 20 * dim * 0x1.0p-53;
  int judged[4] = {}, closing = 0;
  for (std::size_t p = 0; p < grains.size(); ++p) {
    double apart = 0.0;
    const After expected = returned(grains[p], dim, apart);
    if (apart <= bound) continue;
    BOOST_TEST_CONTEXT(grains[p].material.name << ", particle " << p) {
      BOOST_TEST(found.plastic_case[p] == expected.plastic_case);
      const Mat<3> strain = grains[p].axes * expected.strain.asDiagonal() * grains[p].axes.transpose();
      BOOST_TEST((found.strain[p] - strain).norm() <= bound);
      BOOST_TEST(std::abs(found.q[p] - expected.q) <= bound + 2 * unit * expected.q);
      BOOST_TEST(std::abs(found.v_c[p] - expected.v_c) <= bound);
    }
    ++judged[expected.plastic_case];
    closing +=
        expected.plastic_case == 2 && grains[p].strain.sum() < tip_of(grains[p].material, dim, grains[p].q);
  }
  // The premises: every case was met, and grains that are apart closed up.
  const bool has_tip =
      std::none_of(materials.begin(), materials.end(), [](const Material& m) { return m.von_mises; });
  BOOST_TEST(judged[1] >= 10);
  BOOST_TEST(judged[3] >= 10);
  if (materials.size() > 1 || has_tip) BOOST_TEST(judged[2] >= 10);
  if (materials.size() > 1 || (has_tip && materials[0].volume_correction)) BOOST_TEST(closing >= 5);
  BOOST_TEST(judged[0] + judged[1] + judged[2] + judged[3] >= static_cast<int>(grains.size()) * 9 / 10);
}

}  // namespace

BOOST_DATA_TEST_CASE(strains_return_to_the_shifted_cone_whatever_materials_share_a_vector,
                     data::make({2, 3}) * data::make({Precision::single_, Precision::double_}), dim,
                     precision) {
  judge(dim, all_materials(dim), precision);
}

BOOST_DATA_TEST_CASE(strains_return_to_the_shifted_cone_of_one_sand,
                     data::make({2, 3}) * data::make({Precision::single_, Precision::double_}) *
                         data::xrange(5),
                     dim, precision, k) {
  judge(dim, {all_materials(dim)[static_cast<std::size_t>(k)]}, precision);
}

}  // namespace repose::optimized_tests
