#pragma once

#include "reference/interface/base/types.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace repose {

/// A point between two stages of a step, by its name. What states hold there is said by the method's table (method.h).
using Boundary = std::string_view;

namespace boundary {
/// The start of a step, of every method.
inline constexpr Boundary step_start = "step_start";
}  // namespace boundary

/// Names of fields that the particles of every method have. Matrices are row-major, d² components; vectors have d.
namespace field {
inline constexpr std::string_view mass = "mass";  ///< m_p [kg]
inline constexpr std::string_view x = "x";        ///< [m]
/// A solver's own storage, for exact checkpoints
inline constexpr std::string_view native_prefix = "native.";
}  // namespace field

enum class Place : std::uint8_t { particle, node, global };

/// One quantity at all particles (scene order), all active nodes (Snapshot::node order) or once.
struct Field {
  std::string name;
  std::string unit;
  Place place = Place::particle;
  int components = 1;
  std::vector<double> value;  ///< element-major: value[element * components + component]
};

/// A state between two stages of a method's step.
struct Snapshot {
  std::string method;                    ///< its name (methods/all.h)
  std::string at{boundary::step_start};  ///< its boundary
  /// At the start of the step [s]; after plasticity still the start of the step just done
  double time = 0.0;
  double dt = 0.0;                 ///< of the step in progress [s]
  std::int64_t step = 0;           ///< completed steps before this one
  std::vector<std::int64_t> node;  ///< ids (Grid::node_id) of active nodes, ascending
  std::vector<Field> fields;

  /// Number of particles, from the field mass; 0 where there is none.
  std::size_t particles() const;
  const Field* find(std::string_view name) const;
  /// @throws std::out_of_range naming the field
  const Field& get(std::string_view name) const;
  Field& get(std::string_view name);
  /// Adds a field or replaces the one of that name.
  Field& set(Field replacement);
  void erase(std::string_view name);
};

}  // namespace repose
