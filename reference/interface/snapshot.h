#pragma once

#include "reference/interface/base/place.h"

#include <array>
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

/// One quantity at all elements of a set, in the set's order.
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
  /// At the start of the step [s]; behind the last stage still the start of the step just done
  double time = 0.0;
  double dt = 0.0;        ///< of the step in progress [s]
  std::int64_t step = 0;  ///< completed steps before this one
  /// Ids of active elements, ascending, by place. Particles are listed only where their ids are others than 0 … n − 1: a
  /// particle keeps its id, so that those of a state have gaps once some were merged or left. The scene is never listed.
  std::array<std::vector<std::int64_t>, place_kinds> listed;
  /// Id of the next particle to come; 0, or any other that particles of the state have passed: the one behind the last.
  std::int64_t next_id = 0;
  std::vector<Field> fields;

  std::vector<std::int64_t>& ids(Place place) { return listed[static_cast<std::size_t>(place)]; }
  const std::vector<std::int64_t>& ids(Place place) const { return listed[static_cast<std::size_t>(place)]; }

  /// Number of particles, from the field mass; 0 where there is none.
  std::size_t particles() const;
  /// Number of elements.
  std::size_t count(Place place) const;
  /// Id of an element. @param first of particles that are to come anew: id of the first of them; −1: they keep theirs
  std::int64_t id(Place place, std::size_t element, std::int64_t first = -1) const;
  /// Id of the next particle to come, also where next_id does not say.
  std::int64_t next_particle() const;

  const Field* find(std::string_view name) const;
  /// @throws std::out_of_range naming the field
  const Field& get(std::string_view name) const;
  Field& get(std::string_view name);
  /// Adds a field or replaces the one of that name.
  Field& set(Field replacement);
  void erase(std::string_view name);
};

/// Puts particles behind those of a state at step_start, with the next ids. @throws std::out_of_range for a field of the
/// state's particles that they lack
void append(Snapshot& state, const Snapshot& particles);

/// Whether two states have the same elements.
bool same_elements(const Snapshot& a, const Snapshot& b, Place place);
bool same_elements(const Snapshot& a, const Snapshot& b);

}  // namespace repose
