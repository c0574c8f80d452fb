#include "reference/mixture/state_snapshot.h"

#include "reference/interface/base/error.h"
#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_options.h"
#include "reference/mpm/state_snapshot.h"

#include <fmt/format.h>

namespace repose {

namespace {

using mixture::Members;
using mixture::Phase;

template <int d>
Vec<d> vector_of(const Field& field, std::size_t n) {
  Vec<d> result;
  for (int a = 0; a < d; ++a) result[a] = field.value.at(n * d + static_cast<std::size_t>(a));
  return result;
}

template <int d>
void write(Field& field, std::size_t n, const Vec<d>& value) {
  for (int a = 0; a < d; ++a) field.value.at(n * d + static_cast<std::size_t>(a)) = value[a];
}

/// What a state has of a field of the table, or null where states at its boundary do not have it.
Field* held(Snapshot& snapshot, std::string_view name) {
  const Field* found = snapshot.find(name);
  return found == nullptr ? nullptr : &snapshot.get(name);
}

template <int d>
void write_nodes(Snapshot& snapshot, const std::vector<MixedNode<d>>& nodes) {
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const MixedNode<d>& node = nodes[n];
    if (Field* field = held(snapshot, field::m_i)) field->value[n] = node.m_s;
    if (Field* field = held(snapshot, field::m_i_w)) field->value[n] = node.m_w;
    if (Field* field = held(snapshot, field::reversible)) write<d>(*field, n, node.reversible);
    if (Field* field = held(snapshot, field::p_star)) write<d>(*field, n, node.p_star_s);
    if (Field* field = held(snapshot, field::p_star_w)) write<d>(*field, n, node.p_star_w);
    if (Field* field = held(snapshot, field::phi_i)) field->value[n] = node.wet ? 1.0 : 0.0;
  }
}

template <int d>
void write_particles(Snapshot& snapshot, const MixtureState<d>& state, const Members& solid,
                     const Members& water) {
  for (std::size_t n = 0; n < solid.particles.size(); ++n) {
    const std::size_t e = solid.particles[n];
    snapshot.get(field::c_C).value[e] = state.sand.particles[n].c_C.value();
    if (Field* field = held(snapshot, field::phi_p)) field->value[e] = state.phi_p.at(n);
    if (Field* field = held(snapshot, field::x_n)) write<d>(*field, e, state.x_n_s.at(n));
  }
  if (Field* field = held(snapshot, field::x_n))
    for (std::size_t n = 0; n < water.particles.size(); ++n)
      write<d>(*field, water.particles[n], state.x_n_w.at(n));
}

template <int d>
void read_nodes(MixtureState<d>& state, const Snapshot& snapshot) {
  const auto scalar = [&](std::string_view name, std::size_t n) {
    const Field* field = snapshot.find(name);
    return field == nullptr ? 0.0 : field->value.at(n);
  };
  const auto vector = [&](std::string_view name, std::size_t n) {
    const Field* field = snapshot.find(name);
    return field == nullptr ? Vec<d>(Vec<d>::Zero()) : vector_of<d>(*field, n);
  };
  for (std::size_t n = 0; n < snapshot.count(Place::node); ++n) {
    MixedNode<d> node{.id = snapshot.ids(Place::node)[n],
                      .m_s = scalar(field::m_i, n),
                      .m_w = scalar(field::m_i_w, n),
                      .p_star_s = vector(field::p_star, n),
                      .p_star_w = vector(field::p_star_w, n),
                      .reversible = vector(field::reversible, n),
                      .wet = scalar(field::phi_i, n) != 0.0};
    if (node.m_s > 0.0 || node.m_w > 0.0) state.nodes.push_back(node);
  }
}

template <int d>
void read_cohesion(State<d>& sand, const Snapshot& snapshot, const Members& solid) {
  const auto& c_C = snapshot.get(field::c_C).value;
  for (std::size_t n = 0; n < solid.particles.size(); ++n) sand.particles[n].c_C = c_C.at(solid.particles[n]);
}

/// Places from which saturation is seen, of one phase; their stencils must fit as those of any particle.
template <int d>
std::vector<Vec<d>> read_x_n(const Snapshot& snapshot, const Members& members, const Scene& scene) {
  std::vector<Vec<d>> result;
  const Field* const x_n = snapshot.at == boundary::update ? snapshot.find(field::x_n) : nullptr;
  if (x_n == nullptr) return result;
  for (const std::size_t e : members.particles) {
    result.push_back(vector_of<d>(*x_n, e));
    if (!stencil_fits<d>(scene.grid, mixture_options(scene).kernel, result.back()))
      throw SimulationError(
          fmt::format("the stencil of a particle at ({}) leaves the grid", fmt::join(result.back(), ", ")),
          snapshot.id(Place::particle, e), snapshot.step, snapshot.at);
  }
  return result;
}

}  // namespace

