#include "experiments/liu2021/fig02_sand/wall_friction.h"

#include "reference/interface/methods/mpm.h"
#include "validation/mechanics/arithmetic.h"
#include "validation/mechanics/field_access.h"
#include "validation/metrics/extremes.h"

#include <cmath>

namespace repose::experiments::liu2021 {

Point after_friction(FrictionRule rule, const Point& p_t, double most) {
  const double size = p_t.norm();
  if (size == 0.0) return p_t;
  const bool within = size <= most;
  const bool stops = rule == FrictionRule::adopted ? within : !within;
  return stops ? Point::Zero() : Point(p_t - most / size * p_t);
}

WallNodes look_at_walls(Solver& solver, const Scene& scene, const Snapshot& state, double dt) {
  solver.load(state);
  solver.run(boundary::step_start, boundary::forces, dt);
  const Snapshot pushed = solver.save(boundary::forces, false);
  solver.run(boundary::forces, boundary::collisions, dt);
  const Snapshot held = solver.save(boundary::collisions, false);
  solver.run(boundary::collisions, boundary::friction, dt);
  const Snapshot rubbed = solver.save(boundary::friction, false);

  const double mu_b = scene.colliders.front().friction;
  const double unit = solver.rounding().unit;
  WallNodes seen;
  for (std::size_t i = 0; i < held.count(Place::node); ++i) {
    const Point p_bar = crosscheck::point(held.get(field::p_bar), i);
    const Point j = p_bar - crosscheck::point(pushed.get(field::p_star), i);
    const double scale = p_bar.norm() + j.norm();
    int walls = 0;
    Point normal = Point::Zero();
    for (int axis = 0; axis < scene.dim(); ++axis)
      if (std::abs(j[axis]) > 100.0 * unit * scale) {
        normal[axis] = j[axis] > 0.0 ? 1.0 : -1.0;
        ++walls;
      }
    if (walls != 1) continue;
    const double m = held.get(field::m_i).value[i];
    const double most = mu_b * j.norm();
    const Point p_n = normal * normal.dot(p_bar);
    const Point p_t = p_bar - p_n;
    ++seen.nodes;
    seen.before += p_t.squaredNorm() / m;
    for (const FrictionRule rule : {FrictionRule::adopted, FrictionRule::printed}) {
      const auto k = static_cast<std::size_t>(rule);
      const Point after = after_friction(rule, p_t, most);
      seen.after[k] += after.squaredNorm() / m;
      seen.beyond[k] = metrics::larger(seen.beyond[k], (after - p_t).norm() / most);
      if (rule != FrictionRule::adopted) continue;
      // Some 40 roundings of the momenta that p̃ is made of, and those of j, a difference of such.
      const double error = (crosscheck::point(rubbed.get(field::p_tilde), i) - p_n - after).norm();
      seen.solver_error =
          metrics::larger(seen.solver_error, error / (crosscheck::gamma(40.0, unit) * (1.0 + mu_b) * scale));
    }
  }
  return seen;
}

Slide slide(FrictionRule rule, double speed, double mu_b, double g, double dt, int steps) {
  Point v(speed, 0.0, 0.0);
  Slide result;
  for (int step = 0; step < steps; ++step) {
    result.distance += dt * v.x();
    v = after_friction(rule, v, mu_b * g * dt);
  }
  result.speed = v.norm();
  return result;
}

}  // namespace repose::experiments::liu2021
