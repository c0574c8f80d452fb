#include "optimized/implicit/newton.h"

#include "optimized/implicit/newton_method.h"
#include "reference/interface/methods/mpm.h"

namespace repose::optimized {

void count_solve(const ImplicitVelocities& found, StepReport& report) {
  report.counts[counter::contacts] += found.contacts;
  report.counts[counter::massless] += found.massless;
  report.counts[counter::newton_iterations] += found.newton_iterations;
  report.counts[counter::gmres_iterations] += found.gmres_iterations;
  if (!found.converged) ++report.counts[counter::unconverged];
}

template <class T, int dim>
ImplicitVelocities solve_balance(Balance<T, dim>& balance, const HeldNodes& nodes, double time,
                                 const Team& team, SolveHistory* history) {
  return Newton<Balance<T, dim>>(balance, {nodes}, time, team).solve(history);
}

#define REPOSE_INSTANTIATE(T, dim)                                                                           \
  template ImplicitVelocities solve_balance<T, dim>(Balance<T, dim>&, const HeldNodes&, double, const Team&, \
                                                    SolveHistory*)
REPOSE_INSTANTIATE(float, 2);
REPOSE_INSTANTIATE(float, 3);
REPOSE_INSTANTIATE(double, 2);
REPOSE_INSTANTIATE(double, 3);
#undef REPOSE_INSTANTIATE

}  // namespace repose::optimized
