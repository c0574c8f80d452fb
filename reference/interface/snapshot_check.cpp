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

std::string_view plural_of(Place place) {
  return place == Place::particle ? "particles" : place == Place::node ? "nodes" : "state";
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

void require_nodes(const Snapshot& snapshot, const Grid& grid, bool has_nodes) {
  const auto& node = snapshot.node;
  if (node.empty()) return;
  if (!has_nodes) refuse("{} nodes in a snapshot at {}, where there are none", node.size(), snapshot.at);
  const auto outside = [&](std::int64_t id) {
    return id < 0 || grid.node_index(id)[0] + grid.margin_of(0) >= grid.nodes(0);
  };
  for (const std::int64_t id : {node.front(), node.back()})
    if (outside(id)) refuse("node {} is not one of the grid", id);
  const auto fall = std::adjacent_find(node.begin(), node.end(), [](auto a, auto b) { return a >= b; });
  if (fall != node.end()) refuse("node {} follows {}: they must ascend", *(fall + 1), *fall);
}

void require_method(const Snapshot& snapshot, const method::Method& method) {
  if (snapshot.method != method.name)
    refuse("a state of method '{}', not of '{}'", snapshot.method, method.name);
}

void require_state(const Snapshot& snapshot, const Scene& scene, const method::Method& method,
                   std::size_t present) {
  require_moment(snapshot);
  require_nodes(snapshot, scene.grid, has(method, snapshot.at, Place::node));
  for (const method::FieldRow* row : fields_at(method, snapshot.at))
    require_field(snapshot, row->name, row->place, components(*row, scene.dim()), present);
  require_positive(snapshot, field::mass, "kg", present);
  method.check(snapshot, scene, present);
}

}  // namespace

void require_loadable(const Snapshot& snapshot, const Scene& scene, const method::Method& method,
                      std::span<const Boundary> boundaries) {
  require_method(snapshot, method);
  if (std::find(boundaries.begin(), boundaries.end(), snapshot.at) == boundaries.end())
    refuse("no boundary '{}'", snapshot.at);
  require_state(snapshot, scene, method, 0);
}

void require_appendable(const Snapshot& particles, const Scene& scene, const method::Method& method,
                        std::size_t present) {
  require_method(particles, method);
  if (particles.at != boundary::step_start)
    refuse("particles can be added at step_start only, not at {}", particles.at);
  require_state(particles, scene, method, present);
}

void require_positive(const Snapshot& snapshot, std::string_view name, std::string_view unit,
                      std::size_t present) {
  const auto& value = snapshot.get(name).value;
  const auto bad = std::find_if(value.begin(), value.end(), [](double number) { return !(number > 0.0); });
  if (bad == value.end()) return;
  blame(fmt::format("particle {} {} {} is not > 0", name, *bad, unit),
        static_cast<std::int64_t>(present) + (bad - value.begin()), snapshot);
}

void require_field(const Snapshot& snapshot, std::string_view name, Place place, int components,
                   std::size_t present) {
  const Field* found = snapshot.find(name);
  if (found == nullptr) refuse("no field '{}' in a snapshot at {}", name, snapshot.at);
  const auto k = static_cast<std::size_t>(components);
  const bool of_nodes = place == Place::node;
  const std::size_t count = of_nodes ? snapshot.node.size() : snapshot.particles();
  const auto& value = found->value;
  if (found->place != place || found->components != components || value.size() != k * count) {
    refuse("field '{}' has {} numbers, {} per element of the {}; {} {} need {}, {} each", name, value.size(),
           found->components, plural_of(found->place), count, plural_of(place), k * count, k);
  }
  if (all_finite(value)) return;
  const auto bad =
      std::find_if(value.begin(), value.end(), [](double number) { return !std::isfinite(number); });
  const auto element = static_cast<std::size_t>(bad - value.begin()) / k;
  if (of_nodes)
    blame(fmt::format("the field '{}' is not finite at node {}", name, snapshot.node[element]), -1, snapshot);
  blame(fmt::format("the field '{}' is not finite", name), static_cast<std::int64_t>(present + element),
        snapshot);
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
