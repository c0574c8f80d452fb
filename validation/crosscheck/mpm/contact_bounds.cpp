#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/contact_trace.h"
#include "validation/crosscheck/mpm/stage_bounds.h"
#include "validation/mechanics/field_access.h"

namespace repose::crosscheck {

namespace {

/// v* = p*/m of one node.
Known star_velocity(const Stage& stage, std::size_t n) {
  const int dim = stage.scene.dim();
  const double m = stage.before.get(field::m_i).value[n];
  const Point v = point(stage.before.get(field::p_star), n) / m;
  return {v, stage.arithmetic.g(2.0) * v.norm() + carried_norm(stage.carried, field::p_star, n, dim) / m +
                 carried_norm(stage.carried, field::m_i, n, 1) / m * v.norm()};
}

/// From a velocity to a momentum that may be kept as velocity and mass: three roundings.
void write(FieldBound& field, const Stage& stage, std::size_t n, const Known& v, double tie) {
  const int dim = stage.scene.dim();
  const double m = stage.before.get(field::m_i).value[n];
  for (int a = 0; a < dim; ++a) {
    Bound& bound = field.bound[n * static_cast<std::size_t>(dim) + static_cast<std::size_t>(a)];
    bound.rounding = stage.arithmetic.g(3.0) * m * v.value.norm();
    bound.underflow = stage.arithmetic.smallest * (1.0 + v.value.norm());
    bound.carried = m * v.error;
    bound.tie = m * tie;
  }
}

}  // namespace

std::vector<FieldBound> collision_bounds(const Stage& stage, Counters& counters) {
  FieldBound result{.field = std::string(field::p_bar),
                    .bound = std::vector<Bound>(stage.after.get(field::p_bar).value.size())};
  for (std::size_t n = 0; n < stage.before.count(Place::node); ++n) {
    const NodeStep at{stage.scene, stage.arithmetic,
                      stage.scene.grid.node_position(stage.before.ids(Place::node)[n]), stage.before.time,
                      stage.dt};
    const CollisionTrace trace = follow_collisions(at, star_velocity(stage, n));
    write(result, stage, n, trace.v, trace.tie);
    double touched = 0.0;
    for (const ContactTrace& contact : trace.contacts) {
      if (contact.dv.value.squaredNorm() == 0.0) continue;
      touched += 1.0;
      if (contact.pulled) counters["contacts that pull"] += 1.0;
    }
    if (touched > 0.0) counters["contacts"] += touched;
    if (touched > 0.0) counters["collided nodes"] += 1.0;
    if (touched > 1.0) counters["nodes in two bodies"] += 1.0;
    if (trace.unsure > 0.0) counters["undecided contact"] += trace.unsure;
    counters["contacts undone"] += trace.undone;
    counters["nodes on surfaces"] += trace.on_surface;
  }
  return {result};
}

std::vector<FieldBound> friction_bounds(const Stage& stage, Counters& counters) {
  const int dim = stage.scene.dim();
  FieldBound result{.field = std::string(field::p_tilde),
                    .bound = std::vector<Bound>(stage.after.get(field::p_tilde).value.size())};
  FrictionCounts counts;
  for (std::size_t n = 0; n < stage.before.count(Place::node); ++n) {
    const NodeStep at{stage.scene, stage.arithmetic,
                      stage.scene.grid.node_position(stage.before.ids(Place::node)[n]), stage.before.time,
                      stage.dt};
    CollisionTrace trace = follow_collisions(at, star_velocity(stage, n));
    const double m = stage.before.get(field::m_i).value[n];
    const Point v_bar = point(stage.before.get(field::p_bar), n) / m;
    const Known known{v_bar, stage.arithmetic.g(2.0) * v_bar.norm() +
                                 carried_norm(stage.carried, field::p_bar, n, dim) / m};
    if (solves(mpm_options(stage.scene).integrator)) take_normals_at(at, known, trace);
    const Known v = follow_friction(at, trace, known, counts);
    counts.undecided += trace.unsure;
    // An impulse that jumps by Δv changes friction by μ_b Δv at most; v̄ itself is given.
    double friction = 0.0;
    for (const Collider& body : stage.scene.colliders) friction += body.friction;
    write(result, stage, n, v, friction * trace.tie);
  }
  counters["sticking"] += counts.sticking;
  counters["sliding"] += counts.sliding;
  if (counts.undecided > 0.0) counters["undecided friction"] += counts.undecided;
  return {result};
}

}  // namespace repose::crosscheck
