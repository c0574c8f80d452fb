#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_names.h"
#include "reference/interface/particles/random.h"
#include "validation/exact/mixture/lattices.h"
#include "validation/exact/mixture/problems.h"
#include "validation/mechanics/arithmetic.h"
#include "validation/mechanics/field_access.h"
#include "validation/mechanics/water.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace repose::exact {

namespace {

constexpr int steps_kept = 3;
constexpr double least_J = 0.90;

/// Grains in three of seven cells of a box of water that is pressed most in its middle: all at random places of their parts, in
/// motion. One row of nodes has water alone.
Snapshot pressed_and_stirred(const Scene& scene) {
  Snapshot state = two_lattices(
      scene,
      {Filling{.density = 800.0, .share = 0.5, .to = 3.0 / 7.0}, Filling{.density = 500.0, .share = 0.5}}, 0,
      scene.grid.cells[1]);
  const Grid& grid = scene.grid;
  const auto d = static_cast<std::size_t>(grid.dim);
  const bool affine = mixture_options(scene).transfer == Transfer::apic;
  Random random(23);
  for (std::size_t p = 0; p < state.particles(); ++p) {
    for (std::size_t i = 0; i < d; ++i) {
      // Less where the grains end: the printed share throws a grain up that hardly reaches a node of water.
      const double off = i == 0 ? 0.1 : 0.4;
      state.get(field::x).value[p * d + i] += grid.h / lattice_per_axis * random.between(-off, off);
      state.get(field::v).value[p * d + i] = random.between(-0.1, 0.1);
    }
    for (std::size_t i = 0; affine && i < d * d; ++i)
      state.get(field::C).value[p * d * d + i] = random.between(-1.0, 1.0);
    if (state.get(field::material).value[p] == 0.0) continue;
    const double along = (state.get(field::x).value[p * d] - grid.domain_min[0]) / grid.period(0);
    state.get(field::J).value[p] = least_J + 0.04 * (1.0 + std::cos(2.0 * std::numbers::pi * along));
  }
  return state;
}

struct Momenta {
  std::array<Point, 2> of{Point::Zero(), Point::Zero()};
  double magnitude = 0.0;  ///< Σ m (‖v‖ + dh ‖C‖), what nodes add up of it [kg m/s]
};

Momenta momenta(const Snapshot& state, const Grid& grid) {
  Momenta sum;
  for (std::size_t p = 0; p < state.particles(); ++p) {
    const double m = state.get(field::mass).value[p];
    const Point v = crosscheck::point(state.get(field::v), p);
    double affine = 0.0;
    for (const double c : crosscheck::element(state.get(field::C), p)) affine += c * c;
    sum.of[static_cast<std::size_t>(state.get(field::material).value[p])] += m * v;
    sum.magnitude += m * (v.norm() + grid.dim * grid.h * std::sqrt(affine));
  }
  return sum;
}

/// Without gravity and bodies the momentum of both phases stays, whatever the term gives from one to the other: weights of a
/// particle add up to 1, their gradients to 0, and what a node's grains are given its water gives. Without the term each phase keeps
/// its own.
///
/// Each of N steps adds what particles bring to nodes and take from them, Σ m (‖v‖ + dh ‖C‖), and impulses up to Δt V p 2d/h a
/// particle, in γ(2(n_p + k) + n_i + k) roundings; grains off their lattice are at most 1.8 as many about a node. Waves add less
/// than the largest pressure at the start to it.
void keep_momentum(const Trial& trial, invariants::Ledger& ledger) {
  using enum ReversibleTerm;
  for (const ReversibleTerm term : {none, mass, volume, printed}) {
    Scene scene = box_of_both(trial.setup);
    scene.grid.cells[0] = 7;
    scene.materials[1].water_stiffness = 1e4;
    mixture_options(scene).reversible = term;
    const double dt = 2e-3;
    scene.step.max_dt = dt;
    const Snapshot start = pressed_and_stirred(scene);
    const auto solver = trial.solver(scene);
    solver->load(start);
    for (int step = 0; step < steps_kept; ++step) solver->advance([&](double) { return dt; });
    const Momenta before = momenta(start, scene.grid);
    const Momenta after = momenta(solver->save(boundary::step_start, false), scene.grid);

    double volume_of_all = 0.0;
    for (const double V : start.get(field::volume).value) volume_of_all += V;
    const double pressure = 2.0 * mechanics::water_pressure(scene.materials[1], least_J);
    const double pushed = dt * volume_of_all * pressure * 2.0 * scene.dim() / scene.grid.h;
    const double bound = steps_kept *
                         crosscheck::gamma(1.8 * roundings_of_transfers(scene), solver->rounding().unit) *
                         (std::max(before.magnitude, after.magnitude) + pushed);
    const auto named = [&](std::string_view what) {
      return fmt::format("momentum of {} [kg m/s], term {}", what, names::of(term, names::reversible_term));
    };
    ledger.near(named("both"), after.of[0] + after.of[1], before.of[0] + before.of[1], bound);
    if (term == none) {
      ledger.near(named("grains"), after.of[0], before.of[0], bound);
      continue;
    }
    // A term that one phase alone feels would be as many bounds off.
    ledger.saw("terms that gave grains much", (after.of[0] - before.of[0]).norm() > 2.0 * bound ? 1.0 : 0.0);
  }
  ledger.needs("terms that gave grains much", 3.0);
}

}  // namespace

void add_momentum(std::vector<Exact>& all) {
  all.push_back({"momentum_of_both", "what water gives to grains in it is what it loses", "exchange",
                 setups_of_both(), false, keep_momentum});
}

}  // namespace repose::exact
