#include "experiments/report/bench.h"

#include "experiments/bench/block.h"
#include "experiments/bench/compare.h"
#include "experiments/report/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
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

/// Of results that were written before rows said so: of none.
std::string word_of(const json& row, const char* key) { return row.value(key, std::string()); }

/// "mpm 3D apic-cubic float", and whatever else tells a row from others in its table.
std::string configuration(const json& row) {
  return fmt::format("{} {}D {} {}", word_of(row, "method"), row.at("dim").get<int>(),
                     word_of(row, "variant"), row.at("precision").get<std::string>());
}

/// A row's method and variant as the table of blocks has them.
struct Measured {
  const MethodBlock* block = nullptr;
  std::size_t variant = 0;
};

std::optional<Measured> measured(const json& row) {
  const MethodBlock* const block = find_block(word_of(row, "method"));
  if (block == nullptr) return std::nullopt;
  const auto variant = find_variant(*block, word_of(row, "variant"));
  if (!variant) return std::nullopt;
  return Measured{block, *variant};
}

/// In flow, on one thread, of a solver that is not serial: what a machine's limits and papers' times are held against.
bool on_one_thread_in_flow(const json& row) {
  return row.at("simd") != "none" && row.at("threads") == 1 && row.at("scene") == "flow";
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
      "packed block between walls. <em>Flow</em>: the same block well into its collapse; the share of "
      "particles "
      "that flow (of sand: that yield) stands beside. <em>Check</em>: the lock-step comparison of the same "
      "configuration with the "
      "readable solver. <em>Disturbed</em>: the share of the time that other work on the machine may have "
      "added; such a "
      "row is not judged.</p>\n" +
      head({"Row", "ns", "quartiles", "10⁶ particle-steps/s", "flowing", "B/particle", "grid B/particle",
            "resident B/particle", "check"});
  for (const json& row : rows) {
    const auto number = [&](const char* key) { return row.value(key, 0.0); };
    html += fmt::format("<tr><th scope=\"row\"><span class=\"name\">{}</span></th>",
                        escape_html(shown(row.at("name"))));
    for (const std::string& cell :
         {fmt::format("{:.1f}", ns(row)),
          fmt::format("{:.1f} … {:.1f}", number("ns_quartile_1"), number("ns_quartile_3")),
          fmt::format("{:.2f}", 1e-6 * number("particle_steps_per_s")),
          fmt::format("{:.0f} %", 100.0 * number("share_flowing")),
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
    const auto of = measured(row);
    if (!on_one_thread_in_flow(row) || !of || of->block->costs == nullptr) continue;
    const bool single = row.at("precision") == "float";
    const auto costs = of->block->costs(row.at("dim").get<int>(), of->variant,
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

/// The row to hold against a paper's times: of the largest block.
const json* largest_row(const json& rows, const MethodBlock& block, const Published& table,
                        std::string_view precision) {
  const json* found = nullptr;
  for (const json& row : rows) {
    const auto of = measured(row);
    if (!on_one_thread_in_flow(row) || !of || of->block != &block || of->variant != table.variant ||
        row.at("dim") != table.dim || row.at("precision") != precision)
      continue;
    if (found == nullptr || row.at("particles") > found->at("particles")) found = &row;
  }
  return found;
}

std::string published_table(const json& rows, const MethodBlock& block) {
  // What was not measured needs no paper's data.
  if (std::none_of(rows.begin(), rows.end(), [&](const json& row) {
        const auto of = measured(row);
        return of && of->block == &block && on_one_thread_in_flow(row);
      }))
    return {};
  const Published table = block.published();
  const json* single = largest_row(rows, block, table, "float");
  const json* twice = largest_row(rows, block, table, "double");
  if (single == nullptr && twice == nullptr) return {};
  const auto cell = [](const json* row) {
    return row == nullptr ? "–" : fmt::format("{:.0f}{}", ns(*row), timing_note(*row));
  };
  const auto ratio = [](const json* row, double theirs) {
    return row == nullptr ? "–" : fmt::format("{:.0f}", theirs / ns(*row));
  };
  std::string html = fmt::format("<h3>{}</h3>\n<p>{}</p>\n", table.heading, table.text) +
                     head({"Scene", "Processor, threads", "s/frame", "s/step", "ns, theirs", "ns, ours float",
                           "ns, ours double", "ratio float", "ratio double"});
  for (const Published::Row& row : table.rows)
    html += line({row.scene, row.processor, fmt::format("{:.0f}", row.frame_s),
                  fmt::format("{:.2f}", row.step_s), fmt::format("{:.0f}", row.ns), cell(single), cell(twice),
                  ratio(single, row.ns), ratio(twice, row.ns)});
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
  html +=
      ratio_tables(result.value("ratios", json::array())) + size_table(rows) + roofline_table(rows, machine);
  for (const MethodBlock& block : method_blocks())
    if (block.published != nullptr) html += published_table(rows, block);
  if (result.contains("comparison")) html += comparison_table(result.at("comparison"));
  return html;
}

}  // namespace repose::experiments
