#include "experiments/run/side_by_side.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace data = boost::unit_test::data;

namespace repose::experiments {

namespace {

/// Jobs of which earlier ones take longer, so that they end in another order than that in which they begin.
void dawdle(std::size_t n) { std::this_thread::sleep_for(std::chrono::milliseconds(n % 4 == 0 ? 20 : 1)); }

}  // namespace

BOOST_AUTO_TEST_SUITE(side_by_side_jobs)

BOOST_DATA_TEST_CASE(every_result_is_taken_once_and_in_order, data::make({1, 2, 5, 50}), workers) {
  constexpr std::size_t count = 40;
  std::vector<std::size_t> result(count, 0), taken, finished;
  std::mutex mutex;
  side_by_side({.count = count,
                .run =
                    [&](std::size_t n) {
                      dawdle(n);
                      result[n] = n + 1;
                      const std::lock_guard lock(mutex);
                      finished.push_back(n);
                    },
                .take =
                    [&](std::size_t n) {
                      taken.push_back(result[n]);
                      return true;
                    }},
               workers);
  BOOST_REQUIRE(taken.size() == count);
  bool overtaken = false;
  for (std::size_t n = 0; n < count; ++n) {
    BOOST_TEST(taken[n] == n + 1);
    overtaken = overtaken || finished[n] != n;
  }
  BOOST_TEST(overtaken == (workers > 1));  // premise
}

/// Each waits for the other: one worker alone would wait for ever.
BOOST_AUTO_TEST_CASE(two_jobs_run_at_once) {
  std::atomic<int> begun{0};
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  side_by_side({.count = 2,
                .run =
                    [&](std::size_t) {
                      ++begun;
                      while (begun < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
                    },
                .take = [](std::size_t) { return true; }},
               2);
  BOOST_TEST(begun == 2);
  BOOST_TEST((std::chrono::steady_clock::now() < end));
}

BOOST_AUTO_TEST_CASE(no_more_than_64_results_per_worker_wait) {
  std::atomic<std::size_t> begun{0}, taken{0}, most{0};
  side_by_side({.count = 400,
                .run =
                    [&](std::size_t) {
                      const std::size_t ahead = ++begun - taken;
                      if (ahead > most) most = ahead;
                    },
                .take =
                    [&](std::size_t) {
                      std::this_thread::sleep_for(std::chrono::milliseconds(1));
                      ++taken;
                      return true;
                    }},
               3);
  BOOST_TEST(most == 192U);  // the next to be taken among them
}

BOOST_DATA_TEST_CASE(enough_is_enough, data::make({1, 3}), workers) {
  std::atomic<std::size_t> begun{0};
  std::size_t taken = 0;
  side_by_side({.count = 1000,
                .run = [&](std::size_t) { ++begun; },
                .take =
                    [&](std::size_t n) {
                      ++taken;
                      return n < 7;
                    }},
               workers);
  BOOST_TEST(taken == 8U);
  BOOST_TEST(begun >= 8U);
  BOOST_TEST(begun <= 7U + 64U * static_cast<std::size_t>(workers));
}

BOOST_DATA_TEST_CASE(what_a_job_throws_is_thrown_in_its_turn, data::make({1, 4}), workers) {
  std::size_t taken = 0;
  const Jobs jobs{.count = 20,
                  .run =
                      [](std::size_t n) {
                        if (n < 5) dawdle(0);
                        if (n == 5 || n == 6) throw std::runtime_error(n == 5 ? "five" : "six");
                      },
                  .take =
                      [&](std::size_t) {
                        ++taken;
                        return true;
                      }};
  BOOST_CHECK_EXCEPTION(side_by_side(jobs, workers), std::runtime_error,
                        [](const std::runtime_error& error) { return std::string(error.what()) == "five"; });
  BOOST_TEST(taken == 5U);
}

BOOST_AUTO_TEST_CASE(without_jobs_nothing_happens) {
  side_by_side({.count = 0, .run = [](std::size_t) {}, .take = [](std::size_t) { return true; }}, 3);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::experiments
