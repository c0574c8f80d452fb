#pragma once

#include "optimized/implicit/newton.h"
#include "optimized/layout/record.h"
#include "optimized/mpm/kernels.h"
#include "optimized/mpm/node_store.h"
#include "optimized/mpm/particle_store.h"
#include "optimized/nodes/contacts.h"
#include "optimized/nodes/places.h"
#include "optimized/threads.h"
#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/methods/mpm_probes.h"
#include "reference/interface/solver.h"

#include <array>
#include <chrono>

namespace repose::optimized {

/// Stages by number: stage k ends at boundary k.
enum Stage : int { step_start, p2g, forces, collisions, friction, g2p, update, plasticity };

/// Whether somebody looks at the momenta at which a run of stages stops.
enum class Pause : unsigned char {
  looked_at,
  passing  ///< others change them, and the step goes on
};

/// The fast solver for one number type and dimension; by itself, or as one phase of several.
template <class T, int dim>
class Twin : public Solver {
 public:
  Twin(const Scene& scene, const SolverOptions& options);

  std::string_view name() const override { return "optimized"; }
  Rounding rounding() const override;
  std::span<const Boundary> boundaries() const override;
  void load(const Snapshot& snapshot) override;
  void append(const Snapshot& particles) override;
  Snapshot save(Boundary at, bool native) const override;
  std::vector<double> positions() const override;
  StepReport run(Boundary from, Boundary to, double dt) override;
  std::vector<Field> probe(std::string_view asked, std::span<const Field> fields, double dt) const override;
  SolveHistory solve_history(double dt) const override;
  StepReport advance(const std::function<double(double max_speed)>& next_dt) override;
  double time() const override { return step_.at == plasticity ? step_.time + step_.dt : step_.time; }
  std::int64_t steps() const override { return step_.at == plasticity ? step_.done + 1 : step_.done; }
  std::size_t particles() const override { return particles_.size(); }
  std::vector<std::pair<std::string, double>> stage_seconds() override;
  std::vector<std::pair<std::string, int>> stage_threads() override;
  Storage storage() const override;

 protected:
  using R = Record<dim>;
  using B = Block<dim>;

  // stages.cpp, grid_stages.cpp
  void begin_step();
  int stage_of(Boundary boundary) const;
  StepReport run_stages(int from, int to, double dt, int cuts, Pause pause = Pause::looked_at);
  void to_tiles(double dt, double momentum_scale);
  void sum_tiles(std::size_t node_block, T* sum) const;
  void set_momentum();
  void grid_stages(bool do_forces, bool do_collisions, bool do_friction, bool passing, bool separate,
                   StepReport& report);
  void finish_momentum(std::size_t node_block, bool separate, T* node, StepReport& report);
  void contacts_of_block(std::size_t node_block, const T* node, const Contacts& contacts,
                         Contacts::Near& near, bool do_collisions, bool do_friction, StepReport& report);
  void particle_stages(const Parts& parts, bool stops_between, StepReport& report);
  bool fill_tiles(std::size_t block, T* bar, T* kept, std::uint8_t* two) const;
  void mark_cells(const T* bar, const T* kept, std::uint8_t* two) const;
  [[noreturn]] void raise(const Fault& fault) const;

  // moves.cpp
  void note_moves(std::size_t block, const Moved* moved, std::size_t count, std::vector<Mover>& movers,
                  Fault& fault);
  void check_border(std::size_t block, Fault& fault) const;
  void sort_particles();

