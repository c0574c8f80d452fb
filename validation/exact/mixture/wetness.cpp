#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_names.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/exact/mixture/lattices.h"
#include "validation/exact/mixture/problems.h"
#include "validation/mechanics/arithmetic.h"
#include "validation/mechanics/field_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace repose::exact {

namespace {

constexpr double dry_cohesion = 320.0;  ///< [Pa]
constexpr int breadth = 13;             ///< of the sheet of water, in half cells

Scene box_of_shore(const crosscheck::Setup& setup, Softening softening) {
  Scene scene = box_of_both(setup);
  // Powers of two, so that places relative to nodes are exact in any arithmetic.
  scene.grid.h = 0.125;
  scene.grid.domain_min.setZero();
  scene.grid.cells = {12, 12, setup.dim > 2 ? 12 : 1};
  scene.grid.periodic = {false, false, false};
  Material& sand = scene.materials[0];
  sand.kind = MaterialKind::sand;
  sand.friction.h0 = 0.5;
  sand.cohesion = dry_cohesion;
  mixture_options(scene).softening = softening;
  scene.step.max_dt = 1e-4;
  return scene;
}

/// A grain to the right of a sheet of water that lies across the first axis, `reach` spacings behind node 5; the grain, particle 0,
/// `gap` further on, amid nodes of all other axes.
Snapshot shore(const Scene& scene, double reach, double gap) {
  const int dim = scene.dim();
  const double h = scene.grid.h;
  std::vector<double> x;
  const auto add = [&](const Point& cells) {
    for (int a = 0; a < dim; ++a) x.push_back(h * cells[a]);
  };
  add(Point(5.0 + reach + gap, 6.0, 6.0));
  for (int j = 0; j < breadth; ++j)
    for (int k = 0; k < (dim > 2 ? breadth : 1); ++k) add(Point(5.0 + reach, 3.0 + 0.5 * j, 3.0 + 0.5 * k));
  const std::size_t count = x.size() / static_cast<std::size_t>(dim);
  Snapshot state;
  state.method = method::mixture.name;
  state.fields = method::state_at_rest(method::mixture, dim, count);
  const double part = std::pow(0.5 * h, dim);
  state.get(field::x).value = std::move(x);
  state.get(field::volume).value.assign(count, part);
  state.get(field::mass).value.assign(count, scene.materials[1].density * part);
  state.get(field::mass).value[0] = scene.materials[0].density * part;
  state.get(field::material).value.assign(count, 1.0);
  state.get(field::material).value[0] = 0.0;
  state.get(field::c_C).value[0] = dry_cohesion;
  return state;
}

/// What is left of the cohesion.                                                            [Tam17 Eq.25; ERRATA T29]
double left_of_cohesion(Softening softening, double saturation) {
  return softening == Softening::linear ? 1.0 - saturation : std::min(1.0, (1.0 - saturation) / 0.6);
}

/// Grains beside water at rest, as wet as nodes are to which the water reaches:
///
///     φ_p = Σ_i w_ip over the nodes i to which both phases give mass                                       [Tam17 Eq.24]
///
/// The outermost water lies 0, ¼ and ½ h behind a node, the grain 1, 1½ and 2 h further on: nodes less than 1.5 h (quadratic) or
/// 2 h (cubic) from the water are wet, those at just that distance have no mass of it. A sum of 3^d or 4^d weights takes as many
/// roundings, each weight some 8.
void wet(const Trial& trial, invariants::Ledger& ledger) {
  constexpr double quadratic[3][3] = {{0.875, 0.5, 0.125}, {0.71875, 0.28125, 0.03125}, {0.5, 0.125, 0.0}};
  constexpr double cubic[3][3] = {{5.0 / 6.0, 0.5, 1.0 / 6.0},
                                  {383.0 / 384.0, 357.0 / 384.0, 262.0 / 384.0},
                                  {47.0 / 48.0, 5.0 / 6.0, 0.5}};
  const bool wide = crosscheck::kernel_of(trial.setup) == Kernel::cubic;
  for (const Softening softening : {Softening::linear, Softening::beyond_two_fifths}) {
    const Scene scene = box_of_shore(trial.setup, softening);
    const auto solver = trial.solver(scene);
    const double unit = solver->rounding().unit;
    const double bound = crosscheck::gamma(std::pow(wide ? 4.0 : 3.0, scene.dim()) + 8.0, unit);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        const double due = wide ? cubic[i][j] : quadratic[i][j];
        const double reach = 0.25 * static_cast<double>(i), gap = 1.0 + 0.5 * static_cast<double>(j);
        solver->load(shore(scene, reach, gap));
        solver->advance([&](double) { return scene.step.max_dt; });
        const Snapshot after = solver->save(boundary::plasticity, false);
        ledger.near(fmt::format("saturation {} h from water {} h behind a node", gap, reach),
                    after.get(field::phi_p).value[0], due, bound);
        // Two roundings, and what φ has, of which the later fall makes 1/0.6.
        ledger.near(fmt::format("cohesion left there over that of dry sand, {}, at {} h and {} h",
                                names::of(softening, names::softening), gap, reach),
                    after.get(field::c_C).value[0] / dry_cohesion, left_of_cohesion(softening, due),
                    bound / 0.6 + 4.0 * unit);
        ledger.saw(due > 0.0 ? "wet grains" : "dry grains");
      }
  }
  ledger.needs("wet grains", 16.0);
}

std::vector<crosscheck::Setup> kernels_and_precisions() {
  std::vector<crosscheck::Setup> all;
  for (const Precision precision : {Precision::double_, Precision::single_})
    for (const std::size_t kernel : {0U, 1U})
      for (const int dim : {2, 3})
        all.push_back({.method = method::mixture.name,
                       .dim = dim,
                       .variant = {0, kernel},
                       .precision = precision,
                       .threads = 1});
  return all;
}

}  // namespace

void add_wetness(std::vector<Exact>& all) {
  all.push_back({"wetness", "how wet grains beside water are, and the cohesion that it leaves them",
                 "saturation", kernels_and_precisions(), false, wet});
}

}  // namespace repose::exact
