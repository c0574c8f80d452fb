#pragma once

#include "experiments/bench/block.h"
#include "reference/interface/solver.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace repose::experiments {

/// What `repose bench` measures: every combination, in groups that are measured in turn.
struct BenchPlan {
  std::vector<std::string> methods{};   ///< empty: all that have a block
  std::vector<std::string> variants{};  ///< names as BlockVariant has them; empty: all
  std::vector<std::string> solvers{};   ///< empty: all of the method
  std::vector<int> dims{3, 2};
  std::vector<Precision> precisions{Precision::single_, Precision::double_};  ///< a serial solver has its own
  std::vector<int> threads{1, 2};     ///< a serial solver has one alone
  std::vector<std::string> simd{""};  ///< empty: the best of this machine
  std::vector<Motion> motions{Motion::rest, Motion::flow};
  std::vector<std::int64_t> particles{100000, 1000000};
  /// Where serial solvers take part: they need some microseconds per particle and step. Of the sizes that are
  /// not above this, the largest.
  std::int64_t serial_particles = 100000;
  int repeat = 5;          ///< repetitions of every row, ≥ 5 for a published number
  double effort = 1.0;     ///< scales the steps of a repetition
  bool crosscheck = true;  ///< give each row the verdict of a lock-step check of its configuration
  bool progress = false;   ///< a line on stderr
  /// A group whose solvers, loaded at once, are estimated to need more memory is refused [B].
  double memory_limit_bytes = std::numeric_limits<double>::infinity();
};

/// One solver in one configuration on one scene.
struct BenchRow {
  /// "flow/mpm/optimized/3d/cubic/float/best/1t/100000": what rows of two results are matched by
  std::string name;
  Motion motion = Motion::rest;
  std::string method;
  std::string solver;
  int dim = 3;
  std::size_t variant = 0;  ///< MethodBlock::variants
  Precision precision = Precision::double_;
  int threads = 1;
  std::string simd;  ///< as asked for; empty: the best
  std::int64_t particles = 0;
  std::vector<double> seconds{};                                ///< per step, one per repetition; by the wall
  std::vector<double> cpu_seconds{};                            ///< the same by all threads' processor time
  std::vector<double> disturbed{};                              ///< disturbed_share() of each repetition
  std::vector<std::pair<std::string, double>> stage_seconds{};  ///< sums over all measured steps
  std::int64_t steps = 0;                                       ///< measured
  StepReport last{};                                            ///< of the last measured step
  Solver::Storage storage{};
  std::int64_t resident_bytes = 0;  ///< by which the process grew when this solver was loaded and had run
  std::string verdict{};            ///< of the lock-step check
};

/// The instruction set a row was forced to: "none" for a serial solver, "best" where none was forced.
std::string bench_simd_name(const BenchRow& row);

/// Name by which rows are matched.
std::string bench_row_name(const BenchRow& row);

/// Measures. Within a group (method, dimension, variant, number of particles) all solvers, precisions, thread counts
/// and both motions are loaded at once and take turns, A B C A B C …, so that what else happens on the
/// machine meets all alike. A repetition starts behind warm-up steps, in which a solver's order of particles
/// stops being fresh, and counts whole steps (Solver::advance) alone; a state that has moved on too far is
/// loaded again.
/// @returns nothing if a signal ended it early
/// @throws BadInput for options that a solver does not have, nothing to measure, or more particles than the memory holds
/// @throws SimulationError
std::optional<std::vector<BenchRow>> run_bench(const BenchPlan& plan);

/// Verdict of the lock-step comparison of a configuration on small blocks of at most 10⁴ particles, at rest
/// and in flow: "pass", "differs", "mistrusted" or "refused".
std::string bench_verdict(const BenchRow& row, int threads_into_flow);

/// {"rows": […], "ratios": […]}: medians, quartiles, stages, storage; and what is judged, ratios formed pair
/// by pair: flow against rest, threads against one thread, float against double, serial solvers against the others.
/// A row's "timing" is "disturbed" where other work had the processors for more than a little of it, by the median of
/// its repetitions ("disturbed_share"): such a row is shown, not judged, and ratios to it say so.
nlohmann::json bench_json(const std::vector<BenchRow>& rows);

}  // namespace repose::experiments
