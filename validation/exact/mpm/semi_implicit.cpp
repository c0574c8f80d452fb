#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/exact/mpm/particles.h"
#include "validation/exact/mpm/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

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

/// A grain whose nodes part along x.
struct Parting {
  double courant = 0.1;
  double stretch = 1e-5;  ///< Δt times the rate at which they do; negative: they close
  double beside = 0.0;    ///< of the grain from a node along x, in h
  Energy energy = Energy::hencky;
};

/// The share of the rate that one step takes. Of a grain on a node C tells what ∇v does, of others ∇v behind g2p alone; nothing
/// where the solver does not stop there.
std::optional<double> share_lost(const Trial& trial, const Parting& of) {
  Scene scene = scene_of(trial.setup, Integrator::semi_implicit, of.energy);
  scene.gravity.setZero();
  const Material& m = scene.materials[0];
  const double dt = of.courant * scene.grid.h / wave_speed(m);
  Snapshot state;
  state.method = method::mpm.name;
  state.fields = method::state_at_rest(method::mpm, trial.setup.dim, 1);
  state.get(field::volume).value[0] = std::pow(0.5 * scene.grid.h, trial.setup.dim);
  state.get(field::mass).value[0] = m.density * state.get(field::volume).value[0];
  for (int a = 0; a < trial.setup.dim; ++a)
    state.get(field::x).value[static_cast<std::size_t>(a)] =
        scene.grid.domain_min[a] + (6.0 + (a == 0 ? of.beside : 0.0)) * scene.grid.h;
  state.get(field::C).value[0] = of.stretch / dt;
  const auto solver = trial.solver(scene);
  solver->load(state);
  const double before = solver->save(boundary::step_start, false).get(field::C).value[0];
  if (of.beside == 0.0) {
    solver->advance([dt](double) { return dt; });
    return 1.0 - solver->save(boundary::step_start, false).get(field::C).value[0] / before;
  }
  const auto list = solver->boundaries();
  if (std::find(list.begin(), list.end(), boundary::g2p) == list.end()) return std::nullopt;
  solver->run(boundary::step_start, boundary::g2p, dt);
  return 1.0 - solver->save(boundary::g2p, false).get(field::grad_v).value[0] / before;
}

/// In a step whose return to the cone waits for its end Hencky's energy holds a grain's nodes together for that long. One element of
/// ν = 0 that its nodes pull apart at the rate g, each moved by its own share of the stress, takes of it
///
///     s C²/(1 + s C²),   s = h² Σ_i (∂w_i)²/w_i                                                         [ERRATA T44]
///
///     on a node        4 by the quadratic kernel,   3 by the cubic one
///     h/4 beside it    4 + 4/11,                    ⅜ (4 + 169/235 + 441/121)
///
/// C = c Δt/h, but for terms of the order of the stretch, which cancel in the mean of opening and closing, and a tenth of its
/// square, 10⁻¹¹. The solve leaves 10⁻¹⁰ of the impulses and 64 ε of those of a strain of 1, 2·10⁻⁹ of a stretch of 10⁻⁵, of which
/// twice as much is allowed; masses, momenta and C round to some 64 u; a place that is stored otherwise by δx has another s, by less
/// than 4 δx/h, of which the share takes no more than a quarter. The unilateral energy takes nothing.
void hold_together(const Trial& trial, invariants::Ledger& ledger) {
  const bool wide = crosscheck::kernel_of(trial.setup) == Kernel::cubic;
  const Scene scene = scene_of(trial.setup, Integrator::semi_implicit, Energy::hencky);
  const Rounding rounding = trial.solver(scene)->rounding();
  const double s[2] = {wide ? 3.0 : 4.0,
                       wide ? 0.375 * (4.0 + 169.0 / 235.0 + 441.0 / 121.0) : 4.0 + 4.0 / 11.0};
  for (const double beside : {0.0, 0.25})
    for (const double courant : {0.1, 1.309, 4.14, 13.09}) {
      const auto lost = [&](double stretch, Energy energy) {
        return share_lost(trial,
                          {.courant = courant, .stretch = stretch, .beside = beside, .energy = energy});
      };
      const auto opening = lost(1e-5, Energy::hencky), closing = lost(-1e-5, Energy::hencky);
      const auto unilateral = lost(0.02, Energy::unilateral);
      if (!opening || !closing || !unilateral) continue;
      const double due = s[beside > 0.0 ? 1 : 0] * courant * courant;
      const double stored = beside > 0.0 ? rounding.position / scene.grid.h : 0.0;
      const std::string where = beside > 0.0 ? fmt::format(", {} h beside a node", beside) : "";
      ledger.near(
          fmt::format("share of the speed of parting that Hencky's energy takes at C = {}{}", courant, where),
          0.5 * (*opening + *closing), due / (1.0 + due), 4e-9 + 64.0 * rounding.unit + stored);
      ledger.near(fmt::format("share that the unilateral one takes at C = {}{}", courant, where), *unilateral,
                  0.0, 64.0 * rounding.unit);
      ledger.saw(beside > 0.0 ? "grains beside a node that part" : "grains that part");
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
