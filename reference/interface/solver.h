#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"
#include "reference/interface/solve_history.h"

#include <array>
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

/// How often something happened, by the rows of the method's table of counters (method.h).
class Counts {
 public:
  static constexpr std::size_t room = 16;  ///< the most rows that a method may have

  std::uint64_t operator[](std::size_t row) const { return value_[row]; }
  std::uint64_t& operator[](std::size_t row) { return value_[row]; }

  /// Row by row, as threads that shared the work of one stage counted.
  Counts& operator+=(const Counts& other) {
    for (std::size_t row = 0; row < room; ++row) value_[row] += other.value_[row];
    return *this;
  }
  bool operator==(const Counts&) const = default;

 private:
  std::array<std::uint64_t, room> value_{};
};

/// What happened in a step. Nothing is clamped without being counted here.
struct StepReport {
  double dt = 0.0;         ///< [s]; what was left of it where the step was cut
  double max_speed = 0.0;  ///< largest particle speed before the step [m/s]
  std::uint64_t particles = 0;
  Counts counts{};
};

enum class Precision : unsigned char { single_, double_ };

struct SolverOptions {
  Precision precision = Precision::double_;
  int threads = 1;
  std::string simd{};  ///< instruction set to force ("AVX2", …); empty: the best of this machine
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

  /// The boundaries at which this solver can be loaded, saved and stopped, in order; step_start first, the end of the
  /// method's last stage last.
  virtual std::span<const Boundary> boundaries() const = 0;

  /// Replaces the whole state. Where native fields of this solver are present, they win over the portable ones, and are
  /// checked as these are: a state may come from a file. Begins with require_loadable() (snapshot_check.h), before anything
  /// of the old state is lost.
  /// @throws SimulationError if a particle's stencil leaves the grid or a value is one that no state can have
  /// @throws std::invalid_argument if the snapshot does not fit the scene
  virtual void load(const Snapshot& snapshot) = 0;

  /// Adds particles at a step_start, behind those present; they take the next ids. Begins with require_appendable().
  /// @throws as load(); std::logic_error within a step
  virtual void append(const Snapshot& particles) = 0;

  /// The state at the boundary where the solver stands. With native, also its own storage, so that load(save(·, true))
  /// changes no bit. A solver that stands behind the last stage also stands at the next step_start: both may be saved
  /// and run on from; step_start has the time advanced by dt and one more completed step.
  /// @throws std::logic_error where it does not stand
  virtual Snapshot save(Boundary at, bool native) const = 0;

  /// Places of all particles at a step_start, d per particle in the order of save() [m]: the field x, for those who look
  /// often and need no more. Without an own way it saves the state.
  virtual std::vector<double> positions() const;

  /// Magnitudes behind the field last computed by run(); only the reference has them.
  /// @throws std::logic_error from other solvers
  virtual Sums sums(std::string_view field) const;

  /// Answers a question about the stage ahead, one of the method's table of probes, without changing anything: for judging
  /// solvers whose solutions agree only within their tolerance. What is asked with, and what comes back, is said where the
  /// method's probes are named. Formed in double from what the solver stores, whatever its precision.
  /// @param fields what is asked with, elements in the order of save()
  /// @param dt     [s]
  /// @throws std::logic_error for a probe that this solver does not know, or not where it stands; std::invalid_argument
  ///         for fields of another number of elements; SimulationError for fields that no state can have
  virtual std::vector<Field> probe(std::string_view name, std::span<const Field> fields, double dt) const;

  /// How the solved stage ahead finds its answer, told iteration by iteration. Changes nothing, as probe(); apart from it,
  /// since iterations of different lengths, each with choices of its own, are no fields.
  /// @throws as run() where no answer is found, std::logic_error as probe()
  virtual SolveHistory solve_history(double dt) const;

  /// Runs the stages between two boundaries; the solver must stand at `from`. dt [s] must be the same through a step.
  /// @throws std::logic_error where it does not, and nothing changes; SimulationError as load()
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
