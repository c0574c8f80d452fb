#include "experiments/bench/compare.h"

#include "experiments/bench/disturbance.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace repose::experiments {

namespace {

using nlohmann::json;

std::map<std::string, json> rows_by_name(const json& result) {
  std::map<std::string, json> rows;
  for (const json& row : result.at("rows")) rows.emplace(row.at("name").get<std::string>(), row);
  return rows;
}

bool is_disturbed(const json& row) { return row.value("timing", "unknown") == "disturbed"; }

double machine_ratio(const json& old_result, const json& new_result, const char* key) {
  const double before = old_result.value("machine", json::object()).value(key, 0.0);
  const double after = new_result.value("machine", json::object()).value(key, 0.0);
  return before > 0.0 ? after / before : 0.0;
}

}  // namespace

json compare_bench(const json& old_result, const json& new_result, double factor) {
  const auto before = rows_by_name(old_result);
  const auto after = rows_by_name(new_result);
  json comparison{{"rows", json::array()}, {"factor", factor}};
  int slower = 0;
  int faster = 0;
  int disturbed = 0;
  for (const auto& [name, now] : after) {
    const auto found = before.find(name);
    if (found == before.end()) continue;
    const json& old_row = found->second;
    const auto ns = [](const json& row, const char* key) {
      return row.value(key, row.at("ns_per_particle_step_core").get<double>());
    };
    const double ratio = ns(now, "ns_per_particle_step_core") / ns(old_row, "ns_per_particle_step_core");
    const double at_least = ns(now, "ns_quartile_1") / ns(old_row, "ns_quartile_3");
    const double at_most = ns(now, "ns_quartile_3") / ns(old_row, "ns_quartile_1");
    // Neither a slow nor a fast result says anything about the program where other work took part of the time.
    const bool unjudged = is_disturbed(old_row) || is_disturbed(now);
    const char* verdict = unjudged                 ? "disturbed"
                          : at_least > factor      ? "slower"
                          : at_most < 1.0 / factor ? "faster"
                                                   : "same";
    disturbed += unjudged ? 1 : 0;
    slower += !unjudged && at_least > factor ? 1 : 0;
    faster += !unjudged && at_most < 1.0 / factor ? 1 : 0;
    comparison["rows"].push_back({{"name", name},
                                  {"ratio", ratio},
                                  {"at_least", at_least},
                                  {"at_most", at_most},
                                  {"verdict", verdict}});
  }
  const std::size_t matched = comparison["rows"].size();
  comparison["slower"] = slower;
  comparison["faster"] = faster;
  comparison["disturbed"] = disturbed;
  comparison["unmatched"] = before.size() + after.size() - 2 * matched;
  comparison["machine_ratio"] = {{"triad", machine_ratio(old_result, new_result, "triad_gb_s")},
                                 {"fma_float", machine_ratio(old_result, new_result, "fma_float_gflop_s")}};
  return comparison;
}

int exit_code_of_comparison(const json& comparison) {
  if (comparison.at("slower").get<int>() > 0) return 1;
  return comparison.at("rows").size() == comparison.value("disturbed", std::size_t{0}) ? 3 : 0;
}

std::string describe_comparison(const json& comparison) {
  std::string text = fmt::format("{:<52} {:>7} {:>9} {:>9}\n", "row", "new/old", "at least", "at most");
  for (const json& row : comparison.at("rows")) {
    text += fmt::format("{:<52} {:>7.3f} {:>9.3f} {:>9.3f}  {}\n", row.at("name").get<std::string>(),
                        row.at("ratio").get<double>(), row.at("at_least").get<double>(),
                        row.at("at_most").get<double>(), row.at("verdict").get<std::string>());
  }
  const json& machine = comparison.at("machine_ratio");
  text += fmt::format(
      "{} slower than {:.2f} times beyond both spreads, {} faster; {} disturbed and not judged; {} rows "
      "without a "
      "partner\n"
      "the machine itself, new/old: triad {:.2f}, multiply-add {:.2f}\n",
      comparison.at("slower").get<int>(), comparison.at("factor").get<double>(),
      comparison.at("faster").get<int>(), comparison.value("disturbed", 0),
      comparison.at("unmatched").get<int>(), machine.at("triad").get<double>(),
      machine.at("fma_float").get<double>());
  return text;
}

