#include "optimized/mpm/fields.h"
#include "optimized/mpm/hencky.h"
#include "optimized/mpm/twin.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/snapshot_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace repose::optimized {

/// What only this solver asks of a snapshot: indices of 32 bits, and its own fields, which win over the portable ones.
template <class T, int dim>
void Twin<T, dim>::require_own(const Snapshot& s, std::size_t present_particles,
                               std::int64_t first_id) const {
  if (present_particles + s.particles() > std::numeric_limits<std::uint32_t>::max())
    throw BadInput("more than 2^32 − 1 particles");
  const auto present = [&](std::string_view name) { return s.find(name) != nullptr; };
  const auto require = [&](std::string_view name, Place place, std::size_t components) {
    if (present(name)) require_field(s, name, place, static_cast<int>(components), first_id);
  };
  require(native_strain, Place::particle, R::symmetric);
  require(native_bar, Place::node, dim);
  require(native_tilde, Place::node, dim);
  if (present(native_offset) != present(native_base))
    throw std::invalid_argument(
        fmt::format("a snapshot with one of '{}' and '{}'", native_offset, native_base));
  if (!present(native_offset)) return;
  require(native_offset, Place::particle, dim);
  require(native_base, Place::particle, dim);
  const auto& x = s.get(field::x).value;
  const auto& offset = s.get(native_offset).value;
  const auto& base = s.get(native_base).value;
  const double apart = rounding().position;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const int axis = static_cast<int>(k % dim);
    const bool in_cell =
        std::abs(offset[k]) <= 0.5 && base[k] == std::nearbyint(base[k]) && places_.on_axis(base[k], axis);
    Point away = Point::Zero();
    if (in_cell) away[axis] = places_.join(base[k], offset[k], axis) - x[k];
    if (in_cell && std::abs(scene_.grid.nearest(away)[axis]) <= apart) continue;
    throw SimulationError(
        fmt::format("cell {} and offset {} are not those of x[{}] = {} m", base[k], offset[k], k % dim, x[k]),
        s.id(Place::particle, k / dim, first_id), s.step, s.at);
  }
}

