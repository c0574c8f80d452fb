#include "reference/interface/methods/mpm_probes.h"

#include "reference/interface/methods/mpm.h"

#include <stdexcept>
#include <utility>

namespace repose {

namespace {

constexpr std::string_view momentum = "kg m/s";

Field on_nodes(std::string_view name, std::string_view unit, int components, std::vector<double> value) {
  return {std::string(name), std::string(unit), Place::node, components, std::move(value)};
}

}  // namespace

NodeImpulses impulses_at(const Solver& solver, int dim, std::span<const double> v, double dt) {
  const Field asked[] = {velocity_of_nodes(field::v, v, dim)};
  std::vector<Field> answer = solver.probe(probes::impulses_at, asked, dt);
  return {answered(answer, probes::impulse), answered(answer, probes::magnitude)};
}

std::vector<double> impulse_change(const Solver& solver, int dim, std::span<const double> v,
                                   std::span<const double> dv, double dt) {
  const Field asked[] = {velocity_of_nodes(field::v, v, dim), velocity_of_nodes(probes::dv, dv, dim)};
  std::vector<Field> answer = solver.probe(probes::impulse_change, asked, dt);
  return answered(answer, probes::impulse_change);
}

Field velocity_of_nodes(std::string_view name, std::span<const double> value, int dim) {
  return on_nodes(name, "m/s", dim, {value.begin(), value.end()});
}

std::vector<double> answered(std::vector<Field>& fields, std::string_view name) {
  for (Field& field : fields)
    if (field.name == name) return std::move(field.value);
  throw std::logic_error("a probe did not answer with the field '" + std::string(name) + "'");
}

std::span<const double> asked_with(std::span<const Field> fields, std::string_view name) {
  for (const Field& field : fields)
    if (field.name == name) return field.value;
  throw std::invalid_argument("a probe is asked without the field '" + std::string(name) + "'");
}

std::vector<Field> as_fields(NodeImpulses impulses, int dim) {
  return {on_nodes(probes::impulse, momentum, dim, std::move(impulses.impulse)),
          on_nodes(probes::magnitude, momentum, 1, std::move(impulses.magnitude))};
}

std::vector<Field> as_fields(std::vector<double> change, int dim) {
  return {on_nodes(probes::impulse_change, momentum, dim, std::move(change))};
}

}  // namespace repose
