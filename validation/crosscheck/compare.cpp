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

/// Of a coordinate, the image that is nearest to another: along a periodic axis a particle on one side of the seam may be
/// next to one on the other.
double nearest_image(const Grid& grid, std::size_t axis, double other, double x) {
  const double period = grid.period(static_cast<int>(axis));
  return period > 0.0 ? x - period * std::round((x - other) / period) : x;
}

/// A field of one state, as it is compared.
struct Side {
  const Snapshot& state;
  const std::vector<double>& value;
};

/// An element of either state, as its places in both; none where a state lacks it.
struct Element {
  std::int64_t id;
  std::optional<std::size_t> expected, got;
};

/// By ascending id.
std::vector<Element> elements_of_both(const Snapshot& expected, const Snapshot& got, Place place) {
  const std::size_t left = expected.count(place);
  const std::size_t right = got.count(place);
  std::vector<Element> result;
  result.reserve(left);
  for (std::size_t i = 0, j = 0; i < left || j < right;) {
    const std::int64_t mine = i < left ? expected.id(place, i) : 0;
    const std::int64_t theirs = j < right ? got.id(place, j) : 0;
    Element element{.id = theirs, .expected = {}, .got = {}};
    const bool has_left = i < left && (j == right || mine <= theirs);
    if (has_left) element = {mine, i, {}};
    if (j < right && element.id == theirs) element.got = j++;
    if (has_left) ++i;
    result.push_back(element);
  }
  return result;
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

/// Of the elements of either state. One that a state lacks has the value zero there; where the candidate alone has it, its
/// bound is asked for.
/// @param surplus keeps the bounds of elements that only the candidate has
std::vector<Pair> pairs_of_both(const Scene& scene, const Field& field, const Side& expected, const Side& got,
                                const FieldBound& bound, const AbsentBound& absent,
                                const Undecided& undecided, std::deque<std::vector<Bound>>& surplus) {
  const auto components = static_cast<std::size_t>(field.components);
  const bool are_places = field.name == field::x && scene.grid.any_periodic();
  std::vector<Pair> result;
  result.reserve(expected.value.size());
  for (const Element& element : elements_of_both(expected.state, got.state, field.place)) {
    if (undecided.holds(field.place, element.id)) continue;
    // Who is there is compared with the sets.
    if (!(element.expected && element.got) && (absent == nullptr || !on_grid(field.place))) continue;
    if (!element.expected) surplus.push_back(absent(element.id, field.name));
    for (std::size_t a = 0; a < components; ++a) {
      const std::size_t left = element.expected.value_or(0) * components + a;
      Pair pair{.id = element.id,
                .component = static_cast<int>(a),
                .expected = element.expected ? expected.value[left] : 0.0,
                .got = element.got ? got.value[*element.got * components + a] : 0.0,
                .bound = element.expected ? &bound.bound[left] : &surplus.back().at(a)};
      if (are_places && element.expected && element.got)
        pair.got = nearest_image(scene.grid, a, pair.expected, pair.got);
      result.push_back(pair);
    }
  }
  return result;
}

/// Where an element of a state is [m].
Point place_of(const Scene& scene, const Snapshot& state, Place place, std::int64_t id) {
  if (on_grid(place)) return scene.grid.position(place, id);
  const Field* x = place == Place::particle ? state.find(field::x) : nullptr;
  if (x == nullptr) return Point::Zero();
  const auto& ids = state.ids(place);
  if (ids.empty()) return point(*x, static_cast<std::size_t>(id));
  const auto found = std::lower_bound(ids.begin(), ids.end(), id);
  return point(*x, static_cast<std::size_t>(found - ids.begin()));
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

bool Undecided::holds(Place place, std::int64_t id) const {
  if (place == Place::particle && id >= particles_from) return true;
  const auto& known = ids[static_cast<std::size_t>(place)];
  return std::binary_search(known.begin(), known.end(), id);
}

bool Undecided::none(Place place) const {
  const bool shifted = place == Place::particle && particles_from != std::numeric_limits<std::int64_t>::max();
  return ids[static_cast<std::size_t>(place)].empty() && !shifted;
}

FieldResult unequal(std::string_view name, std::string_view unit, double expected, double got) {
  FieldResult result;
  result.field = std::string(name);
  result.unit = std::string(unit);
  result.place = Place::scene;
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

std::optional<FieldResult> unequal_elements(const Snapshot& expected, const Snapshot& got, bool by_value,
                                            const Undecided& undecided) {
  for (const auto& [place, one, several] : names::places) {
    if ((by_value && on_grid(place)) || same_elements(expected, got, place)) continue;
    for (const Element& element : elements_of_both(expected, got, place)) {
      if ((element.expected && element.got) || undecided.holds(place, element.id)) continue;
      FieldResult result = unequal(several, "-", element.expected ? 1.0 : 0.0, element.got ? 1.0 : 0.0);
      result.place = place;
      result.worst.id = element.id;
      result.note = element.got ? "only the candidate has this element" : "the candidate lacks this element";
      return result;
    }
  }
  if (undecided.none(Place::particle) && expected.next_particle() != got.next_particle())
    return unequal("next_id", "-", static_cast<double>(expected.next_particle()),
                   static_cast<double>(got.next_particle()));
  return std::nullopt;
}

FieldResult compare_field(const Scene& scene, const Snapshot& expected_state, const Snapshot& got_state,
                          const FieldBound& bound, const AbsentBound& absent, const Undecided& undecided) {
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
  const Place place = expected->place;
  const auto components = static_cast<std::size_t>(expected->components);
  if (got->value.size() != got_state.count(place) * components)
    return impossible(bound, "the candidate's field has another length");

  FieldResult result;
  result.field = bound.field;
  result.unit = expected->unit;
  result.place = expected->place;
  const Judge& judge = judged(expected_state.method).judge;
  result.measured = judge.choice(bound.field) == nullptr;
  const auto meaning = [&](const Field& field) {
    return judge.meaning != nullptr ? judge.meaning(field, scene.dim()) : Meaning{field.value, ""};
  };
  const Meaning left = meaning(*expected);
  result.note = left.note;
  const std::vector<double> right = meaning(*got).value;
  std::deque<std::vector<Bound>> surplus;
  std::vector<Pair> pairs = pairs_of_both(scene, *expected, {expected_state, left.value}, {got_state, right},
                                          bound, absent, undecided, surplus);
  result.values = pairs.size();
  const Pair* worst = nullptr;
  for (Pair& pair : pairs) {
    pair.ratio = ratio_to_bound(pair.expected, pair.got, pair.bound->total());
    if (!(pair.got == pair.expected)) ++result.unequal;
    if (!(pair.ratio <= 1.0)) ++result.failing;
    if (worst == nullptr || pair.ratio > worst->ratio) worst = &pair;
  }
  // Pairs are of elements that the reference has, or of places of the grid.
  const auto position_of = [&](std::int64_t id) { return place_of(scene, expected_state, place, id); };
  if (worst != nullptr) result.worst = value_of(*worst, position_of(worst->id));
  if (!result.passes()) result.neighbours = nearest(pairs, result.worst, position_of);
  return result;
}

}  // namespace repose::crosscheck
