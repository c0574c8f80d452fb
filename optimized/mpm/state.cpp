#include "optimized/implicit/law_row.h"
#include "optimized/mpm/fields.h"
#include "optimized/mpm/hencky.h"
#include "optimized/mpm/twin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace repose::optimized {

namespace {

/// An implicit step has nothing between forces and collisions.
constexpr std::array<Boundary, 7> implicit_names{boundary::step_start, boundary::p2g, boundary::collisions,
                                                 boundary::friction,   boundary::g2p, boundary::update,
                                                 boundary::plasticity};

}  // namespace

template <class T, int dim>
Twin<T, dim>::Twin(const Scene& scene, const SolverOptions& options)
    : scene_(scene),
      asked_(options.threads, options.all_threads),
      nodes_per_axis_(scene.kernel == Kernel::cubic ? 4 : 3),
      affine_(scene.transfer == Transfer::apic),
      keep_(static_cast<T>(scene.transfer == Transfer::flip       ? 1.0
                           : scene.transfer == Transfer::flip_pic ? scene.flip_share
                                                                  : 0.0)),
      kernels_(kernels<T, dim>(options.simd)),
      implicit_kernels_(implicit_kernels<dim>(options.simd)),
      places_(scene) {
  for (const Material& m : scene_.materials) {
    // α among them: [Klar16 Eq.31]
    const LawRow<double> in_double = law_row(m, dim);
    LawRow<T> row;
    const double* from = &in_double.two_mu;
    T* to = &row.two_mu;
    for (std::size_t v = 0; v < LawRow<T>::values; ++v) to[v] = static_cast<T>(from[v]);
    laws_.push_back(row);
    if (m.law == Law::drucker_prager && (m.friction.h1 != 0.0 || m.friction.h3 != 0.0)) hardening_ = true;
  }
  for (const Collider& c : scene_.colliders)
    has_friction_ = has_friction_ || (c.contact != Contact::sticky && c.friction > 0.0);
}

template <class T, int dim>
std::span<const Boundary> Twin<T, dim>::boundaries() const {
  if (implicit()) return implicit_names;
  return stops;
}

/// @throws std::invalid_argument if a step of the scene has no such boundary
template <class T, int dim>
int Twin<T, dim>::stage_of(Boundary boundary) const {
  const auto found = std::find(stops.begin(), stops.end(), boundary);
  if (found == stops.end() || (implicit() && boundary == boundary::forces))
    throw std::invalid_argument("no boundary '" + std::string(boundary) + "'");
  return static_cast<int>(found - stops.begin());
}

template <class T, int dim>
Rounding Twin<T, dim>::rounding() const {
  // Offsets lie in [−½, ½]: half a unit in the last place of ½ is u/2, once when stored and once when moved. Positions
  // are handed out in double.
  const double unit = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2.0;
  const double largest = std::max(scene_.grid.domain_min.cwiseAbs().maxCoeff(),
                                  scene_.grid.domain_max().cwiseAbs().maxCoeff());
  return {.unit = unit,
          .position = scene_.grid.h * unit + largest * std::numeric_limits<double>::epsilon(),
          .strain = "hencky"};
}

