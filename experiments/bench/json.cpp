#include "experiments/bench/bench.h"
#include "experiments/bench/disturbance.h"
#include "experiments/bench/statistics.h"
#include "experiments/run/provenance.h"
#include "reference/interface/methods/all.h"
#include "validation/solvers.h"

#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>

namespace repose::experiments {

namespace {

using nlohmann::json;

/// The median, as the median of the repetitions' times is what is reported.
double disturbed_share(const BenchRow& row) {
  return row.disturbed.empty() ? -1.0 : spread_of(row.disturbed).median;
}

bool disturbed(const BenchRow& row) { return timing_of(disturbed_share(row)) == Timing::disturbed; }

json to_json(const BenchRow& row) {
  const double n = static_cast<double>(row.particles);
  const double per_core = 1e9 * row.threads / n;  // seconds per step → ns per particle-step and core
  std::vector<double> ns = row.seconds;
  for (double& value : ns) value *= per_core;
  std::vector<double> cpu = row.cpu_seconds;
  for (double& value : cpu) value *= 1e9 / n;
  const Spread spread = spread_of(ns);
  json stages = json::object();
  for (const auto& [stage, seconds] : row.stage_seconds)
    stages[stage] = seconds * per_core / static_cast<double>(row.steps);
  const MethodBlock& block = block_of(row.method);
  const auto counters = method::named(row.method).counters;
  json counts = json::object();
  for (std::size_t k = 0; k < counters.size(); ++k)
    counts[std::string(counters[k].column)] = row.last.counts[k];
  double flowing = 0.0;
  for (const std::size_t counter : block.flowing) flowing += static_cast<double>(row.last.counts[counter]);
  json result = {{"name", row.name},
                 {"scene", to_string(row.motion)},
                 {"solver", row.solver},
                 {"method", row.method},
                 {"variant", variant_of(block, row.variant)},
                 {"dim", row.dim},
                 {"precision", to_string(row.precision)},
                 {"threads", row.threads},
                 {"simd", bench_simd_name(row)},
                 {"particles", row.particles},
                 {"ns_per_particle_step_core", spread.median},
                 {"ns_quartile_1", spread.quartile_1},
                 {"ns_quartile_3", spread.quartile_3},
                 {"ns_least", spread.least},
                 {"cpu_ns_per_particle_step", spread_of(cpu).median},
                 {"timing", to_string(timing_of(disturbed_share(row)))},
                 {"disturbed_share", disturbed_share(row) < 0.0 ? json(nullptr) : json(disturbed_share(row))},
                 {"particle_steps_per_s", 1e9 * row.threads / spread.median},
                 {"stages", stages},
                 {"repetitions", row.seconds.size()},
                 {"steps", row.steps},
                 {"dt_s", row.last.dt},
                 {"max_speed_m_s", row.last.max_speed},
                 {"counts", counts},
                 {"share_flowing", flowing / n},
                 {"storage_bytes_per_particle", static_cast<double>(row.storage.particle_bytes) / n},
                 {"grid_bytes_per_particle", static_cast<double>(row.storage.grid_bytes) / n},
                 {"resident_bytes_per_particle", static_cast<double>(row.resident_bytes) / n},
                 {"verdict", row.verdict.empty() ? "unchecked" : row.verdict}};
  for (const auto& [key, value] : block.variants.at(row.variant).told) result[std::string(key)] = value;
  return result;
}

/// Pairs of rows that differ in one thing, and what their ratio is called. The ratio is `of` against `to`, by
/// the wall.
struct Comparison {
  std::string name;  ///< empty: of both solvers
  std::function<bool(const BenchRow& of, const BenchRow& to)> pairs;
};

bool same_but(const BenchRow& a, const BenchRow& b, bool motion, bool threads, bool precision, bool solver) {
  return a.method == b.method && a.dim == b.dim && a.variant == b.variant && a.particles == b.particles &&
         (motion || a.motion == b.motion) && (threads || a.threads == b.threads) &&
         (precision || a.precision == b.precision) && (solver || (a.solver == b.solver && a.simd == b.simd));
}

json ratios_of(const std::vector<BenchRow>& rows) {
  const std::vector<Comparison> comparisons{
      {"time in flow / time at rest",
       [](const BenchRow& of, const BenchRow& to) {
         return of.motion == Motion::flow && to.motion == Motion::rest &&
                same_but(of, to, true, false, false, false);
       }},
      {"time on one thread / time on several",
       [](const BenchRow& of, const BenchRow& to) {
         return of.threads == 1 && to.threads > 1 && same_but(of, to, false, true, false, false);
       }},
      {"time in double / time in float",
       [](const BenchRow& of, const BenchRow& to) {
         return of.precision == Precision::double_ && to.precision == Precision::single_ &&
                same_but(of, to, false, false, true, false);
       }},
      {"", [](const BenchRow& of, const BenchRow& to) {
         return solver_info(of.solver).serial && !solver_info(to.solver).serial && to.threads == 1 &&
                same_but(of, to, false, false, true, true);
       }}};
  json ratios = json::array();
  for (const Comparison& comparison : comparisons) {
    for (const BenchRow& to : rows) {
      for (const BenchRow& of : rows) {
        if (!comparison.pairs(of, to)) continue;
        const Spread spread = spread_of(paired_ratios(of.seconds, to.seconds));
        const std::string name = comparison.name.empty()
                                     ? fmt::format("time of {} / time of {}", of.solver, to.solver)
                                     : comparison.name;
        ratios.push_back({{"name", name},
                          {"of", of.name},
                          {"to", to.name},
                          {"median", spread.median},
                          {"quartile_1", spread.quartile_1},
                          {"quartile_3", spread.quartile_3},
                          {"disturbed", disturbed(of) || disturbed(to)},
                          {"pairs", std::min(of.seconds.size(), to.seconds.size())}});
      }
    }
  }
  return ratios;
}

}  // namespace

json bench_json(const std::vector<BenchRow>& rows) {
  json result{{"rows", json::array()}, {"ratios", ratios_of(rows)}};
  for (const BenchRow& row : rows) result["rows"].push_back(to_json(row));
  result["peak_resident_bytes"] = peak_memory_bytes();
  return result;
}

}  // namespace repose::experiments
