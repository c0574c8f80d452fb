#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"
#include "reference/interface/solve_history.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace repose {

/// How a solver's storage rounds; the cross-check derives its bounds from it.
struct Rounding {
  double unit = 0.0;        ///< unit roundoff u of its arithmetic: 2⁻⁵³ or 2⁻²⁴
  double position = 0.0;    ///< largest error of a stored or recomputed position, per axis [m]
  std::string_view strain;  ///< what is stored: "F" or "hencky" (ε = ½ ln b)
};

/// What a sum was made of. For a field of k components: magnitude and slope have its length, terms one per element.
struct Sums {
  std::vector<double> magnitude;  ///< Σ of |innermost products|, in the field's unit
  std::vector<double> slope;  ///< Σ over terms and axes of |∂term/∂x_p|, in the field's unit per metre
  std::vector<std::uint32_t> terms;  ///< number of terms
};

/// What happened in a step. Nothing is clamped without being counted here.
struct StepReport {
  double dt = 0.0;         ///< [s]
  double max_speed = 0.0;  ///< largest particle speed before the step [m/s]
  std::uint64_t particles = 0;
  std::uint64_t active_nodes = 0;
  std::uint64_t inside = 0;             ///< plastic case I
  std::uint64_t tip = 0;                ///< plastic case II
  std::uint64_t surface = 0;            ///< plastic case III
  std::uint64_t contacts = 0;           ///< node–collider pairs that changed a velocity
  std::uint64_t sticking = 0;           ///< of these, stopped by friction
  std::uint64_t sliding = 0;            ///< of these, slowed by friction
  std::uint64_t massless = 0;           ///< forces on nodes whose mass rounded to zero, dropped
  std::uint64_t newton_iterations = 0;  ///< implicit steps only
  std::uint64_t gmres_iterations = 0;   ///< implicit steps only
  std::uint64_t step_cuts = 0;  ///< halvings of Δt after a failed implicit solve; dt is what was left
};

/// What acts on the active nodes in an implicit step that moves them with given velocities; nodes in ascending id.
struct NodeImpulses {
  std::vector<double> impulse;  ///< Δt f_i, d per node [kg m/s]
  /// Impulses of stress and gravity, summed without their signs, one per node [kg m/s]
  std::vector<double> magnitude;
};

enum class Precision : unsigned char { single_, double_ };

struct SolverOptions {
  Precision precision = Precision::double_;
  int threads = 1;
  std::string simd;  ///< instruction set to force ("AVX2", …); empty: the best of this machine
  /// Loops too short to gain by it are shared among all threads as well: for tests, in which few particles must meet
  /// as many threads as are asked for. No bit depends on it.
  bool all_threads = false;
};

/// A simulation of one scene. Between any two of its boundaries the state can be loaded and saved.
/// Equal inputs give equal bits for any number of threads, on repetition, and stepwise or fused.
class Solver {
 public:
  virtual ~Solver() = default;

  virtual std::string_view name() const = 0;
  virtual Rounding rounding() const = 0;

  /// The boundaries at which this solver can be loaded, saved and stopped, in order; step_start first, plasticity last.
  virtual std::span<const Boundary> boundaries() const = 0;

  /// Replaces the whole state. Where native fields of this solver are present, they win over the portable ones, and are
  /// checked as these are: a state may come from a file. Begins with require_loadable() (snapshot_check.h), before anything
  /// of the old state is lost.
  /// @throws SimulationError if a particle's stencil leaves the grid or a value is one that no state can have
  /// @throws std::invalid_argument if the snapshot does not fit the scene
  virtual void load(const Snapshot& snapshot) = 0;

  /// Adds particles at a step_start, behind those present. Begins with require_appendable(). @throws as load()
  virtual void append(const Snapshot& particles) = 0;

  /// The state at the boundary where the solver stands. With native, also its own storage, so that load(save(·, true))
  /// changes no bit. A solver that stands at plasticity also stands at the next step_start: both may be saved and run
  /// on from; step_start has the time advanced by dt and one more completed step.
  virtual Snapshot save(Boundary at, bool native) const = 0;

  /// Places of all particles at a step_start, d per particle in the order of save() [m]: the field x, for those who look
  /// often and need no more. Without an own way it saves the state.
  virtual std::vector<double> positions() const;

  /// Magnitudes behind the field last computed by run(); only the reference has them.
  /// @throws std::logic_error from other solvers
  virtual Sums sums(std::string_view field) const;

  /// What an implicit step from here balances at velocities v of the nodes: a probe that changes nothing, for comparing
  /// solvers whose solutions agree only within their tolerance. The solver stands at p2g of an implicit scene.
  ///
  ///     Δt f_i(v) = Δt [m_i g − Σ_p V⁰_p P(Z(F̂_p(v))) F_pᵀ ∇w_ip]                [Klar16 Eq.23, Eq.24; ERRATA K7, K21]
  ///
  /// Formed in double from what the solver stores, whatever its precision.
  ///
  /// @param v  d per active node, in the order of save(p2g) [m/s]
  /// @param dt [s]
  /// @throws std::logic_error from a solver that is elsewhere or takes no implicit steps, std::invalid_argument for
  ///         another number of velocities, SimulationError naming the particle that v inverts
  virtual NodeImpulses impulses_at(std::span<const double> v, double dt) const;

  /// Change of Δt f_i(v) for a change dv of the velocities, as impulses_at(): what Newton's method solves with.
  /// @returns d per active node [kg m/s], linear in dv
  virtual std::vector<double> impulse_change(std::span<const double> v, std::span<const double> dv,
                                             double dt) const;

  /// How an implicit step from here finds its velocities: the solve of run(p2g, collisions, dt), told iteration by
  /// iteration. A probe that changes nothing, as impulses_at().
  /// @throws as run() where no velocities are found
  virtual SolveHistory solve_history(double dt) const;

  /// Runs the stages between two boundaries; the solver must stand at `from`. dt [s] must be the same through a step.
  virtual StepReport run(Boundary from, Boundary to, double dt) = 0;

  /// One whole step from step_start to the next. next_dt is asked once with the largest particle speed [m/s].
  virtual StepReport advance(const std::function<double(double max_speed)>& next_dt) = 0;

  virtual double time() const = 0;         ///< [s]
  virtual std::int64_t steps() const = 0;  ///< completed steps
  virtual std::size_t particles() const = 0;

  /// Time of each stage since the last call [s], by name ("sort", "p2g", …), for reports. May be empty.
  virtual std::vector<std::pair<std::string, double>> stage_seconds() { return {}; }

  /// The most threads that took part in any one loop of each stage since the last call, by names as in
  /// stage_seconds(). Where threads take work as they come, one may do it all: what a run tells of several
  /// threads depends on whether there were several. May be empty.
  virtual std::vector<std::pair<std::string, int>> stage_threads() { return {}; }

  /// Bytes of the solver's own storage: per particle and for the grid in use. For reports.
  struct Storage {
    std::size_t particle_bytes = 0;
    std::size_t grid_bytes = 0;
  };
  virtual Storage storage() const { return {}; }
};

}  // namespace repose
