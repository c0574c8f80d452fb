#include "validation/crosscheck/report.h"

#include "validation/methods.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace repose::crosscheck {

namespace {

struct Summary {
  int pass = 0, differs = 0, mistrusted = 0, refused = 0;
  double seconds = 0.0;
};

Summary summarize(const std::vector<CaseReport>& reports) {
  Summary result;
  for (const CaseReport& report : reports) {
    if (report.verdict == Verdict::pass) ++result.pass;
    if (report.verdict == Verdict::differs) ++result.differs;
    if (report.verdict == Verdict::mistrusted) ++result.mistrusted;
    if (report.verdict == Verdict::refused) ++result.refused;
    result.seconds += report.seconds;
  }
  return result;
}

/// What a case of closed forms measured, of each quantity the value nearest to its bound or furthest beyond it.
std::vector<const FieldResult*> measured(const CaseReport& report) {
  std::vector<const FieldResult*> result;
  if (report.suite != "exact") return result;
  for (const Worst& one : report.lockstep.worst) result.push_back(&one.field);
  return result;
}

nlohmann::json measured_json(const CaseReport& report) {
  nlohmann::json list = nlohmann::json::array();
  for (const FieldResult* one : measured(report)) {
    const Value& w = one->worst;
    nlohmann::json entry = {{"name", one->field}, {"measured", nullptr},     {"expected", w.expected},
                            {"bound", nullptr},   {"passes", one->passes()}, {"values", one->values}};
    if (std::isfinite(w.got)) entry["measured"] = w.got;
    if (std::isfinite(w.bound.total())) entry["bound"] = w.bound.total();
    list.push_back(std::move(entry));
  }
  return list;
}

/// Boundary, field and ratio that decide a report; the closest to its bound where everything passes.
struct Decisive {
  std::string stage;
  std::string field;
  double ratio = 0.0;
};

Decisive decisive(const CaseReport& report) {
  if (report.lockstep.divergence) {
    const Divergence& d = *report.lockstep.divergence;
    return {d.stage, d.field.field, d.field.worst.ratio};
  }
  if (const Worst* worst = report.lockstep.closest())
    return {worst->stage, worst->field.field, worst->field.worst.ratio};
  return {};
}

std::string describe(const Value& value, const FieldResult& field) {
  return fmt::format("{} {} at ({:.6g}, {:.6g}, {:.6g}) m, component {}", names::of(field.place).one,
                     value.id, value.position[0], value.position[1], value.position[2], value.component);
}

}  // namespace

std::string table_head() {
  return fmt::format("{:<58} {:<10} {:>9}  {:<22} {:>7}", "case", "verdict", "of bound", "closest at",
                     "seconds");
}

std::string row(const CaseReport& report) {
  const Decisive at = decisive(report);
  const std::string where = at.stage.empty() ? "" : fmt::format("{} {}", at.stage, at.field);
  const std::string ratio = at.stage.empty() ? "" : fmt::format("{:.3g}", at.ratio);
  std::string line = fmt::format("{:<58} {:<10} {:>9}  {:<22} {:>7.3f}", report.name, name_of(report.verdict),
                                 ratio, where, report.seconds);
  const auto tell = [&](std::string_view counter, std::string_view words) {
    const auto found = report.lockstep.counters.find(counter);
    if (found != report.lockstep.counters.end()) line += fmt::format("  {} {}", found->second, words);
  };
  if (!report.setup.method.empty())
    for (const auto& [counter, words] : judged(report.setup.method).judge.told) tell(counter, words);
  for (const FieldResult* one : measured(report))
    line += fmt::format("\n    {}: {:.7g}, due {:.7g} to within {:.3g}", one->field, one->worst.got,
                        one->worst.expected, one->worst.bound.total());
  for (const std::string& shortfall : report.shortfalls)
    line += fmt::format("\n    not exercised or not judged: {}", shortfall);
  return line;
}

