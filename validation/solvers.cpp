#include "validation/solvers.h"

#include "optimized/mpm/footprint.h"
#include "optimized/mpm/optimized_solver.h"
#include "reference/interface/base/error.h"
#include "reference/mpm/footprint.h"
#include "reference/mpm/reference_solver.h"

#include <fmt/format.h>

namespace repose {

namespace {

[[noreturn]] void unknown(std::string_view name) {
  throw BadInput(fmt::format("unknown solver '{}'; there are {}", name, fmt::join(solver_names(), ", ")));
}

}  // namespace

std::vector<std::string> solver_names() { return {"optimized", "reference"}; }

bool has_precision(std::string_view name, Precision precision) {
  if (name == "optimized") return true;
  if (name == "reference") return precision == Precision::double_;
  unknown(name);
}

Footprint footprint(std::string_view name, const Scene& scene, const SolverOptions& options) {
  if (name == "optimized") return optimized::optimized_footprint(scene, options);
  if (name == "reference") return reference_footprint(scene);
  unknown(name);
}

std::unique_ptr<Solver> make_solver(std::string_view name, const Scene& scene, const SolverOptions& options) {
  if (name == "optimized") return make_optimized_solver(scene, options);
  // The readable solver is serial, in double precision and of no instruction set: a result that claims more would lie.
  if (name == "reference") {
    if (!has_precision(name, options.precision))
      throw BadInput("solver 'reference' has double precision only");
    return make_reference_solver(scene);
  }
  unknown(name);
}

}  // namespace repose
