#include "optimized/mixture/mixture_twin.h"
#include "optimized/mpm/fields.h"
#include "reference/interface/base/error.h"
#include "reference/interface/methods/mixture.h"
#include "reference/interface/snapshot_check.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace repose::optimized {

using mixture::Members;
using mixture::Phase;

namespace {

constexpr std::string_view native_phi = "native.optimized.phi_p";
constexpr std::string_view of_water = "_w";

bool is_native(const Field& field) { return field.name.starts_with(field::native_prefix); }

/// Gives a phase's part what the solver stored itself.
void add_native(Snapshot& part, const Snapshot& whole, const Members& members, Phase phase) {
  for (const Field& field : whole.fields) {
    if (!is_native(field) || field.name == native_phi) continue;
    std::string name = field.name;
    if (field.place == Place::node) {
      if (name.ends_with(of_water) != (phase == Phase::water)) continue;
      if (phase == Phase::water) name.resize(name.size() - of_water.size());
    }
    require_field(whole, field.name, field.place, field.components);
    part.set({name, field.unit, field.place, field.components,
              mixture::picked(field.value, field.components, members.of(field.place))});
  }
}

}  // namespace

template <class T, int dim>
void MixtureTwin<T, dim>::load(const Snapshot& s) {
  require_loadable(s, scene_, method::mixture, boundaries_);
  const int at = place_of(s.at);
  ids_.load(s);
  for (const Phase phase : mixture::phases) {
    const Members own = members(s, scene_, phase);
    Snapshot own_part = mixture::part_of(s, own, phase);
    add_native(own_part, s, own, phase);
    part(phase).load_part(own_part, own, mixture::picked(s.get(field::c_C).value, 1, own.particles));
  }
  step_ = {.at = at, .time = s.time, .dt = s.dt, .done = s.step};
  share_team();
  listed_.clear();
  if (at >= At::p2g && at <= At::saturation) read_listed(s);
  read_saturation(s, members(s, scene_, Phase::solid));
}

/// φ_p of each grain, where a state at its boundary tells or decides it.
template <class T, int dim>
void MixtureTwin<T, dim>::read_saturation(const Snapshot& s, const Members& solid) {
  auto& particles = solid_.particles_;
  const bool decides = step_.at == At::update;
  const Field* const told = decides                      ? s.find(native_phi)
                            : step_.at >= At::saturation ? &s.get(field::phi_p)
                                                         : nullptr;
  if (told != nullptr) {
    if (decides) require_field(s, native_phi, Place::particle, 1);
    for (std::size_t slot = 0; slot < particles.size(); ++slot)
      particles.wetness[slot].phi = static_cast<T>(told->value[solid.particles[particles.place[slot]]]);
  }
  if (!decides) return;
  const auto& x = s.get(field::x_n).value;
  for (const Phase phase : mixture::phases)
    x_n_[static_cast<std::size_t>(phase)] = mixture::picked(x, dim, part(phase).among());
  std::vector<std::array<std::int32_t, 3>> bases(particles.size());
  std::vector<T> offsets(dim * particles.size());
  std::vector<std::size_t> slots(particles.size());
  for (std::size_t slot = 0; slot < slots.size(); ++slot) slots[particles.place[slot]] = slot;
  for (const Phase phase : mixture::phases) {
    const auto& among = part(phase).among();
    for (std::size_t p = 0; p < among.size(); ++p) {
      for (std::size_t a = 0; a < dim; ++a) {
        const int axis = static_cast<int>(a);
        const auto [base, offset] = solid_.places_.split(x[dim * among[p] + a], axis);
        if (!solid_.places_.on_axis(base, axis) || !solid_.places_.inside(base, offset, axis))
          throw SimulationError(
              fmt::format("particle outside the domain: x_n[{}] = {} m", a, x[dim * among[p] + a]),
              ids_.of(among[p]), s.step, s.at);
        if (phase == Phase::water) continue;
        bases[slots[p]][a] = static_cast<std::int32_t>(base);
        offsets[dim * slots[p] + a] = static_cast<T>(offset);
      }
    }
  }
  if (told == nullptr) saturate_by_list(bases, offsets);
}

template <class T, int dim>
void MixtureTwin<T, dim>::append(const Snapshot& particles) {
  if (step_.at != At::step_start && step_.at != At::plasticity)
    throw std::logic_error("particles are added at the start of a step");
  require_appendable(particles, scene_, method::mixture, ids_.next());
  begin_step();
  const std::size_t before = ids_.size();
  const std::int64_t first = ids_.next();
  ids_.append(particles.particles());
  Snapshot named = particles;
  for (std::size_t p = 0; p < particles.particles(); ++p)
    named.ids(Place::particle).push_back(first + static_cast<std::int64_t>(p));
  for (const Phase phase : mixture::phases) {
    const Members own = members(particles, scene_, phase);
    Snapshot own_part = mixture::part_of(named, own, phase);
    add_native(own_part, particles, own, phase);
    part(phase).append_part(own_part, own, before,
                            mixture::picked(particles.get(field::c_C).value, 1, own.particles));
  }
  share_team();
}