std::string explain(const CaseReport& report, std::string_view replay) {
  if (!report.lockstep.divergence) return "";
  const Divergence& d = *report.lockstep.divergence;
  const bool shared = report.suite == "invariants";  // no solver is judged there, but what all of them share
  const bool closed = report.suite == "exact";
  std::string text =
      shared ? fmt::format("{}: what solvers share differs from a second way\n  {}", report.name, d.stage)
      : closed
          ? fmt::format("{} differs from the closed form in {}\n  {}", report.candidate, report.name, d.stage)
          : fmt::format("{} differs from the reference in {}\n  step {}, boundary {}", report.candidate,
                        report.name, d.step, d.stage);
  if (!d.from.empty()) text += fmt::format(" (started from {} with dt = {} s)", d.from, d.dt);
  text += fmt::format("\n  field {}{}{}\n", d.field.field,
                      d.field.unit.empty() ? "" : fmt::format(" [{}]", d.field.unit),
                      d.field.note.empty() ? "" : fmt::format(", {}", d.field.note));
  if (!d.message.empty()) text += fmt::format("  {}\n", d.message);
  if (d.field.values > 0) {
    const Value& w = d.field.worst;
    text += fmt::format("  {} of {} values differ; the worst: {}\n", d.field.failing, d.field.values,
                        describe(w, d.field));
    text += fmt::format("    {} {:>24} {:a}\n    {} {:>24} {:a}\n",
                        shared   ? "second way "
                        : closed ? "closed form"
                                 : "reference",
                        w.expected, w.expected,
                        shared   ? "shared code"
                        : closed ? "candidate  "
                                 : "candidate",
                        w.got, w.got);
    text += fmt::format("    |difference| {:.6g}, bound {:.6g}, ratio {:.6g}\n", std::abs(w.got - w.expected),
                        w.bound.total(), w.ratio);
    text += fmt::format(
        "    bound = rounding {:.3g} + position {:.3g} + underflow {:.3g} + carried {:.3g} + tie {:.3g}\n",
        w.bound.rounding, w.bound.position, w.bound.underflow, w.bound.carried, w.bound.tie);
    for (const Value& near : d.field.neighbours)
      text += fmt::format("    near: {}: reference {:.9g}, candidate {:.9g}, ratio {:.3g}\n",
                          describe(near, d.field), near.expected, near.got, near.ratio);
  }
  if (!d.others.empty()) text += fmt::format("  also: {}\n", fmt::join(d.others, ", "));
  if (!replay.empty()) text += fmt::format("  replay: {}\n", replay);
  return text;
}

nlohmann::json to_json(const std::vector<CaseReport>& reports) {
  const Summary total = summarize(reports);
  nlohmann::json cases = nlohmann::json::array();
  for (const CaseReport& report : reports) {
    const Decisive at = decisive(report);
    nlohmann::json one = {{"name", report.name},
                          {"suite", report.suite},
                          {"method", nullptr},
                          {"variant", nullptr},
                          {"dim", nullptr},
                          {"precision", nullptr},
                          {"threads", nullptr},
                          {"candidate", report.candidate},
                          {"long", report.takes_long},
                          {"verdict", name_of(report.verdict)},
                          {"stage", at.stage},
                          {"field", at.field},
                          {"worst_ratio_to_bound", nullptr},
                          {"seconds", report.seconds},
                          {"counters", report.lockstep.counters},
                          {"measured", measured_json(report)},
                          {"shortfalls", report.shortfalls}};
    if (report.setup.dim > 0) one["dim"] = report.setup.dim;
    if (!report.setup.method.empty()) {
      one["method"] = report.setup.method;
      one["variant"] = variant_of(report.setup);
      one["precision"] = name_of(report.setup.precision);
      one["threads"] = report.setup.threads;
    }
    // JSON has no infinity: a ratio without a finite bound is null, the verdict says differs.
    if (!at.stage.empty() && std::isfinite(at.ratio)) one["worst_ratio_to_bound"] = at.ratio;
    cases.push_back(std::move(one));
  }
  return {{"summary",
           {{"pass", total.pass},
            {"differs", total.differs},
            {"mistrusted", total.mistrusted},
            {"refused", total.refused},
            {"seconds", total.seconds}}},
          {"cases", std::move(cases)}};
}

int exit_code(const std::vector<CaseReport>& reports) {
  const Summary total = summarize(reports);
  if (total.differs > 0) return 1;
  return reports.empty() || total.mistrusted + total.refused > 0 ? 3 : 0;
}

}  // namespace repose::crosscheck