std::string timing_note(const json& row) {
  if (!is_disturbed(row)) return {};
  return fmt::format(", disturbed {:.0f} %", 100.0 * row.value("disturbed_share", 0.0));
}

std::string describe_bench(const json& result) {
  const json& machine = result.at("machine");
  const auto number = [&](const char* key) { return machine.value(key, 0.0); };
  std::string text = fmt::format(
      "{}, {} cores; triad {:.1f} GB/s on one thread, {:.1f} on {}; {} multiply-add {:.0f} GFLOP/s float, "
      "{:.0f} double\n"
      "ns: per particle, step and core; spread: quartiles; B: bytes per particle of particles + grid\n"
      "disturbed: share of the time that other work may have added, where it is more than {:.0f} %: not "
      "judged\n\n",
      machine.value("cpu", "?"), machine.value("cores", 0), number("triad_gb_s"), number("triad_all_gb_s"),
      machine.value("threads_all", 1), machine.value("fma_instructions", "?"), number("fma_float_gflop_s"),
      number("fma_double_gflop_s"), 100.0 * disturbed_from);
  text += fmt::format("{:<52} {:>8} {:>17} {:>10} {:>5} {:>9}  {}\n", "row", "ns", "spread", "Mpart-st/s",
                      "yield", "B", "check");
  for (const json& row : result.at("rows")) {
    text +=
        fmt::format("{:<52} {:>8.1f} {:>8.1f}…{:<8.1f} {:>10.2f} {:>4.0f}% {:>5.0f}+{:<3.0f}  {}{}\n",
                    row.at("name").get<std::string>(), row.at("ns_per_particle_step_core").get<double>(),
                    row.at("ns_quartile_1").get<double>(), row.at("ns_quartile_3").get<double>(),
                    1e-6 * row.at("particle_steps_per_s").get<double>(),
                    100.0 * (row.value("share_tip", 0.0) + row.value("share_surface", 0.0)),
                    row.value("storage_bytes_per_particle", 0.0), row.value("grid_bytes_per_particle", 0.0),
                    row.at("verdict").get<std::string>(), timing_note(row));
  }
  std::string name;
  for (const json& ratio : result.value("ratios", json::array())) {
    if (ratio.at("name") != name) {
      name = ratio.at("name").get<std::string>();
      text += fmt::format("\n{} (median of pairs, quartiles)\n", name);
    }
    text += fmt::format("{:<52} {:>8.2f} {:>8.2f}…{:<8.2f}{}\n", ratio.at("to").get<std::string>(),
                        ratio.at("median").get<double>(), ratio.at("quartile_1").get<double>(),
                        ratio.at("quartile_3").get<double>(),
                        ratio.value("disturbed", false) ? " disturbed" : "");
  }
  return text;
}

std::string bench_csv(const json& result) {
  // Columns: every key of any row, stages apart; numbers in the shortest form that reads back.
  std::vector<std::string> columns;
  std::vector<std::string> stages;
  const auto note = [](std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const json& row : result.at("rows")) {
    for (const auto& [key, value] : row.items())
      if (key != "stages") note(columns, key);
    for (const auto& [stage, value] : row.at("stages").items()) note(stages, stage);
  }
  std::string text = fmt::format("{}", fmt::join(columns, ","));
  for (const std::string& stage : stages) text += fmt::format(",stage_{}_ns", stage);
  text += '\n';
  const auto cell = [](const json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
  };
  for (const json& row : result.at("rows")) {
    std::string line;
    for (const std::string& column : columns)
      line += (line.empty() ? "" : ",") + (row.contains(column) ? cell(row.at(column)) : "");
    for (const std::string& stage : stages)
      line += "," + (row.at("stages").contains(stage) ? cell(row.at("stages").at(stage)) : "");
    text += line + '\n';
  }
  return text;
}

}  // namespace repose::experiments