template <int d>
Members members_of(const MixtureState<d>& state, Phase phase) {
  Members result;
  const State<d>& own = state.of(phase);
  for (std::size_t n = 0, e = 0; n < own.ids.size(); ++e)
    if (state.ids.of(e) == own.ids.of(n)) {
      result.particles.push_back(e);
      ++n;
    }
  for (std::size_t n = 0; n < state.nodes.size(); ++n)
    if ((phase == Phase::water ? state.nodes[n].m_w : state.nodes[n].m_s) > 0.0) result.nodes.push_back(n);
  return result;
}

template <int d>
Snapshot save_mixture(const MixtureState<d>& state, Boundary at) {
  Snapshot snapshot;
  snapshot.method = method::mixture.name;
  snapshot.at = at;
  state.ids.save(snapshot);
  const bool has_nodes = method::has(method::mixture, at, Place::node);
  if (has_nodes)
    for (const MixedNode<d>& node : state.nodes) snapshot.ids(Place::node).push_back(node.id);
  for (const method::FieldRow* row : method::fields_at(method::mixture, at))
    snapshot.set(method::blank(*row, d, row->place == Place::node ? state.nodes.size() : state.particles()));
  const Members solid = members_of<d>(state, Phase::solid);
  const Members water = members_of<d>(state, Phase::water);
  mixture::put_back(snapshot, save_state<d>(state.sand, mixture::boundary_of_part(at)), solid, Phase::solid);
  mixture::put_back(snapshot, save_state<d>(state.water, mixture::boundary_of_part(at)), water, Phase::water);
  if (has_nodes) write_nodes<d>(snapshot, state.nodes);
  write_particles<d>(snapshot, state, solid, water);
  return snapshot;
}

template <int d>
MixtureState<d> load_mixture(const Snapshot& snapshot, const Scene& scene) {
  MixtureState<d> state(scene);
  state.ids.load(snapshot);
  for (const Phase phase : mixture::phases) {
    const Members own = members(snapshot, scene, phase);
    const Snapshot part = mixture::part_of(snapshot, own, phase);
    try {
      state.of(phase) = load_state<d>(part, state.scene(phase));
    } catch (const StageFailure& failure) {
      const auto n = static_cast<std::size_t>(failure.particle);
      throw SimulationError(failure.what(), part.id(Place::particle, n), snapshot.step, snapshot.at);
    }
    (phase == Phase::water ? state.x_n_w : state.x_n_s) = read_x_n<d>(snapshot, own, scene);
  }
  const Members solid = members(snapshot, scene, Phase::solid);
  read_cohesion<d>(state.sand, snapshot, solid);
  if (const Field* phi = snapshot.find(field::phi_p))
    state.phi_p = mixture::picked(phi->value, 1, solid.particles);
  read_nodes<d>(state, snapshot);
  return state;
}

template mixture::Members members_of<2>(const MixtureState<2>&, Phase);
template mixture::Members members_of<3>(const MixtureState<3>&, Phase);
template Snapshot save_mixture<2>(const MixtureState<2>&, Boundary);
template Snapshot save_mixture<3>(const MixtureState<3>&, Boundary);
template MixtureState<2> load_mixture<2>(const Snapshot&, const Scene&);
template MixtureState<3> load_mixture<3>(const Snapshot&, const Scene&);

}  // namespace repose
