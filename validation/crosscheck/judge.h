#pragma once

#include "reference/interface/base/error.h"
#include "reference/interface/method.h"
#include "validation/crosscheck/compare.h"
#include "validation/mechanics/arithmetic.h"

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

/// What lock-step must know of a method to judge its stages. Each method brings one Judge (validation/methods.h); driver,
/// comparer and report ask it and know no method.
namespace repose::crosscheck {

/// One stage as the reference ran it, and the arithmetic of the two solvers it is compared in.
struct Stage {
  const Scene& scene;
  const Arithmetic& arithmetic;
  double dt;                ///< [s]
  const Snapshot& before;   ///< the reference's state in front of the stage
  const Snapshot& after;    ///< and behind it
  const Solver& reference;  ///< stands behind the stage; asked for its sums
  const Carried& carried;   ///< errors already in `before`; empty where the candidate was loaded with it
};

/// A solved stage: both solvers stand in front of it with the same state.
struct SolvedStage {
  const Scene& scene;
  Solver& candidate;
  Solver& reference;
  const Arithmetic& arithmetic;
  Boundary from, to;
  const Snapshot& held;  ///< what both were loaded with
  double dt;             ///< [s]
  Counters& counters;    ///< what was exercised is added here
  /// Compares as the lock-step does, at the stage's end. false: a difference is named, and nothing more is to be judged.
  /// The message says what was compared, where that is not the candidate with the reference.
  std::function<bool(const Snapshot& expected, const Snapshot& got, const std::vector<FieldBound>& bounds,
                     std::string_view message)>
      compare;
  /// Names a difference found in another way. @returns false
  std::function<bool(FieldResult field, std::string_view message)> differs;
  // What stopped either solver, for the driver to judge.
  std::optional<SimulationError> candidate_error{};
  std::optional<SimulationError> reference_error{};
};

/// What lock-step makes of one row of the method's table of counters.
struct CountRule {
  bool each_stage = false;  ///< compared behind every stage; else only where all bits are equal
  /// Solvers may count other things, such as nodes or the particles that pull at them: none is none for both, where both
  /// compute in double. A float loses other masses and forces; in double both lose them alike but for a particle whose
  /// distance from the edge of its stencil is a rounding, which cases avoid.
  bool none_is_none = false;
  /// Counter of Lockstep that says how many of it were left to rounding; empty: exact
  std::string_view ties{};
  /// Counter of Lockstep that tells what the reference's stages counted, for needs of cases; empty: none does
  std::string_view exercised{};
};

/// A field whose numbers are names of a choice: it has no measure, and what goes through storage is not compared.
struct ChoiceField {
  std::string_view field;
  std::string_view unequal;  ///< counter of Lockstep: elements for which the solvers chose differently
};

/// What is compared in place of a field's own values.
struct Meaning {
  std::vector<double> value;  ///< of as many elements and components
  std::string_view note;      ///< in words; empty where it is the values themselves
};

/// A state and a time step in which a fused stretch shows one of its parts alone.
struct Isolated {
  Snapshot state;
  double dt = 0.0;  ///< [s]
};

/// Decisions of a case that were left to rounding, and all there were.
struct Ties {
  std::string_view what;
  double undecided = 0.0;
  double all = 0.0;
};

struct Judge {
  const method::Method& method;
  std::vector<CountRule> counts;  ///< by row of the table of counters
  /// Bounds of the fields that a computed or decided stage makes. Counts what rounding left undecided. A decision is
  /// bounded by a tie where the deciding quantity lies within its own bound, by nothing elsewhere. A stage that changes a
  /// set bounds all fields of it.
  /// @throws std::logic_error if the reference keeps no sums of a summed field
  std::vector<FieldBound> (*computed)(const Stage& stage, Counters& counters);
  /// Bounds of a field that only went through storage: from one solver's to the other's, or unchanged by a stage.
  FieldBound (*stored)(const Scene& scene, const Arithmetic& arithmetic, const Field& field);

  // What not every method has.

  /// Bounds of a field at an element that only the candidate has: the reference's value is zero there.
  /// @param state the reference's, at the boundary that is compared
  std::vector<Bound> (*absent)(const Scene& scene, const Arithmetic& arithmetic, double dt,
                               const Snapshot& state, std::int64_t id, std::string_view field) = nullptr;
  /// Adds the elements whose presence behind a decided stage rounding decides. @param stage as for computed()
  void (*undecided)(const Stage& stage, Undecided& undecided) = nullptr;
  /// What is compared of a field; null: its values.
  Meaning (*meaning)(const Field& field, int dim) = nullptr;
  /// Judges a solved stage. false: stopped at a difference or an error, which SolvedStage then holds.
  bool (*solved)(SolvedStage& stage) = nullptr;
  /// Counts which branches a stage of the reference took, for needs of cases.
  void (*exercised)(const Stage& stage, Counters& counters) = nullptr;
  /// Where a name stands in the order in which a mistake spreads; null: as in the table.
  std::size_t (*rank)(std::string_view name) = nullptr;
  /// Runs that a candidate's first stretch is judged in besides, as its boundaries fuse what it must show apart.
  std::vector<Isolated> (*isolated)(std::span<const Boundary> boundaries, const Snapshot& start,
                                    double dt) = nullptr;

  /// A field that a candidate without a boundary may hand out nowhere.
  struct MayLack {
    std::string_view field;
    Boundary without;
  };
  std::optional<MayLack> may_lack{};
  /// A row of the counters that is the number of elements of the candidate's own state at some boundaries.
  struct OwnCount {
    std::size_t row;
    Place place;
    std::vector<Boundary> at;
  };
  std::optional<OwnCount> own_count{};
  std::optional<std::size_t> cuts{};  ///< row of the counters: halvings of Δt after a solve that failed
  std::vector<ChoiceField> choices{};
  std::vector<Ties> (*ties)(const Counters& counters) = nullptr;
  /// Counters of Lockstep that the line of a case tells, each with its words.
  std::vector<std::pair<std::string_view, std::string_view>> told{};

  const ChoiceField* choice(std::string_view field) const;
  std::size_t place_of(std::string_view name) const;  ///< rank(), or the table's
};

/// The first count that is none for one solver alone though it must not be (CountRule::none_is_none).
std::optional<FieldResult> none_of_one(const Judge& judge, const Arithmetic& arithmetic,
                                       const Counts& expected, const Counts& got);

}  // namespace repose::crosscheck
