#include "experiments/report/bench.h"

#include "experiments/bench/compare.h"
#include "experiments/bench/costs.h"
#include "experiments/bench/table2_rows.h"
#include "experiments/report/html.h"
#include "reference/interface/methods/mpm_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

namespace repose::experiments {

namespace {

using nlohmann::json;

std::string head(const std::vector<std::string>& columns) {
  std::string html = "<div class=\"scroll\"><table>\n<thead><tr>";
  for (const std::string& column : columns)
    html += fmt::format("<th scope=\"col\">{}</th>", escape_html(column));
  return html + "</tr></thead>\n<tbody>\n";
}

/// First cell a heading, the rest numbers or short texts.
std::string line(const std::vector<std::string>& cells) {
  std::string html = fmt::format("<tr><th scope=\"row\">{}</th>", escape_html(cells.front()));
  for (std::size_t k = 1; k < cells.size(); ++k)
    html += fmt::format("<td class=\"number\">{}</td>", escape_html(cells[k]));
  return html + "</tr>\n";
}

const std::string tail = "</tbody></table></div>\n";

double ns(const json& row) { return row.at("ns_per_particle_step_core").get<double>(); }

/// "3D cubic float", and whatever else tells a row from others in its table.
std::string configuration(const json& row) {
  return fmt::format("{}D {} {}", row.at("dim").get<int>(), row.at("kernel").get<std::string>(),
                     row.at("precision").get<std::string>());
}

std::string machine_section(const json& machine) {
  const auto number = [&](const char* key) { return machine.value(key, 0.0); };
  std::string html = "<h3>Machine</h3>\n" + head({"What", "Value"});
  const auto add = [&](const std::string& what, const std::string& value) {
    html +=
        fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escape_html(what), escape_html(value));
  };
  std::string sets;
  for (const json& set : machine.value("instruction_sets", json::array()))
    sets += (sets.empty() ? "" : ", ") + shown(set);
  add("Processor", fmt::format("{}, {} cores for this process; {}", machine.value("cpu", "?"),
                               machine.value("cores", 0), sets));
  add("Memory, measured",
      fmt::format("copy {:.1f} GB/s, triad {:.1f} GB/s on one thread; {:.1f} and {:.1f} GB/s on {}",
                  number("copy_gb_s"), number("triad_gb_s"), number("copy_all_gb_s"),
                  number("triad_all_gb_s"), machine.value("threads_all", 1)));
  add("Multiply-add, measured", fmt::format("{:.0f} GFLOP/s float, {:.0f} GFLOP/s double on one thread ({})",
                                            number("fma_float_gflop_s"), number("fma_double_gflop_s"),
                                            machine.value("fma_instructions", "?")));
  add("Program",
      fmt::format("Repose {}, revision {}", machine.value("version", "?"), machine.value("revision", "?")));
  add("Compiler", fmt::format("{}, {}: {}", machine.value("compiler", "?"), machine.value("build_type", "?"),
                              machine.value("flags", "?")));
  return html + tail;
}

std::string speed_table(const json& rows) {
  std::string html =
      "<h3>Speed</h3>\n<p>Nanoseconds per particle, step and core: medians, with quartiles. <em>Rest</em>: a "
      "packed block between walls. <em>Flow</em>: the same block well into its collapse; its share of "
      "yielding "
      "particles stands beside. <em>Check</em>: the lock-step comparison of the same configuration with the "
      "readable solver. <em>Disturbed</em>: the share of the time that other work on the machine may have "
      "added; such a "
      "row is not judged.</p>\n" +
      head({"Row", "ns", "quartiles", "10⁶ particle-steps/s", "yielding", "B/particle", "grid B/particle",
            "resident B/particle", "check"});
  for (const json& row : rows) {
    const auto number = [&](const char* key) { return row.value(key, 0.0); };
    html += fmt::format("<tr><th scope=\"row\"><span class=\"name\">{}</span></th>",
                        escape_html(shown(row.at("name"))));
    for (const std::string& cell :
         {fmt::format("{:.1f}", ns(row)),
          fmt::format("{:.1f} … {:.1f}", number("ns_quartile_1"), number("ns_quartile_3")),
          fmt::format("{:.2f}", 1e-6 * number("particle_steps_per_s")),
          fmt::format("{:.0f} %", 100.0 * (number("share_tip") + number("share_surface"))),
          fmt::format("{:.0f}", number("storage_bytes_per_particle")),
          fmt::format("{:.0f}", number("grid_bytes_per_particle")),
          fmt::format("{:.0f}", number("resident_bytes_per_particle"))})
      html += fmt::format("<td class=\"number\">{}</td>", cell);
    html += fmt::format("<td>{}{}</td></tr>\n", verdict_badge(shown(row.at("verdict"))), timing_note(row));
  }
  return html + tail;
}

std::string ratio_tables(const json& ratios) {
  std::string html;
  std::string name;
  for (const json& ratio : ratios) {
    if (ratio.at("name") != name) {
      if (!name.empty()) html += tail;
      name = ratio.at("name").get<std::string>();
      html += fmt::format("<h3>Ratio: {}</h3>\n", escape_html(name)) +
              head({"Row", "median of pairs", "quartiles"});
    }
    const char* const note = ratio.value("disturbed", false) ? ", disturbed" : "";
    html += line({shown(ratio.at("to")) + note, fmt::format("{:.2f}", ratio.at("median").get<double>()),
                  fmt::format("{:.2f} … {:.2f}", ratio.at("quartile_1").get<double>(),
                              ratio.at("quartile_3").get<double>())});
  }
  return name.empty() ? html : html + tail;
}

/// Rows that differ in their number of particles alone.
std::string size_table(const json& rows) {
  struct Size {
    double ns = 0.0;
    std::string note;
  };
  std::map<std::string, std::map<std::int64_t, Size>> series;
  for (const json& row : rows) {
    const std::string name =
        fmt::format("{}, {}, {}, {} threads, {}", shown(row.at("solver")), configuration(row),
                    shown(row.at("scene")), row.at("threads").get<int>(), shown(row.at("simd")));
    series[name][row.at("particles").get<std::int64_t>()] = {ns(row), timing_note(row)};
  }
  std::string body;
  for (const auto& [name, sizes] : series) {
    if (sizes.size() < 2) continue;
    const double first = sizes.begin()->second.ns;
    for (const auto& [particles, size] : sizes)
      body += line({name, std::to_string(particles), fmt::format("{:.1f}{}", size.ns, size.note),
                    fmt::format("{:.2f}", size.ns / first)});
  }
  if (body.empty()) return {};
  return "<h3>Scaling with size</h3>\n" + head({"Rows", "particles", "ns", "against the smallest"}) + body +
         tail;
}

std::string roofline_table(const json& rows, const json& machine) {
  std::string body;
  for (const json& row : rows) {
    if (row.at("simd") == "none" || row.at("threads") != 1 || row.at("scene") != "flow") continue;
    const bool single = row.at("precision") == "float";
    const auto costs =
        stage_costs(row.at("dim").get<int>(), row.at("kernel") == "cubic" ? Kernel::cubic : Kernel::quadratic,
                    single ? Precision::single_ : Precision::double_);
    const double bandwidth = machine.value("triad_gb_s", 0.0);
    const double peak = machine.value(single ? "fma_float_gflop_s" : "fma_double_gflop_s", 0.0);
    for (const auto& [stage, time] : row.at("stages").items()) {
      const auto cost = std::find_if(costs.begin(), costs.end(),
                                     [&, &name = stage](const StageCost& c) { return c.stage == name; });
      if (cost == costs.end() || peak <= 0.0 || bandwidth <= 0.0) continue;
      const double least = roofline_ns(*cost, bandwidth, peak);
      const double measured = time.get<double>();
      body += line({fmt::format("{}, {} particles: {}{}", configuration(row),
                                row.at("particles").get<std::int64_t>(), stage, timing_note(row)),
                    fmt::format("{:.1f}", measured), fmt::format("{:.0f} %", 100.0 * measured / ns(row)),
                    fmt::format("{:.0f}", cost->bytes), fmt::format("{:.0f}", cost->flops),
                    fmt::format("{:.1f}", least),
                    cost->flops / peak > cost->bytes / bandwidth ? "arithmetic" : "memory",
                    measured > 0.0 ? fmt::format("{:.0f} %", 100.0 * least / measured) : "–"});
    }
  }
  if (body.empty()) return {};
  return "<h3>Stages against the roofline</h3>\n<p>In flow, one thread. Bytes and operations per particle "
         "and step are "
         "<strong>estimates</strong> counted from the solver's layout and formulas, each number once; the "
         "least time is what "
         "this machine's measured triad and multiply-add peak need for them. g2p reaches to the end of the "
         "step: gather, "
         "update, return mapping.</p>\n" +
         head({"Stage", "ns", "of the step", "bytes", "operations", "least ns", "bound by",
               "of the roofline"}) +
         body + tail;
}

/// The row to hold against the paper: cubic, in flow, one thread, the largest scene; of the given precision.
const json* best_cubic_row(const json& rows, std::string_view precision) {
  const json* found = nullptr;
  for (const json& row : rows) {
    if (row.at("simd") == "none" || row.at("dim") != 3 || row.at("kernel") != "cubic" ||
        row.at("scene") != "flow" || row.at("precision") != precision || row.at("threads") != 1)
      continue;
    if (found == nullptr || row.at("particles") > found->at("particles")) found = &row;
  }
  return found;
}

std::string klar_table(const json& rows) {
  const json* single = best_cubic_row(rows, "float");
  const json* twice = best_cubic_row(rows, "double");
  if (single == nullptr && twice == nullptr) return {};
  const auto cell = [](const json* row) {
    return row == nullptr ? "–" : fmt::format("{:.0f}{}", ns(*row), timing_note(*row));
  };
  const auto ratio = [](const json* row, double theirs) {
    return row == nullptr ? "–" : fmt::format("{:.0f}", theirs / ns(*row));
  };
  std::string html =
      "<h3>Beside Klár 2016, Table 2</h3>\n<p>Theirs: wall time per frame over the steps of a frame at the "
      "printed (largest "
      "allowed) Δt, so an upper bound of the time per step where more steps were taken; times threads, per "
      "particle. Ours: 3D, "
      "cubic, in flow, this machine, explicit. Their processors are of 2010 to 2013, a part of the ratio is "
      "theirs. Implicit "
      "rows take fewer, dearer steps. The figure klar2016/table2_performance runs blocks of each row's "
      "size.</p>\n" +
      head({"Scene", "Processor, threads", "s/frame", "s/step", "ns, theirs", "ns, ours float",
            "ns, ours double", "ratio float", "ratio double"});
  for (const klar2016::Table2Row& row : klar2016::table2_rows()) {
    if (row.dim != 3) continue;
    const double theirs = klar2016::paper_ns_per_particle_step_core(row);
    html += line({fmt::format("{} ({})", row.name, row.implicit ? "implicit" : "explicit"),
                  fmt::format("{} at {:.2f} GHz, {}", row.cpu, row.clock_ghz, row.threads),
                  fmt::format("{:.0f}", 60.0 * row.minutes_per_frame),
                  fmt::format("{:.2f}", klar2016::paper_seconds_per_step(row)), fmt::format("{:.0f}", theirs),
                  cell(single), cell(twice), ratio(single, theirs), ratio(twice, theirs)});
  }
  return html + tail;
}

std::string comparison_table(const json& comparison) {
  std::string html = fmt::format(
      "<h3>Against an earlier result</h3>\n<p>Ratios new/old; slower or faster only beyond the quartiles of "
      "both and a factor "
      "of {:.2f}. The machine itself, new/old: triad {:.2f}, multiply-add {:.2f}. {} rows have no "
      "partner.</p>\n",
      comparison.at("factor").get<double>(), comparison.at("machine_ratio").at("triad").get<double>(),
      comparison.at("machine_ratio").at("fma_float").get<double>(), comparison.at("unmatched").get<int>());
  html += head({"Row", "new/old", "at least", "at most", "verdict"});
  for (const json& row : comparison.at("rows"))
    html += line({shown(row.at("name")), fmt::format("{:.3f}", row.at("ratio").get<double>()),
                  fmt::format("{:.3f}", row.at("at_least").get<double>()),
                  fmt::format("{:.3f}", row.at("at_most").get<double>()), shown(row.at("verdict"))});
  return html + tail;
}

}  // namespace

std::string bench_html(const json& result) {
  const json& rows = result.at("rows");
  const json& machine = result.at("machine");
  std::string html = "<h2 id=\"bench\">Speed</h2>\n" + machine_section(machine) + speed_table(rows);
  html += ratio_tables(result.value("ratios", json::array())) + size_table(rows) +
          roofline_table(rows, machine) + klar_table(rows);
  if (result.contains("comparison")) html += comparison_table(result.at("comparison"));
  return html;
}

}  // namespace repose::experiments
