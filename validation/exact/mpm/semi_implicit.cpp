#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/exact/mpm/particles.h"
#include "validation/exact/mpm/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace repose::exact {

namespace {

Material dry_sand() {
  Material m;
  m.name = "sand";
  m.density = 2000.0;
  m.youngs_modulus = 5e5;
  m.friction.h0 = 0.5;
  m.unilateral = Unilateral{.a = -3e-3, .b = 0.0, .c0 = 0.01};
  return m;
}

Scene scene_of(const crosscheck::Setup& setup, Integrator integrator, Energy energy) {
  Scene scene = empty_scene(setup);
  scene.grid.h = 0.05;
  scene.grid.domain_min = Point(-0.2, -0.25, setup.dim > 2 ? -0.15 : 0.0);
  scene.grid.cells = {12, 12, setup.dim > 2 ? 12 : 1};
  MpmOptions& options = mpm_options(scene);
  options.integrator = integrator;
  options.energy = energy;
  options.implicit.newton_tolerance = 1e-10;
  options.implicit.newton_iterations = 100;
  options.implicit.gmres_iterations = 400;
  options.implicit.gmres_tolerance = 1e-8;
  scene.materials = {dry_sand()};
  scene.step.max_dt = 1.0;
  scene.step.cfl = 100.0;
  return scene;
}

/// The share of the rate `stretch`/Δt, along x, at which the nodes about a grain part, that one step takes. The grain lies on a
/// node, so that C tells what ∇v does.
double share_lost(const Trial& trial, Energy energy, double courant, double stretch) {
  Scene scene = scene_of(trial.setup, Integrator::semi_implicit, energy);
  scene.gravity.setZero();
  const Material& m = scene.materials[0];
  const double dt = courant * scene.grid.h / wave_speed(m);
  Snapshot state;
  state.method = method::mpm.name;
  state.fields = method::state_at_rest(method::mpm, trial.setup.dim, 1);
  state.get(field::volume).value[0] = std::pow(0.5 * scene.grid.h, trial.setup.dim);
  state.get(field::mass).value[0] = m.density * state.get(field::volume).value[0];
  for (int a = 0; a < trial.setup.dim; ++a)
    state.get(field::x).value[static_cast<std::size_t>(a)] = scene.grid.domain_min[a] + 6.0 * scene.grid.h;
  const double rate = stretch / dt;
  state.get(field::C).value[0] = rate;
  const auto solver = trial.solver(scene);
  solver->load(state);
  const double before = solver->save(boundary::step_start, false).get(field::C).value[0];
  solver->advance([dt](double) { return dt; });
  return 1.0 - solver->save(boundary::step_start, false).get(field::C).value[0] / before;
}

/// In a step whose return to the cone waits for its end Hencky's energy holds a grain's nodes together for that long. One element of
/// ν = 0 that its nodes pull apart at the rate g, each moved by its own share of the stress, takes of it
///
///     s C²/(1 + s C²),   s = h² Σ_i (∂w_i)²/w_i: 4 with the quadratic kernel on a node, 3 with the cubic one        [ERRATA T44]
///
/// C = c Δt/h, but for terms of the order of the stretch, which cancel in the mean of opening and closing, and its square, 10⁻¹⁰.
/// The solve leaves 10⁻¹⁰ of the impulses; masses, momenta and C round to some 64 u. The unilateral energy takes nothing.
void hold_together(const Trial& trial, invariants::Ledger& ledger) {
  const double s = crosscheck::kernel_of(trial.setup) == Kernel::cubic ? 3.0 : 4.0;
  const double unit =
      trial.solver(scene_of(trial.setup, Integrator::semi_implicit, Energy::hencky))->rounding().unit;
  for (const double courant : {0.1, 1.309, 4.14, 13.09}) {
    const double opening = share_lost(trial, Energy::hencky, courant, 1e-5);
    const double closing = share_lost(trial, Energy::hencky, courant, -1e-5);
    const double due = s * courant * courant;
    ledger.near(fmt::format("share of the speed of parting that Hencky's energy takes at C = {}", courant),
                0.5 * (opening + closing), due / (1.0 + due), 4e-9 + 64.0 * unit);
    ledger.near(fmt::format("share that the unilateral one takes at C = {}", courant),
                share_lost(trial, Energy::unilateral, courant, 0.02), 0.0, 64.0 * unit);
    ledger.saw("grains that part");
  }
  ledger.needs("grains that part", 4.0);
}

/// Where particles are after `steps` equal steps of a time in which a wave goes 2.4 h.
std::vector<double> places(const Trial& trial, Integrator integrator, Energy energy, int steps) {
  Scene scene = scene_of(trial.setup, integrator, energy);
  scene.gravity = Point(0.3, -9.0, 0.0);
  mpm_options(scene).elastic_bound = 10.0;
  Snapshot state = lattice(scene, 2, 4, 7);
  const auto d = static_cast<std::size_t>(trial.setup.dim);
  for (std::size_t p = 0; p < state.particles(); ++p) {
    const double x = state.get(field::x).value[p * d];
    // Pressed together: it springs apart, through all regions of the unilateral energy.
    for (std::size_t a = 0; a < d; ++a) state.get(field::F).value[(p * d + a) * d + a] = 0.99 - 0.05 * x;
  }
  const double dt = 2.4 * scene.grid.h / wave_speed(scene.materials[0]) / steps;
  const auto solver = trial.solver(scene);
  solver->load(state);
  for (int n = 0; n < steps; ++n) solver->advance([dt](double) { return dt; });
  return solver->save(boundary::step_start, false).get(field::x).value;
}

/// Explicit and semi-implicit steps differ by terms of order Δt: half of Δt halves their distance. What is of second order lets
/// the order that is seen deviate by some Δt c/h of the coarsest pair, 0.15.
void approach_explicit(const Trial& trial, invariants::Ledger& ledger) {
  for (const auto& [energy, name] :
       {std::pair{Energy::hencky, "hencky"}, {Energy::unilateral, "unilateral"}}) {
    double before = 0.0;
    for (const int steps : {16, 32, 64}) {
      const std::vector<double> one = places(trial, Integrator::explicit_, energy, steps);
      const std::vector<double> other = places(trial, Integrator::semi_implicit, energy, steps);
      double distance = 0.0;
      for (std::size_t i = 0; i < one.size(); ++i) distance = std::max(distance, std::abs(one[i] - other[i]));
      if (before > 0.0) {
        ledger.near(fmt::format("order of the distance of explicit and semi-implicit steps, {}, {} steps",
                                name, steps),
                    std::log2(before / distance), 1.0, 0.2);
        ledger.saw("halved steps");
      }
      before = distance;
    }
  }
  ledger.needs("halved steps", 4.0);
}

}  // namespace

void add_semi_implicit(std::vector<Exact>& all) {
  std::vector<crosscheck::Setup> each, flat, deep;
  for (const Precision precision : {Precision::double_, Precision::single_})
    for (const Kernel kernel : {Kernel::quadratic, Kernel::cubic})
      for (const int dim : {2, 3}) {
        const crosscheck::MpmSetup setup{
            .dim = dim, .kernel = kernel, .transfer = Transfer::apic, .precision = precision, .threads = 1};
        each.push_back(setup);
        if (precision == Precision::double_) (dim == 2 ? flat : deep).push_back(setup);
      }
  all.push_back({"artificial_cohesion",
                 "what a step whose return waits takes of the speed at which grains part", "semi-implicit",
                 each, false, hold_together});
  all.push_back({"semi_implicit_order", "semi-implicit steps tend to explicit ones in first order",
                 "semi-implicit", flat, false, approach_explicit});
  all.push_back(
      {"semi_implicit_order_3d", "the same in space", "semi-implicit", deep, true, approach_explicit});
}

}  // namespace repose::exact
