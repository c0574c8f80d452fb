#pragma once

#include "reference/interface/solver.h"

#include <memory>
#include <string>
#include <vector>

namespace repose::experiments {

/// A solver with one of its precisions.
struct SolverChoice {
  std::string name;
  Precision precision = Precision::double_;
  std::string label;  ///< "optimized_float"
};

/// Every solver of a method with every precision it has: for figures that judge a law and not a run.
std::vector<SolverChoice> all_solvers(std::string_view method);

std::unique_ptr<Solver> make_solver(const SolverChoice& choice, const Scene& scene);

/// Particles at given places [m], at rest and undeformed, at step_start; V⁰ a quarter of a cell.
Snapshot placed_particles(const Scene& scene, const std::vector<Point>& places);

}  // namespace repose::experiments
