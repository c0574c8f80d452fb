#pragma once

#include "reference/interface/base/error.h"
#include "reference/interface/solver.h"
#include "validation/crosscheck/judge.h"

#include <functional>
#include <optional>

namespace repose::crosscheck {

/// Where the two solvers part.
struct Divergence {
  std::int64_t step = 0;
  std::string stage;  ///< boundary at which it shows; "load BOUNDARY" where the exchange itself differs
  std::string from;   ///< boundary the candidate was started from
  FieldResult field;  ///< first of the boundary's fields that differs
  std::vector<std::string> others;  ///< further fields that differ there
  std::string message;              ///< instead of a field: who refused to go on, and how, or what is wrong
  Snapshot state;                   ///< loaded into the candidate, at `from`
  double dt = 0.0;                  ///< [s]
};

/// The largest ratio of one field at one boundary over all steps.
struct Worst {
  std::string stage;
  FieldResult field;
};

struct Lockstep {
  std::optional<Divergence> divergence;
  std::optional<SimulationError> refused;  ///< both solvers stopped with this error: not a difference
  std::vector<Worst> worst;                ///< in the order of the boundaries
  Counters counters;                       ///< what the steps exercised, as the reference saw it
  Snapshot last;                           ///< state behind the last step

  /// The stage and field closest to (or furthest beyond) its bound, loading apart; null before anything was compared.
  const Worst* closest() const;
};

/// Holds a candidate against the reference at every boundary of the candidate, for some steps. At each boundary the
/// candidate loads the reference's state and hands out what it really holds; the reference runs on from that, so that
/// neither rounding of inputs nor history piles up. Stops at the first boundary that differs.
///
/// What bounds are, what is compared and how a solved stage is judged says the Judge of the state's method. A stretch of one
/// stage that is solved is no function of its input to within rounding: Judge::solved. Behind a decided stage the
/// reference goes on from what the candidate decided.
///
/// Where a candidate's boundaries fuse what must be seen apart, its first stretch is run in Judge::isolated besides.
///
/// A field of the reference's state that the candidate's lacks differs. One may be absent, but from all states alike:
/// Judge::may_lack.
///
/// Besides the fields, the header of every state (boundary, time, step, Δt) is compared, and the reference must hand back
/// what it was loaded with, bit for bit: else a candidate that forgets a part of the state drags the reference along.
///
/// Each step is taken a second time in one piece, through advance() with Δt from the scene's step control: both reports
/// are compared, and the candidate's state with that of its own stages in turn, bit for bit (stage "advance").
class LockstepDriver {
 public:
  LockstepDriver(const Scene& scene, Solver& candidate, Solver& reference);

  /// @param offered of dt, what advance() is asked for
  /// @param goes_on asked behind `steps` steps and behind each further one: whether another one is wanted
  Lockstep run(const Snapshot& start, double dt, int steps, double offered = 1.0,
               const std::function<bool(const Lockstep&, int done)>& goes_on = {});

  /// One stretch of a step, from a state at one of the candidate's boundaries to the next.
  Lockstep replay(const Snapshot& state, double dt);

 private:
  bool exchange(const Snapshot& state, Boundary from, const Divergence& context, Snapshot& held,
                Lockstep& result);
  bool stretch(const Snapshot& state, Boundary from, Boundary to, double dt, Lockstep& result);
  /// stretch() of solvers that may throw anything: what is neither SimulationError nor the std::logic_error of something
  /// that a solver cannot do is named at the stage's end.
  bool guarded_stretch(const Snapshot& state, Boundary from, Boundary to, double dt, Lockstep& result);
  bool solved_stretch(const Snapshot& state, Boundary from, Boundary to, double dt, Lockstep& result);
  bool compare(const Snapshot& expected, const Snapshot& got, const std::vector<FieldBound>& bounds,
               std::string_view stage, Divergence context, Lockstep& result);
  bool same_header(const Snapshot& expected, const Snapshot& got, std::string_view stage,
                   const Divergence& context, Lockstep& result) const;
  bool same_report(const StepReport& expected, const StepReport& got, std::string_view stage,
                   const Counters& ties_before, const Divergence& context, Lockstep& result) const;
  bool differs(FieldResult field, std::string_view stage, std::string_view message, Divergence context,
               Lockstep& result) const;
  bool fused_step(const Snapshot& state, double dt, double offered, Lockstep& result);
  bool step(Snapshot& state, double dt, double offered, Lockstep& result);
  void judge_errors(const std::optional<SimulationError>& candidate_error,
                    const std::optional<SimulationError>& reference_error, Divergence context,
                    Lockstep& result) const;
  bool keeps(std::string_view boundary) const;
  /// What a report says of the candidate's own state.
  bool counts_own_elements(const StepReport& got, const Snapshot& state, const Divergence& context,
                           Lockstep& result) const;
  /// The field that this candidate may lack; null: none.
  const Judge::MayLack* may_lack() const;
  void note_shown(const Snapshot& state);
  /// Whether that field is absent, and no state of the candidate had it before.
  bool lacks(std::string_view field, const Snapshot& got) const;
  const method::StageRow& stage_ending(Boundary at) const;
  void begin(const Snapshot& start);
  /// What the reference goes on from behind a decided stage: what that stage made is the candidate's, within its bounds; all
  /// of it where sets of elements differ.
  void take_decisions(const Snapshot& got, Boundary at, Snapshot& state) const;
  /// Whether steps of the scene have a stage that may fail for its Δt and is tried with less.
  bool may_be_cut() const;
  std::uint64_t cuts_of(const StepReport& report) const;
  std::optional<FieldResult> report_difference(const StepReport& expected, const StepReport& got) const;
  StepReport stepwise(Solver& solver, double dt) const;

  const Scene& scene_;
  Solver& candidate_;
  Solver& reference_;
  const Judge* judge_ = nullptr;  ///< of the method of the state that is run from
  Arithmetic arithmetic_;
  /// Not every candidate hands out what it may lack; one that has in this run must go on to.
  bool lacking_shown_ = false;
  Undecided undecided_;  ///< by the decided stages of the stretch being judged
};

}  // namespace repose::crosscheck