/// Particles of a snapshot into the records from `first` on.
template <class T, int dim>
void Twin<T, dim>::read_particles(const Snapshot& s, std::size_t first, std::vector<Mover>& all) {
  const std::size_t count = s.particles();
  if (first + count > std::numeric_limits<std::uint32_t>::max()) throw BadInput("more than 2^32 − 1 particles");
  records_.resize(R::size * (first + count));
  id_.resize(first + count);
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
  const auto& F = values(s.find(field::F) != nullptr ? field::F : field::F_trial);
  const auto* plastic_case = optional(field::plastic_case);
  const auto* offset = optional(native_offset);
  const auto* base = optional(native_base);
  const auto* strain = optional(native_strain);

  const auto finite = [&](double value, std::string_view what, std::size_t p) {
    if (!std::isfinite(value))
      throw SimulationError(fmt::format("{} = {} is not finite", what, value),
                            static_cast<std::int64_t>(first + p), s.step, s.at);
    return static_cast<T>(value);
  };
  for (std::size_t p = 0; p < count; ++p) {
    const auto slot = static_cast<std::uint32_t>(first + p);
    T* r = record(slot);
    std::fill_n(r, R::size, T{0});
    id_[slot] = slot;
    std::array<std::int32_t, 3> at{0, 0, 0};
    for (int a = 0; a < dim; ++a) {
      const auto axis = static_cast<std::size_t>(a);
      const std::size_t k = dim * p + axis;
      finite(x[k], "x", p);
      const bool native = offset != nullptr && base != nullptr;
      const auto place = native ? std::pair{(*base)[k], (*offset)[k]} : places_.split(x[k], a);
      if (!places_.inside(place.first, place.second, a))
        throw SimulationError(fmt::format("particle outside the domain: x[{}] = {} m", a, x[k]), slot, s.step, s.at);
      at[axis] = static_cast<std::int32_t>(place.first);
      r[R::offset + axis] = static_cast<T>(place.second);
      r[R::v + axis] = finite(v[k], "v", p);
    }
    r[R::mass] = finite(mass[p], "mass", p);
    r[R::volume] = finite(volume[p], "volume", p);
    if (!(material[p] >= 0.0 && material[p] < static_cast<double>(laws_.size())))
      throw BadInput(fmt::format("particle {}: material {} of {}", slot, material[p], laws_.size()));
    r[R::flags] = static_cast<T>(4.0 * material[p] + (plastic_case != nullptr ? (*plastic_case)[p] : 0.0));
    r[R::q] = finite(q[p], "q", p);
    r[R::v_c] = finite(v_c[p], "v_c", p);
    for (std::size_t k = 0; k < dim * dim; ++k) r[R::C + k] = affine_ ? finite(C[dim * dim * p + k], "C", p) : T{0};
    if (strain != nullptr) {
      for (std::size_t k = 0; k < R::symmetric; ++k) r[R::strain + k] = static_cast<T>((*strain)[R::symmetric * p + k]);
    } else {
      Mat<dim> gradient;
      for (int a = 0; a < dim; ++a) {
        for (int b = 0; b < dim; ++b) {
          gradient(a, b) = F[dim * dim * p + static_cast<std::size_t>(dim * a + b)];
          finite(gradient(a, b), "F", p);
        }
      }
      const Mat<dim> eps = hencky_strain<dim>(gradient);
      for (int a = 0; a < dim; ++a)
        for (int b = a; b < dim; ++b) r[R::strain + symmetric_index<dim>(a, b)] = finite(eps(a, b), "ln(F F^T)/2", p);
    }
    all.push_back({places_.key_of(at.data()), slot, slot, static_cast<std::uint8_t>(B::code(at.data()))});
  }
}

/// Node fields of a snapshot at p2g … friction.
template <class T, int dim>
void Twin<T, dim>::read_nodes(const Snapshot& s) {
  const auto& grid = order_.grid();
  const std::size_t values = grid.node_blocks() * B::node_values;
  room_for_nodes(true);
  before_.resize(values);
  tilde_.resize(values);
  for (Buffer<T>* b : {&node_, &before_, &bar_, &tilde_}) std::fill(b->begin(), b->end(), T{0});
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
  for (std::size_t k = 0; k < s.node.size(); ++k) {
    const auto index = scene_.grid.node_index(s.node[k]);
    std::int32_t place[3];
    for (std::size_t a = 0; a < 3; ++a) place[a] = static_cast<std::int32_t>(index[a] + Grid::margin);
    const std::uint32_t n = grid.find_nodes(places_.key_of(place));
    // A node that none of our stencils reaches carries nothing that a particle could feel.
    if (n == no_block || !(m_i[k] > 0.0)) continue;
    const std::size_t v = n * B::node_values + 4 * std::size_t{B::code(place)};
    node_[v] = before_[v] = static_cast<T>(m_i[k]);
    for (std::size_t c = 0; c < dim; ++c) {
      const std::size_t from = dim * k + c;
      if (p_i != nullptr) before_[v + 1 + c] = static_cast<T>(p_i[from]);
      if (p_star != nullptr) node_[v + 1 + c] = static_cast<T>(p_star[from]);
      if (p_bar != nullptr) bar_[v + 1 + c] = static_cast<T>(v_bar != nullptr ? v_bar[from] : p_bar[from] / m_i[k]);
      if (p_tilde != nullptr) {
        tilde_[v + 1 + c] = static_cast<T>(v_tilde != nullptr ? v_tilde[from] : p_tilde[from] / m_i[k]);
        if (tilde_[v + 1 + c] != bar_[v + 1 + c]) split_[n] = 1;
      }
    }
  }
}

