#include "reference/interface/methods/mixture_state_check.h"

#include "reference/interface/base/error.h"
#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mpm_state_check.h"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

namespace repose::method {

namespace {

/// Of a field that states at the snapshot's boundary have.
void require_within(const Snapshot& snapshot, std::string_view name, double least, double most,
                    std::int64_t first) {
  if (!holds(mixture, field_row(mixture, name), snapshot.at)) return;
  const Field& field = snapshot.get(name);
  for (std::size_t e = 0; e < field.value.size(); ++e) {
    const double value = field.value[e];
    if (value >= least && value <= most) continue;
    const std::string what = fmt::format("{} = {} is not in [{}, {}]", name, value, least, most);
    if (field.place == Place::particle)
      throw SimulationError(what, snapshot.id(Place::particle, e, first), snapshot.step, snapshot.at);
    throw SimulationError(fmt::format("{} at node {}", what, snapshot.ids(Place::node).at(e)), -1,
                          snapshot.step, snapshot.at);
  }
}

}  // namespace

void check_mixture_state(const Snapshot& snapshot, const Scene& scene, std::int64_t first) {
  check_material_points(mixture, snapshot, scene, first);
  constexpr double finite = std::numeric_limits<double>::max();
  require_within(snapshot, field::c_C, 0.0, finite, first);
  require_within(snapshot, field::phi_p, 0.0, 1.0, first);
  require_within(snapshot, field::m_i_w, 0.0, finite, first);
  if (const Field* phi = snapshot.find(field::phi_i);
      phi != nullptr && holds(mixture, field_row(mixture, field::phi_i), snapshot.at))
    for (const double value : phi->value)
      if (value != 0.0 && value != 1.0)
        throw std::invalid_argument(fmt::format("{} = {} is neither 0 nor 1", field::phi_i, value));
}

}  // namespace repose::method
