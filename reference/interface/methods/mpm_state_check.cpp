#include "reference/interface/methods/mpm_state_check.h"

#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/snapshot_check.h"

#include <fmt/format.h>
#include <Eigen/LU>

#include <cmath>
#include <stdexcept>

namespace repose::method {

namespace {

void require_indices(const Snapshot& snapshot, const Scene& scene, std::int64_t first) {
  const auto is_below = [](double number, std::size_t count) {
    return number >= 0.0 && number < static_cast<double>(count) && number == std::floor(number);
  };
  for (const double index : snapshot.get(field::material).value)
    if (!is_below(index, scene.materials.size()))
      throw std::invalid_argument(
          fmt::format("material {} does not exist: the scene has {}", index, scene.materials.size()));
  constexpr std::size_t cases = 4;
  const Field* found = snapshot.find(field::plastic_case);
  if (found == nullptr) return;
  require_field(snapshot, field::plastic_case, Place::particle, 1, first);
  for (const double number : found->value)
    if (!is_below(number, cases))
      throw std::invalid_argument(fmt::format("plastic case {} is none of 0, 1, 2, 3", number));
}

/// A particle is deformed in its material's own measure: J of water, F of all else.
void require_own_measure(const Method& method, const Snapshot& snapshot, const Scene& scene,
                         std::int64_t first) {
  const auto refuse = [&](std::string_view what, std::size_t p) {
    throw SimulationError(std::string(what), snapshot.id(Place::particle, p, first), snapshot.step,
                          snapshot.at);
  };
  const bool is_trial = holds(method, field_row(method, field::F_trial), snapshot.at);
  const Field& F = snapshot.get(is_trial ? field::F_trial : field::F);
  const auto size = static_cast<std::size_t>(F.components);
  const auto diagonal = static_cast<std::size_t>(scene.dim() + 1);
  const auto& J = snapshot.get(field::J).value;
  const auto& material = snapshot.get(field::material).value;
  for (std::size_t p = 0; p < J.size(); ++p) {
    const bool water = scene.materials.at(static_cast<std::size_t>(material[p])).kind == MaterialKind::water;
    if (!(J[p] > 0.0)) refuse(fmt::format("inverted particle: J = {}", J[p]), p);
    if (!water && J[p] != 1.0) refuse(fmt::format("J = {} of a particle that is no water", J[p]), p);
    for (std::size_t i = 0; water && i < size; ++i)
      if (F.value[p * size + i] != (i % diagonal == 0 ? 1.0 : 0.0))
        refuse("F of a particle of water is not 1: J is its measure", p);
  }
}

template <int d>
void require_orientation(const Method& method, const Snapshot& snapshot, std::int64_t first) {
  const bool is_trial = holds(method, field_row(method, field::F_trial), snapshot.at);
  const auto& value = snapshot.get(is_trial ? field::F_trial : field::F).value;
  constexpr auto size = static_cast<std::size_t>(d * d);
  for (std::size_t p = 0; p < value.size() / size; ++p) {
    // Transposed, as the determinant does not mind.
    const double det = Eigen::Map<const Mat<d>>(value.data() + size * p).determinant();
    if (!(det > 0.0))
      throw SimulationError(fmt::format("inverted particle: det F = {}", det),
                            snapshot.id(Place::particle, p, first), snapshot.step, snapshot.at);
  }
}

/// Along a periodic axis a place has one coordinate.
void require_wrapped(const Snapshot& snapshot, const Grid& grid, std::int64_t first) {
  if (!grid.any_periodic()) return;
  const auto& x = snapshot.get(field::x).value;
  const auto d = static_cast<std::size_t>(grid.dim);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const int axis = static_cast<int>(i % d);
    const double low = grid.domain_min[axis];
    const double high = grid.domain_max()[axis];
    if (!grid.is_periodic(axis) || (x[i] >= low && x[i] < high)) continue;
    throw SimulationError(fmt::format("{} = {} m lies outside of [{}, {}), the domain along a periodic axis",
                                      "xyz"[axis], x[i], low, high),
                          snapshot.id(Place::particle, i / d, first), snapshot.step, snapshot.at);
  }
}

void require_node_masses(const Snapshot& snapshot, std::string_view name) {
  const auto& mass = snapshot.get(name).value;
  for (std::size_t n = 0; n < mass.size(); ++n)
    if (mass[n] < 0.0)
      throw SimulationError(
          fmt::format("mass {} kg of node {} is negative", mass[n], snapshot.ids(Place::node)[n]), -1,
          snapshot.step, snapshot.at);
}

}  // namespace

void check_mpm_state(const Snapshot& snapshot, const Scene& scene, std::int64_t first) {
  check_material_points(mpm, snapshot, scene, first);
}

void check_material_points(const Method& method, const Snapshot& snapshot, const Scene& scene,
                           std::int64_t first) {
  require_positive(snapshot, field::volume, unit(field_row(method, field::volume), scene.dim()), first);
  require_indices(snapshot, scene, first);
  require_wrapped(snapshot, scene.grid, first);
  require_own_measure(method, snapshot, scene, first);
  if (scene.dim() == 2) require_orientation<2>(method, snapshot, first);
  if (scene.dim() == 3) require_orientation<3>(method, snapshot, first);
  if (has(method, snapshot.at, Place::node)) require_node_masses(snapshot, field::m_i);
}

}  // namespace repose::method