/// Places now, in the phase's order [m].
template <class T, int dim>
std::vector<double> MixtureTwin<T, dim>::places(const Part& own) const {
  const auto base = own.bases();
  std::vector<double> x(dim * own.particles());
  for (std::uint32_t slot = 0; slot < own.particles(); ++slot)
    for (std::size_t a = 0; a < dim; ++a)
      x[dim * own.particles_.place[slot] + a] = own.position(base[slot], slot, a);
  return x;
}

template <class T, int dim>
std::vector<double> MixtureTwin<T, dim>::positions() const {
  if (step_.at != At::step_start && step_.at != At::plasticity)
    throw std::invalid_argument("the solver does not stand at a step's start");
  std::vector<double> x(dim * particles());
  for (const Phase phase : mixture::phases) {
    const std::vector<double> own = places(part(phase));
    const auto& among = part(phase).among();
    for (std::size_t p = 0; p < among.size(); ++p)
      for (std::size_t a = 0; a < dim; ++a) x[dim * among[p] + a] = own[dim * p + a];
  }
  return x;
}

/// A phase's fields at the places of its elements.
template <class T, int dim>
void MixtureTwin<T, dim>::put_back(Snapshot& s, Phase phase, bool native) const {
  Members own{part(phase).among(), {}};
  for (std::size_t n = 0; n < listed_.size(); ++n)
    if (listed_[n].m[static_cast<std::size_t>(phase)] > 0.0) own.nodes.push_back(n);
  const Snapshot saved = part(phase).save(mixture::boundary_of_part(s.at), native);
  mixture::put_back(s, saved, own, phase);
  for (const Field& field : saved.fields) {
    if (!is_native(field)) continue;
    const bool of_nodes = field.place == Place::node;
    const std::string name = field.name + std::string(of_nodes && phase == Phase::water ? of_water : "");
    const auto k = static_cast<std::size_t>(field.components);
    if (s.find(name) == nullptr)
      s.set({name, field.unit, field.place, field.components,
             std::vector<double>(k * (of_nodes ? listed_.size() : particles()))});
    auto& whole = s.get(name).value;
    const auto& elements = own.of(field.place);
    for (std::size_t e = 0; e < elements.size(); ++e)
      for (std::size_t c = 0; c < k; ++c) whole[k * elements[e] + c] = field.value[k * e + c];
  }
}

/// What grains have besides, and where they were.
template <class T, int dim>
void MixtureTwin<T, dim>::write_grains(Snapshot& s, bool native) const {
  const auto& grains = solid_.particles_;
  const bool pending = native && s.at == boundary::update;
  if (pending) s.set({std::string(native_phi), "-", Place::particle, 1, std::vector<double>(particles())});
  const auto write = [&](std::string_view name, auto value) {
    if (s.find(name) == nullptr) return;
    auto& whole = s.get(name).value;
    for (std::size_t slot = 0; slot < grains.size(); ++slot)
      whole[solid_.among()[grains.place[slot]]] = static_cast<double>(value(grains.wetness[slot]));
  };
  write(field::c_C, [](const Wetness<T>& one) { return one.c_C; });
  write(pending ? native_phi : field::phi_p, [](const Wetness<T>& one) { return one.phi; });
  if (s.find(field::x_n) == nullptr) return;
  auto& x_n = s.get(field::x_n).value;
  for (const Phase phase : mixture::phases) {
    const auto& among = part(phase).among();
    const auto& own = x_n_[static_cast<std::size_t>(phase)];
    for (std::size_t p = 0; p < among.size(); ++p)
      for (std::size_t a = 0; a < dim; ++a) x_n[dim * among[p] + a] = own[dim * p + a];
  }
}

template <class T, int dim>
Snapshot MixtureTwin<T, dim>::save(Boundary at, bool native) const {
  const bool next_step = at == boundary::step_start && step_.at == At::plasticity;
  if (at != stops_[static_cast<std::size_t>(step_.at)] && !next_step)
    throw std::invalid_argument("the solver does not stand at '" + std::string(at) + "'");
  Snapshot s;
  s.method = method::mixture.name;
  s.at = at;
  s.dt = step_.dt;
  s.time = next_step ? time() : step_.time;
  s.step = next_step ? steps() : step_.done;
  ids_.save(s);
  const bool has_nodes = method::has(method::mixture, at, Place::node);
  if (has_nodes)
    for (const MixedNode& node : listed_) s.ids(Place::node).push_back(node.id);
  for (const method::FieldRow* row : method::fields_at(method::mixture, at))
    s.set(method::blank(*row, dim, row->place == Place::node ? listed_.size() : particles()));
  for (const Phase phase : mixture::phases) put_back(s, phase, native);
  if (has_nodes) write_listed(s);
  write_grains(s, native);
  return s;
}

template class MixtureTwin<float, 2>;
template class MixtureTwin<float, 3>;
template class MixtureTwin<double, 2>;
template class MixtureTwin<double, 3>;

}  // namespace repose::optimized
