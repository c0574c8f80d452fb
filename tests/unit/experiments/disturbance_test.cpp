#include "experiments/bench/disturbance.h"

#include <boost/test/unit_test.hpp>

#include <sched.h>

#include <barrier>
#include <chrono>
#include <cmath>
#include <ctime>
#include <thread>

using namespace repose::experiments;

namespace {

/// Of this thread alone [s].
double processor_time() {
  std::timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void compute_for(double seconds) {
  const double end = processor_time() + seconds;
  while (processor_time() < end) {
  }
}

/// Two threads that share one processor and each need it for `seconds`.
Stretch two_on_one_processor(double seconds) {
  cpu_set_t allowed;
  sched_getaffinity(0, sizeof allowed, &allowed);
  int first = 0;
  while (!CPU_ISSET(first, &allowed)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  std::barrier meet(3);
  const auto work = [&] {
    sched_setaffinity(0, sizeof one, &one);
    meet.arrive_and_wait();
    compute_for(seconds);
    meet.arrive_and_wait();  // stays until it was counted
    meet.arrive_and_wait();
  };
  std::jthread a(work);
  std::jthread b(work);
  const StretchTimer timer;
  meet.arrive_and_wait();
  meet.arrive_and_wait();
  const Stretch stretch = timer.stop();
  meet.arrive_and_wait();
  return stretch;
}

/// A stretch of 1 s.
Stretch second_of(double cpu, double waited, double times = 0.0) {
  return {.wall = 1.0, .cpu = cpu, .waited = waited, .times = times};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(disturbance)

BOOST_AUTO_TEST_CASE(standing_in_line_decides_for_any_number_of_threads) {
  for (const int threads : {1, 2, 8}) {
    // Little processor time alone is no sign: sleeping threads wait for others of their own.
    BOOST_TEST(disturbed_share(second_of(0.3, 0.0), threads) == 0.0);
    BOOST_TEST(disturbed_share(second_of(1.0, 0.25), threads) == 0.25);
    BOOST_TEST(disturbed_share(second_of(1.0, 3.0), threads) == 1.0);
  }
  BOOST_TEST((timing_of(disturbed_from + 1e-9) == Timing::disturbed));
  BOOST_TEST((timing_of(disturbed_from - 1e-9) == Timing::undisturbed));
}

BOOST_AUTO_TEST_CASE(moments_after_waking_are_not_other_work) {
  constexpr double times = 5000.0;
  BOOST_TEST(disturbed_share(second_of(1.0, 0.9 * waking_s * times, times), 2) == 0.0);
  BOOST_TEST(disturbed_share(second_of(1.0, 0.25 + waking_s * times, times), 2) == 0.25,
             boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(where_the_system_does_not_count_one_threads_processor_time_decides) {
  BOOST_TEST(disturbed_share(second_of(0.75, -1.0), 1) == 0.25);
  BOOST_TEST((timing_of(disturbed_share(second_of(0.75, -1.0), 2)) == Timing::unknown));
  Stretch sum = second_of(1.0, 0.5);
  sum += second_of(1.0, -1.0);
  BOOST_TEST(sum.wall == 2.0);
  BOOST_TEST(sum.cpu == 2.0);
  BOOST_TEST((timing_of(disturbed_share(sum, 2)) == Timing::unknown));
}

/// Whatever the order in which they run, one of them stands in line while the other has the processor, until the first
/// has done; other work on the machine only adds to it.
BOOST_AUTO_TEST_CASE(two_threads_on_one_processor_stand_in_line_for_as_long_as_one_of_them_runs) {
  constexpr double seconds = 0.05;
  const Stretch stretch = two_on_one_processor(seconds);
  if (stretch.waited < 0.0) {
    BOOST_TEST_MESSAGE("this system does not count for how long threads stand in line");
    return;
  }
  BOOST_TEST(stretch.cpu >= 2.0 * seconds);
  BOOST_TEST(stretch.waited >= 0.9 * seconds);
  BOOST_TEST((timing_of(disturbed_share(stretch, 2)) == Timing::disturbed));
}

BOOST_AUTO_TEST_CASE(a_thread_that_sleeps_or_runs_does_not_stand_in_line) {
  constexpr double seconds = 0.03;
  const StretchTimer timer;
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  compute_for(seconds);
  const Stretch stretch = timer.stop();
  BOOST_TEST(stretch.cpu >= seconds);
  BOOST_TEST(stretch.wall >= 2.0 * seconds);
  // The scheduler's clock and those of the wall and the processor differ by less than a tick.
  BOOST_TEST(stretch.waited <= stretch.wall - seconds - stretch.cpu + 4e-3);
}

BOOST_AUTO_TEST_SUITE_END()
