#pragma once

#include <string_view>
#include <vector>

namespace repose {

namespace crosscheck {
struct Judge;
struct MethodCases;
}  // namespace crosscheck
namespace exact {
struct Exact;
}
namespace faults {
struct Model;
}
namespace metrics {
struct PhaseSums;
}
struct Scene;
struct Snapshot;

/// What the judging side brings for one method.
struct JudgedMethod {
  std::string_view name;
  const crosscheck::Judge& judge;        ///< bounds, meanings, residuals (crosscheck/judge.h)
  const crosscheck::MethodCases& cases;  ///< scenarios, a busy case, exact claims (crosscheck/method_cases.h)
  const faults::Model& model;  ///< its stages once more, plainly, and mistakes in them (faults/model.h)
  /// Problems of known answer (exact/exact.h); null: none
  const std::vector<exact::Exact>& (*problems)() = nullptr;
  /// What each phase of a state holds (metrics/phase_sums.h); null: nothing is summed
  std::vector<metrics::PhaseSums> (*sums)(const Snapshot& state, const Scene& scene) = nullptr;
};

/// All of them: the one place of the judging side that knows methods by name.
const std::vector<JudgedMethod>& judged_methods();

/// @throws std::out_of_range naming the method and those there are
const JudgedMethod& judged(std::string_view method);

}  // namespace repose
