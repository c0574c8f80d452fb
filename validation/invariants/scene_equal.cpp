#include "validation/invariants/scene_draw.h"

#include "reference/interface/methods/mpm_options.h"

#include <fmt/format.h>

#include <algorithm>

namespace repose::invariants {

namespace {

/// Every number has its own comparison under its name.
class Comparison {
 public:
  explicit Comparison(Ledger& ledger) : ledger_(ledger) {}

  void shape(std::string_view name, const Shape& got, const Shape& expected) {
    ledger_.holds(fmt::format("{} shape", name), got.index() == expected.index());
    if (got.index() != expected.index()) return;
    const auto point = [&](const char* what, const Point& a, const Point& b) {
      ledger_.near(fmt::format("{} {}", name, what), a, b, 0.0);
    };
    const auto number = [&](const char* what, double a, double b) {
      ledger_.equal(fmt::format("{} {}", name, what), a, b);
    };
    if (const auto* s = std::get_if<HalfSpace>(&expected)) {
      point("point", std::get<HalfSpace>(got).point, s->point);
      point("normal", std::get<HalfSpace>(got).normal, s->normal);
    } else if (const auto* box = std::get_if<Box>(&expected)) {
      point("min", std::get<Box>(got).min, box->min);
      point("max", std::get<Box>(got).max, box->max);
    } else if (const auto* ball = std::get_if<Sphere>(&expected)) {
      point("centre", std::get<Sphere>(got).centre, ball->centre);
      number("radius", std::get<Sphere>(got).radius, ball->radius);
    } else if (const auto* wedge = std::get_if<Wedge>(&expected)) {
      point("tip", std::get<Wedge>(got).tip, wedge->tip);
      point("normal", std::get<Wedge>(got).normal, wedge->normal);
      point("edge", std::get<Wedge>(got).edge, wedge->edge);
      number("angle", std::get<Wedge>(got).angle, wedge->angle);
    } else {
      const auto& a = std::get<Cylinder>(got);
      const auto& b = std::get<Cylinder>(expected);
      point("centre", a.centre, b.centre);
      point("axis", a.axis, b.axis);
      number("radius", a.radius, b.radius);
      number("half_length", a.half_length, b.half_length);
    }
  }

