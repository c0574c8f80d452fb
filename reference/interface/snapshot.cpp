#include "reference/interface/snapshot.h"

#include <algorithm>
#include <stdexcept>

namespace repose {

namespace {

template <class Fields>
auto position_of(Fields& fields, std::string_view name) {
  return std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == name; });
}

[[noreturn]] void missing(std::string_view name, Boundary at) {
  throw std::out_of_range("no field '" + std::string(name) + "' in a snapshot at " + std::string(at));
}

}  // namespace

std::size_t Snapshot::particles() const {
  const Field* mass = find(field::mass);
  return mass == nullptr ? 0 : mass->value.size();
}

std::size_t Snapshot::count(Place place) const {
  switch (place) {
    case Place::particle:
      return particles();
    case Place::scene:
      return 1;
    default:
      return ids(place).size();
  }
}

std::int64_t Snapshot::id(Place place, std::size_t element, std::int64_t first) const {
  if (first >= 0) return first + static_cast<std::int64_t>(element);
  const auto& known = ids(place);
  return known.empty() ? static_cast<std::int64_t>(element) : known.at(element);
}

std::int64_t Snapshot::next_particle() const {
  const std::size_t n = particles();
  return std::max(next_id, n == 0 ? 0 : id(Place::particle, n - 1) + 1);
}

void append(Snapshot& state, const Snapshot& particles) {
  const std::size_t present = state.particles();
  auto& ids = state.ids(Place::particle);
  std::int64_t next = state.next_particle();
  if (ids.empty() && next != static_cast<std::int64_t>(present))
    for (std::size_t e = 0; e < present; ++e) ids.push_back(static_cast<std::int64_t>(e));
  const bool gaps = next != static_cast<std::int64_t>(present);
  for (Field& field : state.fields) {
    if (field.place != Place::particle) continue;
    const std::vector<double>& more = particles.get(field.name).value;
    field.value.insert(field.value.end(), more.begin(), more.end());
  }
  const std::size_t count = state.particles() - present;
  for (std::size_t e = 0; e < count; ++e, ++next)
    if (gaps) ids.push_back(next);
  state.next_id = next;
}

bool same_elements(const Snapshot& a, const Snapshot& b, Place place) {
  const std::size_t n = a.count(place);
  if (n != b.count(place)) return false;
  if (a.ids(place).empty() && b.ids(place).empty()) return true;
  for (std::size_t e = 0; e < n; ++e)
    if (a.id(place, e) != b.id(place, e)) return false;
  return true;
}

bool same_elements(const Snapshot& a, const Snapshot& b) {
  return std::all_of(names::places.begin(), names::places.end(),
                     [&](const names::PlaceName& kind) { return same_elements(a, b, kind.place); });
}

const Field* Snapshot::find(std::string_view name) const {
  const auto found = position_of(fields, name);
  return found == fields.end() ? nullptr : &*found;
}

const Field& Snapshot::get(std::string_view name) const {
  const Field* found = find(name);
  if (found == nullptr) missing(name, at);
  return *found;
}

Field& Snapshot::get(std::string_view name) {
  const auto found = position_of(fields, name);
  if (found == fields.end()) missing(name, at);
  return *found;
}

Field& Snapshot::set(Field replacement) {
  const auto found = position_of(fields, replacement.name);
  if (found != fields.end()) return *found = std::move(replacement);
  return fields.emplace_back(std::move(replacement));
}

void Snapshot::erase(std::string_view name) {
  const auto found = position_of(fields, name);
  if (found != fields.end()) fields.erase(found);
}

}  // namespace repose
