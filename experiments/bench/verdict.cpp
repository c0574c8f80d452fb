#include "experiments/bench/bench.h"
#include "reference/interface/scene/step_control.h"
#include "validation/crosscheck/run_case.h"
#include "validation/solvers.h"

namespace repose::experiments {

std::string bench_verdict(const BenchRow& row, int threads_into_flow) {
  const MethodBlock& kind = block_of(row.method);
  crosscheck::Verdict worst = crosscheck::Verdict::pass;
  for (const Motion motion : {Motion::rest, Motion::flow}) {
    crosscheck::Case small;
    small.name = std::string(to_string(motion));
    small.setup = {.method = kind.method,
                   .dim = row.dim,
                   .variant = kind.variants.at(row.variant).levels,
                   .precision = row.precision,
                   .threads = row.threads};
    BenchBlock block = kind.make(row.dim, row.variant, 2000, motion);
    if (motion == Motion::flow) run_into_flow(block, threads_into_flow, {});
    small.dt = StepControl(block.scene).next(0.0, 1.0, 1.0).dt;
    small.scene = std::move(block.scene);
    small.start = std::move(block.state);
    small.needs = kind.needs[motion == Motion::rest ? 0 : 1];
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

}  // namespace repose::experiments
