// What bounds are made of: magnitudes, slopes and terms that the readable solver tells of its sums. Too large, they widen
// every bound, and no comparison within bounds says so.
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/invariants/invariants.h"
#include "validation/invariants/plain.h"
#include "validation/invariants/plain_sums.h"

#include "validation/crosscheck/cases.h"
#include "validation/crosscheck/mpm/case_scenes.h"
#include "validation/solvers.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace repose::invariants {

namespace {

using crosscheck::Case;

void compare(std::string_view name, const Sums& got, const PlainSums& expected, Ledger& ledger) {
  ledger.holds("as many numbers", got.magnitude.size() == expected.magnitude.size() &&
                                      got.slope.size() == expected.slope.size() &&
                                      got.terms.size() == expected.terms.size());
  const std::string of = " of " + std::string(name);
  const std::string magnitude = "magnitude" + of, slope = "slope" + of, terms = "terms" + of;
  for (std::size_t i = 0; i < std::min(got.magnitude.size(), expected.magnitude.size()); ++i) {
    // Sums of positive numbers, all but for rounding; where weights fall to that, to what a double is near 1.
    ledger.near(magnitude, got.magnitude[i], expected.magnitude[i], 1e-9 * expected.magnitude[i] + 1e-15);
    // Quotients lose eleven digits of sixteen to their way.
    ledger.near(slope, got.slope[i], expected.slope[i], 1e-6 * expected.slope[i] + 1e-9);
  }
  for (std::size_t n = 0; n < std::min(got.terms.size(), expected.terms.size()); ++n)
    ledger.equal(terms, got.terms[n], expected.terms[n]);
}

/// All plastic cases, an elastic body, and a floor and a ball that rise, with no node between them.
Case busy(Transfer transfer, Kernel kernel, int dim) {
  Case c = crosscheck::make_case(
      "three_materials",
      crosscheck::MpmSetup{
          .dim = dim, .kernel = kernel, .transfer = transfer, .precision = Precision::double_, .threads = 1});
  crosscheck::randomize(c, field::q, 0.0, 1.0, 71);
  crosscheck::randomize(c, field::v_c, 0.0, 0.03, 72);
  Collider floor = crosscheck::body(crosscheck::floor_at(-0.06), Contact::separating, 0.3);
  floor.velocity = Point(0.2, 0.5, 0.0);
  Collider ball = crosscheck::body(Sphere{Point(-0.04, 0.14, 0.0), 0.11}, Contact::separating, 0.6);
  ball.velocity = Point(-0.1, -0.4, 0.0);
  ball.spin = Point(0.0, 0.0, 3.0);
  c.scene.colliders = {floor, ball};
  if (kernel == Kernel::quadratic) mpm_options(c.scene).motion = ParticleMotion::after_friction;
  return c;
}

/// Whether the solver tells of what the last stage of a step summed.
bool knows_sums(const Solver& solver) {
  try {
    solver.sums(field::v_c);
    return true;
  } catch (const std::logic_error&) {
    return false;
  }
}

void sums_of_the_readable_solver(int dim, Ledger& ledger) {
  ledger.needs("nodes at bodies", 40);
  for (const char* part : {"inside", "tip", "surface"}) ledger.needs(part, 20);
  ledger.needs("fields", 4 * 15);
  for (const auto& [transfer, kernel] :
       {std::pair{Transfer::apic, Kernel::quadratic}, std::pair{Transfer::apic, Kernel::cubic},
        std::pair{Transfer::flip_pic, Kernel::quadratic}, std::pair{Transfer::flip, Kernel::cubic}}) {
    const Case c = busy(transfer, kernel, dim);
    const auto solver = make_solver(judging_solver(method::mpm.name), c.scene);
    solver->load(c.start);
    const auto list = solver->boundaries();
    Snapshot before = solver->save(list[0], false);
    ledger.holds("none before a run", !knows_sums(*solver));
    for (std::size_t stage = 0; stage + 1 < list.size(); ++stage) {
      const StepReport report = solver->run(list[stage], list[stage + 1], c.dt);
      ledger.saw("inside", static_cast<double>(report.counts[counter::inside]));
      ledger.saw("tip", static_cast<double>(report.counts[counter::tip]));
      ledger.saw("surface", static_cast<double>(report.counts[counter::surface]));
      Snapshot after = solver->save(list[stage + 1], false);
      for (const Field& field : after.fields) {
        Sums sums;
        try {
          sums = solver->sums(field.name);
        } catch (const std::logic_error&) {
          continue;  // another stage makes it, or it is no sum
        }
        compare(field.name, sums, plain_sums({c, before, after}, field.name, ledger), ledger);
        ledger.saw("fields");
      }
      before = std::move(after);
    }
    ledger.holds("some behind a run", knows_sums(*solver));
    solver->load(c.start);
    ledger.holds("none of a state that is gone", !knows_sums(*solver));
  }
}

/// What solvers say of positions, by domains near the origin and far from it. x_i = domain_min + h i takes two roundings, of
/// h i and of the sum, over the domain and its margin; a solver that keeps places within cells adds one of half a cell on
/// each of two occasions, and the way through a double in global coordinates.
void rounding_of_positions(int dim, Ledger& ledger) {
  Dice dice(73);
  for (int n = 0; n < 40; ++n) {
    Scene scene = crosscheck::make_case("one_particle", crosscheck::MpmSetup{.dim = dim}).scene;
    scene.grid.h = std::exp(dice.between(-6.0, 1.0));
    scene.grid.cells = {dice.whole(8, 60), dice.whole(8, 60), dim > 2 ? dice.whole(8, 60) : 1};
    scene.grid.domain_min = dice.point(n % 2 == 0 ? 1.0 : 1000.0, dim);
    ledger.saw(n % 2 == 0 ? "near the origin" : "far from it");
    double far = 0.0, wide = 0.0;
    for (int a = 0; a < dim; ++a) {
      const double low = scene.grid.domain_min[a];
      const double width = scene.grid.h * static_cast<double>(scene.grid.cells[static_cast<std::size_t>(a)]);
      far = std::max({far, std::abs(low), std::abs(low + width)});
      wide = std::max(wide, width);
    }
    const double h = scene.grid.h, margins = 2.0 * 2.0 * h;
    for (const SolverInfo& info : solver_infos())
      for (const Precision precision : info.precisions) {
        const double unit = precision == Precision::double_ ? 0x1p-53 : 0x1p-24;
        const Rounding said = make_solver(info.name, scene, {.precision = precision})->rounding();
        const std::string of = " of " + std::string(info.name);
        ledger.equal("unit" + of, said.unit, unit);
        if (said.strain == "F") {
          const double two = 0x1p-53 * (far + wide + margins);
          ledger.near("position" + of, said.position, two, 1e-12 * two);
        } else {
          const double kept = unit * h + 0x1p-52 * far;
          ledger.near("position" + of, said.position, kept, 1e-12 * kept);
        }
      }
  }
}

}  // namespace

void add_sums(std::vector<Invariant>& all) {
  all.push_back({"sums",
                 "what bounds are made of: magnitudes, slopes and terms of the readable solver's sums",
                 "sums",
                 {2, 3},
                 sums_of_the_readable_solver});
  all.push_back({"rounding",
                 "what solvers say of the rounding of their positions",
                 "sums",
                 {2, 3},
                 rounding_of_positions});
}

}  // namespace repose::invariants
