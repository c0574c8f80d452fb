#include "reference/mpm/implicit_solve.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/mpm/implicit_newton.h"
#include "reference/mpm/implicit_system.h"

#include <fmt/format.h>

#include <stdexcept>

namespace repose {

void count_solve(const ImplicitSolution& solution, StepReport& report) {
  report.counts[counter::contacts] += solution.contacts;
  report.counts[counter::massless] += solution.massless;
  report.counts[counter::newton_iterations] += solution.newton_iterations;
  report.counts[counter::gmres_iterations] += solution.gmres_iterations;
  if (!solution.converged) ++report.counts[counter::unconverged];
}

void require_step(double dt) {
  if (!(dt > 0.0))
    throw std::invalid_argument(fmt::format("time step {} s is not > 0: an implicit step needs one", dt));
}

template <int d>
ImplicitSolution solve_implicit(const State<d>& state, const StepContext& step, SolveHistory* history) {
  require_step(step.dt);
  const MpmOptions& options = mpm_options(step.scene);
  const bool has_energy = options.integrator == Integrator::semi_implicit;
  ImplicitSystem<d> system(state, step);
  return ImplicitNewton<d, ImplicitSystem<d>>(options.implicit, has_energy, system,
                                              bodies_of_nodes<d>(state, step), step)
      .solve(history);
}

template ImplicitSolution solve_implicit<2>(const State<2>&, const StepContext&, SolveHistory*);
template ImplicitSolution solve_implicit<3>(const State<3>&, const StepContext&, SolveHistory*);

}  // namespace repose
