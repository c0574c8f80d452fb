#include "reference/interface/snapshot_check.h"

#include "reference/interface/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace repose {

namespace {

template <class... Arguments>
[[noreturn]] void refuse(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw std::invalid_argument(fmt::format(text, std::forward<Arguments>(arguments)...));
}

/// Looked for by bits, so that the loop has no branch and no order of additions.
bool all_finite(const std::vector<double>& values) {
  constexpr std::uint64_t exponent = 0x7ff0000000000000U;
  bool bad = false;
  for (const double value : values) bad |= (std::bit_cast<std::uint64_t>(value) & exponent) == exponent;
  return !bad;
}

[[noreturn]] void blame(const std::string& what, std::int64_t particle, const Snapshot& snapshot) {
  throw SimulationError(what, particle, snapshot.step, snapshot.at);
}

void require_moment(const Snapshot& snapshot) {
  for (const auto& [name, value] : {std::pair{"time", snapshot.time}, std::pair{"dt", snapshot.dt}})
    if (!(value >= 0.0) || std::isinf(value)) refuse("{} = {} s is not in [0, inf)", name, value);
  if (snapshot.step < 0) refuse("step = {} is negative", snapshot.step);
}

/// Ids of one kind of elements.
void require_ids(const Snapshot& snapshot, const Grid& grid, Place place, bool has_place) {
  const auto& ids = snapshot.ids(place);
  if (ids.empty()) return;
  const auto& [self, one, several] = names::of(place);
  if (!has_place) refuse("{} {} in a snapshot at {}, where there are none", ids.size(), several, snapshot.at);
  const auto fall = std::adjacent_find(ids.begin(), ids.end(), [](auto a, auto b) { return a >= b; });
  if (fall != ids.end()) refuse("{} {} follows {}: they must ascend", one, *(fall + 1), *fall);
  if (!on_grid(place)) {
    if (ids.front() < 0) refuse("{} {} is negative", one, ids.front());
    return;
  }
  const auto outside =
      std::find_if(ids.begin(), ids.end(), [&](std::int64_t id) { return !grid.has(place, id); });
  if (outside != ids.end()) refuse("{} {} is not one of the grid", one, *outside);
}

void require_sets(const Snapshot& snapshot, const Scene& scene, const method::Method& method) {
  for (const names::PlaceName& kind : names::places)
    require_ids(snapshot, scene.grid, kind.place, has(method, snapshot.at, kind.place));
  if (!snapshot.ids(Place::scene).empty()) refuse("the scene is one element and has no list of ids");
  const std::size_t listed = snapshot.ids(Place::particle).size();
  if (listed != 0 && listed != snapshot.particles())
    refuse("{} ids of {} particles", listed, snapshot.particles());
  if (snapshot.next_id < 0 || (snapshot.next_id > 0 && snapshot.next_id != snapshot.next_particle()))
    refuse("next_id = {} is not behind the last particle, whose id is {}", snapshot.next_id,
           snapshot.next_particle() - 1);
}

void require_method(const Snapshot& snapshot, const method::Method& method) {
  if (snapshot.method != method.name)
    refuse("a state of method '{}', not of '{}'", snapshot.method, method.name);
}

/// @param added particles alone, behind others
void require_state(const Snapshot& snapshot, const Scene& scene, const method::Method& method,
                   std::int64_t first, bool added) {
  require_moment(snapshot);
  require_sets(snapshot, scene, method);
  for (const method::FieldRow* row : fields_at(method, snapshot.at))
    if (!added || row->place == Place::particle)
      require_field(snapshot, row->name, row->place, components(*row, scene.dim()), first);
  require_positive(snapshot, field::mass, "kg", first);
  method.check(snapshot, scene, first);
}

}  // namespace

void require_loadable(const Snapshot& snapshot, const Scene& scene, const method::Method& method,
                      std::span<const Boundary> boundaries) {
  require_method(snapshot, method);
  if (std::find(boundaries.begin(), boundaries.end(), snapshot.at) == boundaries.end())
    refuse("no boundary '{}'", snapshot.at);
  require_state(snapshot, scene, method, -1, false);
}

void require_appendable(const Snapshot& particles, const Scene& scene, const method::Method& method,
                        std::int64_t next_id) {
  require_method(particles, method);
  for (const auto& [place, one, several] : names::places)
    if (place != Place::particle && !particles.ids(place).empty())
      refuse("{} beside particles that are added", several);
  if (particles.at != boundary::step_start)
    refuse("particles can be added at step_start only, not at {}", particles.at);
  require_state(particles, scene, method, next_id, true);
}

void require_positive(const Snapshot& snapshot, std::string_view name, std::string_view unit,
                      std::int64_t first) {
  const auto& value = snapshot.get(name).value;
  const auto bad = std::find_if(value.begin(), value.end(), [](double number) { return !(number > 0.0); });
  if (bad == value.end()) return;
  blame(fmt::format("particle {} {} {} is not > 0", name, *bad, unit),
        snapshot.id(Place::particle, static_cast<std::size_t>(bad - value.begin()), first), snapshot);
}

void require_field(const Snapshot& snapshot, std::string_view name, Place place, int components,
                   std::int64_t first) {
  const Field* found = snapshot.find(name);
  if (found == nullptr) refuse("no field '{}' in a snapshot at {}", name, snapshot.at);
  const auto k = static_cast<std::size_t>(components);
  const std::size_t count = snapshot.count(place);
  const auto& value = found->value;
  if (found->place != place || found->components != components || value.size() != k * count) {
    refuse("field '{}' has {} numbers, {} per element of the {}; {} {} need {}, {} each", name, value.size(),
           found->components, names::of(found->place).several, count, names::of(place).several, k * count, k);
  }
  if (all_finite(value)) return;
  const auto bad =
      std::find_if(value.begin(), value.end(), [](double number) { return !std::isfinite(number); });
  const auto element = static_cast<std::size_t>(bad - value.begin()) / k;
  if (place == Place::particle)
    blame(fmt::format("the field '{}' is not finite", name), snapshot.id(place, element, first), snapshot);
  if (place == Place::scene) blame(fmt::format("the field '{}' is not finite", name), -1, snapshot);
  blame(fmt::format("the field '{}' is not finite at {} {}", name, names::of(place).one,
                    snapshot.id(place, element)),
        -1, snapshot);
}

void load_from_file(Solver& solver, const Snapshot& snapshot, std::string_view file) {
  const auto refuse_file = [&](const std::exception& error) {
    throw BadInput(fmt::format("{}: no usable state: {}", file, error.what()));
  };
  try {
    solver.load(snapshot);
  } catch (const SimulationError& error) {
    refuse_file(error);
  } catch (const std::invalid_argument& error) {
    refuse_file(error);
  } catch (const BadInput& error) {
    refuse_file(error);
  }
}

}  // namespace repose
