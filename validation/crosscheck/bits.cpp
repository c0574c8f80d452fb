#include "validation/crosscheck/bits.h"

#include "validation/crosscheck/lockstep_parts.h"
#include "validation/crosscheck/method_cases.h"
#include "validation/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace repose::crosscheck {

namespace {

Case busy_case(const Setup& setup) { return judged(setup.method).cases.busy(setup); }

using Build = Case (*)(const Setup& setup);

/// A native state of a run, what made it, and, where a step in one piece did, the largest speed that Δt was chosen by [m/s].
struct Moment {
  std::string stage;
  Snapshot state;
  double fastest = 0.0;
};
using History = std::vector<Moment>;

Moment step_start_of(const Solver& solver) {
  return {std::string(boundary::step_start), solver.save(boundary::step_start, true), 0.0};
}

History stepwise(Solver& solver, const Case& c) {
  History result;
  solver.load(c.start);
  const auto list = solver.boundaries();
  for (int step = 0; step < c.steps; ++step) {
    for (std::size_t i = 0; i + 1 < list.size(); ++i) solver.run(list[i], list[i + 1], c.dt);
    result.push_back(step_start_of(solver));
  }
  return result;
}

History fused(Solver& solver, const Case& c) {
  History result;
  solver.load(c.start);
  for (int step = 0; step < c.steps; ++step) {
    solver.advance([&](double) { return c.dt; });
    result.push_back(step_start_of(solver));
  }
  return result;
}

/// A run, with its states at all boundaries twice: as reloaded() has them.
History at_every_boundary(Solver& solver, const Case& c) {
  History result;
  solver.load(c.start);
  const auto list = solver.boundaries();
  for (int step = 0; step < c.steps; ++step) {
    for (std::size_t i = 0; i + 1 < list.size(); ++i) {
      const Snapshot state = solver.save(list[i], true);
      result.push_back({std::string(list[i]), state, 0.0});
      result.push_back({fmt::format("load {}", list[i]), state, 0.0});
      solver.run(list[i], list[i + 1], c.dt);
    }
  }
  result.push_back(step_start_of(solver));
  return result;
}

/// The same particles, in reverse order.
Snapshot reversed(Snapshot state) {
  for (Field& field : state.fields) {
    const std::vector<double> values = field.value;
    const auto k = static_cast<std::size_t>(field.components);
    for (std::size_t i = 0; i < values.size(); ++i)
      field.value[i] = values[values.size() - (i / k + 1) * k + i % k];
  }
  return state;
}

/// Saves at every boundary; another solver loads that, hands it out and runs on. Before that it stands at the same
/// boundary of another state, of other particles in every place: what load() leaves out stays theirs.
/// @param result what was reached is in it, also where a solver throws
void reloaded(std::array<Solver*, 2> solvers, const Case& c, History& result) {
  solvers[0]->load(c.start);
  const auto list = solvers[0]->boundaries();
  const Snapshot others = reversed(c.start);
  for (int step = 0; step < c.steps; ++step) {
    for (std::size_t i = 0; i + 1 < list.size(); ++i) {
      const Snapshot checkpoint = solvers[0]->save(list[i], true);
      result.push_back({std::string(list[i]), checkpoint, 0.0});
      solvers[1]->load(others);
      for (std::size_t k = 0; k < i; ++k) solvers[1]->run(list[k], list[k + 1], c.dt);
      solvers[1]->load(checkpoint);
      result.push_back({fmt::format("load {}", list[i]), solvers[1]->save(list[i], true), 0.0});
      solvers[1]->run(list[i], list[i + 1], c.dt);
      std::swap(solvers[0], solvers[1]);
    }
  }
  result.push_back(step_start_of(*solvers[0]));
}

/// Particles [first, last) of a state at a step's start in which nothing else is active.
Snapshot part(const Snapshot& all, std::size_t first, std::size_t last) {
  Snapshot result = all;
  result.next_id = 0;
  for (Field& field : result.fields) {
    if (field.place != Place::particle) continue;
    const auto k = static_cast<std::ptrdiff_t>(field.components);
    const std::vector<double> values = field.value;
    field.value.assign(values.begin() + static_cast<std::ptrdiff_t>(first) * k,
                       values.begin() + static_cast<std::ptrdiff_t>(last) * k);
  }
  return result;
}

/// A second part of the particles enters after the first step, twice as fast; both solvers hold the same state then.
History appended(Solver& solver, const Case& c, bool at_once) {
  const std::size_t half = c.start.particles() / 2;
  solver.load(part(c.start, 0, half));
  solver.advance([&](double) { return c.dt; });
  Snapshot late = part(c.start, half, c.start.particles());
  for (Field& field : late.fields)
    if (field.unit == "m/s")
      for (double& v : field.value) v *= 2.0;
  if (at_once) {
    Snapshot joined = solver.save(boundary::step_start, false);
    append(joined, late);
    solver.load(joined);
  } else {
    solver.load(solver.save(boundary::step_start, false));
    solver.append(late);
  }
  History result{{"append", solver.save(boundary::step_start, true), 0.0}};
  for (int step = 0; step < c.steps; ++step) {
    double fastest = 0.0;
    solver.advance([&](double told) {
      fastest = told;
      return c.dt;
    });
    result.push_back(step_start_of(solver));
    result.back().fastest = fastest;
  }
  return result;
}

/// First value of two states whose bits differ.
std::optional<Divergence> first_difference(const Moment& one, const Moment& other) {
  const Snapshot& a = one.state;
  const Snapshot& b = other.state;
  Divergence found;
  found.step = a.step;
  found.stage = one.stage;
  found.field.failing = 1;
  found.field.worst.ratio = std::numeric_limits<double>::infinity();
  if (a.at != b.at || a.time != b.time || a.step != b.step || a.dt != b.dt) {
    found.field.field = "boundary, time, step or dt";
    return found;
  }
  if (one.fastest != other.fastest) {
    found.field.field = "largest speed";
    return found;
  }
  auto unequal = first_unequal(a, b);
  if (!unequal) return std::nullopt;
  found.field = std::move(*unequal);
  return found;
}

void demand_equal(const History& a, const History& b, std::string_view message, CaseReport& report) {
  report.verdict = Verdict::pass;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    auto difference = first_difference(a[i], b[i]);
    if (!difference) continue;
    difference->message = std::string(message);
    report.lockstep.divergence = std::move(difference);
    report.verdict = Verdict::differs;
    return;
  }
}