/// Particles of a snapshot into the records from `first` on.
template <class T, int dim>
void Twin<T, dim>::read_particles(const Snapshot& s, std::size_t first, std::int64_t first_id,
                                  std::vector<Mover>& all) {
  const std::size_t count = s.particles();
  particles_.resize(first + count);
  const auto values = [&](std::string_view name) -> const std::vector<double>& { return s.get(name).value; };
  const auto optional = [&](std::string_view name) {
    const Field* f = s.find(name);
    return f == nullptr ? nullptr : &f->value;
  };
  const auto& x = values(field::x);
  const auto& mass = values(field::mass);
  const auto& volume = values(field::volume);
  const auto& material = values(field::material);
  const auto& v = values(field::v);
  const auto& C = values(field::C);
  const auto& q = values(field::q);
  const auto& v_c = values(field::v_c);
  const auto& J = values(field::J);
  const auto& F = values(s.at == boundary::update ? field::F_trial : field::F);
  const auto* plastic_case = optional(field::plastic_case);
  const auto* offset = optional(native_offset);
  const auto* base = optional(native_base);
  const auto* strain = optional(native_strain);

  const auto fail = [&](const std::string& what, std::size_t p) {
    throw SimulationError(what, s.id(Place::particle, p, first_id), s.step, s.at);
  };
  const auto stored = [&](double value, std::string_view what, std::size_t p) {
    const T number = static_cast<T>(value);
    if (!std::isfinite(number)) fail(fmt::format("{} = {} is beyond the solver's numbers", what, value), p);
    return number;
  };
  const auto stored_positive = [&](double value, std::string_view what, std::size_t p) {
    const T number = stored(value, what, p);
    if (!(number > T{0})) fail(fmt::format("{} = {} is 0 in the solver's numbers", what, value), p);
    return number;
  };
  for (std::size_t p = 0; p < count; ++p) {
    const auto slot = static_cast<std::uint32_t>(first + p);
    T* r = particles_.record(slot);
    std::fill_n(r, R::size, T{0});
    particles_.place[slot] = slot;
    std::array<std::int32_t, 3> at{0, 0, 0};
    for (int a = 0; a < dim; ++a) {
      const auto axis = static_cast<std::size_t>(a);
      const std::size_t k = dim * p + axis;
      const auto place = offset != nullptr ? std::pair{(*base)[k], (*offset)[k]} : places_.split(x[k], a);
      if (!places_.inside(place.first, place.second, a))
        fail(fmt::format("particle outside the domain: x[{}] = {} m", a, x[k]), p);
      at[axis] = static_cast<std::int32_t>(place.first);
      r[R::offset + axis] = static_cast<T>(place.second);
      r[R::v + axis] = stored(v[k], "v", p);
    }
    r[R::mass] = stored_positive(mass[p], "mass", p);
    r[R::volume] = stored_positive(volume[p], "volume", p);
    r[R::flags] = static_cast<T>(4.0 * material[p] + (plastic_case != nullptr ? (*plastic_case)[p] : 0.0));
    r[R::q] = stored(q[p], "q", p);
    r[R::v_c] = stored(v_c[p], "v_c", p);
    for (std::size_t k = 0; k < dim * dim; ++k)
      r[R::C + k] = affine_ ? stored(C[dim * dim * p + k], "C", p) : T{0};
    if (strain != nullptr) {
      for (std::size_t k = 0; k < R::symmetric; ++k)
        r[R::strain + k] = stored((*strain)[R::symmetric * p + k], "strain", p);
    } else if (law_ == Law::water) {
      r[R::strain] = stored(std::log(J[p]), "ln J", p);
    } else {
      Mat<dim> gradient;
      for (int a = 0; a < dim; ++a)
        for (int b = 0; b < dim; ++b)
          gradient(a, b) = F[dim * dim * p + static_cast<std::size_t>(dim * a + b)];
      const Mat<dim> eps = hencky_strain<dim>(gradient);
      for (int a = 0; a < dim; ++a)
        for (int b = a; b < dim; ++b)
          r[R::strain + symmetric_index<dim>(a, b)] = stored(eps(a, b), "ln(F F^T)/2", p);
    }
    all.push_back({places_.key_of(at.data()), slot, slot, static_cast<std::uint8_t>(B::code(at.data()))});
  }
}

/// Node fields of a snapshot at p2g … friction.
template <class T, int dim>
void Twin<T, dim>::read_nodes(const Snapshot& s) {
  const auto& grid = particles_.order.grid();
  const std::size_t values = grid.node_blocks() * B::node_values;
  nodes_.make_room(grid.node_blocks(), true, has_friction_);
  nodes_.before.resize(values);
  nodes_.tilde.resize(values);
  for (Buffer<T>* b : {&nodes_.star, &nodes_.before, &nodes_.bar, &nodes_.tilde})
    std::fill(b->begin(), b->end(), T{0});
  const auto& m_i = s.get(field::m_i).value;
  const auto vectors = [&](std::string_view name) -> const double* {
    const Field* f = s.find(name);
    return f == nullptr ? nullptr : f->value.data();
  };
  const double* p_i = vectors(field::p_i);
  const double* p_star = vectors(field::p_star);
  const double* p_bar = vectors(field::p_bar);
  const double* p_tilde = vectors(field::p_tilde);
  const double* v_bar = vectors(native_bar);
  const double* v_tilde = vectors(native_tilde);
  for (std::size_t k = 0; k < s.count(Place::node); ++k) {
    const auto index = scene_.grid.node_index(s.ids(Place::node)[k]);
    std::int32_t place[3];
    for (std::size_t a = 0; a < 3; ++a)
      place[a] = static_cast<std::int32_t>(index[a] + scene_.grid.margin_of(static_cast<int>(a)));
    const std::uint32_t n = grid.find_nodes(places_.key_of(place));
    // A node that none of our stencils reaches carries nothing that a particle could feel.
    if (n == no_block || !(m_i[k] > 0.0)) continue;
    const std::size_t v = n * B::node_values + 4 * std::size_t{B::code(place)};
    nodes_.star[v] = nodes_.before[v] = static_cast<T>(m_i[k]);
    for (std::size_t c = 0; c < dim; ++c) {
      const std::size_t from = dim * k + c;
      if (p_i != nullptr) nodes_.before[v + 1 + c] = static_cast<T>(p_i[from]);
      if (p_star != nullptr) nodes_.star[v + 1 + c] = static_cast<T>(p_star[from]);
      if (p_bar != nullptr)
        nodes_.bar[v + 1 + c] = static_cast<T>(v_bar != nullptr ? v_bar[from] : p_bar[from] / m_i[k]);
      if (p_tilde != nullptr) {
        nodes_.tilde[v + 1 + c] = static_cast<T>(v_tilde != nullptr ? v_tilde[from] : p_tilde[from] / m_i[k]);
        if (nodes_.tilde[v + 1 + c] != nodes_.bar[v + 1 + c]) nodes_.split[n] = 1;
      }
    }
  }
}

