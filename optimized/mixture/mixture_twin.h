#pragma once

#include "optimized/mixture/coupled_balance.h"
#include "optimized/mixture/phase_twin.h"
#include "optimized/mixture/stencil_weights.h"
#include "reference/interface/methods/mixture_options.h"

#include <array>
#include <string>
#include <vector>

namespace repose::optimized {

/// The fast solver of the mixture of [Tam17] for one number type and dimension: one of mpm for each phase, on its own grid, and
/// what couples them. A node that both are on is found block by block.
///
/// φ of the step is known as soon as its nodes are: whole steps find it block by block in front of the particles' stages, which
/// then run as one. Where a run stops between stages, nodes are listed.
template <class T, int dim>
class MixtureTwin final : public Solver {
 public:
  MixtureTwin(const Scene& scene, const SolverOptions& options);

  std::string_view name() const override { return "optimized"; }
  Rounding rounding() const override { return solid_.rounding(); }
  std::span<const Boundary> boundaries() const override { return boundaries_; }
  void load(const Snapshot& snapshot) override;
  /// After an error it needs load().
  void append(const Snapshot& particles) override;
  Snapshot save(Boundary at, bool native) const override;
  std::vector<double> positions() const override;
  StepReport run(Boundary from, Boundary to, double dt) override;
  std::vector<Field> probe(std::string_view asked, std::span<const Field> fields, double dt) const override;
  SolveHistory solve_history(double dt) const override;
  StepReport advance(const std::function<double(double max_speed)>& next_dt) override;
  double time() const override { return step_.at == At::plasticity ? step_.time + step_.dt : step_.time; }
  std::int64_t steps() const override { return step_.at == At::plasticity ? step_.done + 1 : step_.done; }
  std::size_t particles() const override { return ids_.size(); }
  std::vector<std::pair<std::string, double>> stage_seconds() override;
  std::vector<std::pair<std::string, int>> stage_threads() override;
  Storage storage() const override;

 private:
  using B = Block<dim>;
  using R = Record<dim>;
  using Part = PhaseTwin<T, dim>;

  /// Stages by number, as the method's table of explicit steps has them.
  struct At {
    static constexpr int step_start = 0, p2g = 1, forces = 2, drag = 3, collisions = 4, friction = 5, g2p = 6,
                         update = 7, saturation = 8, plasticity = 9;
  };
  /// Where the phases stand then, by Stage.
  static constexpr std::array<int, 10> at_of_parts{0, 1, 2, 2, 3, 4, 5, 6, 6, 7};

  /// A node at which either phase has mass, where a run stops between p2g and saturation.
  struct MixedNode {
    std::int64_t id = 0;
    std::array<double, 2> m{};  ///< by phase [kg]
    std::array<std::array<double, 3>, 2> p_star{};
    std::array<double, 3> reversible{};
    bool wet = false;  ///< φ_i
  };
  static constexpr std::size_t sand = 0, water = 1;  ///< as mixture::phases

  Part& part(mixture::Phase phase) { return phase == mixture::Phase::water ? water_ : solid_; }
  const Part& part(mixture::Phase phase) const { return phase == mixture::Phase::water ? water_ : solid_; }

  // mixture_twin.cpp
  void begin_step();
  int place_of(Boundary boundary) const;
  bool implicit() const { return solves(options_.integrator); }  ///< semi-implicit
  StepReport run_stages(int from, int to, double dt, int cuts);
  void momenta(int from, int to, StepReport& report);
  void move_particles(int from, int to, StepReport& report);
  void share_team();

  // coupling.cpp
  void pair_blocks();
  std::uint64_t nodes_of_both(int at) const;
  T share_of_sand(T of_sand, T of_water) const;
  void add_reversible(bool seen);
  void apply_drag(StepReport& report);
  T drag_rate(T m_s, T m_w) const;

  // implicit_stages.cpp
  CoupledBalance<T, dim> balance(double dt) const;
  CoupledBalance<T, dim> balance_at(std::span<const Field> fields, double dt) const;
  Coupling coupling(const Balance<T, dim>& of_sand, Balance<T, dim>& of_water, double dt) const;
  NodeVector lagged_reversible(const Coupling& pairs, const Balance<T, dim>& of_sand,
                               Balance<T, dim>& of_water) const;
  void solve_step(int cuts, bool seen, StepReport& report);
  void keep_solution(const CoupledBalance<T, dim>& system, const ImplicitVelocities& found, bool seen);
  SimulationError no_solution(const std::string& what, const NoSolution& failure) const;
  ImplicitVelocities solved(CoupledBalance<T, dim>& system, SolveHistory* history) const;
  std::vector<std::array<std::size_t, 2>> unknowns_by_id(const CoupledBalance<T, dim>& system) const;
  NodeVector on_nodes(const CoupledBalance<T, dim>& system, std::span<const double> of_sand,
                      std::span<const double> of_water) const;

  // saturation.cpp
  void saturate_by_blocks();
  void mark_wet_nodes();
  void saturate_by_list(const std::vector<std::array<std::int32_t, 3>>& bases, const std::vector<T>& offsets);
  WetStencil wet_stencil(const std::array<std::int32_t, 3>& base) const;
  void soften();
  std::uint64_t wet_nodes(bool by_list) const;
  bool is_wet(double m_s, double m_w) const { return m_s > options_.wet_mass && m_w > options_.wet_mass; }

  // listed_nodes.cpp
  void list_nodes();
  void read_listed(const Snapshot& snapshot);
  void write_listed(Snapshot& snapshot) const;

  // state.cpp
  void put_back(Snapshot& snapshot, mixture::Phase phase, bool native) const;
  void write_grains(Snapshot& snapshot, bool native) const;
  void read_saturation(const Snapshot& snapshot, const mixture::Members& solid);
  std::vector<double> places(const Part& part) const;

  const Scene scene_;
  const MixtureOptions options_;
  const std::vector<Boundary> stops_;       ///< by At
  const std::vector<Boundary> boundaries_;  ///< of the scene's steps
  ParticleIds ids_;                         ///< of all particles
  Part solid_, water_;
  std::vector<std::uint32_t> partner_;  ///< block of water's nodes at each block of sand's, or no_block
  std::vector<std::uint64_t> wet_;      ///< φ_i of each block of sand's nodes, a bit per node
  Buffer<T> reversible_;                ///< impulse on sand at its nodes, where somebody looks
  std::vector<MixedNode> listed_;       ///< ascending ids; where a run stopped between p2g and saturation
  std::array<std::vector<double>, 2>
      x_n_;  ///< places before the update, by phase, where a run stopped there [m]

  struct Standing {
    int at = At::step_start;
    double time = 0.0, dt = 0.0;
    std::int64_t done = 0;
  };
  Standing step_;
  double coupling_seconds_ = 0.0;
};

extern template class MixtureTwin<float, 2>;
extern template class MixtureTwin<float, 3>;
extern template class MixtureTwin<double, 2>;
extern template class MixtureTwin<double, 3>;

}  // namespace repose::optimized