/// What follows from the particles: their largest speed, and how many threads they are worth.
template <class T, int dim>
void Twin<T, dim>::particles_changed() {
  team_ = asked_.part_for(particle_ns * static_cast<double>(id_.size()));
  T fastest{0};
  for (std::uint32_t slot = 0; slot < id_.size(); ++slot) {
    const T* v = record(slot) + R::v;
    T speed2{0};
    for (std::size_t c = 0; c < dim; ++c) speed2 += v[c] * v[c];
    fastest = std::max(fastest, speed2);
  }
  max_speed_ = std::sqrt(static_cast<double>(fastest));
}

template <class T, int dim>
void Twin<T, dim>::load(const Snapshot& s) {
  const int at = stage_of(s.at);
  std::vector<Mover> all;
  id_.resize(0);
  records_.resize(0);
  read_particles(s, 0, all);
  for (auto& movers : movers_) movers.clear();
  order_.build(std::move(all));
  store_in_order();
  at_ = at;
  time_ = s.time;
  dt_ = s.dt;
  step_ = s.step;
  momentum_loaded_ = at_ == p2g && s.find(native_strain) == nullptr;
  if (at_ >= p2g && at_ <= friction) read_nodes(s);
  if (at_ == g2p) {
    constexpr std::size_t size = dim + dim * dim;
    between_.resize(id_.size() * size);
    const auto& v_bar = s.get(field::v_bar).value;
    const auto& grad_v = s.get(field::grad_v).value;
    for (std::size_t slot = 0; slot < id_.size(); ++slot) {
      const std::size_t p = id_[slot];
      for (std::size_t k = 0; k < dim; ++k) between_[size * slot + k] = static_cast<T>(v_bar[dim * p + k]);
      for (std::size_t k = 0; k < dim * dim; ++k)
        between_[size * slot + dim + k] = static_cast<T>(grad_v[dim * dim * p + k]);
    }
  }
  particles_changed();
}

/// Every particle with its cell.
template <class T, int dim>
std::vector<Mover> Twin<T, dim>::present() const {
  std::vector<Mover> all;
  all.reserve(id_.size());
  for (std::size_t b = 0; b < order_.grid().blocks(); ++b) {
    for (std::size_t k = order_.begin(b); k < order_.begin(b) + order_.count(b); ++k) {
      const std::uint32_t slot = order_.records()[k];
      all.push_back({order_.grid().keys()[b], id_[slot], slot, order_.codes()[k]});
    }
  }
  return all;
}

template <class T, int dim>
void Twin<T, dim>::append(const Snapshot& particles) {
  if (at_ != step_start && at_ != plasticity) throw std::logic_error("particles are added at the start of a step");
  begin_step();
  std::vector<Mover> all = present();
  read_particles(particles, id_.size(), all);
  order_.build(std::move(all));
  store_in_order();
  particles_changed();
}

template class Twin<float, 2>;
template class Twin<float, 3>;
template class Twin<double, 2>;
template class Twin<double, 3>;

}  // namespace repose::optimized
