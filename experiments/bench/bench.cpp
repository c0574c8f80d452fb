#include "experiments/bench/bench.h"

#include "experiments/bench/disturbance.h"
#include "experiments/bench/memory.h"
#include "experiments/run/console.h"
#include "experiments/run/interrupt.h"
#include "experiments/run/provenance.h"
#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/scene/step_control.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/crosscheck/run_case.h"
#include "validation/solvers.h"

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>

namespace repose::experiments {

namespace {

/// Resident memory of this process [B]; 0 where the system does not say.
std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t total = 0;
  std::int64_t resident = 0;
  file >> total >> resident;
  return file ? resident * sysconf(_SC_PAGESIZE) : 0;
}

void say(bool wanted, const std::string& text) {
  if (wanted) tell("\r\033[K{}", text);
}

/// A solver that is measured in turn with others.
class Candidate {
 public:
  Candidate(BenchRow row, const BenchBlock& block, double effort)
      : row_(std::move(row)), block_(block), control_(block.scene) {
    const bool fast = !solver_info(row_.solver).serial;
    const double n = static_cast<double>(row_.particles);
    // Some 10⁷ particle-steps of a fast solver take a second of one core; a serial one's step takes 50 times
    // as long.
    wanted_ = fast ? std::clamp(static_cast<int>(std::lround(effort * 5e6 / n)), 10, 100)
                   : std::clamp(static_cast<int>(std::lround(effort * 2e5 / n)), 2, 20);
    warm_up_ = fast ? 20 : 2;
    malloc_trim(0);
    const std::int64_t before = resident_bytes();
    solver_ = make_solver(row_.solver, block.scene,
                          {.precision = row_.precision, .threads = row_.threads, .simd = row_.simd});
    start_over();
    malloc_trim(0);
    row_.resident_bytes = resident_bytes() - before;
  }

  void repeat() {
    int done = 0;
    Stretch all;
    while (done < wanted_) {
      if (solver_->time() > moved_on) start_over();
      const int steps = std::min(wanted_ - done, 10);
      solver_->stage_seconds();
      const StretchTimer timer;
      for (int k = 0; k < steps; ++k) row_.last = advance();
      all += timer.stop();
      add_stages();
      done += steps;
    }
    row_.seconds.push_back(all.wall / done);
    row_.cpu_seconds.push_back(all.cpu / done);
    row_.disturbed.push_back(disturbed_share(all, row_.threads));
    row_.steps += done;
  }

  BenchRow finish() {
    row_.storage = solver_->storage();
    return std::move(row_);
  }

 private:
  static constexpr double moved_on = 0.1;  // [s], of the 0.2 s in which most of a block still flows

  StepReport advance() {
    return solver_->advance(
        [this](double speed) { return control_.next(solver_->time(), speed, control_.frame_time(1)).dt; });
  }
  void start_over() {
    solver_->load(block_.state);
    for (int k = 0; k < warm_up_; ++k) advance();
  }
  void add_stages() {
    const auto stages = solver_->stage_seconds();
    if (row_.stage_seconds.empty()) {
      row_.stage_seconds = stages;
      return;
    }
    for (std::size_t k = 0; k < stages.size(); ++k) row_.stage_seconds[k].second += stages[k].second;
  }

  BenchRow row_;
  const BenchBlock& block_;
  StepControl control_;
  int wanted_ = 0;
  int warm_up_ = 0;
  std::unique_ptr<Solver> solver_;
};

/// Rows of one group, in the order in which they take turns.
std::vector<BenchRow> rows_of_group(const BenchPlan& plan, int dim, Kernel kernel, std::int64_t particles,
                                    bool with_reference) {
  std::vector<BenchRow> rows;
  const auto add = [&](const BenchRow& row) {
    for (const Motion motion : plan.motions) {
      rows.push_back(row);
      rows.back().motion = motion;
    }
  };
  for (const std::string& solver : plan.solvers) {
    BenchRow row{.name = {},
                 .motion = {},
                 .solver = solver,
                 .dim = dim,
                 .kernel = kernel,
                 .simd = {},
                 .particles = particles};
    if (solver_info(solver).serial) {
      if (with_reference) add(row);
      continue;
    }
    for (const Precision precision : plan.precisions) {
      if (!has_precision(solver, precision)) continue;
      for (const int threads : plan.threads) {
        for (const std::string& simd : plan.simd) {
          row.precision = precision;
          row.threads = threads;
          row.simd = simd;
          add(row);
        }
      }
    }
  }
  return rows;
}

/// @returns false if a signal ended it early
bool measure_group(const BenchPlan& plan, std::vector<BenchRow> group, const std::string& label,
                   std::vector<BenchRow>& results) {
  if (group.empty()) return true;
  const int cores = machine().cores;
  std::map<Motion, BenchBlock> blocks;
  for (const BenchRow& row : group) {
    if (blocks.contains(row.motion)) continue;
    BenchBlock block = bench_block(row.dim, row.kernel, row.particles, row.motion);
    if (row.motion == Motion::flow) {
      run_into_flow(block, cores, [&](double share) {
        say(plan.progress, fmt::format("{}: {:.0f} % of the way into flow", label, 100.0 * share));
      });
    }
    blocks.emplace(row.motion, std::move(block));
  }
  std::vector<std::unique_ptr<Candidate>> candidates;
  for (BenchRow& row : group) {
    BenchBlock& block = blocks.at(row.motion);
    row.particles = static_cast<std::int64_t>(block.state.particles());
    row.name = bench_row_name(row);
    say(plan.progress, fmt::format("{}: loading {}", label, row.name));
    candidates.push_back(std::make_unique<Candidate>(row, block, plan.effort));
  }
  for (int repetition = 0; repetition < plan.repeat; ++repetition) {
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      if (InterruptGuard::requested()) return false;
      say(plan.progress, fmt::format("{}: repetition {} of {}, {} of {} rows", label, repetition + 1,
                                     plan.repeat, k + 1, candidates.size()));
      candidates[k]->repeat();
    }
  }
  for (const auto& candidate : candidates) results.push_back(candidate->finish());
  return true;
}

}  // namespace

