#include "validation/solvers.h"

#include "optimized/mpm/optimized_solver.h"
#include "reference/interface/error.h"
#include "reference/mpm/reference_solver.h"

#include <fmt/format.h>

namespace repose {

std::vector<std::string> solver_names() { return {"optimized", "reference"}; }

std::unique_ptr<Solver> make_solver(std::string_view name, const Scene& scene, const SolverOptions& options) {
  if (name == "optimized") return make_optimized_solver(scene, options);
  // The readable solver is serial, in double precision and of no instruction set: a result that claims more would lie.
  if (name == "reference") {
    if (options.precision != Precision::double_) throw BadInput("solver 'reference' has double precision only");
    return make_reference_solver(scene);
  }
  throw BadInput(fmt::format("unknown solver '{}'; there are {}", name, fmt::join(solver_names(), ", ")));
}

}  // namespace repose
