#include "reference/interface/scene/toml_table.h"

#include "reference/interface/base/edit_distance.h"
#include "reference/interface/base/error.h"
#include "reference/interface/base/one_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace repose {

namespace {

/// A value as the user wrote it.
std::string whole_text_of(const toml::node& node) {
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* number = node.as_integer()) return fmt::format("{}", number->get());
  if (const auto* value = node.as_boolean()) return value->get() ? "true" : "false";
  if (const auto* value = node.as_string()) return fmt::format("\"{}\"", value->get());
  if (const auto* array = node.as_array()) {
    std::string text = "[";
    for (const toml::node& element : *array) {
      if (text.size() > 1) text += ", ";
      text += whole_text_of(element);
    }
    return text + "]";
  }
  return node.is_table() ? "{...}" : "a date or time";
}

/// The same on one line, short enough for a message.
std::string text_of(const toml::node& node) { return in_one_line(whole_text_of(node), longest_quote); }

std::string text_of(const toml::key& key) { return in_one_line(key.str(), longest_quote); }

bool is_number(const toml::node& node) { return node.is_floating_point() || node.is_integer(); }

/// The nearest double: not every integer is one.
double value_of(const toml::node& node) {
  if (const auto* integer = node.as_integer()) return static_cast<double>(integer->get());
  return node.as_floating_point()->get();
}

std::string in_unit(std::string_view unit) { return unit.empty() ? "" : fmt::format(" [{}]", unit); }

/// How far a key is from a known one. A wrong or missing unit suffix is the likeliest slip and counts least; a key of many
/// letters is no slip of the pen, and costly to compare.
std::size_t unlikeness(std::string_view unknown, std::string_view known) {
  const bool is_extended =
      known.substr(0, unknown.size()) == unknown || unknown.substr(0, known.size()) == known;
  if (is_extended) return 1;
  return unknown.size() > longest_quote ? unknown.size() : edit_distance(unknown, known);
}

}  // namespace

TomlTable::TomlTable(const toml::table& table, std::string_view source)
    : table_(table), source_(in_one_line(source, longest_path)) {}

std::string TomlTable::where(const toml::node& node) const {
  // Tables that only exist through their children, and the root, have no line of their own.
  return fmt::format("{}:{}", source_, std::max<std::uint32_t>(1, node.source().begin.line));
}

std::string TomlTable::where() const { return where(table_); }

void TomlTable::know(std::string_view key, std::string_view unit) { known_.emplace(key, unit); }

void TomlTable::refuse(std::string_view key, std::string_view allowed) const {
  const toml::node* node = find(key);
  if (node == nullptr) {
    refuse_misspelling(key);
    throw BadInput(fmt::format("{}: {} is missing: must be {}", where(), key, allowed));
  }
  throw BadInput(fmt::format("{}: {} = {}: must be {}", where(*node), key, text_of(*node), allowed));
}

void TomlTable::refuse_value(std::string_view key, const std::string&, std::string_view allowed) const {
  for (const char* unit : {"_deg", "_rad"})
    if (const std::string angle = std::string(key) + unit; has(angle)) refuse(angle, allowed);
  refuse(key, allowed);
}

double TomlTable::number(std::string_view key, const Range& range, std::string_view unit) {
  know(key, unit);
  const toml::node* node = find(key);
  if (node == nullptr || !is_number(*node) || !range.allows(value_of(*node))) {
    refuse(key, std::string(range.text) + in_unit(unit));
  }
  return value_of(*node);
}

double TomlTable::angle(const std::string& key, const Range& range) {
  const std::string deg = key + "_deg";
  const std::string rad = key + "_rad";
  know(deg, "degrees");
  know(rad, "rad");
  if (has(deg) && has(rad)) refuse(rad, fmt::format("left out where {} is given", deg));
  const std::string& given = has(rad) ? rad : deg;
  const double value = number(given, rule::finite, given == deg ? "degrees" : "rad");
  const double result = given == deg ? value * degree : value;
  if (!range.allows(result)) refuse(given, range.text);
  return result;
}

std::int64_t TomlTable::integer(std::string_view key, std::int64_t low, std::string_view allowed) {
  know(key, "");
  const toml::node* node = find(key);
  if (node == nullptr || !node->is_integer() || node->as_integer()->get() < low) refuse(key, allowed);
  return node->as_integer()->get();
}

bool TomlTable::boolean_or(bool otherwise, std::string_view key) {
  know(key, "");
  const toml::node* node = find(key);
  if (node == nullptr) return otherwise;
  if (!node->is_boolean()) refuse(key, "true or false");
  return node->as_boolean()->get();
}

std::string TomlTable::string(std::string_view key, std::string_view allowed) {
  know(key, "");
  const toml::node* node = find(key);
  if (node == nullptr || !node->is_string()) refuse(key, allowed);
  return node->as_string()->get();
}

