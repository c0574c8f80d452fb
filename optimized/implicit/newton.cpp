#include "optimized/implicit/newton.h"

#include "optimized/implicit/newton_method.h"

namespace repose::optimized {

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
