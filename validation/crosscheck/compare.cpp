#include "validation/crosscheck/compare.h"

#include "validation/crosscheck/judge.h"
#include "validation/mechanics/field_access.h"
#include "validation/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
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

/// Two numbers that are compared. Where they are is asked only of those that are shown.
struct Pair {
  std::int64_t id = 0;
  int component = 0;
  double expected = 0.0;
  double got = 0.0;
  const Bound* bound = nullptr;
  double ratio = 0.0;
};

std::vector<Pair> particle_pairs(const Field& expected, const std::vector<double>& left,
                                 const std::vector<double>& right, const FieldBound& bound) {
  const auto components = static_cast<std::size_t>(expected.components);
  std::vector<Pair> result(left.size());
  for (std::size_t i = 0; i < left.size(); ++i)
    result[i] = {.id = static_cast<std::int64_t>(i / components),
                 .component = static_cast<int>(i % components),
                 .expected = left[i],
                 .got = right[i],
                 .bound = &bound.bound[i]};
  return result;
}

/// Union of the two lists of active nodes, in ascending id.
/// @param surplus keeps the bounds of nodes that only the candidate has
std::vector<Pair> node_pairs(const Snapshot& expected_state, const Snapshot& got_state, const Field& expected,
                             const Field& got, const FieldBound& bound, const AbsentNodeBound& absent,
                             std::deque<std::vector<Bound>>& surplus) {
  const auto components = static_cast<std::size_t>(expected.components);
  const auto& left = expected_state.node;
  const auto& right = got_state.node;
  std::vector<Pair> result;
  result.reserve(left.size() * components);
  for (std::size_t i = 0, j = 0; i < left.size() || j < right.size();) {
    const bool has_left = i < left.size() && (j == right.size() || left[i] <= right[j]);
    const bool has_right = j < right.size() && (i == left.size() || right[j] <= left[i]);
    const std::int64_t id = has_left ? left[i] : right[j];
    if (!has_left) surplus.push_back(absent(id, expected.name));
    for (std::size_t a = 0; a < components; ++a)
      result.push_back({.id = id,
                        .component = static_cast<int>(a),
                        .expected = has_left ? expected.value[i * components + a] : 0.0,
                        .got = has_right ? got.value[j * components + a] : 0.0,
                        .bound = has_left ? &bound.bound[i * components + a] : &surplus.back().at(a)});
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

/// What is shown of a pair.
Value value_of(const Pair& pair, const Point& position) {
  return {.id = pair.id,
          .component = pair.component,
          .expected = pair.expected,
          .got = pair.got,
          .bound = *pair.bound,
          .ratio = pair.ratio,
          .position = position};
}

template <class Position>
std::vector<Value> nearest(const std::vector<Pair>& pairs, const Value& worst, Position position_of) {
  std::vector<Value> same;
  for (const Pair& pair : pairs)
    if (pair.component == worst.component && pair.id != worst.id)
      same.push_back(value_of(pair, position_of(pair.id)));
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
  std::deque<std::vector<Bound>> surplus;
  std::vector<Pair> pairs;
  if (on_nodes) {
    pairs = node_pairs(expected_state, got_state, *expected, *got, bound, absent, surplus);
  } else {
    const Meaning left = meaning(*expected);
    result.note = left.note;
    std::vector<double> right = meaning(*got).value;
    if (bound.field == field::x && scene.grid.any_periodic())
      right = nearest_images(scene.grid, left.value, std::move(right));
    pairs = particle_pairs(*expected, left.value, right, bound);
  }
  result.values = pairs.size();
  const Pair* worst = nullptr;
  for (Pair& value : pairs) {
    value.ratio = ratio_to_bound(value.expected, value.got, value.bound->total());
    if (!(value.got == value.expected)) ++result.unequal;
    if (!(value.ratio <= 1.0)) ++result.failing;
    if (worst == nullptr || value.ratio > worst->ratio) worst = &value;
  }
  const Field* const x = expected_state.find(field::x);
  const auto position_of = [&](std::int64_t id) {
    if (on_nodes) return scene.grid.node_position(id);
    if (x == nullptr || expected->place != Place::particle) return Point(Point::Zero());
    return point(*x, static_cast<std::size_t>(id));
  };
  if (worst != nullptr) result.worst = value_of(*worst, position_of(worst->id));
  if (!result.passes()) result.neighbours = nearest(pairs, result.worst, position_of);
  return result;
}

}  // namespace repose::crosscheck
