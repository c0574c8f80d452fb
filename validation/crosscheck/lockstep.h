#pragma once

#include "reference/interface/base/error.h"
#include "reference/interface/solver.h"
#include "validation/crosscheck/compare.h"
#include "validation/crosscheck/mpm/plain_balance.h"

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
/// An implicit step's solution is no function of its input to within rounding: it is judged by the reference's balance
/// at the candidate's velocities (implicit_residual.h), and impulses and their derivative are compared at velocities
/// given to both.
///
/// A candidate whose boundaries leave out p2g has momentum and impulse in one sum: a run with Δt = 0 isolates the
/// momentum, one with v = C = 0 the impulse.
///
/// A field of the reference's state that the candidate's lacks differs. One may be absent, but from all states alike: p_i
/// of a candidate without a boundary p2g.
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
  bool solve_stretch(const Snapshot& state, double dt, Lockstep& result);
  bool compare_probe(const Snapshot& held, double dt, double reach, const PlainBalance& balance,
                     const Divergence& context, Lockstep& result);
  bool judge_readable(const Snapshot& held, double dt, const std::vector<double>& v,
                      const PlainBalance& balance, const Divergence& context, Lockstep& result);
  bool judge_history(const Solver& solver, const Snapshot& held, double dt, const PlainBalance& balance,
                     const Divergence& context, SolveHistory& history, Lockstep& result);
  bool told_as_run(const Solver& solver, const SolveHistory& history, const StepReport& report,
                   const Divergence& context, Lockstep& result);
  bool compare(const Snapshot& expected, const Snapshot& got, const std::vector<FieldBound>& bounds,
               std::string_view stage, Divergence context, Lockstep& result);
  bool same_header(const Snapshot& expected, const Snapshot& got, std::string_view stage,
                   const Divergence& context, Lockstep& result) const;
  bool same_report(const StepReport& expected, const StepReport& got, std::string_view stage,
                   const Counters& ties_before, const Divergence& context, Lockstep& result) const;
  bool same_massless(const StepReport& expected, const StepReport& got, std::string_view stage,
                     const Divergence& context, Lockstep& result) const;
  bool differs(FieldResult field, std::string_view stage, std::string_view message, Divergence context,
               Lockstep& result) const;
  bool fused_step(const Snapshot& state, double dt, double offered, Lockstep& result);
  bool step(Snapshot& state, double dt, double offered, Lockstep& result);
  void judge_errors(const std::optional<SimulationError>& candidate_error,
                    const std::optional<SimulationError>& reference_error, Divergence context,
                    Lockstep& result) const;
  bool keeps(std::string_view boundary) const;
  /// What a report says of the nodes, against the candidate's own state.
  bool counts_own_nodes(const StepReport& got, const Snapshot& state, const Divergence& context,
                        Lockstep& result) const;
  void note_shown(const Snapshot& state);
  /// Whether the momentum that a candidate may do without is absent, and no state of the candidate had it before.
  bool lacks_momentum(const Snapshot& got) const;

  const Scene& scene_;
  Solver& candidate_;
  Solver& reference_;
  Arithmetic arithmetic_;
  /// Of an implicit step's balance: in double, of a state that both hold but for one exchange.
  Arithmetic balance_arithmetic_;
  /// Not every candidate hands p_i out; one that has in this run must go on to.
  bool momentum_shown_ = false;
};

}  // namespace repose::crosscheck
