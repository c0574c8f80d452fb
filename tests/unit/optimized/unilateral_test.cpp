#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "tests/unit/optimized/states.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <vector>

/// The stress of the unilateral energy [Tam17 Eq.7-10], read off the nodes: with x_i the nodes and x_p the particle
///
///     Σ_i Δt f_i (x_i − x_p)ᵀ = −Δt V⁰ τ Σ_i ∇w_i (x_i − x_p)ᵀ = −Δt V⁰ τ
namespace repose::optimized_tests {

namespace data = boost::unit_test::data;

namespace {

constexpr double dt = 1e-3;

Material unilateral_sand(const Unilateral& of) {
  Material m = sand();
  m.youngs_modulus = 1000.0;
  m.poisson_ratio = 0.4;
  m.unilateral = of;
  return m;
}

Scene scene_of(int dim, Kernel kernel, const Material& material, Energy energy) {
  Scene scene = empty_scene(dim, kernel, Transfer::apic);
  scene.gravity = Point::Zero();
  scene.materials = {material};
  mpm_options(scene).energy = energy;
  return scene;
}

/// exp ε with the frame `axes`, as F of one particle at rest, somewhere in a cell.
Snapshot strained(const Scene& scene, const Vec<3>& strain, const Mat<3>& axes, double q) {
  const int d = scene.dim();
  Snapshot s = resting(scene, 1);
  const Mat<3> F = axes * strain.array().exp().matrix().asDiagonal() * axes.transpose();
  for (int a = 0; a < d; ++a) {
    s.get(field::x).value[static_cast<std::size_t>(a)] = 0.5 + 0.013 * (a + 1);
    for (int b = 0; b < d; ++b) s.get(field::F).value[static_cast<std::size_t>(d * a + b)] = F(a, b);
  }
  s.get(field::q).value[0] = q;
  return s;
}

Mat<3> stress_of(const Scene& scene, const Vec<3>& strain, const Mat<3>& axes, double q,
                 Precision precision) {
  const auto d = static_cast<std::size_t>(scene.dim());
  const Snapshot start = strained(scene, strain, axes, q);
  const auto solver = solver_of(scene, precision);
  solver->load(start);
  solver->run(boundary::step_start, boundary::forces, dt);
  const Snapshot s = solver->save(boundary::forces, false);
  Mat<3> moment = Mat<3>::Zero();
  for (std::size_t k = 0; k < s.count(Place::node); ++k) {
    const Point x = scene.grid.node_position(s.ids(Place::node)[k]);
    for (std::size_t a = 0; a < d; ++a)
      for (std::size_t b = 0; b < d; ++b)
        moment(static_cast<int>(a), static_cast<int>(b)) +=
            (s.get(field::p_star).value[d * k + a] - s.get(field::p_i).value[d * k + a]) *
            (x[static_cast<int>(b)] - start.get(field::x).value[b]);
  }
  return -moment / (dt * start.get(field::volume).value[0]);
}

/// Principal stresses, and the region: 'A', 'B' or 'C'. Everything about v is divided by v, which samples keep off 0.
struct Expected {
  Vec<3> tau = Vec<3>::Zero();
  char region = 'B';
};

Expected plain_stress(const Material& m, const Unilateral& of, double s_C, int dim, const Vec<3>& strain) {
  const Lame l = lame(m);
  const Vec<3> one = dim == 3 ? Vec<3>(1, 1, 1) : Vec<3>(1, 1, 0);
  const Vec<3> o = one / std::sqrt(static_cast<double>(dim));
  const Vec<3> e = strain / of.strain_unit;
  const double u = e.dot(o);
  const double v = (e - u * o).norm();
  const Vec<3> n = (e - u * o) / v;
  const double f = of.c0 * std::pow(v, 4) / (1 + std::pow(v, 3));
  const double slope = of.c0 * std::pow(v, 3) * (4 + std::pow(v, 3)) / std::pow(1 + std::pow(v, 3), 2);
  const double z = (u + f - of.a - s_C) / (of.b - of.a);
  const Vec<3> hencky = 2 * l.mu * strain + l.lambda * strain.sum() * one;
  if (z < 0) return {hencky, 'A'};
  if (z > 1) return {Vec<3>::Zero(), 'C'};
  const double psi = l.mu * strain.squaredNorm() + l.lambda / 2 * strain.sum() * strain.sum();
  const double h = 1 - 10 * std::pow(z, 3) + 15 * std::pow(z, 4) - 6 * std::pow(z, 5);
  const double h_z = -30 * z * z * (1 - z) * (1 - z);
  return {h * hencky + psi * h_z / ((of.b - of.a) * of.strain_unit) * (o + slope * n), 'B'};
}

/// s_C of a sand where it follows the tip at q: e_c/√d in units of strain.
double tip_shift(const Material& m, const Unilateral& of, int dim, double q) {
  const FrictionLaw& law = m.friction;
  const double sine = std::sin(law.h0 + (law.h1 * q - law.h3) * std::exp(-law.h2 * q));
  const double alpha = std::sqrt(2.0 / 3.0) * 2.0 * sine / (3.0 - sine);
  const Lame l = lame(m);
  return m.cohesion / (alpha * (dim * l.lambda + 2.0 * l.mu)) / std::sqrt(static_cast<double>(dim)) /
         of.strain_unit;
}

const auto kinds =
    data::make({Kernel::quadratic, Kernel::cubic}) * data::make({Precision::single_, Precision::double_});

}  // namespace

/// E = 1000, ν = .4; numbers from 40 digits, regions A, B, B on the axis, C, B shifted, B in 3D, B of Figure 6's opening.
BOOST_DATA_TEST_CASE(the_stress_has_the_values_of_forty_digits,
                     data::make({Kernel::quadratic, Kernel::cubic}), kernel) {
  struct Row {
    int dim;
    Vec<3> strain;
    Unilateral of;
    Vec<3> tau;
  };
  const Unilateral narrow{.a = -.003, .b = 0, .c0 = .01, .s_C = 0.0};
  const Unilateral shifted{.a = -.003, .b = 0, .c0 = .01, .s_C = .0005};
  const Unilateral wide{.a = -.5, .b = 0, .c0 = 1.1, .s_C = 0.0};
  const std::array<Row, 7> rows{
      {{2, {-.004, -.006, 0}, narrow, {-17.1428571429, -18.5714285714, 0}},
       {2, {-.0015, -.0005, 0}, narrow, {-3.40056617808, -3.08163741057, 0}},
       {2, {-.001, -.001, 0}, narrow, {-3.1626990345, -3.1626990345, 0}},
       {2, {.001, .0005, 0}, narrow, {0, 0, 0}},
       {2, {-.0015, -.0005, 0}, shifted, {-4.34497544902, -3.81210127768, 0}},
       {3, {-.002, -.0005, -.0003}, narrow, {-5.65719648689, -5.04372853941, -4.96193281308}},
       {2, {-.2, -.1, 0}, wide, {-413.341493537, -388.269855616, 0}}}};
  for (const Row& row : rows) {
    const Scene scene = scene_of(row.dim, kernel, unilateral_sand(row.of), Energy::unilateral);
    const Mat<3> tau = stress_of(scene, row.strain, Mat<3>::Identity(), 0.0, Precision::double_);
    const Mat<3> expected = row.tau.asDiagonal();
    // Twelve digits are given, and forces take some hundred roundings.
    BOOST_TEST((tau - expected).norm() <= 1e-11 * expected.norm(), tau << " for " << expected);
  }
}

/// In turned frames, with s_C given, following the tip of a hardening cone, and strain in per cent.
BOOST_DATA_TEST_CASE(the_stress_is_that_of_the_formulas_in_every_region, data::make({2, 3}) * kinds, dim,
                     kernel, precision) {
  const double unit = precision == Precision::single_ ? 0x1.0p-24 : 0x1.0p-53;
  std::mt19937_64 random(29);
  int seen_A = 0, seen_B = 0, seen_C = 0;
  for (const bool follows : {false, true}) {
    for (const double strain_unit : {1.0, 0.01}) {
      const double s = 0.01 / strain_unit;
      Unilateral of{.a = -0.4 * s,
                    .b = 0.2 * s,
                    .c0 = strain_unit == 1.0 ? 2.0 : 0.3,
                    .s_C = 0.1 * s,
                    .strain_unit = strain_unit};
      if (follows) of.s_C.reset();
      Material m = unilateral_sand(of);
      m.cohesion = 3.0;
      const Scene scene = scene_of(dim, kernel, m, Energy::unilateral);
      for (int k = 0; k < 50; ++k) {
        const double q = draw(random, 0.0, 2.0);
        const double mean = draw(random, -0.005, 0.003);
        const double size = draw(random, 0.0005, 0.01);
        Vec<3> strain = Vec<3>::Zero();
        for (int a = 0; a < dim; ++a) strain[a] = mean + draw(random, -size, size);
        const Mat<3> axes = turned_axes(random, dim);
        const double s_C = of.s_C.value_or(tip_shift(m, of, dim, q));
        const Expected expected = plain_stress(m, of, s_C, dim, strain);
        const Mat<3> tau = stress_of(scene, strain, axes, q, precision);
        const Mat<3> turned = axes * expected.tau.asDiagonal() * axes.transpose();
        const Lame l = lame(m);
        // Of the stress that h = 1 has, a rounding of z takes a share of a few: it is a sum of strains over b − a. Ten
        // roundings of z, forty of the sums. The test's own F, whose entries are about 1, loses ten of double's of the
        // strain, whose stress is at most ten times as steep as Hencky's.
        const double modulus = 2 * l.mu + dim * l.lambda;
        const double sum = strain.norm() / strain_unit + std::abs(of.a) + s_C;
        const double share = unit * (40 + 100 * sum / (of.b - of.a));
        const double bound = modulus * (share * strain.norm() + 100 * 0x1.0p-53);
        BOOST_TEST((tau - turned).norm() <= bound, expected.region << ": " << (tau - turned).norm() / bound);
        seen_A += expected.region == 'A';
        seen_B += expected.region == 'B';
        seen_C += expected.region == 'C';
      }
    }
  }
  BOOST_TEST(seen_A >= 20);
  BOOST_TEST(seen_B >= 60);
  BOOST_TEST(seen_C >= 20);
}

/// Where h = 1 the energies are one, to the bit; where h = 0 nothing pushes.
BOOST_DATA_TEST_CASE(sand_is_henckys_in_region_A_and_free_in_region_C, data::make({2, 3}) * kinds, dim,
                     kernel, precision) {
  const auto momenta = [&](Energy energy, double a, double b) {
    Scene scene = empty_scene(dim, kernel, Transfer::apic);
    scene.materials = {sand()};
    scene.materials[0].unilateral = Unilateral{.a = a, .b = b, .c0 = 0.5, .s_C = 0.0};
    mpm_options(scene).energy = energy;
    const auto solver = solver_of(scene, precision);
    solver->load(random_state(scene, 300, 0.4, 0.6, 3));
    solver->run(boundary::step_start, boundary::forces, dt);
    return solver->save(boundary::forces, true).get(field::p_star).value;
  };
  const std::vector<double> hencky = momenta(Energy::hencky, 1.0, 2.0);
  BOOST_TEST((momenta(Energy::unilateral, 1.0, 2.0) == hencky));
  BOOST_TEST((momenta(Energy::unilateral, -0.005, 0.005) != hencky));  // the premise: strains are about .01

  Scene scene = scene_of(dim, kernel, unilateral_sand({.a = -2.0, .b = -1.0, .c0 = 0.5, .s_C = 0.0}),
                         Energy::unilateral);
  const auto solver = solver_of(scene, precision);
  solver->load(random_state(scene, 300, 0.4, 0.6, 3));
  solver->run(boundary::step_start, boundary::forces, dt);
  const Snapshot s = solver->save(boundary::forces, true);
  BOOST_TEST((s.get(field::p_star).value == s.get(field::p_i).value));
}

/// Rubber keeps Hencky's energy beside such sand, and sand its own beside rubber.
BOOST_DATA_TEST_CASE(the_energy_is_that_of_each_lanes_material, data::make({2, 3}) * kinds, dim, kernel,
                     precision) {
  const auto momenta = [&](double a, double b, double materials) {
    Scene scene = empty_scene(dim, kernel, Transfer::apic);
    scene.materials[0].unilateral = Unilateral{.a = a, .b = b, .c0 = 0.5, .s_C = 0.0};
    mpm_options(scene).energy = Energy::unilateral;
    Snapshot s = random_state(scene, 300, 0.4, 0.6, 3);
    if (materials >= 0.0)
      for (double& m : s.get(field::material).value) m = materials;
    const auto solver = solver_of(scene, precision);
    solver->load(s);
    solver->run(boundary::step_start, boundary::forces, dt);
    return solver->save(boundary::forces, true).get(field::p_star).value;
  };
  BOOST_TEST((momenta(1.0, 2.0, 1.0) == momenta(-2.0, -1.0, 1.0)));
  BOOST_TEST((momenta(1.0, 2.0, 0.0) != momenta(-2.0, -1.0, 0.0)));
  BOOST_TEST((momenta(1.0, 2.0, -1.0) != momenta(-2.0, -1.0, -1.0)));
}

}  // namespace repose::optimized_tests
