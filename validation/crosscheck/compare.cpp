#include "validation/crosscheck/compare.h"

#include "validation/crosscheck/judge.h"
#include "validation/mechanics/field_access.h"
#include "validation/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace repose::crosscheck {

namespace {

/// Of positions, those images that are nearest to others: along a periodic axis a particle on one side of the seam may be
/// next to one on the other.
std::vector<double> nearest_images(const Grid& grid, const std::vector<double>& others,
                                   std::vector<double> x) {
  const auto d = static_cast<std::size_t>(grid.dim);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double period = grid.period(static_cast<int>(i % d));
    if (period > 0.0) x[i] -= period * std::round((x[i] - others[i]) / period);
  }
  return x;
}

std::vector<Value> particle_values(const Snapshot& expected_state, const Field& expected,
                                   const std::vector<double>& left, const std::vector<double>& right,
                                   const FieldBound& bound) {
  const Field* x = expected_state.find(field::x);
  std::vector<Value> result(left.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    const std::size_t p = i / static_cast<std::size_t>(expected.components);
    result[i] = {
        .id = static_cast<std::int64_t>(p),
        .component = static_cast<int>(i % static_cast<std::size_t>(expected.components)),
        .expected = left[i],
        .got = right[i],
        .bound = bound.bound[i],
        .ratio = 0.0,
        .position = x != nullptr && expected.place == Place::particle ? point(*x, p) : Point::Zero()};
  }
  return result;
}

/// Union of the two lists of active nodes, in ascending id.
std::vector<Value> node_values(const Scene& scene, const Snapshot& expected_state, const Snapshot& got_state,
                               const Field& expected, const Field& got, const FieldBound& bound,
                               const AbsentNodeBound& absent) {
  const auto components = static_cast<std::size_t>(expected.components);
  const auto& left = expected_state.node;
  const auto& right = got_state.node;
  std::vector<Value> result;
  result.reserve(left.size() * components);
  for (std::size_t i = 0, j = 0; i < left.size() || j < right.size();) {
    const bool has_left = i < left.size() && (j == right.size() || left[i] <= right[j]);
    const bool has_right = j < right.size() && (i == left.size() || right[j] <= left[i]);
    const std::int64_t id = has_left ? left[i] : right[j];
    const std::vector<Bound> extra = has_left ? std::vector<Bound>() : absent(id, expected.name);
    for (std::size_t a = 0; a < components; ++a)
      result.push_back({.id = id,
                        .component = static_cast<int>(a),
                        .expected = has_left ? expected.value[i * components + a] : 0.0,
                        .got = has_right ? got.value[j * components + a] : 0.0,
                        .bound = has_left ? bound.bound[i * components + a] : extra.at(a),
                        .ratio = 0.0,
                        .position = scene.grid.node_position(id)});
    if (has_left) ++i;
    if (has_right) ++j;
  }
  return result;
}

FieldResult impossible(const FieldBound& bound, std::string note) {
  FieldResult result;
  result.field = bound.field;
  result.note = std::move(note);
  result.failing = 1;
  result.worst.ratio = std::numeric_limits<double>::infinity();
  return result;
}

std::vector<Value> nearest(const std::vector<Value>& values, const Value& worst) {
  std::vector<Value> same;
  for (const Value& value : values)
    if (value.component == worst.component && value.id != worst.id) same.push_back(value);
  const auto distance = [&](const Value& value) { return (value.position - worst.position).squaredNorm(); };
  const std::size_t kept = std::min<std::size_t>(4, same.size());
  std::partial_sort(same.begin(), same.begin() + static_cast<std::ptrdiff_t>(kept), same.end(),
                    [&](const Value& a, const Value& b) { return distance(a) < distance(b); });
  same.resize(kept);
  return same;
}

}  // namespace

FieldResult unequal(std::string_view name, std::string_view unit, double expected, double got) {
  FieldResult result;
  result.field = std::string(name);
  result.unit = std::string(unit);
  result.place = Place::global;
  result.values = result.unequal = result.failing = 1;
  result.worst.expected = expected;
  result.worst.got = got;
  result.worst.ratio = std::numeric_limits<double>::infinity();
  return result;
}

FieldResult unequal_count(std::string_view column, std::uint64_t expected, std::uint64_t got) {
  return unequal(fmt::format("report {}", column), "-", static_cast<double>(expected),
                 static_cast<double>(got));
}

double ratio_to_bound(double expected, double got, double bound) {
  const double infinite = std::numeric_limits<double>::infinity();
  if (!std::isfinite(expected) || !std::isfinite(got) || !std::isfinite(bound) || bound < 0.0)
    return infinite;
  const double difference = std::abs(got - expected);
  if (difference == 0.0) return 0.0;
  return bound > 0.0 ? difference / bound : infinite;
}

FieldResult compare_field(const Scene& scene, const Snapshot& expected_state, const Snapshot& got_state,
                          const FieldBound& bound, const AbsentNodeBound& absent) {
  const Field* expected = expected_state.find(bound.field);
  const Field* got = got_state.find(bound.field);
  if (expected == nullptr) return impossible(bound, "the reference does not have this field");
  if (got == nullptr) return impossible(bound, "the candidate does not have this field");
  if (bound.bound.size() != expected->value.size()) return impossible(bound, "its bound has another length");
  if (expected->components != got->components || expected->place != got->place)
    return impossible(bound, "the candidate's field has another shape");
  if (expected->unit != got->unit)
    return impossible(bound,
                      fmt::format("the candidate's field is in {}, not in {}", got->unit, expected->unit));
  const bool on_nodes = expected->place == Place::node;
  const std::size_t wanted =
      on_nodes ? got_state.node.size() * static_cast<std::size_t>(got->components) : expected->value.size();
  if (got->value.size() != wanted) return impossible(bound, "the candidate's field has another length");

  FieldResult result;
  result.field = bound.field;
  result.unit = expected->unit;
  result.place = expected->place;
  const Judge& judge = judged(expected_state.method).judge;
  result.measured = judge.choice(bound.field) == nullptr;
  const auto meaning = [&](const Field& field) {
    return judge.meaning != nullptr ? judge.meaning(field, scene.dim()) : Meaning{field.value, ""};
  };
  std::vector<Value> values;
  if (on_nodes) {
    values = node_values(scene, expected_state, got_state, *expected, *got, bound, absent);
  } else {
    const Meaning left = meaning(*expected);
    result.note = left.note;
    std::vector<double> right = meaning(*got).value;
    if (bound.field == field::x && scene.grid.any_periodic())
      right = nearest_images(scene.grid, left.value, std::move(right));
    values = particle_values(expected_state, *expected, left.value, right, bound);
  }
  result.values = values.size();
  const Value* worst = nullptr;
  for (Value& value : values) {
    value.ratio = ratio_to_bound(value.expected, value.got, value.bound.total());
    if (!(value.got == value.expected)) ++result.unequal;
    if (!(value.ratio <= 1.0)) ++result.failing;
    if (worst == nullptr || value.ratio > worst->ratio) worst = &value;
  }
  if (worst != nullptr) result.worst = *worst;
  if (!result.passes()) result.neighbours = nearest(values, result.worst);
  return result;
}

}  // namespace repose::crosscheck
