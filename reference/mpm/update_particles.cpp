#include "reference/mpm/update_particles.h"

#include "reference/interface/methods/mpm_options.h"

#include <fmt/format.h>
#include <Eigen/LU>

#include <cmath>

namespace repose {

namespace {

template <int d>
void deform(Particle<d>& p, double dt, std::size_t n) {
  const Mat<d> increment = Mat<d>::Identity() + dt * p.grad_v;
  const double stretch = increment.determinant();
  if (!(stretch > 0.0))
    throw StageFailure(fmt::format("inverted particle: det(1 + dt grad v) = {}", stretch), n);
  p.F = increment * p.F;  // [Klar16 Eq.16]
}

template <int d>
void swell(Particle<d>& p, double dt, std::size_t n) {
  p.J *= 1.0 + dt * p.grad_v.trace();  // [Tam17 §4.3.1]
  if (!(p.J > 0.0)) throw StageFailure(fmt::format("inverted particle: J = {}", p.J), n);
}

}  // namespace

template <int d>
void update_particles(State<d>& state, const StepContext& step, StepReport&) {
  const Grid& grid = step.scene.grid;
  const Vec<d> low = in_plane<d>(grid.domain_min);
  const Vec<d> high = in_plane<d>(grid.domain_max());

  for (std::size_t n = 0; n < state.particles.size(); ++n) {
    Particle<d>& p = state.particles[n];
    if (is_water(step.scene))
      swell<d>(p, step.dt, n);
    else
      deform<d>(p, step.dt, n);
    p.x += step.dt * p.v_bar;  // [Klar16 Eq.13]

    if (!p.F.allFinite() || !std::isfinite(p.J) || !p.x.allFinite())
      throw StageFailure("the state of a particle is not finite", n);
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
