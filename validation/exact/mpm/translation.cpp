#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/exact/mpm/particles.h"
#include "validation/exact/mpm/problems.h"
#include "validation/mechanics/arithmetic.h"
#include "validation/mechanics/field_access.h"

#include <algorithm>
#include <cmath>

namespace repose::exact {

namespace {

constexpr int steps_taken = 40;
constexpr int particles_per_axis = 2;

double total(const Field& field) {
  double sum = 0.0;
  for (const double value : field.value) sum += value;
  return sum;
}

/// What the nodes hold at p2g of what the particles have.
void judge_nodes(Solver& solver, const Snapshot& state, const Point& v, double dt, double unit,
                 invariants::Ledger& ledger) {
  const auto list = solver.boundaries();
  if (std::find(list.begin(), list.end(), boundary::p2g) == list.end()) return;
  solver.run(boundary::step_start, boundary::p2g, dt);
  const Snapshot nodes = solver.save(boundary::p2g, false);
  const double mass = total(state.get(field::mass));
  const double roundings = 2.0 * static_cast<double>(state.particles());
  ledger.near("mass on nodes over that of particles", total(nodes.get(field::m_i)) / mass, 1.0,
              crosscheck::gamma(roundings, unit));
  Point momentum = Point::Zero();
  for (std::size_t n = 0; n < nodes.count(Place::node); ++n)
    momentum += crosscheck::point(nodes.get(field::p_i), n);
  ledger.near("momentum on nodes over mass [m/s]", momentum / mass, v,
              crosscheck::gamma(roundings, unit) * v.norm() +
                  steps_taken * crosscheck::gamma(roundings, unit) * v.norm());
}

/// A body that fills a box without ends and moves on without gravity: velocities stay, and so does the density.
///
/// Each of N steps rounds a velocity by at most r = γ(2(n_p + k) + n_i + k) of itself: n_p particles add to a node, its mass
/// and its momentum, n_i nodes to a particle, some k = 40 roundings in a term. What ∇v rounds to, r ‖v‖ 2d/h, becomes a strain
/// over N steps and a stress that acts over as many, N² (c Δt/h)² 4 d² r ‖v‖ in all. Moves round by the storage of
/// positions.
void translate(const Trial& trial, invariants::Ledger& ledger) {
  const int dim = trial.setup.dim;
  Scene scene = empty_scene(trial.setup);
  Grid& grid = scene.grid;
  grid.h = 0.05;
  grid.domain_min = Point(-0.13, 0.07, dim > 2 ? -0.21 : 0.0);
  grid.cells = {7, 6, dim > 2 ? 5 : 1};
  grid.periodic = {true, true, dim > 2};
  const Point v(3.1, -2.3, dim > 2 ? 1.7 : 0.0);
  const double dt = 0.35 * grid.h / v.norm();
  Material rubber;
  rubber.name = "rubber";
  rubber.kind = MaterialKind::elastic;
  rubber.density = 2000.0;
  rubber.poisson_ratio = 0.25;
  const double courant = 0.02;
  rubber.youngs_modulus = rubber.density * std::pow(courant * grid.h / dt, 2) / 1.2;  // c² = 1.2 E/ρ
  scene.materials = {rubber};
  scene.step.max_dt = dt;

  Snapshot state = lattice(scene, particles_per_axis, 0, grid.cells[1]);
  for (std::size_t i = 0; i < state.get(field::v).value.size(); ++i)
    state.get(field::v).value[i] = v[static_cast<Eigen::Index>(i % static_cast<std::size_t>(dim))];

  const auto solver = trial.solver(scene);
  solver->load(state);
  for (int step = 0; step < steps_taken; ++step) solver->advance([&](double) { return dt; });
  const Snapshot end = solver->save(boundary::step_start, false);

  const double unit = solver->rounding().unit;
  const double width = mpm_options(scene).kernel == Kernel::cubic ? 4.0 : 3.0;
  const double near = std::pow(width, dim), terms = std::pow(particles_per_axis * width, dim), k = 40.0;
  const double per_step = crosscheck::gamma(2.0 * (terms + k) + near + k, unit);
  const double strained = std::pow(steps_taken * courant * 2.0 * dim, 2);
  const double drift = (steps_taken + strained) * per_step * v.norm();
  const double moved = steps_taken * (dt * drift + 2.0 * solver->rounding().position) + 1e-15;
  Point momentum = Point::Zero();
  for (std::size_t p = 0; p < end.particles(); ++p) {
    const Point velocity = crosscheck::point(end.get(field::v), p);
    const Point from = crosscheck::point(state.get(field::x), p);
    const Point way = crosscheck::point(end.get(field::x), p) - from;
    ledger.near("velocity [m/s]", velocity, v, drift, from);
    ledger.near("way but for lengths of the box [m]", grid.nearest(way - steps_taken * dt * v), Point::Zero(),
                moved, from);
    momentum += end.get(field::mass).value[p] * velocity;
    if ((way - steps_taken * dt * v).norm() > 0.5 * grid.h) ledger.saw("particles that went through a seam");
  }
  ledger.near("momentum over mass [m/s]", momentum / total(end.get(field::mass)), v, drift);
  ledger.needs("particles that went through a seam", static_cast<double>(end.particles()));
  judge_nodes(*solver, end, v, dt, unit, ledger);
}

}  // namespace

void add_translation(std::vector<Exact>& all) {
  std::vector<crosscheck::Setup> setups = crosscheck::setups(method::mpm.name, 0);
  for (const crosscheck::Setup& setup : crosscheck::setups(method::mpm.name, 1)) setups.push_back(setup);
  all.push_back({"translation", "a body that fills a box without ends moves on as it is", "motion", setups,
                 false, translate});
}

}  // namespace repose::exact
