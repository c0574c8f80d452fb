#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "tests/unit/optimized/states.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstring>

namespace data = boost::unit_test::data;

namespace repose::optimized_tests {

namespace {

/// A sand and how its velocities go.
struct Flow {
  Transfer transfer;
  bool wet;
};
std::ostream& operator<<(std::ostream& out, const Flow& flow) {
  return out << (flow.wet ? "wet " : "dry ") << flow.transfer;
}

constexpr std::array<Boundary, 8> stops{boundary::step_start, boundary::p2g,       boundary::forces,
                                        boundary::collisions, boundary::friction,  boundary::g2p,
                                        boundary::update,     boundary::plasticity};
constexpr double dt = 1e-3;
double steady(double) { return dt; }

Scene busy_scene(int dim, Kernel kernel, const Flow& flow) {
  Scene scene = empty_scene(dim, kernel, flow.transfer);
  if (flow.wet) {
    scene.materials[0] = wet_sand();
    mpm_options(scene).energy = Energy::unilateral;
  }
  add_bodies(scene);
  return scene;
}

/// Sums over so many particles that any change of order would show.
Snapshot busy_state(const Scene& scene) {
  return random_state(scene, scene.dim() == 3 ? 3000 : 800, 0.3, 0.6, 11, 3.0);
}

Snapshot after(const Scene& scene, const Snapshot& start, Precision precision, int threads, int steps) {
  const auto solver = solver_of(scene, precision, threads);
  solver->load(start);
  for (int k = 0; k < steps; ++k) solver->advance(steady);
  return solver->save(boundary::plasticity, true);
}

const auto every_setup =
    data::make({2, 3}) * data::make({Kernel::quadratic, Kernel::cubic}) *
    data::make({Flow{Transfer::apic, false}, Flow{Transfer::flip_pic, false}, Flow{Transfer::apic, true}}) *
    data::make({Precision::single_, Precision::double_});

}  // namespace

BOOST_DATA_TEST_CASE(any_number_of_threads_gives_the_same_bits, every_setup, dim, kernel, flow, precision) {
  const Scene scene = busy_scene(dim, kernel, flow);
  const Snapshot start = busy_state(scene);
  const Snapshot one = after(scene, start, precision, 1, 6);
  for (const int threads : {1, 2, 3, 4, 8}) {
    BOOST_TEST_CONTEXT(threads << " threads") {
      require_equal(one, after(scene, start, precision, threads, 6));
    }
  }
}

BOOST_DATA_TEST_CASE(stopping_between_stages_changes_no_bit, every_setup, dim, kernel, flow, precision) {
  const Scene scene = busy_scene(dim, kernel, flow);
  const auto stepwise = solver_of(scene, precision);
  stepwise->load(busy_state(scene));
  const auto fused = solver_of(scene, precision);
  fused->load(busy_state(scene));
  for (int step = 0; step < 3; ++step) {
    StepReport seen;
    for (std::size_t k = 0; k + 1 < stops.size(); ++k) {
      const StepReport part = stepwise->run(stops[k], stops[k + 1], dt);
      seen.counts[counter::inside] += part.counts[counter::inside];
      seen.counts[counter::tip] += part.counts[counter::tip];
      seen.counts[counter::surface] += part.counts[counter::surface];
      seen.counts[counter::contacts] += part.counts[counter::contacts];
      seen.counts[counter::sticking] += part.counts[counter::sticking];
      seen.counts[counter::sliding] += part.counts[counter::sliding];
      seen.counts[counter::massless] += part.counts[counter::massless];
      (void)stepwise->save(stops[k + 1], true);
    }
    const StepReport whole = fused->advance(steady);
    require_equal(stepwise->save(boundary::plasticity, true), fused->save(boundary::plasticity, true));
    BOOST_TEST(seen.counts[counter::inside] == whole.counts[counter::inside]);
    BOOST_TEST(seen.counts[counter::tip] == whole.counts[counter::tip]);
    BOOST_TEST(seen.counts[counter::surface] == whole.counts[counter::surface]);
    BOOST_TEST(seen.counts[counter::contacts] == whole.counts[counter::contacts]);
    BOOST_TEST(seen.counts[counter::sticking] == whole.counts[counter::sticking]);
    BOOST_TEST(seen.counts[counter::sliding] == whole.counts[counter::sliding]);
    BOOST_TEST(seen.counts[counter::massless] == whole.counts[counter::massless]);
    // The premise: every branch was taken.
    BOOST_TEST(whole.counts[counter::inside] > 0U);
    BOOST_TEST(whole.counts[counter::tip] > 0U);
    BOOST_TEST(whole.counts[counter::surface] > 0U);
    BOOST_TEST(whole.counts[counter::contacts] > 0U);
    BOOST_TEST(whole.counts[counter::sticking] > 0U);
    BOOST_TEST(whole.counts[counter::sliding] > 0U);
  }
}

BOOST_DATA_TEST_CASE(a_saved_state_goes_on_with_the_same_bits_from_every_boundary, every_setup, dim, kernel,
                     flow, precision) {
  const Scene scene = busy_scene(dim, kernel, flow);
  const auto first = solver_of(scene, precision);
  first->load(busy_state(scene));
  for (int k = 0; k < 3; ++k) first->advance(steady);
  const Snapshot start = first->save(boundary::step_start, true);
  for (std::size_t k = 0; k + 1 < stops.size(); ++k) {
    BOOST_TEST_CONTEXT("from " << stops[k]) {
      const auto through = solver_of(scene, precision);
      through->load(start);
      if (k > 0) through->run(boundary::step_start, stops[k], dt);
      const Snapshot saved = through->save(stops[k], true);
      through->run(stops[k], boundary::plasticity, dt);
      const auto resumed = solver_of(scene, precision, 2);
      resumed->load(saved);
      require_equal(saved, resumed->save(stops[k], true));
      resumed->run(stops[k], boundary::plasticity, dt);
      require_equal(through->save(boundary::plasticity, true), resumed->save(boundary::plasticity, true));
      BOOST_TEST(resumed->time() == through->time());
      BOOST_TEST(resumed->steps() == through->steps());
    }
  }
}

/// Records are moved about as particles mix; what a step computes must not notice.
BOOST_DATA_TEST_CASE(a_long_run_equals_one_that_is_reloaded_in_scene_order, data::make({2, 3}), dim) {
  const Scene scene = busy_scene(dim, Kernel::quadratic, {Transfer::apic, false});
  const auto through = solver_of(scene, Precision::single_, 2);
  through->load(busy_state(scene));
  Snapshot state = busy_state(scene);
  for (int k = 0; k < 40; ++k) {
    through->advance(steady);
    const auto fresh = solver_of(scene, Precision::single_);
    fresh->load(state);
    fresh->advance(steady);
    state = fresh->save(boundary::step_start, true);
  }
  require_equal(through->save(boundary::step_start, true), state);
}

BOOST_AUTO_TEST_CASE(appended_particles_count_as_if_they_had_always_been_there) {
  const Scene scene = busy_scene(3, Kernel::cubic, {Transfer::apic, false});
  const Snapshot all = random_state(scene, 500, 0.3, 0.6, 3);
  Snapshot head, tail;
  head.method = tail.method = all.method;
  for (const Field& f : all.fields) {
    const auto cut =
        f.value.begin() + static_cast<std::ptrdiff_t>(200 * static_cast<std::size_t>(f.components));
    Field front = f, back = f;
    front.value.assign(f.value.begin(), cut);
    back.value.assign(cut, f.value.end());
    head.set(front);
    tail.set(back);
  }
  const auto grown = solver_of(scene, Precision::single_);
  grown->load(head);
  grown->append(tail);
  const auto whole = solver_of(scene, Precision::single_);
  whole->load(all);
  BOOST_TEST(grown->particles() == 500U);
  grown->advance(steady);
  whole->advance(steady);
  require_equal(whole->save(boundary::plasticity, true), grown->save(boundary::plasticity, true));
}

BOOST_AUTO_TEST_CASE(an_unknown_instruction_set_is_refused_with_those_that_are_there) {
  const Scene scene = empty_scene(3, Kernel::cubic, Transfer::apic);
  BOOST_CHECK_EXCEPTION(solver_of(scene, Precision::single_, 1, "MMX"), BadInput, [](const BadInput& e) {
    const std::string text = e.what();
    return text.find("MMX") != std::string::npos && text.find("SSE4") != std::string::npos;
  });
}

/// Bits may differ between instruction sets; values may not, beyond rounding.
BOOST_DATA_TEST_CASE(instruction_sets_agree,
                     data::make({"SSE4", "AVX2", "AVX3"}) *
                         data::make({Precision::single_, Precision::double_}) * data::make({false, true}),
                     simd, precision, wet) {
  const Scene scene = busy_scene(3, Kernel::cubic, {Transfer::apic, wet});
  std::unique_ptr<Solver> other;
  try {
    other = solver_of(scene, precision, 1, simd);
  } catch (const BadInput&) {
    BOOST_TEST_MESSAGE(simd << " is not available here");
    return;
  }
  const Snapshot start = busy_state(scene);
  other->load(start);
  other->advance(steady);
  const Snapshot a = after(scene, start, precision, 1, 1);
  const Snapshot b = other->save(boundary::plasticity, true);
  // One step, some hundred roundings of the largest velocity or gradient.
  const double unit = precision == Precision::single_ ? 0x1.0p-24 : 0x1.0p-53;
  for (const auto name : {field::x, field::v, field::C}) {
    double most = 0.0, worst = 0.0;
    for (std::size_t k = 0; k < a.get(name).value.size(); ++k) {
      most = std::max(most, std::abs(a.get(name).value[k]));
      worst = std::max(worst, std::abs(a.get(name).value[k] - b.get(name).value[k]));
    }
    BOOST_TEST(worst <= 500 * unit * most, name << ": " << worst / (unit * most) << " u");
  }
}

}  // namespace repose::optimized_tests
