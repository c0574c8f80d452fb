#include "reference/mpm/update_particles.h"

#include <fmt/format.h>
#include <Eigen/LU>

namespace repose {

template <int d>
void update_particles(State<d>& state, const StepContext& step, StepReport&) {
  const Grid& grid = step.scene.grid;
  const Vec<d> low = in_plane<d>(grid.domain_min);
  const Vec<d> high = in_plane<d>(grid.domain_max());

  for (std::size_t n = 0; n < state.particles.size(); ++n) {
    Particle<d>& p = state.particles[n];
    const Mat<d> increment = Mat<d>::Identity() + step.dt * p.grad_v;
    const double stretch = increment.determinant();
    if (!(stretch > 0.0))
      throw StageFailure(fmt::format("inverted particle: det(1 + dt grad v) = {}", stretch), n);

    p.x += step.dt * p.v_bar;  // [Klar16 Eq.13]
    p.F = increment * p.F;     // [Klar16 Eq.16]

    if (!p.F.allFinite() || !p.x.allFinite()) throw StageFailure("the state of a particle is not finite", n);
    bool near = true;
    for (int axis = 0; axis < d; ++axis) near = grid.wrap(p.x[axis], axis) && near;
    if (!near || (p.x.array() < low.array()).any() || (p.x.array() > high.array()).any()) {
      throw StageFailure(fmt::format("a particle leaves the domain at ({})", fmt::join(p.x, ", ")), n);
    }
  }
}

template void update_particles<2>(State<2>&, const StepContext&, StepReport&);
template void update_particles<3>(State<3>&, const StepContext&, StepReport&);

}  // namespace repose