/// What stops a solver that must go on is a difference.
void name_error(const std::string& error, const History& reached, CaseReport& report) {
  Divergence found;
  if (!reached.empty()) {
    found.step = reached.back().state.step;
    found.stage = reached.back().stage;
  }
  found.field.field = "error";
  found.field.failing = 1;
  found.field.worst.ratio = std::numeric_limits<double>::infinity();
  found.message = error;
  report.lockstep.divergence = std::move(found);
  report.verdict = Verdict::differs;
}

void judge_checkpoints(Build build, const Setup& setup, const Factory& candidate, std::string_view simd,
                       CaseReport& report) {
  const Case c = build(setup);
  const auto one = candidate(c.scene, options_of(setup, simd));
  const auto other = candidate(c.scene, options_of(setup, simd));
  const History expected = at_every_boundary(*candidate(c.scene, options_of(setup, simd)), c);
  History reached;
  std::optional<std::string> stopped;
  try {
    reloaded({one.get(), other.get()}, c, reached);
  } catch (const std::exception& error) {
    stopped = error.what();
  }
  demand_equal(expected, reached, "uninterrupted against reloaded", report);
  if (stopped && report.verdict != Verdict::differs) name_error(*stopped, reached, report);
}

/// In lock-step each stage begins with a loaded time. Left to itself, every step begins where the last one ended.
void demand_time(Solver& solver, const Case& c, bool in_one_piece, std::string_view whose,
                 CaseReport& report) {
  const History history = in_one_piece ? fused(solver, c) : stepwise(solver, c);
  Snapshot expected = c.start;
  report.verdict = Verdict::pass;
  for (const Moment& one : history) {
    expected.time += c.dt;
    ++expected.step;
    if (one.state.time == expected.time && one.state.step == expected.step) continue;
    Divergence found;
    found.step = expected.step;
    found.stage = one.stage;
    found.field.field = "time or step";
    found.field.failing = 1;
    found.field.worst.ratio = std::numeric_limits<double>::infinity();
    found.message = fmt::format("{}: t = {} s and step {} where {} s and {} are due", whose, one.state.time,
                                one.state.step, expected.time, expected.step);
    report.lockstep.divergence = std::move(found);
    report.verdict = Verdict::differs;
    return;
  }
}

void judge_time(const Setup& setup, const Factory& candidate, const Factory& reference, std::string_view simd,
                CaseReport& report) {
  Case c = busy_case(setup);
  c.start.time = 0.25;
  c.start.step = 7;
  for (const bool in_one_piece : {false, true}) {
    demand_time(*candidate(c.scene, options_of(setup, simd)), c, in_one_piece, "the candidate", report);
    if (report.verdict == Verdict::differs) return;
    demand_time(*reference(c.scene, SolverOptions{}), c, in_one_piece, "the reference", report);
    if (report.verdict == Verdict::differs) return;
  }
}