  // implicit_stages.cpp
  bool implicit() const { return solves(mpm_options(scene_).integrator); }  ///< semi- or fully
  NodeImpulses impulses_at(std::span<const double> v, double dt) const;
  std::vector<double> impulse_change(std::span<const double> v, std::span<const double> dv, double dt) const;
  void solve_implicit_step(int cuts, StepReport& report);
  void keep_solution(const Balance<T, dim>& system, const ImplicitVelocities& found);
  void implicit_friction(StepReport& report);
  Balance<T, dim> balance(double dt) const;
  HeldNodes held_nodes(const Balance<T, dim>& system) const;
  Balance<T, dim> balance_at(std::span<const double> v, double dt) const;
  std::vector<std::size_t> unknowns_by_id(const Balance<T, dim>& system) const;
  NodeVector on_nodes(const Balance<T, dim>& system, std::span<const double> values) const;

  /// Id that errors give to a particle at a place in the order of states.
  virtual std::int64_t id_of(std::size_t place) const { return particles_.ids.of(place); }
  /// An error at a boundary of the step in progress. @param particle its place in the order of states, or −1
  SimulationError stopped(std::string_view what, std::int64_t particle, Boundary at) const;

  // state_load.cpp, state_save.cpp
  /// Nodes with mass: id and place of the record, ascending.
  std::vector<std::pair<std::int64_t, std::size_t>> active_nodes(const Buffer<T>& masses) const;
  void require_own(const Snapshot& snapshot, std::size_t present_particles, std::int64_t first_id) const;
  /// @param first_id of the first of them, where they come anew; −1: they keep theirs
  void read_particles(const Snapshot& snapshot, std::size_t first, std::int64_t first_id,
                      std::vector<Mover>& all);
  void read_nodes(const Snapshot& snapshot);
  /// Particles behind the others, at the start of a step. @param first_id as read_particles()
  void add(const Snapshot& particles, std::int64_t first_id);
  void particles_changed();
  /// First node of each record's stencil.
  std::vector<std::array<std::int32_t, 3>> bases() const;
  double position(const std::array<std::int32_t, 3>& base, std::uint32_t slot, std::size_t axis) const;

  const Scene scene_;
  const Team asked_;
  const int nodes_per_axis_;  ///< K: 3 quadratic, 4 cubic
  const bool affine_;
  const T keep_;               ///< FLIP share
  const bool one_moves_both_;  ///< ṽ moves particles too
  const Kernels<T, dim>& kernels_;
  const ImplicitKernels<dim>& implicit_kernels_;
  const Places<dim> places_;
  const std::vector<Boundary> boundaries_;  ///< of the scene's steps
  std::vector<LawRow<T>> laws_;
  std::vector<WaterRow<T>> waters_;  ///< of Law::water
  std::size_t laws_apart_ = 1;       ///< rows that kernels choose among: 1 where all are the same
  Hardening hardening_;
  const Law law_;
  bool has_friction_ = false;
  bool forces_apart_ = false;  ///< tiles hold Δt f without momenta

  /// What one thread takes, about: a particle of one transfer, a block of nodes [ns]. For sharing loops alone.
  static constexpr double particle_ns = dim == 3 ? 40.0 : 15.0;
  static constexpr double node_block_ns = 2000.0;
  Team team_{1};  ///< what is worth waking for the particles that are there

  /// Where the step in progress or just done stands.
  struct Standing {
    int at = step_start;
    double time = 0.0;       ///< at its start [s]
    double dt = 0.0;         ///< [s]
    std::int64_t done = 0;   ///< steps completed before it
    double max_speed = 0.0;  ///< of a particle [m/s]
  };

  enum Clock { sort_clock, p2g_clock, grid_clock, particles_clock, clocks };
  /// Since stage_seconds() and stage_threads() were asked.
  struct Clocks {
    std::array<double, clocks> seconds{};
    std::array<int, clocks> threads{};  ///< the most that took part in one loop
    int solving_threads = 0;            ///< the same in an implicit solve
  };

  ParticleStore<T, dim> particles_;
  NodeStore<T, dim> nodes_;
  Standing step_;
  Clocks clocks_;
};

extern template class Twin<float, 2>;
extern template class Twin<float, 3>;
extern template class Twin<double, 2>;
extern template class Twin<double, 3>;

}  // namespace repose::optimized
