#pragma once

#include "reference/interface/scene/integrator.h"
#include "reference/interface/solver.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What a way of stepping is made of, as tables: boundaries, fields, counters and probes. Whoever reads, writes or compares
/// states asks these and knows no method.
namespace repose::method {

/// How the result of a stage is judged.
enum class Kind : unsigned char {
  computed,  ///< a function of its input to within rounding
  solved,    ///< fixed by conditions, to a tolerance
  decided,   ///< a flag, or a change of a set
};

/// One stage: what runs between the boundary before and `end`.
struct StageRow {
  Boundary end;
  Kind kind = Kind::computed;
  std::string_view source;  ///< section of the paper
  Integrators only = {};    ///< the integrators whose steps have it

  bool of(Integrator integrator) const { return only.has(integrator); }
};

/// Components of a field: 1, d or d × d (row-major).
enum class Shape : unsigned char { scalar, vector, tensor };

/// The value of a field for material at rest that nothing has deformed.
enum class Rest : unsigned char {
  given,  ///< none: every element has its own
  zero,
  one,
  identity,  ///< of a tensor
};

struct FieldRow {
  std::string_view name;
  Place place = Place::particle;
  std::string_view unit;  ///< "m^d" stands for the volume of d dimensions
  Shape shape = Shape::scalar;
  Rest rest = Rest::given;
  Boundary made;  ///< the first boundary of a step that has it
  Boundary held;  ///< the last one
  Boundary
      again;  ///< made anew by the stage that ends here; behind `held`, it is away in between. May be empty
};

/// What a step counts.
struct CounterRow {
  std::string_view column;  ///< in tables of steps
  bool largest = false;     ///< of several: the largest of them, else their sum
};

/// A question to a solver that stands at a boundary, which changes nothing.
struct ProbeRow {
  std::string_view name;
  Boundary at, from, to;  ///< where it may be asked, and the stage it is about
  bool linear = false;    ///< in its last argument
};

struct Method {
  std::string_view name;
  const SchemeTable& (*options)() = nullptr;  ///< of scenes of this method; SchemeTable::method is its name
  std::span<const StageRow> stages;           ///< of all integrators, in the order of a step
  std::span<const FieldRow> fields;           ///< in the order in which a mistake spreads
  std::span<const CounterRow> counters;       ///< at most Counts::room
  std::span<const ProbeRow> probes;
  /// Refuses values that no state can have, of a snapshot whose fields are those of its boundary and finite.
  /// @param first of particles that are to come anew: id of the first of them; −1: they keep theirs
  /// @throws std::invalid_argument, SimulationError as require_loadable() (snapshot_check.h)
  void (*check)(const Snapshot& snapshot, const Scene& scene, std::int64_t first) = nullptr;
  /// What a run's counts tell a reader, in lines.
  /// @param particle_steps Σ over steps of their particles
  std::string (*describe)(const Counts& counts, std::uint64_t particle_steps) = nullptr;
};

/// step_start and the end of each stage, of one integrator or of all.
std::vector<Boundary> boundaries(const Method& method, Integrator integrator);
std::vector<Boundary> boundaries(const Method& method);

/// The end of the stage whose work a field is; step_start where no stage changes it.
inline Boundary made_by(const FieldRow& row) { return row.again.empty() ? row.made : row.again; }

/// Whether steps of a scene have a stage.
bool takes(const Scene& scene, const StageRow& stage);
/// The row of the stage that ends at a boundary, in steps of a scene; null where none does.
const StageRow* stage_ending(const Method& method, const Scene& scene, Boundary at);

/// Adds what later stages or steps counted, each row as it says.
void add(const Method& method, Counts& to, const Counts& later);

/// Whether states at a boundary have a field.
bool holds(const Method& method, const FieldRow& row, Boundary at);
/// The rows of the fields that a state at a boundary has, in the table's order.
std::vector<const FieldRow*> fields_at(const Method& method, Boundary at);
/// Whether states at a boundary have elements of that kind.
bool has(const Method& method, Boundary at, Place place);

/// @returns null where the method has no field of that name
const FieldRow* find_field(const Method& method, std::string_view name);
/// @throws std::out_of_range naming the field
const FieldRow& field_row(const Method& method, std::string_view name);
/// Where a field stands in the order in which a mistake spreads; behind all others if the method has none of that name.
std::size_t rank(const Method& method, std::string_view name);

int components(const FieldRow& row, int dim);
std::string unit(const FieldRow& row, int dim);

/// A field of that row with room for `count` elements: at rest, or zero where each has its own value.
Field blank(const FieldRow& row, int dim, std::size_t count);
/// The fields of a step_start whose active elements are particles alone, blank().
std::vector<Field> state_at_rest(const Method& method, int dim, std::size_t particles);

}  // namespace repose::method
