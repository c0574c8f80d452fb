// Saturation seen from grains beside water, in places where the weights are known.
#include "reference/mixture/mixture_solver.h"
#include "tests/unit/mixture/scenes.h"

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace repose::test {
namespace {

constexpr double h = 0.125;  ///< a power of two: places relative to nodes are exact
constexpr double dt = 1e-5;

/// One grain of sand to the right of a wide bed of water that ends `reach` behind node 5, `gap` further on, in the middle of
/// all other axes. @returns the state behind plasticity
template <int d>
Snapshot beside_water(MixtureOptions options, double reach, double gap, double speed = 0.0) {
  Scene scene = mixed_box(d, options, h);
  scene.materials[0].cohesion = 320.0;
  std::vector<Particle<d>> particles;
  Vec<d> x = Vec<d>::Constant(6.0 * h);
  x[0] = (5.0 + reach + gap) * h;
  particles.push_back(particle_at<d>(x, 2.0));
  particles.back().v[0] = speed;
  for (int i = 0; i < (d == 2 ? 13 : 13 * 13); ++i) {
    Vec<d> w = Vec<d>::Zero();
    w[0] = (5.0 + reach) * h;
    w[1] = (3.0 + 0.5 * (i % 13)) * h;
    if constexpr (d == 3) w[2] = (3.0 + 0.5 * (i / 13)) * h;
    particles.push_back(particle_at<d>(w));
    particles.back().material = 1;
  }
  const auto solver = make_mixture_solver(scene);
  solver->load(mixed_start<d>(particles, scene));
  solver->run(boundary::step_start, boundary::plasticity, dt);
  return solver->save(boundary::plasticity, false);
}

template <int d>
double saturation_at(double reach, double gap) {
  return beside_water<d>({}, reach, gap).get(field::phi_p).value[0];
}

BOOST_AUTO_TEST_SUITE(saturation)

/// Quadratic kernel; the outermost water 0, ¼ and ½ h behind a node, sand 1, 1½ and 2 h further on. All are dyadic: exact.
BOOST_AUTO_TEST_CASE_TEMPLATE(saturation_falls_from_the_edge_of_the_water_as_the_kernel_does, D, Dims) {
  const double known[3][3] = {{0.875, 0.5, 0.125}, {0.71875, 0.28125, 0.03125}, {0.5, 0.125, 0.0}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      BOOST_TEST(saturation_at<D::d>(0.25 * i, 1.0 + 0.5 * j) == known[i][j], i << ", " << j);
}

/// Of 0.28125 the printed rule leaves 0.71875 of the cohesion, the rule of the text all of it; of 0.71875 it leaves 0.46875.
BOOST_AUTO_TEST_CASE_TEMPLATE(cohesion_is_that_of_the_saturation_of_the_same_step, D, Dims) {
  const auto cohesion = [](Softening softening, double gap) {
    return beside_water<D::d>({.softening = softening}, 0.25, gap).get(field::c_C).value[0];
  };
  BOOST_TEST(cohesion(Softening::linear, 1.5) == 320.0 * 0.71875);
  BOOST_TEST(cohesion(Softening::beyond_two_fifths, 1.5) == 320.0);
  BOOST_TEST(std::abs(cohesion(Softening::beyond_two_fifths, 1.0) - 320.0 * 0.46875) <= 320.0 * 4 * u);
  BOOST_TEST(cohesion(Softening::none, 1.0) == 320.0);
}

/// Deep in water a grain loses all cohesion, beyond two and a half cells it keeps all.
BOOST_AUTO_TEST_CASE_TEMPLATE(cohesion_is_none_in_water_and_whole_beside_it, D, Dims) {
  const Snapshot within = beside_water<D::d>({}, 0.0, 0.0);
  BOOST_TEST(within.get(field::phi_p).value[0] == 1.0);
  BOOST_TEST(within.get(field::c_C).value[0] == 0.0);
  const Snapshot beyond = beside_water<D::d>({}, 0.0, 2.5);
  BOOST_TEST(beyond.get(field::phi_p).value[0] == 0.0);
  BOOST_TEST(beyond.get(field::c_C).value[0] == 320.0);
  for (std::size_t p = 1; p < beyond.particles(); ++p) BOOST_TEST(beyond.get(field::phi_p).value[p] == 0.0);
}

/// [ERRATA T22]: a node that hardly any of the grain's mass reaches wets it in print, and not with a threshold.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_threshold_dries_what_rims_alone_wet, D, Dims) {
  const auto wet = [](double threshold) {
    return beside_water<D::d>({.wet_mass = threshold}, 0.0, 2.0).get(field::phi_p).value[0];
  };
  BOOST_TEST(wet(0.0) == 0.125);
  BOOST_TEST(wet(0.5) == 0.0);  // ⅛ of 2 kg reaches the row of nodes
}

/// Weights and masses are those of the step's start (erratum T23): a grain that moves by a quarter of a cell in the step is as
/// wet as one that rests.
BOOST_AUTO_TEST_CASE_TEMPLATE(saturation_is_seen_from_where_the_step_began, D, Dims) {
  const Snapshot moved = beside_water<D::d>({}, 0.25, 1.5, 0.25 * h / dt);
  BOOST_TEST(moved.get(field::x).value[0] > (5.0 + 1.75 + 0.24) * h);
  BOOST_TEST(moved.get(field::phi_p).value[0] == 0.28125);
}

/// A grain that leaves the water is as cohesive as before it was wet.
BOOST_AUTO_TEST_CASE(cohesion_comes_back_with_the_grain_that_leaves) {
  Scene scene = mixed_box(2, {}, h);
  scene.materials[0].cohesion = 320.0;
  std::vector<Particle<2>> particles{particle_at<2>(Vec<2>(6.0 * h, 6.0 * h))};
  particles[0].v = Vec<2>(40.0 * h, 0.0);
  for (int i = 0; i < 13; ++i) {
    particles.push_back(particle_at<2>(Vec<2>(5.0 * h, (3.0 + 0.5 * i) * h)));
    particles.back().material = 1;
  }
  const auto solver = make_mixture_solver(scene);
  solver->load(mixed_start<2>(particles, scene));
  double last = 0.0;
  double first = -1.0;
  for (int step = 0; step < 100; ++step) {
    solver->advance([](double) { return 1e-3; });
    last = solver->save(boundary::step_start, false).get(field::c_C).value[0];
    if (first < 0.0) first = last;
  }
  BOOST_TEST(first < 100.0);
  BOOST_TEST(last == 320.0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
