#include "optimized/mpm/fields.h"
#include "optimized/mpm/hencky.h"
#include "optimized/mpm/twin.h"
#include "reference/interface/methods/mpm.h"

#include <cmath>
#include <stdexcept>

namespace repose::optimized {

template <class T, int dim>
std::vector<std::array<std::int32_t, 3>> Twin<T, dim>::bases() const {
  std::vector<std::array<std::int32_t, 3>> base(particles_.size());
  for (std::size_t b = 0; b < particles_.order.grid().blocks(); ++b)
    for (std::size_t k = particles_.order.begin(b); k < particles_.order.begin(b) + particles_.order.count(b);
         ++k)
      base[particles_.order.records()[k]] =
          places_.base_of(particles_.order.grid().keys()[b], particles_.order.codes()[k]);
  return base;
}

template <class T, int dim>
double Twin<T, dim>::position(const std::array<std::int32_t, 3>& base, std::uint32_t slot,
                              std::size_t axis) const {
  return places_.join(base[axis], static_cast<double>(particles_.record(slot)[R::offset + axis]),
                      static_cast<int>(axis));
}

template <class T, int dim>
std::vector<double> Twin<T, dim>::positions() const {
  if (step_.at != step_start && step_.at != plasticity)
    throw std::invalid_argument("the solver does not stand at a step's start");
  const auto base = bases();
  std::vector<double> x(dim * particles_.size());
  for (std::uint32_t slot = 0; slot < particles_.size(); ++slot)
    for (std::size_t k = 0; k < dim; ++k) x[dim * particles_.place[slot] + k] = position(base[slot], slot, k);
  return x;
}

template <class T, int dim>
Snapshot Twin<T, dim>::save(Boundary at, bool native) const {
  const bool next_step = at == boundary::step_start && step_.at == plasticity;
  if (at != stops()[static_cast<std::size_t>(step_.at)] && !next_step)
    throw std::invalid_argument("the solver does not stand at '" + std::string(at) + "'");
  Snapshot s;
  s.method = method::mpm.name;
  s.at = at;
  s.dt = step_.dt;
  s.time = next_step ? step_.time + step_.dt : step_.time;
  s.step = next_step ? step_.done + 1 : step_.done;

  particles_.ids.save(s);

  const std::size_t count = particles_.size();
  const auto add = [&](std::string_view name, std::size_t elements) -> std::vector<double>& {
    return s.set(method::blank(method::field_row(method::mpm, name), dim, elements)).value;
  };
  const auto add_native = [&](std::string_view name, std::string_view unit, std::size_t components,
                              Place place, std::size_t elements) -> std::vector<double>& {
    return s
        .set({std::string(name), std::string(unit), place, static_cast<int>(components),
              std::vector<double>(components * elements)})
        .value;
  };
  // A field is added before the next one is: references into the list of fields do not last.
  const auto fill_particles = [&](std::vector<double>& out, auto value) {
    const std::size_t components = count == 0 ? 0 : out.size() / count;
    for (std::uint32_t slot = 0; slot < count; ++slot)
      for (std::size_t k = 0; k < components; ++k)
        out[components * particles_.place[slot] + k] = value(slot, k);
  };
  const auto per_particle = [&](std::string_view name, auto value) {
    fill_particles(add(name, count), value);
  };
  const auto record_at = [&](std::size_t where) {
    return [this, where](std::uint32_t slot, std::size_t k) {
      return static_cast<double>(particles_.record(slot)[where + k]);
    };
  };
  const auto stored = [&](std::string_view name, std::size_t where) { per_particle(name, record_at(where)); };
  stored(field::mass, R::mass);
  stored(field::volume, R::volume);
  const auto flags = [&](std::uint32_t slot) { return static_cast<int>(particles_.record(slot)[R::flags]); };
  per_particle(field::material,
               [&](std::uint32_t slot, std::size_t) { return static_cast<double>(flags(slot) / 4); });

  const auto base = bases();
  per_particle(field::x, [&](std::uint32_t slot, std::size_t k) { return position(base[slot], slot, k); });
  stored(field::v, R::v);
  stored(field::C, R::C);
  const bool water = law_ == Law::water;
  per_particle(field::J, [&](std::uint32_t slot, std::size_t) {
    return water ? std::exp(static_cast<double>(particles_.record(slot)[R::strain])) : 1.0;
  });
  {
    auto& F = add(at == boundary::update ? field::F_trial : field::F, count);
    for (std::uint32_t slot = 0; slot < count; ++slot) {
      Mat<dim> strain;
      for (int a = 0; a < dim; ++a)
        for (int b = 0; b < dim; ++b)
          strain(a, b) = static_cast<double>(particles_.record(slot)[R::strain + symmetric_index<dim>(a, b)]);
      const Mat<dim> f = water ? Mat<dim>(Mat<dim>::Identity()) : left_stretch<dim>(strain);
      for (int a = 0; a < dim; ++a)
        for (int b = 0; b < dim; ++b)
          F[dim * dim * particles_.place[slot] + static_cast<std::size_t>(dim * a + b)] = f(a, b);
    }
  }
  stored(field::q, R::q);
  stored(field::v_c, R::v_c);
  if (at == boundary::plasticity)
    per_particle(field::plastic_case,
                 [&](std::uint32_t slot, std::size_t) { return static_cast<double>(flags(slot) % 4); });
  if (at == boundary::g2p) {
    constexpr std::size_t size = dim + dim * dim;
    const auto between = [&](std::string_view name, std::size_t where) {
      per_particle(name, [&](std::uint32_t slot, std::size_t k) {
        return static_cast<double>(particles_.between[size * slot + where + k]);
      });
    };
    between(field::v_bar, 0);
    between(field::grad_v, dim);
  }
  if (native) {
    fill_particles(add_native(native_offset, "h", dim, Place::particle, count), record_at(R::offset));
    fill_particles(add_native(native_base, "-", dim, Place::particle, count),
                   [&](std::uint32_t slot, std::size_t k) { return static_cast<double>(base[slot][k]); });
    fill_particles(add_native(native_strain, "-", R::symmetric, Place::particle, count),
                   record_at(R::strain));
  }
  if (step_.at >= p2g && step_.at <= friction) {
    const Buffer<T>& masses = step_.at == p2g ? nodes_.before : nodes_.star;
    const auto active = active_nodes(masses);
    for (const auto& [id, v] : active) s.ids(Place::node).push_back(id);
    const auto fill_nodes = [&](std::vector<double>& out, auto value) {
      const std::size_t components = active.empty() ? 0 : out.size() / active.size();
      for (std::size_t k = 0; k < active.size(); ++k)
        for (std::size_t c = 0; c < components; ++c) out[components * k + c] = value(active[k].second, c);
    };
    const auto per_node = [&](std::string_view name, auto value) {
      fill_nodes(add(name, active.size()), value);
    };
    const auto vector = [](const Buffer<T>& from) {
      return [&from](std::size_t v, std::size_t c) { return static_cast<double>(from[v + 1 + c]); };
    };
    const auto tilde = [&](std::size_t v, std::size_t c) {
      return static_cast<double>(
          (nodes_.split[v / B::node_values] != 0 ? nodes_.tilde : nodes_.bar)[v + 1 + c]);
    };
    const auto mass = [&](std::size_t v) { return static_cast<double>(masses[v]); };
    per_node(field::m_i, [&](std::size_t v, std::size_t) { return mass(v); });
    per_node(field::p_i, vector(nodes_.before));
    if (step_.at >= forces) per_node(field::p_star, vector(nodes_.star));
    if (step_.at >= collisions)
      per_node(field::p_bar,
               [&](std::size_t v, std::size_t c) { return mass(v) * vector(nodes_.bar)(v, c); });
    if (step_.at >= friction)
      per_node(field::p_tilde, [&](std::size_t v, std::size_t c) { return mass(v) * tilde(v, c); });
    if (native && step_.at >= collisions)
      fill_nodes(add_native(native_bar, "m/s", dim, Place::node, active.size()), vector(nodes_.bar));
    if (native && step_.at >= friction)
      fill_nodes(add_native(native_tilde, "m/s", dim, Place::node, active.size()), tilde);
  }
  return s;
}

template class Twin<float, 2>;
template class Twin<float, 3>;
template class Twin<double, 2>;
template class Twin<double, 3>;

}  // namespace repose::optimized
