#include "validation/crosscheck/tightness.h"

#include "validation/crosscheck/judge.h"
#include "validation/methods.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace repose::crosscheck {

namespace {

Tightness& entry(std::vector<Tightness>& all, const Worst& worst, Precision precision) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Tightness& one) {
    return one.stage == worst.stage && one.field == worst.field.field && one.precision == precision;
  });
  if (found != all.end()) return *found;
  Tightness fresh;
  fresh.stage = worst.stage;
  fresh.field = worst.field.field;
  fresh.precision = precision;
  return all.emplace_back(std::move(fresh));
}

/// Boundaries of all methods in the order in which steps meet them; what is handed out behind load() stands in front of what
/// runs from there.
std::vector<std::string> order_of_stages() {
  std::vector<std::string> order;
  for (const JudgedMethod& one : judged_methods()) {
    const std::vector<Boundary> all = method::boundaries(one.judge.method);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i > 0) order.emplace_back(all[i]);
      if (i + 1 < all.size()) order.push_back(fmt::format("load {}", all[i]));
    }
  }
  return order;
}

std::string cell(const Tightness* one) {
  if (one == nullptr || one->values == 0) return "-";
  if (one->unequal == 0) return "equal";
  return fmt::format("{:.2g}{}", one->ratio, one->loose() ? " loose" : "");
}

}  // namespace

std::vector<Tightness> tightness(const std::vector<CaseReport>& reports) {
  std::vector<Tightness> all;
  for (const Precision precision : {Precision::single_, Precision::double_}) {
    for (const CaseReport& report : reports) {
      if (report.suite != "lockstep" || report.setup.precision != precision) continue;
      for (const Worst& worst : report.lockstep.worst) {
        if (!worst.field.measured) continue;
        Tightness& one = entry(all, worst, precision);
        one.values += worst.field.values;
        one.unequal += worst.field.unequal;
        if (!one.case_name.empty() && !(worst.field.worst.ratio > one.ratio)) continue;
        one.ratio = worst.field.worst.ratio;
        one.case_name = report.name;
      }
    }
  }
  const std::vector<std::string> order = order_of_stages();
  const auto place = [&](const std::string& stage) {
    return std::find(order.begin(), order.end(), stage) - order.begin();
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Tightness& a, const Tightness& b) { return place(a.stage) < place(b.stage); });
  return all;
}

std::string tightness_table(const std::vector<Tightness>& all) {
  std::string rows;
  int loose = 0;
  for (auto one = all.begin(); one != all.end(); ++one) {
    const auto same = [&](const Tightness& other) {
      return other.stage == one->stage && other.field == one->field;
    };
    if (std::any_of(all.begin(), one, same)) continue;
    const Tightness* found[2] = {};
    for (const Tightness& other : all)
      if (same(other)) found[other.precision == Precision::single_ ? 0 : 1] = &other;
    const Tightness* most = nullptr;
    for (const Tightness* other : found) {
      if (other == nullptr || other->unequal == 0) continue;
      if (most == nullptr || other->ratio > most->ratio) most = other;
      if (other->loose()) ++loose;
    }
    if (most == nullptr) continue;
    rows += fmt::format("{:<16} {:<14} {:>14} {:>14}  {}\n", one->stage, one->field, cell(found[0]),
                        cell(found[1]), most->case_name);
  }
  if (rows.empty()) return "";
  return fmt::format(
      "largest share of its bound that a field took, over all cases that ran\n{:<16} {:<14} {:>14} {:>14}  "
      "{}\n{}{} loose: never above {} of a bound\n",
      "boundary", "field", "float", "double", "where", rows, loose, Tightness::loose_below);
}

nlohmann::json to_json(const std::vector<Tightness>& all) {
  nlohmann::json list = nlohmann::json::array();
  for (const Tightness& one : all) {
    nlohmann::json entry = {
        {"stage", one.stage},    {"field", one.field},     {"precision", name_of(one.precision)},
        {"values", one.values},  {"unequal", one.unequal}, {"largest_ratio", nullptr},
        {"case", one.case_name}, {"loose", one.loose()}};
    if (std::isfinite(one.ratio)) entry["largest_ratio"] = one.ratio;
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace repose::crosscheck
