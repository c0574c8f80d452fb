#include "reference/mpm/state_snapshot.h"

#include <fmt/format.h>

#include <functional>
#include <span>

namespace repose {

namespace {

/// A quantity of an element (Particle or Node): its field and how it is written to and read from numbers, row
/// by row.
template <class Element>
struct Quantity {
  std::string_view name, unit;
  Place place;
  int components;
  std::function<void(const Element&, std::span<double>)> write;
  std::function<void(Element&, std::span<const double>)> read;
};

template <class Element>
Quantity<Element> scalar(std::string_view name, std::string_view unit, Place place, double Element::*member) {
  return {name,
          unit,
          place,
          1,
          [member](const Element& e, std::span<double> to) { to[0] = e.*member; },
          [member](Element& e, std::span<const double> from) { e.*member = from[0]; }};
}

/// A vector or a row-major matrix.
template <class Element, int rows, int columns>
Quantity<Element> tensor(std::string_view name, std::string_view unit, Place place,
                         Eigen::Matrix<double, rows, columns> Element::*member) {
  const auto at = [](int row, int column) { return static_cast<std::size_t>(row * columns + column); };
  return {name,
          unit,
          place,
          rows * columns,
          [member, at](const Element& e, std::span<double> to) {
            for (int r = 0; r < rows; ++r)
              for (int c = 0; c < columns; ++c) to[at(r, c)] = (e.*member)(r, c);
          },
          [member, at](Element& e, std::span<const double> from) {
            for (int r = 0; r < rows; ++r)
              for (int c = 0; c < columns; ++c) (e.*member)(r, c) = from[at(r, c)];
          }};
}

template <int d>
Quantity<Particle<d>> material_index() {
  return {field::material,
          "-",
          Place::particle,
          1,
          [](const Particle<d>& p, std::span<double> to) { to[0] = p.material; },
          [](Particle<d>& p, std::span<const double> from) { p.material = static_cast<int>(from[0]); }};
}

template <int d>
Quantity<Particle<d>> plastic_case() {
  return {field::plastic_case,
          "-",
          Place::particle,
          1,
          [](const Particle<d>& p, std::span<double> to) { to[0] = static_cast<double>(p.part); },
          [](Particle<d>& p, std::span<const double> from) { p.part = static_cast<Part>(from[0]); }};
}

/// The particle fields of a boundary (table of snapshot.h).
template <int d>
std::vector<Quantity<Particle<d>>> particle_quantities(Boundary at, bool keep_F_P) {
  using P = Particle<d>;
  const Place place = Place::particle;
  std::vector<Quantity<P>> all{
      scalar(field::mass, "kg", place, &P::m),
      scalar(field::volume, d == 2 ? "m^2" : "m^3", place, &P::V0),
      material_index<d>(),
      tensor<P, d, 1>(field::x, "m", place, &P::x),
      tensor<P, d, 1>(field::v, "m/s", place, &P::v),
      tensor<P, d, d>(field::C, "1/s", place, &P::C),
      tensor<P, d, d>(at == boundary::update ? field::F_trial : field::F, "-", place, &P::F),
      scalar(field::q, "-", place, &P::q),
      scalar(field::v_c, "-", place, &P::v_c)};
  if (keep_F_P) all.push_back(tensor<P, d, d>(field::F_P, "-", place, &P::F_P));
  if (at == boundary::g2p) {
    all.push_back(tensor<P, d, 1>(field::v_bar, "m/s", place, &P::v_bar));
    all.push_back(tensor<P, d, d>(field::grad_v, "1/s", place, &P::grad_v));
  }
  if (at == boundary::plasticity) all.push_back(plastic_case<d>());
  return all;
}

/// The node fields of a boundary: those of the stages done so far, none after the nodes have been gathered.
template <int d>
std::vector<Quantity<Node<d>>> node_quantities(Boundary at) {
  using N = Node<d>;
  const Place place = Place::node;
  const std::string_view momentum = "kg m/s";
  std::vector<Quantity<N>> all{scalar(field::m_i, "kg", place, &N::m),
                               tensor<N, d, 1>(field::p_i, momentum, place, &N::p),
                               tensor<N, d, 1>(field::p_star, momentum, place, &N::p_star),
                               tensor<N, d, 1>(field::p_bar, momentum, place, &N::p_bar),
                               tensor<N, d, 1>(field::p_tilde, momentum, place, &N::p_tilde)};
  if (at == boundary::friction) return all;
  if (at == boundary::collisions) return {all.begin(), all.begin() + 4};
  if (at == boundary::forces) return {all.begin(), all.begin() + 3};
  if (at == boundary::p2g) return {all.begin(), all.begin() + 2};
  return {};
}

template <class Element, class Elements>
Field write_field(const Quantity<Element>& quantity, const Elements& elements) {
  const auto k = static_cast<std::size_t>(quantity.components);
  Field field{
      std::string(quantity.name), std::string(quantity.unit), quantity.place, quantity.components, {}};
  field.value.resize(k * elements.size());
  std::size_t n = 0;
  for (const Element& element : elements) quantity.write(element, std::span(field.value).subspan(k * n++, k));
  return field;
}

/// Reads a field into elements chosen by a function of their place in the snapshot.
template <class Element>
void read_field(const Quantity<Element>& quantity, const Field& field, std::size_t count,
                const std::function<Element&(std::size_t)>& element) {
  const auto k = static_cast<std::size_t>(quantity.components);
  for (std::size_t n = 0; n < count; ++n) quantity.read(element(n), std::span(field.value).subspan(k * n, k));
}

template <int d>
std::vector<Particle<d>> read_particles(const Snapshot& snapshot, const Scene& scene) {
  std::vector<Particle<d>> particles(snapshot.particles());
  const bool has_F_P = snapshot.find(field::F_P) != nullptr;
  for (const auto& quantity : particle_quantities<d>(snapshot.at, has_F_P)) {
    read_field<Particle<d>>(quantity, snapshot.get(quantity.name), particles.size(),
                            [&](std::size_t n) -> Particle<d>& { return particles[n]; });
  }
  for (std::size_t n = 0; n < particles.size(); ++n) {
    const auto& x = particles[n].x;
    if (!stencil_fits<d>(scene.grid, scene.kernel, x)) {
      throw StageFailure(fmt::format("the stencil of a particle at ({}) leaves the grid", fmt::join(x, ", ")),
                         n);
    }
  }
  return particles;
}

}  // namespace

template <int d>
Snapshot save_state(const State<d>& state, Boundary at, bool keep_F_P) {
  Snapshot snapshot;
  snapshot.at = at;
  for (const auto& quantity : particle_quantities<d>(at, keep_F_P)) {
    snapshot.fields.push_back(write_field(quantity, state.particles));
  }
  const auto node_fields = node_quantities<d>(at);
  if (node_fields.empty()) return snapshot;
  for (const Node<d>& node : state.nodes) snapshot.node.push_back(node.id);
  for (const auto& quantity : node_fields) snapshot.fields.push_back(write_field(quantity, state.nodes));
  return snapshot;
}

template <int d>
State<d> load_state(const Snapshot& snapshot, const Scene& scene) {
  State<d> state(scene.grid);
  state.particles = read_particles<d>(snapshot, scene);
  for (const std::int64_t id : snapshot.node) state.nodes.touch(id);
  for (const auto& quantity : node_quantities<d>(snapshot.at)) {
    read_field<Node<d>>(quantity, snapshot.get(quantity.name), snapshot.node.size(),
                        [&](std::size_t n) -> Node<d>& { return *state.nodes.find(snapshot.node[n]); });
  }
  state.nodes.keep_massive();
  return state;
}

template <int d>
void append_particles(State<d>& state, const Snapshot& snapshot, const Scene& scene) {
  const auto added = read_particles<d>(snapshot, scene);
  state.particles.insert(state.particles.end(), added.begin(), added.end());
}

template Snapshot save_state<2>(const State<2>&, Boundary, bool);
template Snapshot save_state<3>(const State<3>&, Boundary, bool);
template State<2> load_state<2>(const Snapshot&, const Scene&);
template State<3> load_state<3>(const Snapshot&, const Scene&);
template void append_particles<2>(State<2>&, const Snapshot&, const Scene&);
template void append_particles<3>(State<3>&, const Snapshot&, const Scene&);

}  // namespace repose
