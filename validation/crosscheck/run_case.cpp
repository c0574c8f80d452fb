#include "validation/crosscheck/run_case.h"

#include "validation/crosscheck/lockstep_parts.h"
#include "validation/methods.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <stdexcept>

namespace repose::crosscheck {

std::string_view name_of(Verdict verdict) {
  constexpr std::array<std::string_view, 4> names{"pass", "differs", "mistrusted", "refused"};
  return names.at(static_cast<std::size_t>(verdict));
}

SolverOptions options_of(const Setup& setup, std::string_view simd) {
  // All threads: a case of a few thousand particles would keep to one, and its setup's threads would mean nothing.
  return {
      .precision = setup.precision, .threads = setup.threads, .simd = std::string(simd), .all_threads = true};
}

void guard(CaseReport& report, const std::function<void()>& judge) {
  const auto start = std::chrono::steady_clock::now();
  try {
    judge();
  } catch (const BadInput&) {
    throw;
  } catch (const std::exception& error) {
    report.verdict = Verdict::refused;
    report.shortfalls.emplace_back(error.what());
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

namespace {

/// What a case exercised less than it must. A solver that tells of no threads has one, and takes all loops with it.
std::vector<std::string> shortfalls_of(const Case& c, const Lockstep& seen, bool tells_threads) {
  std::vector<std::string> result;
  for (const Need& need : c.needs) {
    if (!tells_threads && need.counter.rfind(threads_in, 0) == 0) continue;
    const auto found = seen.counters.find(need.counter);
    const double count = found == seen.counters.end() ? 0.0 : found->second;
    if (count < need.least)
      result.push_back(fmt::format("{}: {} of at least {}", need.counter, count, need.least));
  }
  return result;
}

}  // namespace

CaseReport run_case(const Case& c, const Factory& candidate, const Factory& reference,
                    std::string_view simd) {
  CaseReport report;
  report.name = c.name;
  report.suite = "lockstep";
  report.setup = c.setup;
  guard(report, [&] {
    const auto fast = candidate(c.scene, options_of(c.setup, simd));
    const auto readable = reference(c.scene, SolverOptions{});
    report.candidate = std::string(fast->name());
    const bool tells_threads = !fast->stage_threads().empty();
    const auto goes_on = [&](const Lockstep& seen, int done) {
      return done < c.most_steps && !shortfalls_of(c, seen, tells_threads).empty();
    };
    report.lockstep =
        LockstepDriver(c.scene, *fast, *readable).run(c.start, c.dt, c.steps, c.offered, goes_on);
    if (report.lockstep.divergence) {
      report.verdict = Verdict::differs;
      return;
    }
    if (c.stops || report.lockstep.refused) {
      const bool both = c.stops && report.lockstep.refused;
      report.verdict = both ? Verdict::pass : c.stops ? Verdict::mistrusted : Verdict::refused;
      if (!both)
        report.shortfalls.emplace_back(c.stops ? "neither solver stopped" : report.lockstep.refused->what());
      return;
    }
    report.shortfalls = shortfalls_of(c, report.lockstep, tells_threads);
    const Judge& judge = judged(c.start.method).judge;
    for (const Ties& one : judge.ties != nullptr ? judge.ties(report.lockstep.counters) : std::vector<Ties>{})
      if (one.undecided > 1.0 && one.undecided > c.share_of_ties * one.all)
        report.shortfalls.push_back(fmt::format("{}: rounding decides {} of {}, more than {}", one.what,
                                                one.undecided, one.all, c.share_of_ties));
    report.verdict = report.shortfalls.empty() ? Verdict::pass : Verdict::mistrusted;
  });
  return report;
}

}  // namespace repose::crosscheck
