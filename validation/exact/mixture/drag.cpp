#include "reference/interface/methods/mixture.h"
#include "validation/exact/mixture/lattices.h"
#include "validation/exact/mixture/problems.h"
#include "validation/mechanics/arithmetic.h"
#include "validation/mechanics/field_access.h"

#include <array>
#include <cmath>

namespace repose::exact {

namespace {

constexpr int steps_of_drag = 8;
constexpr double density_of[2] = {1600.0, 500.0};  ///< of either phase in the mixture [kg/m³]

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
  const double m_s = density_of[0] * cell;
  const double m_w = density_of[1] * cell;
  const std::array<Point, 2> v{Point(1.1, -0.7, dim > 2 ? 0.4 : 0.0), Point(-0.6, 0.9, dim > 2 ? 0.8 : 0.0)};
  const double dt = 2e-3;
  const double r_dt = 0.35;
  MixtureOptions& options = mixture_options(scene);
  options.drag = drag;
  options.c_E = drag == Drag::printed ? r_dt / dt / (m_s + m_w) : 0.0;
  options.kappa = drag == Drag::mesh_consistent ? r_dt / dt / cell / (1.0 / m_s + 1.0 / m_w) : 0.0;
  scene.step.max_dt = dt;

  const auto solver = trial.solver(scene);
  const Snapshot start = two_lattices(
      scene, {Filling{.density = density_of[0], .v = v[0]}, Filling{.density = density_of[1], .v = v[1]}}, 0,
      scene.grid.cells[1]);
  solver->load(start);
  for (int step = 0; step < steps_of_drag; ++step) solver->advance([&](double) { return dt; });
  const Snapshot end = solver->save(boundary::step_start, false);

  const Point mean = (m_s * v[0] + m_w * v[1]) / (m_s + m_w);
  const Point w = (v[0] - v[1]) / std::pow(1.0 + r_dt, steps_of_drag);
  const std::array<Point, 2> due{mean + m_w / (m_s + m_w) * w, mean - m_s / (m_s + m_w) * w};
  const double unit = solver->rounding().unit;
  const double per_step = crosscheck::gamma(roundings_of_transfers(scene) + 20.0, unit);
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
                      (density_of[0] + density_of[1]);
  ledger.near("momentum of both over mass [m/s]", (momentum[0] + momentum[1]) / mass, mean, bound);
}

}  // namespace

void add_drag(std::vector<Exact>& all) {
  all.push_back({"drag_of_masses", "sand and water that move through each other, slowed by the printed drag",
                 "exchange", setups_of_both(), false, [](const Trial& trial, invariants::Ledger& ledger) {
                   move_through(trial, ledger, Drag::printed);
                 }});
  all.push_back({"drag_of_volumes",
                 "sand and water that move through each other, slowed by a drag of volumes", "exchange",
                 setups_of_both(), false, [](const Trial& trial, invariants::Ledger& ledger) {
                   move_through(trial, ledger, Drag::mesh_consistent);
                 }});
}

}  // namespace repose::exact
