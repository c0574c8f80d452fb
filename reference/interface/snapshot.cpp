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
