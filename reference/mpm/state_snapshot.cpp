#include "reference/mpm/state_snapshot.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"

#include <fmt/format.h>

#include <functional>
#include <span>

namespace repose {

namespace {

/// How a field of the table is written to and read from a member of an element (Particle or Node), row by row.
template <class Element>
struct Quantity {
  std::string_view name;
  std::function<void(const Element&, std::span<double>)> write;
  std::function<void(Element&, std::span<const double>)> read;
};

template <class Element>
Quantity<Element> scalar(std::string_view name, double Element::*member) {
  return {name, [member](const Element& e, std::span<double> to) { to[0] = e.*member; },
          [member](Element& e, std::span<const double> from) { e.*member = from[0]; }};
}

/// A vector or a row-major matrix.
template <class Element, int rows, int columns>
Quantity<Element> tensor(std::string_view name, Eigen::Matrix<double, rows, columns> Element::*member) {
  const auto at = [](int row, int column) { return static_cast<std::size_t>(row * columns + column); };
  return {name,
          [member, at](const Element& e, std::span<double> to) {
            for (int r = 0; r < rows; ++r)
              for (int c = 0; c < columns; ++c) to[at(r, c)] = (e.*member)(r, c);
          },
          [member, at](Element& e, std::span<const double> from) {
            for (int r = 0; r < rows; ++r)
              for (int c = 0; c < columns; ++c) (e.*member)(r, c) = from[at(r, c)];
          }};
}

/// A whole number or a flag.
template <class Element, class Member>
Quantity<Element> whole(std::string_view name, Member Element::*member) {
  return {name, [member](const Element& e, std::span<double> to) { to[0] = static_cast<double>(e.*member); },
          [member](Element& e, std::span<const double> from) { e.*member = static_cast<Member>(from[0]); }};
}

template <int d>
std::vector<Quantity<Particle<d>>> quantities_of(const Particle<d>*) {
  using P = Particle<d>;
  return {scalar(field::mass, &P::m),
          scalar(field::volume, &P::V0),
          whole(field::material, &P::material),
          tensor(field::x, &P::x),
          tensor(field::v, &P::v),
          tensor(field::C, &P::C),
          scalar(field::J, &P::J),
          tensor(field::F, &P::F),
          tensor(field::F_trial, &P::F),
          scalar(field::q, &P::q),
          scalar(field::v_c, &P::v_c),
          tensor(field::v_bar, &P::v_bar),
          tensor(field::grad_v, &P::grad_v),
          whole(field::plastic_case, &P::part)};
}

template <int d>
std::vector<Quantity<Node<d>>> quantities_of(const Node<d>*) {
  using N = Node<d>;
  return {scalar(field::m_i, &N::m), tensor(field::p_i, &N::p), tensor(field::p_star, &N::p_star),
          tensor(field::p_bar, &N::p_bar), tensor(field::p_tilde, &N::p_tilde)};
}

/// Those that states at a boundary have.
template <class Element>
std::vector<Quantity<Element>> quantities(Boundary at) {
  std::vector<Quantity<Element>> all = quantities_of(static_cast<const Element*>(nullptr));
  std::erase_if(all, [&](const Quantity<Element>& quantity) {
    return !holds(method::mpm, field_row(method::mpm, quantity.name), at);
  });
  return all;
}

template <class Element, class Elements>
Field write_field(const Quantity<Element>& quantity, const Elements& elements, int dim) {
  Field field = blank(method::field_row(method::mpm, quantity.name), dim, elements.size());
  const auto k = static_cast<std::size_t>(field.components);
  std::size_t n = 0;
  for (const Element& element : elements) quantity.write(element, std::span(field.value).subspan(k * n++, k));
  return field;
}

/// Reads a field into elements chosen by a function of their place in the snapshot.
template <class Element>
void read_field(const Quantity<Element>& quantity, const Field& field, std::size_t count,
                const std::function<Element&(std::size_t)>& element) {
  const auto k = static_cast<std::size_t>(field.components);
  for (std::size_t n = 0; n < count; ++n) quantity.read(element(n), std::span(field.value).subspan(k * n, k));
}

template <int d>
std::vector<Particle<d>> read_particles(const Snapshot& snapshot, const Scene& scene) {
  std::vector<Particle<d>> particles(snapshot.particles());
  for (const auto& quantity : quantities<Particle<d>>(snapshot.at)) {
    read_field<Particle<d>>(quantity, snapshot.get(quantity.name), particles.size(),
                            [&](std::size_t n) -> Particle<d>& { return particles[n]; });
  }
  for (std::size_t n = 0; n < particles.size(); ++n) {
    const auto& x = particles[n].x;
    if (!stencil_fits<d>(scene.grid, mpm_options(scene).kernel, x)) {
      throw StageFailure(fmt::format("the stencil of a particle at ({}) leaves the grid", fmt::join(x, ", ")),
                         n);
    }
  }
  return particles;
}

}  // namespace

template <int d>
Snapshot save_state(const State<d>& state, Boundary at) {
  Snapshot snapshot;
  snapshot.method = method::mpm.name;
  snapshot.at = at;
  state.ids.save(snapshot);
  for (const auto& quantity : quantities<Particle<d>>(at)) {
    snapshot.fields.push_back(write_field(quantity, state.particles, d));
  }
  const auto node_fields = quantities<Node<d>>(at);
  if (node_fields.empty()) return snapshot;
  for (const Node<d>& node : state.nodes) snapshot.ids(Place::node).push_back(node.id);
  for (const auto& quantity : node_fields) snapshot.fields.push_back(write_field(quantity, state.nodes, d));
  return snapshot;
}

template <int d>
State<d> load_state(const Snapshot& snapshot, const Scene& scene) {
  State<d> state(scene.grid);
  state.particles = read_particles<d>(snapshot, scene);
  state.ids.load(snapshot);
  for (const std::int64_t id : snapshot.ids(Place::node)) state.nodes.touch(id);
  for (const auto& quantity : quantities<Node<d>>(snapshot.at)) {
    read_field<Node<d>>(
        quantity, snapshot.get(quantity.name), snapshot.count(Place::node),
        [&](std::size_t n) -> Node<d>& { return *state.nodes.find(snapshot.ids(Place::node)[n]); });
  }
  state.nodes.keep_massive();
  return state;
}

template <int d>
void append_particles(State<d>& state, const Snapshot& snapshot, const Scene& scene) {
  const auto added = read_particles<d>(snapshot, scene);
  state.particles.insert(state.particles.end(), added.begin(), added.end());
  state.ids.append(added.size());
}

template Snapshot save_state<2>(const State<2>&, Boundary);
template Snapshot save_state<3>(const State<3>&, Boundary);
template State<2> load_state<2>(const Snapshot&, const Scene&);
template State<3> load_state<3>(const Snapshot&, const Scene&);
template void append_particles<2>(State<2>&, const Snapshot&, const Scene&);
template void append_particles<3>(State<3>&, const Snapshot&, const Scene&);

}  // namespace repose
