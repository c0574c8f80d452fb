#include "reference/interface/methods/mixture_probes.h"

#include "reference/interface/methods/mixture.h"

#include <utility>

namespace repose {

namespace {

std::string of_water(std::string_view name) { return std::string(name) + "_w"; }

void join(std::vector<Field>& to, std::vector<Field> sand, std::vector<Field> water) {
  for (Field& field : water) field.name = of_water(field.name);
  for (std::vector<Field>* part : {&sand, &water})
    for (Field& field : *part) to.push_back(std::move(field));
}

}  // namespace

PhaseImpulses impulses_at(const Solver& solver, int dim, const PhaseVelocities& v, double dt) {
  const Field asked[] = {velocity_of_nodes(field::v, v.sand, dim),
                         velocity_of_nodes(probes::v_w, v.water, dim)};
  std::vector<Field> answer = solver.probe(probes::impulses_at, asked, dt);
  return {{answered(answer, probes::impulse), answered(answer, probes::magnitude)},
          {answered(answer, of_water(probes::impulse)), answered(answer, of_water(probes::magnitude))}};
}

PhaseChanges impulse_change(const Solver& solver, int dim, const PhaseVelocities& v,
                            const PhaseVelocities& dv, double dt) {
  const Field asked[] = {
      velocity_of_nodes(field::v, v.sand, dim), velocity_of_nodes(probes::v_w, v.water, dim),
      velocity_of_nodes(probes::dv, dv.sand, dim), velocity_of_nodes(probes::dv_w, dv.water, dim)};
  std::vector<Field> answer = solver.probe(probes::impulse_change, asked, dt);
  return {answered(answer, probes::impulse_change), answered(answer, of_water(probes::impulse_change))};
}

std::vector<double> drag_impulse(const Solver& solver, int dim, const PhaseVelocities& v, double dt) {
  const Field asked[] = {velocity_of_nodes(field::v, v.sand, dim),
                         velocity_of_nodes(probes::v_w, v.water, dim)};
  std::vector<Field> answer = solver.probe(probes::drag_impulse, asked, dt);
  return answered(answer, probes::drag_impulse);
}

std::vector<double> reversible_impulse(const Solver& solver, double dt) {
  std::vector<Field> answer = solver.probe(probes::reversible, {}, dt);
  return answered(answer, probes::reversible);
}

PhaseVelocities asked_velocities(std::span<const Field> fields) {
  return {asked_with(fields, field::v), asked_with(fields, probes::v_w)};
}

PhaseVelocities asked_changes(std::span<const Field> fields) {
  return {asked_with(fields, probes::dv), asked_with(fields, probes::dv_w)};
}

std::vector<Field> as_fields(PhaseImpulses impulses, int dim) {
  std::vector<Field> all;
  join(all, as_fields(std::move(impulses.sand), dim), as_fields(std::move(impulses.water), dim));
  return all;
}

std::vector<Field> as_fields(PhaseChanges change, int dim) {
  std::vector<Field> all;
  join(all, as_fields(std::move(change.sand), dim), as_fields(std::move(change.water), dim));
  return all;
}

std::vector<Field> as_fields(std::string_view probe, std::vector<double> impulse, int dim) {
  return {{std::string(probe), "kg m/s", Place::node, dim, std::move(impulse)}};
}

}  // namespace repose
