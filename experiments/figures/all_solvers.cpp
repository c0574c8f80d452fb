#include "experiments/figures/all_solvers.h"

#include "experiments/run/provenance.h"
#include "validation/crosscheck/mpm/case_states.h"
#include "validation/solvers.h"

#include <fmt/format.h>

#include <cmath>

namespace repose::experiments {

std::vector<SolverChoice> all_solvers(std::string_view method) {
  std::vector<SolverChoice> all;
  for (const std::string& name : solvers_of(method)) {
    for (const Precision precision : {Precision::double_, Precision::single_}) {
      if (!has_precision(name, precision)) continue;
      all.push_back({name, precision, fmt::format("{}_{}", name, to_string(precision))});
    }
  }
  return all;
}

std::unique_ptr<Solver> make_solver(const SolverChoice& choice, const Scene& scene) {
  return repose::make_solver(choice.name, scene, {.precision = choice.precision, .threads = 1, .simd = {}});
}

Snapshot placed_particles(const Scene& scene, const std::vector<Point>& places) {
  crosscheck::Case hand_made;
  hand_made.setup = crosscheck::MpmSetup{.dim = scene.dim()};
  hand_made.scene = scene;
  crosscheck::place_alike(hand_made, places, 0.25 * std::pow(scene.grid.h, scene.dim()));
  return hand_made.start;
}

}  // namespace repose::experiments
