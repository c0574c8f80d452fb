#include "optimized/threads.h"
#include "reference/interface/methods/mpm_options.h"
#include "tests/unit/optimized/states.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <iterator>
#include <thread>

namespace data = boost::unit_test::data;

namespace repose::optimized_tests {

namespace {

using optimized::Team;

constexpr double worth = Team::worth_waking_ns;

/// Threads of this process.
std::ptrdiff_t threads_now() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                       std::filesystem::directory_iterator());
}

Snapshot after(const Scene& scene, const Snapshot& start, const SolverOptions& options) {
  const auto solver = make_optimized_solver(scene, options);
  solver->load(start);
  for (int step = 0; step < 3; ++step) solver->advance([](double) { return 1e-4; });
  return solver->save(boundary::step_start, true);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_loop_gets_the_whole_team_where_it_is_worth_two_and_else_one_thread) {
  for (const int threads : {1, 2, 64}) {
    BOOST_TEST(Team(threads).of(2.0 * worth) == threads);
    BOOST_TEST(Team(threads).of(1.99 * worth) == 1);
    BOOST_TEST(Team(threads).of(0.0) == 1);
    BOOST_TEST(Team(threads, true).of(0.0) == threads);
  }
}

BOOST_AUTO_TEST_CASE(a_team_is_as_large_as_its_longest_loops_are_worth) {
  BOOST_TEST(Team(64).part_for(0.0).size() == 1);
  BOOST_TEST(Team(64).part_for(2.99 * worth).size() == 2);
  BOOST_TEST(Team(64).part_for(3.01 * worth).size() == 3);
  BOOST_TEST(Team(64).part_for(1e6 * worth).size() == 64);
  BOOST_TEST(Team(2).part_for(1e6 * worth).size() == 2);
  // More work than an int can number.
  BOOST_TEST(Team(4).part_for(1e300).size() == 4);
  BOOST_TEST(Team(64, true).part_for(0.0).size() == 64);
  BOOST_TEST(Team(64, true).part_for(0.0).of(0.0) == 64);
}

BOOST_AUTO_TEST_CASE(chunks_leave_several_turns_to_each_thread) {
  BOOST_TEST(Team(2).chunk(0, 16) == 1);
  BOOST_TEST(Team(2).chunk(27, 16) == 1);
  BOOST_TEST(Team(2).chunk(64, 16) == 4);
  BOOST_TEST(Team(2).chunk(256, 16) == 16);
  BOOST_TEST(Team(2).chunk(1000000, 16) == 16);
}

/// The threads are counted by the system. A thread of its own starts the solver, so that threads which others started in
/// this process do not serve it.
BOOST_AUTO_TEST_CASE(few_particles_wake_no_thread_unless_all_are_asked_for) {
  const Scene scene = empty_scene(3, Kernel::quadratic, Transfer::apic);
  const Snapshot start = random_state(scene, 200, 0.3, 0.6, 3);
  constexpr int asked = 23;  // more than any other test here asks for
  std::ptrdiff_t before = 0, bounded = 0, all = 0;
  std::jthread([&] {
    before = threads_now();
    after(scene, start, {.threads = asked, .simd = {}});
    bounded = threads_now();
    after(scene, start, {.threads = asked, .simd = {}, .all_threads = true});
    all = threads_now();
  }).join();
  BOOST_TEST(bounded == before);
  BOOST_TEST(all > before);
  BOOST_TEST(all >= asked);
}

/// Else one thread may be through with a loop of few blocks before another is awake, and a race never shows.
BOOST_DATA_TEST_CASE(each_thread_takes_part_in_each_loop_where_all_are_asked_for, data::make({2, 3}), dim) {
  Scene scene = empty_scene(dim, Kernel::quadratic, Transfer::apic, dim == 3 ? 24 : 96);
  add_bodies(scene);
  const Snapshot start = random_state(scene, 2000, 0.2, 0.8, 11, 3.0);
  for (const int threads : {1, 2, 3}) {
    const auto solver = make_optimized_solver(scene, {.threads = threads, .simd = {}, .all_threads = true});
    solver->load(start);
    BOOST_TEST(solver->stage_threads().front().second == 0);
    solver->advance([](double) { return 1e-3; });
    std::size_t loops = 0;
    for (const auto& [stage, took_part] : solver->stage_threads()) {
      if (stage == "solve") continue;
      BOOST_TEST(took_part == threads, stage);
      ++loops;
    }
    BOOST_TEST(loops == 4U);
    for (const auto& [stage, took_part] : solver->stage_threads())
      BOOST_TEST(took_part == 0, stage << " asked again");
  }
}

/// Between the sizes at which the first and the last of a step's loops are shared.
BOOST_DATA_TEST_CASE(steps_of_which_some_loops_are_shared_have_the_same_bits, data::make({2, 3}), dim) {
  Scene scene = empty_scene(dim, Kernel::quadratic, Transfer::apic, dim == 3 ? 24 : 96);
  add_bodies(scene);
  const std::size_t count = dim == 3 ? 4000 : 6000;
  const double transfer_ns = (dim == 3 ? 40.0 : 15.0) * static_cast<double>(count);
  // The premise: transfers are worth several threads, merging the order none.
  BOOST_REQUIRE(Team(3).part_for(transfer_ns).of(transfer_ns) == 3);
  BOOST_REQUIRE(Team(3).of(3.0 * static_cast<double>(count)) == 1);
  const Snapshot start = random_state(scene, count, 0.3, 0.6, 11, 3.0);
  const Snapshot one = after(scene, start, {.threads = 1, .simd = {}});
  const Snapshot some = after(scene, start, {.threads = 3, .simd = {}});
  for (const Field& f : one.fields) BOOST_TEST(f.value == some.get(f.name).value, f.name);
}

}  // namespace repose::optimized_tests