/// What follows from the particles: their largest speed, and how many threads they are worth.
template <class T, int dim>
void Twin<T, dim>::particles_changed() {
  team_ = asked_.part_for(particle_ns * static_cast<double>(particles_.size()));
  step_.max_speed = particles_.largest_speed();
}

template <class T, int dim>
void Twin<T, dim>::load(const Snapshot& s) {
  require_loadable(s, scene_, method::mpm, boundaries());
  require_own(s, 0, -1);
  const int at = stage_of(s.at);
  std::vector<Mover> all;
  // Empty, in case a particle's place or strain is refused below.
  particles_.resize(0);
  particles_.order.build({});
  step_.at = step_start;
  read_particles(s, 0, -1, all);
  particles_.ids.load(s);
  for (auto& movers : particles_.movers) movers.clear();
  particles_.order.build(std::move(all));
  particles_.store_in_order();
  step_.at = at;
  step_.time = s.time;
  step_.dt = s.dt;
  step_.done = s.step;
  nodes_.momentum_loaded = step_.at == p2g && s.find(native_strain) == nullptr;
  if (step_.at >= p2g && step_.at <= friction) read_nodes(s);
  if (step_.at == g2p) {
    constexpr std::size_t size = dim + dim * dim;
    particles_.between.resize(particles_.size() * size);
    const auto& v_bar = s.get(field::v_bar).value;
    const auto& grad_v = s.get(field::grad_v).value;
    for (std::size_t slot = 0; slot < particles_.size(); ++slot) {
      const std::size_t p = particles_.place[slot];
      for (std::size_t k = 0; k < dim; ++k)
        particles_.between[size * slot + k] = static_cast<T>(v_bar[dim * p + k]);
      for (std::size_t k = 0; k < dim * dim; ++k)
        particles_.between[size * slot + dim + k] = static_cast<T>(grad_v[dim * dim * p + k]);
    }
  }
  particles_changed();
}

template <class T, int dim>
void Twin<T, dim>::append(const Snapshot& particles) {
  if (step_.at != step_start && step_.at != plasticity)
    throw std::logic_error("particles are added at the start of a step");
  require_appendable(particles, scene_, method::mpm, particles_.ids.next());
  add(particles, particles_.ids.next());
}

template <class T, int dim>
void Twin<T, dim>::add(const Snapshot& particles, std::int64_t first_id) {
  const std::size_t before = particles_.size();
  require_own(particles, before, first_id);
  begin_step();
  std::vector<Mover> all = particles_.present();
  try {
    read_particles(particles, before, first_id, all);
  } catch (...) {
    particles_.resize(before);
    throw;
  }
  particles_.ids.append(particles.particles());
  particles_.order.build(std::move(all));
  particles_.store_in_order();
  particles_changed();
}

template class Twin<float, 2>;
template class Twin<float, 3>;
template class Twin<double, 2>;
template class Twin<double, 3>;

}  // namespace repose::optimized
