#include "validation/exact/mixture/problems.h"

#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_options.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/mechanics/arithmetic.h"
#include "validation/mechanics/field_access.h"

#include <array>
#include <cmath>

namespace repose::exact {

namespace {

constexpr int steps_of_drag = 8;
constexpr int lattice_per_axis = 2;
constexpr double density[2] = {1600.0, 500.0};  ///< of either phase in the mixture [kg/m³]

Scene box_of_both(const crosscheck::Setup& setup) {
  Scene scene;
  scene.grid.dim = setup.dim;
  scene.grid.h = 0.05;
  scene.grid.domain_min = Point(-0.13, 0.07, setup.dim > 2 ? -0.21 : 0.0);
  scene.grid.cells = {5, 4, setup.dim > 2 ? 4 : 1};
  scene.grid.periodic = {true, true, setup.dim > 2};
  scene.scheme = MixtureOptions{
      .kernel = crosscheck::kernel_of(setup), .transfer = crosscheck::transfer_of(setup), .flip_share = 0.95};
  Material grains;
  grains.name = "grains";
  grains.kind = MaterialKind::elastic;
  grains.density = density[0];
  grains.poisson_ratio = 0.25;
  grains.youngs_modulus = 1e3;
  Material water;
  water.name = "water";
  water.kind = MaterialKind::water;
  water.density = density[1];
  water.water_stiffness = 100.0;
  water.water_gamma = 3.0;
  scene.materials = {grains, water};
  scene.frame_rate = 1.0;
  scene.duration = 1.0;
  return scene;
}

/// Both phases at the middles of the parts of all cells, by turns.
Snapshot two_lattices(const Scene& scene, const std::array<Point, 2>& v) {
  const Grid& grid = scene.grid;
  const auto dim = static_cast<std::size_t>(grid.dim);
  const double part = grid.h / lattice_per_axis;
  std::array<std::int64_t, 3> parts{1, 1, 1};
  std::size_t places = 1;
  for (std::size_t a = 0; a < dim; ++a) {
    parts[a] = lattice_per_axis * grid.cells[a];
    places *= static_cast<std::size_t>(parts[a]);
  }
  Snapshot state;
  state.method = method::mixture.name;
  state.fields = method::state_at_rest(method::mixture, grid.dim, 2 * places);
  const double volume = std::pow(part, grid.dim);
  std::size_t p = 0;
  for (std::int64_t i = 0; i < parts[0]; ++i)
    for (std::int64_t j = 0; j < parts[1]; ++j)
      for (std::int64_t k = 0; k < parts[2]; ++k)
        for (const std::size_t phase : {0U, 1U}) {
          const std::array<std::int64_t, 3> index{i, j, k};
          for (std::size_t a = 0; a < dim; ++a) {
            const auto axis = static_cast<Eigen::Index>(a);
            state.get(field::x).value[p * dim + a] =
                grid.domain_min[axis] + part * (static_cast<double>(index[a]) + 0.5);
            state.get(field::v).value[p * dim + a] = v[phase][axis];
          }
          state.get(field::volume).value[p] = volume;
          state.get(field::mass).value[p] = density[phase] * volume;
          state.get(field::material).value[p++] = static_cast<double>(phase);
        }
  return state;
}

/// Two phases that fill a box without ends and move through each other. Lattices of half a cell put the same mass on every node,
/// wherever they are: velocities are uniform, nothing is strained, and in each of N steps drag leaves
///
///     w ← w/(1 + r Δt),   r = c_E (m_s + m_w) or κ h^d (1/m_s + 1/m_w),   w = v_s − v_w
///
/// while m_s v_s + m_w v_w stays. FLIP carries the grid's change, which is the same for all particles. Each step rounds a velocity as in
/// a translation, by r_1 = γ(2(n_p + k) + n_i + k) of the largest, and drag by some 20 roundings more; what ∇v rounds to, 2d r_1 v/h,
/// strains over N steps, and with waves of less than cΔt/h = 0.05 that pushes by N² (cΔt/h)² 4d² r_1 v in all.
void move_through(const Trial& trial, invariants::Ledger& ledger, Drag drag) {
  const int dim = trial.setup.dim;
  Scene scene = box_of_both(trial.setup);
  const double h = scene.grid.h;
  const double cell = std::pow(h, dim);
  const double m_s = density[0] * cell;
  const double m_w = density[1] * cell;
  const std::array<Point, 2> v{Point(1.1, -0.7, dim > 2 ? 0.4 : 0.0), Point(-0.6, 0.9, dim > 2 ? 0.8 : 0.0)};
  const double dt = 2e-3;
  const double r_dt = 0.35;
  MixtureOptions& options = mixture_options(scene);
  options.drag = drag;
  options.c_E = drag == Drag::printed ? r_dt / dt / (m_s + m_w) : 0.0;
  options.kappa = drag == Drag::mesh_consistent ? r_dt / dt / cell / (1.0 / m_s + 1.0 / m_w) : 0.0;
  scene.step.max_dt = dt;

  const auto solver = trial.solver(scene);
  const Snapshot start = two_lattices(scene, v);
  solver->load(start);
  for (int step = 0; step < steps_of_drag; ++step) solver->advance([&](double) { return dt; });
  const Snapshot end = solver->save(boundary::step_start, false);

  const Point mean = (m_s * v[0] + m_w * v[1]) / (m_s + m_w);
  const Point w = (v[0] - v[1]) / std::pow(1.0 + r_dt, steps_of_drag);
  const std::array<Point, 2> due{mean + m_w / (m_s + m_w) * w, mean - m_s / (m_s + m_w) * w};
  const double unit = solver->rounding().unit;
  const double width = options.kernel == Kernel::cubic ? 4.0 : 3.0;
  const double near = std::pow(width, dim), terms = std::pow(lattice_per_axis * width, dim), k = 40.0;
  const double per_step = crosscheck::gamma(2.0 * (terms + k) + near + k + 20.0, unit);
  const double courant = 0.05;
  const double strained = std::pow(steps_of_drag * courant * 2.0 * dim, 2);
  const double bound = (steps_of_drag + strained) * per_step * (v[0].norm() + v[1].norm());
  std::array<Point, 2> momentum{Point::Zero(), Point::Zero()};
  for (std::size_t p = 0; p < end.particles(); ++p) {
    const auto phase = static_cast<std::size_t>(end.get(field::material).value[p]);
    const Point velocity = crosscheck::point(end.get(field::v), p);
    ledger.near(phase == 0 ? "velocity of sand [m/s]" : "velocity of water [m/s]", velocity, due[phase],
                bound, crosscheck::point(start.get(field::x), p));
    momentum[phase] += end.get(field::mass).value[p] * velocity;
  }
  const double mass = static_cast<double>(end.particles()) / 2.0 * std::pow(h / lattice_per_axis, dim) *
                      (density[0] + density[1]);
  ledger.near("momentum of both over mass [m/s]", (momentum[0] + momentum[1]) / mass, mean, bound);
}

/// One case of each transfer in turn, in both dimensions.
std::vector<crosscheck::Setup> setups_of_both() {
  std::vector<crosscheck::Setup> all = crosscheck::setups(method::mixture.name, 0);
  for (const crosscheck::Setup& setup : crosscheck::setups(method::mixture.name, 1)) all.push_back(setup);
  return all;
}

}  // namespace

const std::vector<Exact>& mixture_problems() {
  static const std::vector<Exact> all{
      {"drag_of_masses", "sand and water that move through each other, slowed by the printed drag",
       "exchange", setups_of_both(), false,
       [](const Trial& trial, invariants::Ledger& ledger) { move_through(trial, ledger, Drag::printed); }},
      {"drag_of_volumes", "sand and water that move through each other, slowed by a drag of volumes",
       "exchange", setups_of_both(), false,
       [](const Trial& trial, invariants::Ledger& ledger) {
         move_through(trial, ledger, Drag::mesh_consistent);
       }},
  };
  return all;
}

}  // namespace repose::exact
