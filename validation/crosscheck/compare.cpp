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

/// Where elements of a state are, for messages.
class Whereabouts {
 public:
  Whereabouts(const Scene& scene, const Snapshot& state, Place place)
      : grid_(scene.grid),
        state_(state),
        place_(place),
        x_(place == Place::particle ? state.find(field::x) : nullptr) {}

  Point of(std::size_t element) const {  ///< [m]
    if (on_grid(place_)) return grid_.position(place_, state_.id(place_, element));
    return x_ != nullptr ? point(*x_, element) : Point::Zero();
  }

 private:
  const Grid& grid_;
  const Snapshot& state_;
  Place place_;
  const Field* x_;
};

/// Elements of either state by ascending id, as places in both; none where a state lacks one.
struct Pair {
  std::int64_t id;
  std::optional<std::size_t> expected, got;
};

std::vector<Pair> elements_of_both(const Snapshot& expected, const Snapshot& got, Place place) {
  const std::size_t left = expected.count(place);
  const std::size_t right = got.count(place);
  std::vector<Pair> result;
  result.reserve(left);
  for (std::size_t i = 0, j = 0; i < left || j < right;) {
    const std::int64_t mine = i < left ? expected.id(place, i) : 0;
    const std::int64_t theirs = j < right ? got.id(place, j) : 0;
    Pair pair{.id = theirs, .expected = {}, .got = {}};
    const bool has_left = i < left && (j == right || mine <= theirs);
    if (has_left) pair = {mine, i, {}};
    if (j < right && pair.id == theirs) pair.got = j++;
    if (has_left) ++i;
    result.push_back(pair);
  }
  return result;
}

/// Of the elements of either state. One that a state lacks has the value zero there; where the candidate alone has it, its
/// bound is asked for.
std::vector<Value> values_of_both(const Scene& scene, const Field& field, const Side& expected,
                                  const Side& got, const FieldBound& bound, const AbsentBound& absent,
                                  const Undecided& undecided) {
  const auto components = static_cast<std::size_t>(field.components);
  const Whereabouts left(scene, expected.state, field.place);
  const Whereabouts right(scene, got.state, field.place);
  const bool are_places = field.name == field::x && scene.grid.any_periodic();
  std::vector<Value> result;
  result.reserve(expected.value.size());
  for (const Pair& pair : elements_of_both(expected.state, got.state, field.place)) {
    if (undecided.holds(field.place, pair.id)) continue;
    // Who is there is compared with the sets.
    if (!(pair.expected && pair.got) && (absent == nullptr || !on_grid(field.place))) continue;
    const std::vector<Bound> extra = pair.expected ? std::vector<Bound>() : absent(pair.id, field.name);
    const Point position = pair.expected ? left.of(*pair.expected) : right.of(*pair.got);
    for (std::size_t a = 0; a < components; ++a) {
      Value value{.id = pair.id,
                  .component = static_cast<int>(a),
                  .expected = pair.expected ? expected.value[*pair.expected * components + a] : 0.0,
                  .got = pair.got ? got.value[*pair.got * components + a] : 0.0,
                  .bound = pair.expected ? bound.bound[*pair.expected * components + a] : extra.at(a),
                  .ratio = 0.0,
                  .position = position};
      if (are_places && pair.expected && pair.got)
        value.got = nearest_image(scene.grid, a, value.expected, value.got);
      result.push_back(value);
    }
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
    for (const Pair& pair : elements_of_both(expected, got, place)) {
      if ((pair.expected && pair.got) || undecided.holds(place, pair.id)) continue;
      FieldResult result = unequal(several, "-", pair.expected ? 1.0 : 0.0, pair.got ? 1.0 : 0.0);
      result.place = place;
      result.worst.id = pair.id;
      result.note = pair.got ? "only the candidate has this element" : "the candidate lacks this element";
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
  std::vector<Value> values = values_of_both(scene, *expected, {expected_state, left.value},
                                             {got_state, right}, bound, absent, undecided);
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
