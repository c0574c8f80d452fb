#include "validation/states/state_layout.h"

#include "reference/interface/methods/all.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace repose::layout {

namespace {

std::string group_of(Place place) { return fmt::format("repose/fields/{}", names::of(place).one); }

}  // namespace

Location locate(const Field& field, int dim) {
  if (field.name.empty() || field.name == "." || field.name.find('/') != std::string::npos) {
    throw std::logic_error(fmt::format("'{}' cannot be the name of a stored field", field.name));
  }
  const int k = field.components;
  if (field.name.starts_with(field::native_prefix)) return {"repose/native", field.name, k};
  if (field.place != Place::particle) return {group_of(field.place), field.name, k};
  if (field.name == field::x) return {"VTKHDF", "Points", 3};
  if (k == dim) return {"VTKHDF/PointData", field.name, 3};
  // The widths VTK's reader takes; any other would make the whole file unreadable to it.
  if (k == 1 || k == 3 || k == 4 || k == 6 || k == 9) return {"VTKHDF/PointData", field.name, k};
  return {group_of(field.place), field.name, k};
}

std::vector<std::string> field_groups() {
  std::vector<std::string> result{"VTKHDF/PointData", "repose/native"};
  for (const names::PlaceName& kind : names::places) result.push_back(group_of(kind.place));
  return result;
}

std::vector<double> resize_elements(const std::vector<double>& values, int from, int to) {
  const auto before = static_cast<std::size_t>(from);
  const auto after = static_cast<std::size_t>(to);
  const std::size_t elements = values.size() / before;
  std::vector<double> result(elements * after, 0.0);
  for (std::size_t e = 0; e < elements; ++e) {
    for (std::size_t k = 0; k < std::min(before, after); ++k) result[e * after + k] = values[e * before + k];
  }
  return result;
}

Place place_of(std::string_view name) {
  for (const names::PlaceName& kind : names::places)
    if (kind.one == name) return kind.place;
  throw hdf5::Error(fmt::format("unknown place '{}'", name));
}

std::string boundary_of(const std::string& method, const std::string& name) {
  try {
    return std::string(method::boundary_named(method, name));
  } catch (const std::out_of_range& error) {
    throw hdf5::Error(error.what());
  }
}

}  // namespace repose::layout
