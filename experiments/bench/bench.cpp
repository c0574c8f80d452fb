#include "experiments/bench/bench.h"

#include "experiments/bench/disturbance.h"
#include "experiments/bench/memory.h"
#include "experiments/run/console.h"
#include "experiments/run/interrupt.h"
#include "experiments/run/provenance.h"
#include "reference/interface/base/error.h"
#include "reference/interface/scene/step_control.h"
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
      : row_(std::move(row)),
        block_(block),
        moved_on_(block_of(row_.method).in_flow_s),
        control_(block.scene) {
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
      if (solver_->time() > moved_on_) start_over();
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
  double moved_on_;  ///< where a state has moved on too far [s]
  StepControl control_;
  int wanted_ = 0;
  int warm_up_ = 0;
  std::unique_ptr<Solver> solver_;
};

/// What is measured in turn.
struct Group {
  const MethodBlock* block = nullptr;
  int dim = 3;
  std::size_t variant = 0;
  std::int64_t particles = 0;
  std::vector<BenchRow> rows;  ///< in the order in which they take turns

  std::string label() const {
    return fmt::format("{} {}D {}, {} particles", block->method, dim, block->variants[variant].name,
                       particles);
  }
};

bool wanted(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<BenchRow> rows_of(const BenchPlan& plan, const Group& group, bool with_serial) {
  std::vector<BenchRow> rows;
  const auto add = [&](const BenchRow& row) {
    for (const Motion motion : plan.motions) {
      rows.push_back(row);
      rows.back().motion = motion;
    }
  };
  for (const std::string& solver : solvers_of(group.block->method)) {
    if (!wanted(plan.solvers, solver)) continue;
    BenchRow row{.name = {},
                 .motion = {},
                 .method = std::string(group.block->method),
                 .solver = solver,
                 .dim = group.dim,
                 .variant = group.variant,
                 .simd = {},
                 .particles = group.particles};
    if (solver_info(solver).serial) {
      row.precision = solver_info(solver).precisions.front();
      if (with_serial) add(row);
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

/// All groups that have rows.
std::vector<Group> groups_of(const BenchPlan& plan) {
  std::int64_t with_serial = 0;
  for (const std::int64_t n : plan.particles)
    if (n <= plan.serial_particles) with_serial = std::max(with_serial, n);
  std::vector<Group> groups;
  for (const MethodBlock& block : method_blocks()) {
    if (!wanted(plan.methods, block.method)) continue;
    for (const int dim : plan.dims) {
      for (std::size_t variant = 0; variant < block.variants.size(); ++variant) {
        if (!wanted(plan.variants, block.variants[variant].name)) continue;
        for (const std::int64_t particles : plan.particles) {
          Group group{.block = &block, .dim = dim, .variant = variant, .particles = particles, .rows = {}};
          group.rows = rows_of(plan, group, particles == with_serial);
          if (!group.rows.empty()) groups.push_back(std::move(group));
        }
      }
    }
  }
  return groups;
}

/// @returns false if a signal ended it early
bool measure_group(const BenchPlan& plan, Group group, std::vector<BenchRow>& results) {
  const int cores = machine().cores;
  const std::string label = group.label();
  std::map<Motion, BenchBlock> blocks;
  for (const BenchRow& row : group.rows) {
    if (blocks.contains(row.motion)) continue;
    BenchBlock block = group.block->make(group.dim, group.variant, group.particles, row.motion);
    if (row.motion == Motion::flow) {
      run_into_flow(block, cores, [&](double share) {
        say(plan.progress, fmt::format("{}: {:.0f} % of the way into flow", label, 100.0 * share));
      });
    }
    blocks.emplace(row.motion, std::move(block));
  }
  std::vector<std::unique_ptr<Candidate>> candidates;
  for (BenchRow& row : group.rows) {
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
  return fmt::format("{}/{}/{}/{}d/{}/{}/{}/{}t/{}", to_string(row.motion), row.method, row.solver, row.dim,
                     block_of(row.method).variants.at(row.variant).name, to_string(row.precision),
                     bench_simd_name(row), row.threads, row.particles);
}

std::optional<std::vector<BenchRow>> run_bench(const BenchPlan& plan) {
  const InterruptGuard guard;
  const std::vector<Group> groups = groups_of(plan);
  if (groups.empty()) throw BadInput("nothing is left to measure");
  for (const Group& group : groups) require_memory(plan, group.rows);  // before the first is measured
  std::vector<BenchRow> rows;
  for (const Group& group : groups)
    if (!measure_group(plan, group, rows)) return std::nullopt;
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
