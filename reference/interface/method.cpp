#include "reference/interface/method.h"

#include <algorithm>
#include <stdexcept>

namespace repose::method {

namespace {

std::size_t place_of(const Method& method, Boundary at) {
  const std::vector<Boundary> all = boundaries(method);
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), at) - all.begin());
}

}  // namespace

std::vector<Boundary> boundaries(const Method& method, Integrator integrator) {
  std::vector<Boundary> result{boundary::step_start};
  for (const StageRow& stage : method.stages)
    if (stage.of(integrator)) result.push_back(stage.end);
  return result;
}

std::vector<Boundary> boundaries(const Method& method) {
  std::vector<Boundary> result{boundary::step_start};
  for (const StageRow& stage : method.stages)
    if (result.back() != stage.end) result.push_back(stage.end);
  return result;
}

bool takes(const Scene& scene, const StageRow& stage) {
  return stage.of(scene.scheme.table().integrator(scene));
}

const StageRow* stage_ending(const Method& method, const Scene& scene, Boundary at) {
  for (const StageRow& stage : method.stages)
    if (stage.end == at && takes(scene, stage)) return &stage;
  return nullptr;
}

void add(const Method& method, Counts& to, const Counts& later) {
  for (std::size_t row = 0; row < method.counters.size(); ++row)
    to[row] = method.counters[row].largest ? std::max(to[row], later[row]) : to[row] + later[row];
}

bool holds(const Method& method, const FieldRow& row, Boundary at) {
  const std::size_t here = place_of(method, at);
  if (here < place_of(method, row.made)) return false;
  if (here <= place_of(method, row.held)) return true;
  return !row.again.empty() && here >= place_of(method, row.again);
}

std::vector<const FieldRow*> fields_at(const Method& method, Boundary at) {
  std::vector<const FieldRow*> result;
  for (const FieldRow& row : method.fields)
    if (holds(method, row, at)) result.push_back(&row);
  return result;
}

bool has(const Method& method, Boundary at, Place place) {
  return std::any_of(method.fields.begin(), method.fields.end(),
                     [&](const FieldRow& row) { return row.place == place && holds(method, row, at); });
}

const FieldRow* find_field(const Method& method, std::string_view name) {
  const std::size_t place = rank(method, name);
  return place < method.fields.size() ? &method.fields[place] : nullptr;
}

const FieldRow& field_row(const Method& method, std::string_view name) {
  const FieldRow* found = find_field(method, name);
  if (found == nullptr)
    throw std::out_of_range("the method " + std::string(method.name) + " has no field '" + std::string(name) +
                            "'");
  return *found;
}

std::size_t rank(const Method& method, std::string_view name) {
  const auto found = std::find_if(method.fields.begin(), method.fields.end(),
                                  [&](const FieldRow& row) { return row.name == name; });
  return static_cast<std::size_t>(found - method.fields.begin());
}

int components(const FieldRow& row, int dim) {
  return row.shape == Shape::scalar ? 1 : row.shape == Shape::vector ? dim : dim * dim;
}

std::string unit(const FieldRow& row, int dim) {
  return row.unit == "m^d" ? "m^" + std::to_string(dim) : std::string(row.unit);
}

Field blank(const FieldRow& row, int dim, std::size_t count) {
  const int k = components(row, dim);
  Field field{std::string(row.name), unit(row, dim), row.place, k,
              std::vector<double>(static_cast<std::size_t>(k) * count, 0.0)};
  if (row.rest == Rest::one) field.value.assign(field.value.size(), 1.0);
  if (row.rest == Rest::identity)
    for (std::size_t n = 0; n < field.value.size(); ++n)
      if (const auto within = static_cast<int>(n % static_cast<std::size_t>(k)); within % (dim + 1) == 0)
        field.value[n] = 1.0;
  return field;
}

std::vector<Field> state_at_rest(const Method& method, int dim, std::size_t particles) {
  std::vector<Field> result;
  for (const FieldRow* row : fields_at(method, boundary::step_start)) {
    const std::size_t count = row->place == Place::particle ? particles : row->place == Place::scene ? 1 : 0;
    result.push_back(blank(*row, dim, count));
  }
  return result;
}

}  // namespace repose::method
