#include "experiments/bench/compare.h"

#include "experiments/bench/disturbance.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
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
  std::string text = fmt::format("{:<58} {:>7} {:>9} {:>9}\n", "row", "new/old", "at least", "at most");
  for (const json& row : comparison.at("rows")) {
    text += fmt::format("{:<58} {:>7.3f} {:>9.3f} {:>9.3f}  {}\n", row.at("name").get<std::string>(),
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
  text += fmt::format("{:<58} {:>8} {:>17} {:>10} {:>5} {:>9}  {}\n", "row", "ns", "spread", "Mpart-st/s",
                      "flow", "B", "check");
  for (const json& row : result.at("rows")) {
    text += fmt::format("{:<58} {:>8.1f} {:>8.1f}…{:<8.1f} {:>10.2f} {:>4.0f}% {:>5.0f}+{:<3.0f}  {}{}\n",
                        row.at("name").get<std::string>(), row.at("ns_per_particle_step_core").get<double>(),
                        row.at("ns_quartile_1").get<double>(), row.at("ns_quartile_3").get<double>(),
                        1e-6 * row.at("particle_steps_per_s").get<double>(),
                        100.0 * row.value("share_flowing", 0.0), row.value("storage_bytes_per_particle", 0.0),
                        row.value("grid_bytes_per_particle", 0.0), row.at("verdict").get<std::string>(),
                        timing_note(row));
  }
  std::string name;
  for (const json& ratio : result.value("ratios", json::array())) {
    if (ratio.at("name") != name) {
      name = ratio.at("name").get<std::string>();
      text += fmt::format("\n{} (median of pairs, quartiles)\n", name);
    }
    text += fmt::format("{:<58} {:>8.2f} {:>8.2f}…{:<8.2f}{}\n", ratio.at("to").get<std::string>(),
                        ratio.at("median").get<double>(), ratio.at("quartile_1").get<double>(),
                        ratio.at("quartile_3").get<double>(),
                        ratio.value("disturbed", false) ? " disturbed" : "");
  }
  return text;
}

std::string bench_csv(const json& result) {
  // Columns: every key of any row, then what rows hold by stage and by counter; numbers in the shortest form that reads back.
  const std::vector<std::pair<std::string, std::string>> inner{{"stages", "stage_{}_ns"},
                                                               {"counts", "count_{}"}};
  std::vector<json::json_pointer> places;
  std::vector<std::string> titles;
  const auto note = [&](const json::json_pointer& place, const std::string& title) {
    if (std::find(places.begin(), places.end(), place) != places.end()) return;
    places.push_back(place);
    titles.push_back(title);
  };
  for (const json& row : result.at("rows"))
    for (const auto& [key, value] : row.items())
      if (!value.is_object()) note(json::json_pointer() / key, key);
  for (const auto& [key, title] : inner)
    for (const json& row : result.at("rows")) {
      if (!row.contains(key)) continue;
      for (const auto& [name, value] : row.at(key).items())
        note(json::json_pointer() / key / name, fmt::format(fmt::runtime(title), name));
    }
  std::string text = fmt::format("{}\n", fmt::join(titles, ","));
  const auto cell = [](const json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
  };
  for (const json& row : result.at("rows")) {
    std::vector<std::string> cells;
    for (const auto& place : places) cells.push_back(row.contains(place) ? cell(row.at(place)) : "");
    text += fmt::format("{}\n", fmt::join(cells, ","));
  }
  return text;
}

}  // namespace repose::experiments