std::string bench_simd_name(const BenchRow& row) {
  if (solver_info(row.solver).serial) return "none";
  return row.simd.empty() ? "best" : row.simd;
}

std::string bench_row_name(const BenchRow& row) {
  return fmt::format("{}/{}/{}d/{}/{}/{}/{}t/{}", to_string(row.motion), row.solver, row.dim,
                     crosscheck::name_of(row.kernel), to_string(row.precision), bench_simd_name(row),
                     row.threads, row.particles);
}

std::string bench_verdict(const BenchRow& row, int threads_into_flow) {
  crosscheck::Verdict worst = crosscheck::Verdict::pass;
  for (const Motion motion : {Motion::rest, Motion::flow}) {
    crosscheck::Case small;
    small.name = std::string(to_string(motion));
    small.setup = crosscheck::MpmSetup{.dim = row.dim,
                                       .kernel = row.kernel,
                                       .transfer = Transfer::apic,
                                       .precision = row.precision,
                                       .threads = row.threads};
    BenchBlock block = bench_block(row.dim, row.kernel, 2000, motion);
    if (motion == Motion::flow) run_into_flow(block, threads_into_flow, {});
    small.dt = StepControl(block.scene).next(0.0, 1.0, 1.0).dt;
    small.scene = std::move(block.scene);
    small.start = std::move(block.state);
    small.needs = {{"contacts", 10.0}, {motion == Motion::rest ? "inside" : "surface", 100.0}};
    const auto candidate = [&](const Scene& scene, const SolverOptions& options) {
      return make_solver(row.solver, scene, options);
    };
    const auto reference = [](const Scene& scene, const SolverOptions& options) {
      return make_solver(judging_solver(scene.scheme.method()), scene, options);
    };
    const auto report = crosscheck::run_case(small, candidate, reference, row.simd);
    // In the order pass, mistrusted, refused, differs.
    const auto rank = [](crosscheck::Verdict v) {
      return v == crosscheck::Verdict::pass         ? 0
             : v == crosscheck::Verdict::mistrusted ? 1
             : v == crosscheck::Verdict::refused    ? 2
                                                    : 3;
    };
    if (rank(report.verdict) > rank(worst)) worst = report.verdict;
  }
  return std::string(crosscheck::name_of(worst));
}

std::optional<std::vector<BenchRow>> run_bench(const BenchPlan& plan) {
  const InterruptGuard guard;
  std::int64_t with_reference = 0;
  for (const std::int64_t n : plan.particles)
    if (n <= plan.reference_particles) with_reference = std::max(with_reference, n);
  const auto group_of = [&](int dim, Kernel kernel, std::int64_t particles) {
    return rows_of_group(plan, dim, kernel, particles, particles == with_reference);
  };
  // Before the first is measured.
  for (const int dim : plan.dims) {
    for (const Kernel kernel : plan.kernels) {
      for (const std::int64_t particles : plan.particles)
        require_memory(plan, group_of(dim, kernel, particles));
    }
  }
  std::vector<BenchRow> rows;
  for (const int dim : plan.dims) {
    for (const Kernel kernel : plan.kernels) {
      for (const std::int64_t particles : plan.particles) {
        if (!measure_group(plan, group_of(dim, kernel, particles),
                           fmt::format("{}D {}, {} particles", dim, crosscheck::name_of(kernel), particles),
                           rows))
          return std::nullopt;
      }
    }
  }
  if (plan.crosscheck) {
    std::map<std::string, std::string> verdicts;  // one per configuration, whatever its motion and size
    for (BenchRow& row : rows) {
      if (InterruptGuard::requested()) return std::nullopt;
      BenchRow configuration = row;
      configuration.motion = Motion::rest;
      configuration.particles = 0;
      const std::string key = bench_row_name(configuration);
      say(plan.progress, "lock-step check of " + key);
      auto found = verdicts.find(key);
      if (found == verdicts.end()) found = verdicts.emplace(key, bench_verdict(row, machine().cores)).first;
      row.verdict = found->second;
    }
  }
  say(plan.progress, "");
  return rows;
}

}  // namespace repose::experiments
