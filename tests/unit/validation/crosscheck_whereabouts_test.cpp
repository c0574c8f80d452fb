#include "reference/interface/methods/mpm.h"
#include "validation/crosscheck/whereabouts.h"

#include <boost/test/unit_test.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <functional>
#include <memory>
#include <string>

using namespace repose;

namespace repose::whereabouts_tests {

namespace {

struct Death {
  int signal = 0;
  std::string said;
};

/// What a process of its own leaves behind that does something with the signals as they are at a program's start.
Death death_of(const std::function<void()>& deed) {
  std::array<int, 2> ends{};
  BOOST_REQUIRE(::pipe(ends.data()) == 0);
  const pid_t child = ::fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    for (const int one : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::signal(one, SIG_DFL);
    ::dup2(ends[1], STDERR_FILENO);
    deed();
    ::_exit(0);
  }
  ::close(ends[1]);
  Death result;
  std::array<char, 256> part{};
  for (ssize_t n = 0; (n = ::read(ends[0], part.data(), part.size())) > 0;)
    result.said.append(part.data(), static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return result;
}

/// Does nothing, and dies of a signal on its way to a boundary, or within a whole step if there is none.
class Dying final : public Solver {
 public:
  Dying(int signal, std::string_view at) : signal_(signal), at_(at) {}

  std::string_view name() const override { return "mortal"; }
  Rounding rounding() const override { return {}; }
  std::span<const Boundary> boundaries() const override { return {}; }
  void load(const Snapshot&) override {}
  void append(const Snapshot&) override {}
  Snapshot save(Boundary, bool) const override { return {}; }
  StepReport run(Boundary, Boundary to, double) override {
    if (to == at_) ::raise(signal_);
    return {};
  }
  StepReport advance(const std::function<double(double)>&) override {
    if (at_.empty()) ::raise(signal_);
    return {};
  }
  double time() const override { return 0.0; }
  std::int64_t steps() const override { return 0; }
  std::size_t particles() const override { return 0; }

 private:
  int signal_;
  std::string_view at_;
};

std::unique_ptr<Solver> dying(int signal, std::string_view at) { return std::make_unique<Dying>(signal, at); }

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_whereabouts)

BOOST_AUTO_TEST_CASE(a_solver_that_dies_is_told_with_its_case_and_the_stage_that_it_was_in) {
  for (const int signal : {SIGSEGV, SIGFPE, SIGABRT}) {
    const Death death = death_of([&] {
      const crosscheck::CrashTold told;
      const auto other = crosscheck::noted(dying(signal, boundary::forces), "at/rest");
      const auto solver = crosscheck::noted(dying(signal, boundary::forces), "some/case");
      solver->run(boundary::step_start, boundary::p2g, 1e-3);
      solver->run(boundary::p2g, boundary::forces, 1e-3);
    });
    BOOST_TEST(death.signal == signal);
    const std::string number = signal == SIGSEGV ? "11" : signal == SIGFPE ? "8" : "6";
    BOOST_TEST(death.said == "repose: signal " + number + " in some/case by mortal at forces\n");
  }
  const Death whole = death_of([] {
    const crosscheck::CrashTold told;
    crosscheck::noted(dying(SIGBUS, ""), "some/case")->advance([](double) { return 1e-3; });
  });
  BOOST_TEST(whole.signal == SIGBUS);
  BOOST_TEST(whole.said.ends_with(" in some/case by mortal at advance\n"));
}

BOOST_AUTO_TEST_CASE(who_handles_a_signal_already_keeps_it_and_none_is_taken_for_longer_than_asked) {
  const Death kept = death_of([] {
    ::signal(SIGSEGV, SIG_IGN);
    const crosscheck::CrashTold told;
    crosscheck::noted(dying(SIGSEGV, boundary::p2g), "some/case")
        ->run(boundary::step_start, boundary::p2g, 1e-3);
  });
  BOOST_TEST(kept.signal == 0);
  BOOST_TEST(kept.said.empty());
  const Death after = death_of([] {
    { const crosscheck::CrashTold told; }
    crosscheck::noted(dying(SIGSEGV, boundary::p2g), "some/case")
        ->run(boundary::step_start, boundary::p2g, 1e-3);
  });
  BOOST_TEST(after.signal == SIGSEGV);
  BOOST_TEST(after.said.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::whereabouts_tests