SolverOptions with_threads(const Setup& setup, std::string_view simd, int threads) {
  SolverOptions result = options_of(setup, simd);
  result.threads = threads;
  return result;
}

/// What any scene must keep.
void add_claims(std::vector<BitClaim>& all, const std::string& prefix, Build build) {
  const auto add = [&](const std::string& name, const std::string& what, auto judge) {
    all.push_back(
        {prefix + name, what,
         [build, judge](const Setup& setup, const Factory& candidate, const Factory&, std::string_view simd,
                        CaseReport& report) { judge(build, setup, candidate, simd, report); }});
  };
  add("stepwise_is_fused", "run() and advance() give the same bits",
      [](Build built, const Setup& setup, const Factory& candidate, std::string_view simd,
         CaseReport& report) {
        const Case c = built(setup);
        const auto one = candidate(c.scene, options_of(setup, simd));
        const auto other = candidate(c.scene, options_of(setup, simd));
        demand_equal(stepwise(*one, c), fused(*other, c), "stepwise against fused", report);
      });
  add("threads_agree", "1, 2 and 3 threads give the same bits",
      [](Build built, const Setup& setup, const Factory& candidate, std::string_view simd,
         CaseReport& report) {
        const Case c = built(setup);
        const auto serial = candidate(c.scene, with_threads(setup, simd, 1));
        const History expected = stepwise(*serial, c);
        for (const int threads : {2, 3}) {
          const auto parallel = candidate(c.scene, with_threads(setup, simd, threads));
          demand_equal(expected, stepwise(*parallel, c), fmt::format("1 thread against {}", threads), report);
          if (report.verdict == Verdict::differs) return;
        }
      });
  add("twice_the_same", "two runs give the same bits",
      [](Build built, const Setup& setup, const Factory& candidate, std::string_view simd,
         CaseReport& report) {
        const Case c = built(setup);
        const auto solver = candidate(c.scene, options_of(setup, simd));
        const History first = stepwise(*solver, c);
        demand_equal(first, stepwise(*solver, c), "first run against second", report);
      });
  all.push_back(
      {prefix + "append_is_load", "particles appended or loaded at once give the same bits, in either solver",
       [build](const Setup& setup, const Factory& candidate, const Factory& reference, std::string_view simd,
               CaseReport& report) {
         const Case c = build(setup);
         const auto demand = [&](const Factory& make, const SolverOptions& options, std::string_view whose) {
           const History loaded = appended(*make(c.scene, options), c, true);
           const History late = appended(*make(c.scene, options), c, false);
           demand_equal(loaded, late, fmt::format("loaded against appended, {}", whose), report);
         };
         demand(candidate, options_of(setup, simd), "the candidate");
         if (report.verdict == Verdict::pass) demand(reference, SolverOptions{}, "the reference");
       }});
  add("checkpoint_is_exact", "load(save(native)) at every boundary changes no bit", judge_checkpoints);
}

std::vector<BitClaim> all_claims() {
  std::vector<BitClaim> all;
  add_claims(all, "", busy_case);
  all.push_back({"time_moves_on", "steps of either solver begin where the last one ended", judge_time});
  return all;
}

}  // namespace

const std::vector<BitClaim>& bit_claims() {
  static const std::vector<BitClaim> all = all_claims();
  return all;
}

std::vector<BitClaim> bit_claims(std::string_view method) {
  std::vector<BitClaim> all = judged(method).cases.exact();
  all.insert(all.end(), bit_claims().begin(), bit_claims().end());
  for (const BusyScene& more : judged(method).cases.busy_too) add_claims(all, more.prefix, more.make);
  return all;
}

std::vector<CaseName> bit_names() {
  std::vector<CaseName> result;
  for (const JudgedMethod& method : judged_methods())
    for (const BitClaim& claim : bit_claims(method.name))
      for (std::size_t half = 0; half < 2; ++half)
        for (Setup setup : setups(method.name, half)) {
          if (claim.only_second_level) setup.variant[1] = *claim.only_second_level;
          result.push_back({case_name(claim.name, setup), claim.name, setup, false});
        }
  return result;
}

CaseReport run_bits(const CaseName& name, const Factory& candidate, const Factory& reference,
                    std::string_view simd) {
  CaseReport report;
  report.name = name.name;
  report.suite = "bits";
  report.setup = name.setup;
  const std::vector<BitClaim> all = bit_claims(name.setup.method);
  const auto claim =
      std::find_if(all.begin(), all.end(), [&](const BitClaim& one) { return one.name == name.scenario; });
  guard(report, [&] { claim->judge(name.setup, candidate, reference, simd, report); });
  return report;
}

}  // namespace repose::crosscheck
