#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/mpm/reference_solver.h"
#include "tests/unit/optimized/states.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <map>

namespace data = boost::unit_test::data;

namespace repose::optimized_tests {

namespace {

constexpr std::array<Boundary, 8> stops{boundary::step_start, boundary::p2g,       boundary::forces,
                                        boundary::collisions, boundary::friction,  boundary::g2p,
                                        boundary::update,     boundary::plasticity};

/// b = F Fᵀ of a field of F: what is compared, since a solver may turn F.
std::vector<double> left_stretch(const std::vector<double>& F, std::size_t d) {
  std::vector<double> b(F.size());
  for (std::size_t p = 0; p * d * d < F.size(); ++p)
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j)
        for (std::size_t k = 0; k < d; ++k)
          b[d * d * p + d * i + j] += F[d * d * p + d * i + k] * F[d * d * p + d * j + k];
  return b;
}

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double v : values) most = std::max(most, std::abs(v));
  return most;
}

/// Largest difference of a field in units of the field's largest value.
void compare(const Snapshot& fast, const Snapshot& slow, double tolerance, std::size_t d) {
  for (const Field& f : slow.fields) {
    if (f.name == field::plastic_case || f.place == Place::scene) continue;
    BOOST_TEST_CONTEXT(slow.at << " " << f.name) {
      const Field* other = fast.find(f.name);
      BOOST_REQUIRE(other != nullptr);
      std::vector<double> expected = f.value;
      std::vector<double> found = other->value;
      double scale = 1.0;
      if (f.name == field::F || f.name == field::F_trial) {
        expected = left_stretch(expected, d);
        found = left_stretch(found, d);
      } else {
        scale = largest(expected);
      }
      if (f.name == field::v_c || f.name == field::q) scale = std::max(scale, 1.0);
      if (f.place == Place::node) {
        // A node that only one side sees carries next to nothing.
        std::map<std::int64_t, std::size_t> where;
        for (std::size_t k = 0; k < fast.count(Place::node); ++k) where[fast.ids(Place::node)[k]] = k;
        std::vector<double> aligned(expected.size());
        const auto n = static_cast<std::size_t>(f.components);
        for (std::size_t k = 0; k < slow.count(Place::node); ++k) {
          const auto at = where.find(slow.ids(Place::node)[k]);
          if (at == where.end()) continue;
          for (std::size_t c = 0; c < n; ++c) aligned[n * k + c] = found[n * at->second + c];
        }
        found = aligned;
      }
      BOOST_REQUIRE(found.size() == expected.size());
      double worst = 0.0;
      std::size_t where = 0;
      for (std::size_t k = 0; k < expected.size(); ++k) {
        const double difference = std::abs(found[k] - expected[k]);
        if (!(difference <= worst)) worst = difference, where = k;
      }
      BOOST_TEST(worst <= tolerance * scale, "worst " << worst / scale << " at " << where << ": "
                                                      << found[where] << " for " << expected[where]
                                                      << ", tolerance " << tolerance);
    }
  }
}

/// Stage by stage from equal states: the fast solver loads the readable one's state, what it then holds is loaded back.
void lock_step(const Scene& scene, const Snapshot& start, Precision precision, int steps, double dt,
               double tolerance) {
  const auto fast = solver_of(scene, precision);
  const auto slow = make_reference_solver(scene);
  Snapshot state = start;
  for (int step = 0; step < steps; ++step) {
    for (std::size_t k = 0; k + 1 < stops.size(); ++k) {
      state.at = stops[k];
      fast->load(state);
      const Snapshot held = fast->save(stops[k], false);
      slow->load(held);
      fast->run(stops[k], stops[k + 1], dt);
      slow->run(stops[k], stops[k + 1], dt);
      state = slow->save(stops[k + 1], false);
      compare(fast->save(stops[k + 1], false), state, tolerance, static_cast<std::size_t>(scene.dim()));
    }
    state = slow->save(boundary::step_start, false);
  }
}

}  // namespace

/// Loose bounds here: 10³ roundings of the field's largest value, which no wrong formula meets. The lock-step check of
/// the product derives its bounds.
BOOST_DATA_TEST_CASE(every_stage_agrees_with_the_readable_solver,
                     data::make({2, 3}) * data::make({Kernel::quadratic, Kernel::cubic}) *
                         data::make({Transfer::apic, Transfer::pic, Transfer::flip, Transfer::flip_pic}) *
                         data::make({Precision::single_, Precision::double_}),
                     dim, kernel, transfer, precision) {
  Scene scene = empty_scene(dim, kernel, transfer);
  add_bodies(scene);
  const Snapshot start = random_state(scene, 400, 0.3, 0.62, 7);
  const double unit = precision == Precision::single_ ? 0x1.0p-24 : 0x1.0p-53;
  lock_step(scene, start, precision, 2, 1e-3, 1000 * unit);
}

/// The same for cohesive sand with the unilateral energy, beside rubber.
BOOST_DATA_TEST_CASE(every_stage_of_wet_sand_agrees_with_the_readable_solver,
                     data::make({2, 3}) * data::make({Kernel::quadratic, Kernel::cubic}) *
                         data::make({Precision::single_, Precision::double_}) *
                         data::make({HardeningApart::opening, HardeningApart::opening_and_closing}),
                     dim, kernel, precision, hardens) {
  Scene scene = empty_scene(dim, kernel, Transfer::apic);
  add_bodies(scene);
  scene.materials[0] = wet_sand();
  scene.materials[0].hardening_apart = hardens;
  mpm_options(scene).energy = Energy::unilateral;
  const Snapshot start = random_state(scene, 400, 0.3, 0.62, 7);
  const double unit = precision == Precision::single_ ? 0x1.0p-24 : 0x1.0p-53;
  lock_step(scene, start, precision, 2, 1e-3, 1000 * unit);
}

}  // namespace repose::optimized_tests
