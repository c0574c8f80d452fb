#pragma once

#include "validation/crosscheck/lockstep_parts.h"
#include "validation/crosscheck/mixture/coupled_balance.h"
#include "validation/crosscheck/mixture/coupled_stage.h"
#include "validation/crosscheck/mpm/implicit_parts.h"
#include "validation/crosscheck/mpm/solve_judge.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace repose::crosscheck {

/// Of each phase, d per node of both, or one.
using OfPhases = std::array<std::vector<double>, 2>;

inline std::size_t index(mixture::Phase phase) { return phase == mixture::Phase::water ? 1 : 0; }
inline std::string named(std::string_view name, mixture::Phase phase) {
  return phase == mixture::Phase::water ? of_water(name) : std::string(name);
}

/// One judgement of a solve of both phases (coupled_stage.h): coupled_stage.cpp asks the solvers, coupled_fields.cpp has what their
/// states are held against.
class CoupledStage {
 public:
  explicit CoupledStage(SolvedStage& stage)
      : stage_(stage),
        scene_(stage.scene),
        candidate_(stage.candidate),
        reference_(stage.reference),
        arithmetic_(stage.arithmetic),
        balance_arithmetic_(arithmetic(stage.scene, stage.reference.rounding(), stage.reference.rounding())),
        held_(stage.held),
        dt_(stage.dt),
        d_(static_cast<std::size_t>(stage.scene.dim())),
        nodes_(stage.held.count(Place::node)),
        sand_(stage.held, stage.scene, stage.dt, mixture::Phase::solid),
        water_(stage.held, stage.scene, stage.dt, mixture::Phase::water) {
    for (std::size_t n = 0; n < nodes_; ++n)
      drag_.push_back(
          drag_of_step(scene_, held_.get(field::m_i).value[n], held_.get(field::m_i_w).value[n], dt_));
  }

  bool judge();

 private:
  const PhaseBalance& of(mixture::Phase phase) const {
    return phase == mixture::Phase::water ? water_ : sand_;
  }
  /// What a phase balances at velocities of both. @param dv of the phase alone
  BalanceProbe probe_of(const PhaseBalance& own, const OfPhases& v, double v_error,
                        std::vector<double> dv = {}) const {
    return {own.part.scene,
            balance_arithmetic_,
            own.part.state,
            own.own(v[index(own.phase)], scene_.dim()),
            v_error,
            std::move(dv),
            dt_};
  }
  double speed(const std::vector<double>& v, std::size_t n) const {
    double squared = 0.0;
    for (std::size_t a = 0; a < d_; ++a) squared += v[n * d_ + a] * v[n * d_ + a];
    return std::sqrt(squared);
  }
  /// v̄ of a state at collisions; 0 where a phase is not.
  OfPhases velocities(const Snapshot& at) const;
  /// Random ones, 0 where a phase is not.
  OfPhases drawn(double size, std::uint64_t seed) const;
  std::vector<double> drag_of(const OfPhases& v) const;
  bool compare_probe(double reach);
  /// How one solver solves the step, judged by itself.
  bool judge_history(const Solver& solver, SolveHistory& history);
  /// The history is that of the step: its counts, and the velocities of both phases that the solver holds.
  bool told_as_run(const Solver& solver, const SolveHistory& history, const StepReport& report);
  /// Judges v by what each phase leaves. @param impulses Δt f of each phase at its own nodes
  /// @param given bound of the reversible impulse per node  @param left_of_all as stated_tolerance()
  bool judge_solution(const OfPhases& v, const std::array<NodeImpulses, 2>& impulses, double v_error,
                      const std::vector<double>& given, double left_of_all, const Snapshot& got,
                      std::string_view message);
  bool judge_fields(const OfPhases& v, const std::array<NodeImpulses, 2>& impulses, const Snapshot& got,
                    const FieldBound& of_reversible);
  void count_solve(const StepReport& report);

  SolvedStage& stage_;
  const Scene& scene_;
  Solver& candidate_;
  Solver& reference_;
  const Arithmetic& arithmetic_;
  Arithmetic balance_arithmetic_;  ///< double against double
  const Snapshot& held_;
  double dt_;
  std::size_t d_, nodes_;
  PhaseBalance sand_, water_;
  std::vector<double> drag_;        ///< Δt d_i per node [kg]
  std::vector<double> reversible_;  ///< the readable solver's impulse on sand [kg m/s]
};

}  // namespace repose::crosscheck
