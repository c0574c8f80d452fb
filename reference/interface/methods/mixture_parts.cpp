#include "reference/interface/methods/mixture_parts.h"

#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_options.h"

#include <algorithm>
#include <iterator>

namespace repose::mixture {

namespace {

bool is_behind_drag(Boundary at) {
  return at == boundary::drag || at == boundary::collisions || at == boundary::friction;
}

/// All that states of mpm hold at a boundary, as rows of its table.
std::vector<const method::FieldRow*> rows_at(Boundary at_of_part) {
  return method::fields_at(method::mpm, at_of_part);
}

}  // namespace

Phase phase_of(const Material& material) {
  return material.kind == MaterialKind::water ? Phase::water : Phase::solid;
}

Scene scene_of_part(const Scene& scene, Phase phase) {
  const MixtureOptions& options = mixture_options(scene);
  Scene part = scene;
  part.scheme = MpmOptions{.kernel = options.kernel,
                           .transfer = options.transfer,
                           .flip_share = options.flip_share,
                           .integrator = options.integrator,
                           .energy = options.energy,
                           .motion = options.motion,
                           .elastic_bound = options.elastic_bound,
                           .implicit = options.implicit};
  const auto of_phase = [&](const Material& material) { return phase_of(material) == phase; };
  const auto own = std::find_if(scene.materials.begin(), scene.materials.end(), of_phase);
  for (Material& material : part.materials)
    if (!of_phase(material) && own != scene.materials.end()) material = *own;
  if (phase == Phase::water && options.water_contact == WaterContact::slipping)
    for (Collider& body : part.colliders) {
      body.contact = Contact::slipping;
      body.friction = options.water_friction;
    }
  return part;
}

Boundary boundary_of_part(Boundary at) {
  if (at == boundary::drag) return boundary::forces;
  if (at == boundary::saturation) return boundary::update;
  return at;
}

std::string name_in_mixture(std::string_view name, Phase phase, Boundary at) {
  const bool of_node = method::field_row(method::mpm, name).place == Place::node;
  const bool dragged = name == field::p_star && is_behind_drag(at);
  std::string result(dragged ? field::p_drag : name);
  if (of_node && phase == Phase::water) result += "_w";
  return result;
}

Members members(const Snapshot& state, const Scene& scene, Phase phase) {
  Members result;
  const auto& material = state.get(field::material).value;
  for (std::size_t p = 0; p < material.size(); ++p)
    if (phase_of(scene.materials.at(static_cast<std::size_t>(material[p]))) == phase)
      result.particles.push_back(p);
  const Field* const mass = state.find(phase == Phase::water ? field::m_i_w : field::m_i);
  for (std::size_t n = 0; mass != nullptr && n < mass->value.size(); ++n)
    if (mass->value[n] > 0.0) result.nodes.push_back(n);
  return result;
}

std::vector<double> picked(const std::vector<double>& value, int components,
                           const std::vector<std::size_t>& elements) {
  const auto k = static_cast<std::size_t>(components);
  std::vector<double> result;
  result.reserve(k * elements.size());
  for (const std::size_t e : elements)
    for (std::size_t a = 0; a < k; ++a) result.push_back(value.at(e * k + a));
  return result;
}

Snapshot part_of(const Snapshot& state, const Members& members, Phase phase) {
  Snapshot part;
  part.method = method::mpm.name;
  part.at = boundary_of_part(state.at);
  part.time = state.time;
  part.dt = state.dt;
  part.step = state.step;
  part.next_id = state.next_particle();
  for (const std::size_t p : members.particles)
    part.ids(Place::particle).push_back(state.id(Place::particle, p));
  if (method::has(method::mpm, part.at, Place::node))
    for (const std::size_t n : members.nodes) part.ids(Place::node).push_back(state.ids(Place::node).at(n));
  for (const method::FieldRow* row : rows_at(part.at)) {
    const Field& whole = state.get(name_in_mixture(row->name, phase, state.at));
    part.fields.push_back({std::string(row->name), whole.unit, row->place, whole.components,
                           picked(whole.value, whole.components, members.of(row->place))});
  }
  return part;
}

void put_back(Snapshot& state, const Snapshot& part, const Members& members, Phase phase) {
  for (const method::FieldRow* row : rows_at(part.at)) {
    const std::vector<double>& from = part.get(row->name).value;
    Field& whole = state.get(name_in_mixture(row->name, phase, state.at));
    const auto k = static_cast<std::size_t>(whole.components);
    std::size_t at = 0;
    for (const std::size_t e : members.of(row->place))
      for (std::size_t a = 0; a < k; ++a) whole.value.at(e * k + a) = from.at(at++);
  }
}

}  // namespace repose::mixture