 private:
  Ledger& ledger_;
};

}  // namespace

void judge_equal(const Scene& got, const Scene& expected, Ledger& ledger) {
  Comparison compare(ledger);
  const auto number = [&](const char* name, auto a, auto b) {
    ledger.equal(name, static_cast<double>(a), static_cast<double>(b));
  };
  const auto text = [&](const char* name, const std::string& a, const std::string& b) {
    ledger.holds(name, a == b);
  };
  const auto point = [&](const char* name, const Point& a, const Point& b) { ledger.near(name, a, b, 0.0); };
  text("title", got.title, expected.title);
  number("dimension", got.grid.dim, expected.grid.dim);
  number("spacing", got.grid.h, expected.grid.h);
  point("domain.min", got.grid.domain_min, expected.grid.domain_min);
  for (std::size_t axis = 0; axis < 3; ++axis)
    number("cells", got.grid.cells[axis], expected.grid.cells[axis]);
  const MpmOptions& got_options = mpm_options(got);
  const MpmOptions& expected_options = mpm_options(expected);
  number("kernel", got_options.kernel, expected_options.kernel);
  number("transfer", got_options.transfer, expected_options.transfer);
  number("flip_share", got_options.flip_share, expected_options.flip_share);
  number("particle_motion", got_options.motion, expected_options.motion);
  point("gravity", got.gravity, expected.gravity);
  number("frame_rate", got.frame_rate, expected.frame_rate);
  number("duration", got.duration, expected.duration);
  number("max_dt", got.step.max_dt, expected.step.max_dt);
  number("cfl", got.step.cfl, expected.step.cfl);
  number("elastic_bound", got_options.elastic_bound, expected_options.elastic_bound);
  number("integrator", got_options.integrator, expected_options.integrator);
  number("energy", got_options.energy, expected_options.energy);
  number("newton_tolerance", got_options.implicit.newton_tolerance,
         expected_options.implicit.newton_tolerance);
  number("newton_iterations", got_options.implicit.newton_iterations,
         expected_options.implicit.newton_iterations);
  number("unconverged", got_options.implicit.unconverged, expected_options.implicit.unconverged);
  number("gmres_restart", got_options.implicit.gmres_restart, expected_options.implicit.gmres_restart);
  number("gmres_iterations", got_options.implicit.gmres_iterations,
         expected_options.implicit.gmres_iterations);
  number("gmres_tolerance", got_options.implicit.gmres_tolerance, expected_options.implicit.gmres_tolerance);
  number("step_cuts", got_options.implicit.step_cuts, expected_options.implicit.step_cuts);

  number("number of materials", got.materials.size(), expected.materials.size());
  number("number of seeds", got.seeds.size(), expected.seeds.size());
  number("number of emitters", got.emitters.size(), expected.emitters.size());
  number("number of colliders", got.colliders.size(), expected.colliders.size());
  for (std::size_t k = 0; k < std::min(got.materials.size(), expected.materials.size()); ++k) {
    const Material &a = got.materials[k], &b = expected.materials[k];
    text("material name", a.name, b.name);
    number("kind", a.kind, b.kind);
    number("density", a.density, b.density);
    number("youngs_modulus", a.youngs_modulus, b.youngs_modulus);
    number("poisson_ratio", a.poisson_ratio, b.poisson_ratio);
    number("h0", a.friction.h0, b.friction.h0);
    number("h1", a.friction.h1, b.friction.h1);
    number("h2", a.friction.h2, b.friction.h2);
    number("h3", a.friction.h3, b.friction.h3);
    number("friction_alpha", a.friction.narain_alpha.value_or(-1.0), b.friction.narain_alpha.value_or(-1.0));
    number("volume_correction", a.volume_correction, b.volume_correction);
    number("cohesion", a.cohesion, b.cohesion);
    number("von_mises", a.von_mises, b.von_mises);
    number("hardening_apart", a.hardening_apart, b.hardening_apart);
    number("water_stiffness", a.water_stiffness, b.water_stiffness);
    number("water_gamma", a.water_gamma, b.water_gamma);
    number("water_tension", a.water_tension, b.water_tension);
    number("unilateral", a.unilateral.has_value(), b.unilateral.has_value());
    const Unilateral &u = a.unilateral.value_or(Unilateral{}), &w = b.unilateral.value_or(Unilateral{});
    number("a", u.a, w.a);
    number("b", u.b, w.b);
    number("c0", u.c0, w.c0);
    number("s_C", u.s_C.value_or(1e9), w.s_C.value_or(1e9));
    number("strain_unit", u.strain_unit, w.strain_unit);
  }
  for (std::size_t k = 0; k < std::min(got.seeds.size(), expected.seeds.size()); ++k) {
    const Seed &a = got.seeds[k], &b = expected.seeds[k];
    text("seed name", a.name, b.name);
    compare.shape("seed", a.shape, b.shape);
    number("seed material", a.material, b.material);
    number("sampling", a.sampling, b.sampling);
    number("seed particles_per_cell", a.particles_per_cell, b.particles_per_cell);
    ledger.holds("seed of a seed", a.seed == b.seed);
    point("seed velocity", a.velocity, b.velocity);
    point("seed spin", a.spin, b.spin);
  }
  for (std::size_t k = 0; k < std::min(got.emitters.size(), expected.emitters.size()); ++k) {
    const Emitter &a = got.emitters[k], &b = expected.emitters[k];
    text("emitter name", a.name, b.name);
    compare.shape("emitter", a.shape, b.shape);
    number("emitter material", a.material, b.material);
    point("emitter velocity", a.velocity, b.velocity);
    number("rate", a.rate, b.rate);
    number("start", a.start, b.start);
    number("stop", a.stop, b.stop);
    number("emitter particles_per_cell", a.particles_per_cell, b.particles_per_cell);
    ledger.holds("seed of an emitter", a.seed == b.seed);
  }
  for (std::size_t k = 0; k < std::min(got.colliders.size(), expected.colliders.size()); ++k) {
    const Collider &a = got.colliders[k], &b = expected.colliders[k];
    text("collider name", a.name, b.name);
    compare.shape("collider", a.shape, b.shape);
    number("hollow", a.hollow, b.hollow);
    number("contact", a.contact, b.contact);
    number("friction", a.friction, b.friction);
    number("friction_from_push_only", a.friction_from_push_only, b.friction_from_push_only);
    point("collider velocity", a.velocity, b.velocity);
    point("collider spin", a.spin, b.spin);
  }
}

}  // namespace repose::invariants
