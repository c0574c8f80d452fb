#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"
#include "validation/mechanics/arithmetic.h"

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace repose::crosscheck {

/// One value of both solvers beside its bound.
struct Value {
  std::int64_t id = 0;  ///< of the element
  int component = 0;
  double expected = 0.0;  ///< the reference's
  double got = 0.0;       ///< the candidate's
  Bound bound;
  double ratio = 0.0;  ///< |got − expected| / bound; infinite for nan, for a missing field or bound
  Point position = Point::Zero();  ///< of the particle or place of the grid [m]
};

/// How one field compares at one boundary.
struct FieldResult {
  std::string field;
  std::string unit;
  Place place = Place::particle;
  bool measured = true;     ///< false: names of a choice, of which a ratio to a bound says nothing
  std::string note;         ///< why it cannot be compared, or what is compared instead of the field itself
  std::size_t values = 0;   ///< compared
  std::size_t unequal = 0;  ///< of these, not the same number
  std::size_t failing = 0;  ///< of these, outside their bound
  Value worst;
  std::vector<Value> neighbours;  ///< of a failing worst value: nearest elements, same component

  bool passes() const { return failing == 0; }
};

/// Bound of a field at a place of the grid that only the candidate has. Empty where a method has no such bound: only
/// elements of both are compared then.
using AbsentBound = std::function<std::vector<Bound>(std::int64_t id, std::string_view field)>;

/// Elements whose presence rounding decides, and those that are others for it.
struct Undecided {
  std::array<std::vector<std::int64_t>, place_kinds> ids;  ///< ascending, by place
  /// Particles from this id on: one birth more or less shifts the ids of all behind it
  std::int64_t particles_from = std::numeric_limits<std::int64_t>::max();

  void add(Place place, std::int64_t id) { ids[static_cast<std::size_t>(place)].push_back(id); }
  bool holds(Place place, std::int64_t id) const;
  bool none(Place place) const;
};

/// Compares one field of two snapshots at the same boundary, or what the method's judge compares in its place (Meaning). A
/// place of the grid that is active on one side only has the value zero on the other. Undecided elements are left out.
/// @param expected its method's judge is asked @throws std::out_of_range where nobody judges it
FieldResult compare_field(const Scene& scene, const Snapshot& expected, const Snapshot& got,
                          const FieldBound& bound, const AbsentBound& absent,
                          const Undecided& undecided = {});

/// The first set of elements that differs by one that is not undecided, as a field of its name; none where values of
/// elements that only one state has can be judged.
/// @param by_value places of the grid: absent elements are judged by their values
std::optional<FieldResult> unequal_elements(const Snapshot& expected, const Snapshot& got, bool by_value,
                                            const Undecided& undecided = {});

/// A number that is not what it must be, and which no bound excuses.
FieldResult unequal(std::string_view name, std::string_view unit, double expected, double got);
/// The same of a count in a step's report.
FieldResult unequal_count(std::string_view column, std::uint64_t expected, std::uint64_t got);

/// |got − expected| / bound; 0 for equal finite values, infinite for anything not finite.
double ratio_to_bound(double expected, double got, double bound);

}  // namespace repose::crosscheck