Point TomlTable::vector(std::string_view key, int dim, std::string_view unit) {
  know(key, unit);
  const std::string allowed = fmt::format("an array of {} finite numbers{}", dim, in_unit(unit));
  const toml::node* node = find(key);
  const toml::array* array = node == nullptr ? nullptr : node->as_array();
  if (array == nullptr || array->size() != static_cast<std::size_t>(dim)) refuse(key, allowed);
  Point result = Point::Zero();
  for (int axis = 0; axis < dim; ++axis) {
    const toml::node& element = *array->get(static_cast<std::size_t>(axis));
    if (!is_number(element) || !std::isfinite(value_of(element))) refuse(key, allowed);
    result[axis] = value_of(element);
  }
  return result;
}

Point TomlTable::direction(std::string_view key, int dim) {
  const Point given = vector(key, dim, "");
  const double length = given.stableNorm();
  if (!std::isfinite(length) || length < 1e-150) refuse(key, "a direction: a vector whose length is not 0");
  // A resolved scene holds normalized vectors: normalizing again could change their last bits.
  if (std::abs(length - 1.0) <= 1e-15) return given;
  return given / length;
}

Point TomlTable::spin(std::string_view key, int dim) {
  if (dim == 3) return vector(key, dim, "rad/s");
  return {0.0, 0.0, number(key, rule::finite, "rad/s")};
}

std::vector<std::string> TomlTable::strings_or(const std::vector<std::string>& otherwise,
                                               std::string_view key, std::string_view allowed) {
  know(key, "");
  const toml::node* node = find(key);
  if (node == nullptr) return otherwise;
  const toml::array* array = node->as_array();
  if (array == nullptr) refuse(key, allowed);
  std::vector<std::string> result;
  for (const toml::node& element : *array) {
    if (!element.is_string()) refuse(key, allowed);
    result.push_back(element.as_string()->get());
  }
  return result;
}

TomlTable TomlTable::table(std::string_view key) {
  know(key, "");
  const toml::node* node = find(key);
  if (node == nullptr || !node->is_table()) refuse(key, fmt::format("a table [{}]", key));
  return {*node->as_table(), source_};
}

TomlTable TomlTable::table_or_empty(std::string_view key) {
  static const toml::table empty;
  know(key, "");
  if (has(key)) return table(key);
  return {empty, source_};
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) {
  know(key, "");
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  const toml::array* array = node->as_array();
  if (array == nullptr) refuse(key, fmt::format("a list of tables [[{}]]", key));
  std::vector<TomlTable> result;
  for (const toml::node& element : *array) {
    if (!element.is_table()) refuse(key, fmt::format("a list of tables [[{}]]", key));
    result.emplace_back(*element.as_table(), source_);
  }
  return result;
}

void TomlTable::finish(const std::function<std::string(std::string_view)>& table_with) const {
  const toml::key* first = nullptr;
  for (const auto& [key, node] : table_) {
    if (known_.count(key.str()) != 0) continue;
    if (first == nullptr || key.source().begin.line < first->source().begin.line) first = &key;
  }
  if (first == nullptr) return;
  const std::string_view unknown = first->str();
  if (const std::string there = table_with ? table_with(unknown) : ""; !there.empty())
    throw BadInput(fmt::format("{}:{}: {} = {}: must stand in {}", source_, first->source().begin.line,
                               text_of(*first), text_of(*find(unknown)), there));
  const auto nearest = std::min_element(known_.begin(), known_.end(), [&](const auto& a, const auto& b) {
    return unlikeness(unknown, a.first) < unlikeness(unknown, b.first);
  });
  if (unlikeness(unknown, nearest->first) <= std::max<std::size_t>(2, unknown.size() / 2)) {
    refuse_unknown(*first, nearest->first);
  }
  std::string all;
  for (const auto& [known, unit] : known_) all += (all.empty() ? "" : ", ") + known;
  throw BadInput(fmt::format("{}:{}: {} = {}: unknown key; known here: {}", source_,
                             first->source().begin.line, text_of(*first), text_of(*find(unknown)), all));
}

void TomlTable::refuse_misspelling(std::string_view missing) const {
  for (const auto& [key, node] : table_) {
    const bool is_close = unlikeness(key.str(), missing) <= std::max<std::size_t>(1, missing.size() / 3);
    if (is_close && known_.count(key.str()) == 0) refuse_unknown(key, missing);
  }
}

void TomlTable::refuse_unknown(const toml::key& key, std::string_view meant) const {
  const auto known = known_.find(meant);
  throw BadInput(fmt::format("{}:{}: {} = {}: unknown key; did you mean {}{}?", source_,
                             key.source().begin.line, text_of(key), text_of(*find(key.str())), meant,
                             known == known_.end() ? "" : in_unit(known->second)));
}

}  // namespace repose
