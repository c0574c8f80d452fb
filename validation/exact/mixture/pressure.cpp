#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_names.h"
#include "validation/exact/mixture/lattices.h"
#include "validation/exact/mixture/problems.h"
#include "validation/mechanics/arithmetic.h"
#include "validation/mechanics/field_access.h"
#include "validation/mechanics/stencil.h"
#include "validation/mechanics/water.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace repose::exact {

namespace {

constexpr int steps_pressed = 4;
constexpr double standard_gravity = 9.81;  ///< [m/s²]
constexpr double courant_at_rest = 0.05;   ///< c Δt/h of water at rest

/// A box of both whose grains hardly resist, for water of a soil; Δt by its sound.
Scene box_of_soil(const crosscheck::Setup& setup, ReversibleTerm term) {
  Scene scene = box_of_both(setup);
  Material& water = scene.materials[1];
  water.density = 1000.0;
  water.water_stiffness = 1e5;
  mixture_options(scene).reversible = term;
  scene.step.max_dt = courant_at_rest * scene.grid.h / wave_speed(water);
  return scene;
}

/// Gives the water of a state the pressure p(y) that is asked for, by J; its volume V⁰J stays what it was.
template <class Pressure>
void press(Snapshot& state, const Material& water, Pressure pressure) {
  for (std::size_t p = 0; p < state.particles(); ++p) {
    if (state.get(field::material).value[p] == 0.0) continue;
    const double y = crosscheck::point(state.get(field::x), p).y();
    const double J = std::pow(1.0 + pressure(y) / water.water_stiffness, -1.0 / water.water_gamma);
    state.get(field::J).value[p] = J;
    state.get(field::volume).value[p] /= J;
  }
}

/// What rounding leaves of the force of a pressure up to p over lattices of half a cell, and of what it grows to in N steps,
/// over the volume of water [Pa/m].
///
/// A row of particles adds V p ∂w of magnitude ≤ 2/h V p in all to nodes, in γ(n_p + k) roundings; ∂w moves with places by
/// 4d δx/h², p with J by γ_w (p + k_w) a rounding, of which some 16 are in what is stored and in the power. What is left strains by
/// 2d Δt²/h of itself in a step, and that pushes with c², N² (c Δt/h)² 4d² in all.
double force_left(const Solver& solver, const Scene& scene, double p) {
  const Rounding rounding = solver.rounding();
  const Material& water = scene.materials[1];
  const double h = scene.grid.h, stiff = water.water_gamma * (p + water.water_stiffness);
  const double of_sum = crosscheck::gamma(roundings_of_transfers(scene), rounding.unit) +
                        2.0 * scene.dim() * rounding.position / h;
  const double once = 2.0 / h * (of_sum * p + 16.0 * rounding.unit * stiff);
  const double c_dt = std::sqrt(stiff / water.density) * scene.step.max_dt;
  return once * (1.0 + std::pow(2.0 * scene.dim() * steps_pressed * c_dt / h, 2));
}

Snapshot end_of(Solver& solver, const Scene& scene, const Snapshot& start) {
  solver.load(start);
  for (int step = 0; step < steps_pressed; ++step) solver.advance([&](double) { return scene.step.max_dt; });
  return solver.save(boundary::step_start, false);
}

/// Grains in water, by what they are.
struct Bed {
  std::string_view what;
  double water = 0.0;  ///< θ, share of the volume
  double ratio = 1.0;  ///< density of grains over that of water
  bool bears =
      false;  ///< whether the pressure bears the water beside the term, or is that of water at rest alone
};

double share_of(const Bed& bed, ReversibleTerm term) {
  const double m_s = (1.0 - bed.water) * bed.ratio, m_w = bed.water;
  switch (term) {
    case ReversibleTerm::none:
      return 0.0;
    case ReversibleTerm::mass:
      return m_s / (m_s + m_w);
    case ReversibleTerm::volume:
      return 1.0 - bed.water;
    case ReversibleTerm::printed:
      return m_w / (m_s + m_w);
  }
  return 0.0;
}

/// Grains and water that fill a high column, under gravity and a pressure that falls linearly. Lattices of half a cell add that
/// exactly, so that wherever the ends are not felt yet, by two supports of the kernel a step, all fall uniformly [ERRATA T12, T41]:
///
///     a_w = (1 − s) θ p′/ρ_w′ − g,   a_s = s θ p′/ρ_s′ − g,   p′ = −∂p/∂y,   ρ′ the mass of a phase over the column's volume
///
/// s the share of the term. Where p′ bears the water, a_w = 0, grains of twice its density hover by mass, fall with g/2 by volume,
/// as Archimedes has it, freely without the term, and by the printed share with g (1 − (m_w/m_s)²). At the pressure of water at
/// rest the printed one leaves 2 % of its weight's support to water that is 98 % of both, and throws the grains up with 47 g.
void bear(const Trial& trial, invariants::Ledger& ledger, const Bed& bed, ReversibleTerm term) {
  Scene scene = box_of_soil(trial.setup, term);
  Grid& grid = scene.grid;
  const double reach = 2.0 * crosscheck::support(mixture_options(scene).kernel);
  const auto rows = 2 * static_cast<std::int64_t>(std::ceil(reach * steps_pressed)) + 2;
  constexpr std::int64_t below = 3;
  grid.cells[1] = rows + 2 * below;
  grid.periodic[1] = false;
  scene.gravity = Point(0.0, -standard_gravity, 0.0);
  const Material& water = scene.materials[1];
  const double share = share_of(bed, term);
  const std::array<double, 2> density{(1.0 - bed.water) * bed.ratio * water.density,
                                      bed.water * water.density};
  const double slope = water.density * standard_gravity / (bed.bears ? 1.0 - share : 1.0);
  const double height = static_cast<double>(rows) * grid.h, bottom = grid.domain_min.y() + below * grid.h;
  const auto solver = trial.solver(scene);
  Snapshot start = two_lattices(scene,
                                {Filling{.density = density[0], .share = 1.0 - bed.water},
                                 Filling{.density = density[1], .share = bed.water}},
                                below, below + rows);
  press(start, water, [&](double y) { return slope * (bottom + height - y); });
  const Snapshot end = end_of(*solver, scene, start);

  const double time = steps_pressed * scene.step.max_dt;
  const double left = bed.water * force_left(*solver, scene, slope * height);
  for (std::size_t p = 0; p < end.particles(); ++p) {
    const Point x = crosscheck::point(start.get(field::x), p);
    if (std::abs(x.y() - bottom - 0.5 * height) > grid.h) continue;
    const auto phase = static_cast<std::size_t>(end.get(field::material).value[p]);
    const double given = phase == 0 ? share : 1.0 - share;
    const double due = given * bed.water * slope / density[phase] - standard_gravity;
    const double rounded = crosscheck::gamma(roundings_of_transfers(scene), solver->rounding().unit);
    ledger.near(
        fmt::format("acceleration of {} over g, {}, term {}", phase == 0 ? "grains" : "water", bed.what,
                    names::of(term, names::reversible_term)),
        crosscheck::point(end.get(field::v), p) / time / standard_gravity,
        Point(0.0, due / standard_gravity, 0.0),
        (given * left / density[phase] + steps_pressed * rounded * (std::abs(due) + standard_gravity)) /
            standard_gravity,
        x);
    ledger.saw(phase == 0 ? "grains amid water" : "water amid grains");
  }
}

void bear_all(const Trial& trial, invariants::Ledger& ledger) {
  using enum ReversibleTerm;
  const Bed heavy{.what = "grains twice as dense as water", .water = 0.6, .ratio = 2.0, .bears = true};
  const Bed few{.what = "2 % of grains as dense as water", .water = 0.98, .ratio = 1.0, .bears = false};
  for (const ReversibleTerm term : {none, mass, volume, printed}) bear(trial, ledger, heavy, term);
  bear(trial, ledger, few, printed);
  // In five runs four rows of ten, or more in space.
  constexpr double least = 5.0 * 4.0 * 10.0;
  ledger.needs("grains amid water", least);
  ledger.needs("water amid grains", least);
}

/// Water under one pressure fills a box without ends, grains the left half of it: no force is anywhere, nor a share of any, and
/// nothing moves [ERRATA T13]. The second term of [Tam17 Eq.13] as it is printed, p ∇φ, would push where the grains end.
/// A node of few grains is given no more than its share of what rounding leaves: less, over its mass, than water is over its
/// own. Not so by the printed share, which is not judged here.
void press_evenly(const Trial& trial, invariants::Ledger& ledger) {
  using enum ReversibleTerm;
  constexpr double theta = 0.6, ratio = 2.0, J = 0.9;
  for (const ReversibleTerm term : {none, mass, volume}) {
    Scene scene = box_of_soil(trial.setup, term);
    scene.grid.cells[0] = 8;
    const Material& water = scene.materials[1];
    const double p = mechanics::water_pressure(water, J);
    const auto solver = trial.solver(scene);
    Snapshot start = two_lattices(
        scene,
        {Filling{.density = (1.0 - theta) * ratio * water.density, .share = 1.0 - theta, .to = 0.5},
         Filling{.density = theta * water.density, .share = theta}},
        0, scene.grid.cells[1]);
    press(start, water, [&](double) { return p; });
    const Snapshot end = end_of(*solver, scene, start);
    const double time = steps_pressed * scene.step.max_dt;
    const double bound = time * force_left(*solver, scene, p) / water.density;
    for (std::size_t n = 0; n < end.particles(); ++n)
      ledger.near(fmt::format("velocity of {} [m/s], term {}",
                              end.get(field::material).value[n] == 0.0 ? "grains" : "water",
                              names::of(term, names::reversible_term)),
                  crosscheck::point(end.get(field::v), n), Point::Zero(), bound,
                  crosscheck::point(start.get(field::x), n));
    // φ = m_w/(m_s + m_w) changes by more than a half over three or four cells.
    const double push = time * p * 0.5 / (4.0 * scene.grid.h) / water.density;
    ledger.saw("runs in which p grad phi would be seen", push > 20.0 * bound ? 1.0 : 0.0);
  }
  ledger.needs("runs in which p grad phi would be seen", 3.0);
}

}  // namespace

void add_pressure(std::vector<Exact>& all) {
  all.push_back({"grains_in_still_water",
                 "grains in water that hover, sink or fall by what its pressure gives them", "pressure",
                 setups_of_both(), false, bear_all});
  all.push_back({"grains_under_one_pressure", "grains that end in water of one pressure everywhere",
                 "pressure", setups_of_both(), false, press_evenly});
}

}  // namespace repose::exact
