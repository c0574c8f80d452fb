#include "validation/invariants/scene_draw.h"

#include "reference/interface/methods/mpm_options.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

namespace repose::invariants {

namespace {

Material drawn_material(int k, Dice& dice) {
  Material m;
  m.name = fmt::format("stuff \"{}\" \\ ünï {}", k, dice.whole(0, 999));
  m.density = dice.between(500.0, 3000.0);
  m.youngs_modulus = std::exp(dice.between(8.0, 12.0));
  m.poisson_ratio = dice.between(-0.4, 0.45);
  if (k == 2) {
    m.kind = MaterialKind::elastic;
    return m;
  }
  m.volume_correction = true;
  m.friction.h0 = dice.between(0.4, 0.7);
  m.unilateral = Unilateral{.a = dice.between(-0.5, -0.1), .b = 0.0, .c0 = dice.between(0.0, 3.0)};
  if (k == 1) {
    m.cohesion = std::exp(dice.between(0.0, 6.0));
    m.hardening_apart = HardeningApart::opening_and_closing;
    m.unilateral->b = dice.between(-0.1, 0.1);
    m.unilateral->s_C = dice.between(-0.1, 0.1);
    m.unilateral->strain_unit = dice.between(0.01, 1.0);
  }
  if (k == 1) {
    m.friction.h1 = dice.between(0.05, 0.2);
    m.friction.h2 = dice.between(0.5, 1.0);
    m.friction.h3 = dice.between(0.1, 0.3);
  }
  return m;
}

/// A shape of 5 to 30 cm around a place.
Shape drawn_shape(Kind kind, const Point& at, Dice& dice, int dim) {
  const double radius = dice.between(0.05, 0.15);
  if (kind == Kind::sphere) return Sphere{.centre = at, .radius = radius};
  if (kind == Kind::cylinder) {
    return Cylinder{.centre = at,
                    .axis = dim == 2 ? Point(Point::UnitZ()) : dice.direction(3),
                    .radius = radius,
                    .half_length = dim == 2 ? 0.0 : 0.5 * dice.between(0.1, 0.2)};
  }
  Box box{.min = at, .max = at};
  for (int axis = 0; axis < dim; ++axis) {
    box.min[axis] -= dice.between(0.05, 0.15);
    box.max[axis] += dice.between(0.05, 0.15);
  }
  return box;
}

/// A direction that reading keeps to the bit: one whose length is 1 to rounding.
Point drawn_spin(Dice& dice, int dim) {
  return dim == 2 ? Point(0, 0, dice.between(0.5, 4.0)) : dice.point(3.0, 3);
}

}  // namespace

Scene drawn_scene(std::uint64_t seed, int dim) {
  Dice dice(seed);
  Scene s;
  s.title = fmt::format("Scene {} of \"tests\"\twith \\ and a line\nbreak", seed);
  s.grid.dim = dim;
  s.grid.h = dice.between(0.05, 0.11);
  for (int axis = 0; axis < dim; ++axis) {
    s.grid.domain_min[axis] = dice.between(-3.0, -2.5);
    s.grid.cells[static_cast<std::size_t>(axis)] = dice.whole(110, 140);
  }
  s.scheme = MpmOptions{};
  MpmOptions& options = mpm_options(s);
  options.kernel = dice.flip() ? Kernel::quadratic : Kernel::cubic;
  options.transfer = static_cast<Transfer>(seed % 4);
  if (options.transfer == Transfer::flip_pic) options.flip_share = dice.between(0.1, 0.9);
  s.gravity = dice.point(12.0, dim);
  s.frame_rate = dice.between(10.0, 60.0);
  s.duration = dice.between(0.5, 3.0);
  s.step = {.max_dt = dice.between(1e-4, 1e-2), .cfl = dice.between(0.1, 0.9)};
  options.elastic_bound = dice.between(0.1, 0.45);
  if (seed % 2 == 0) {
    options.motion = ParticleMotion::after_friction;
    options.energy = Energy::unilateral;
  } else {
    options.integrator = seed % 4 == 3 ? Integrator::implicit_ : Integrator::semi_implicit;
    if (seed % 8 > 4) options.energy = Energy::unilateral;
    options.implicit = {.newton_tolerance = dice.between(1e-6, 1e-5),
                        .newton_iterations = dice.whole(31, 99),
                        .gmres_restart = dice.whole(16, 60),
                        .gmres_iterations = dice.whole(61, 90),
                        .gmres_tolerance = dice.between(1e-6, 1e-4),
                        .step_cuts = dice.whole(6, 9)};
  }
  for (int k = 0; k < 3; ++k) s.materials.push_back(drawn_material(k, dice));
  if (options.integrator == Integrator::semi_implicit && options.energy == Energy::hencky)
    for (Material& m : s.materials) {
      m.volume_correction = false;  // refused beside each other
      m.hardening_apart = HardeningApart::opening;
    }

  const std::array<Sampling, 3> samplings{Sampling::regular, Sampling::jittered, Sampling::poisson_disk};
  for (int k = 0; k < 3; ++k) {
    Seed body;
    body.name = fmt::format("body {}", k);
    body.shape = drawn_shape(static_cast<Kind>(1 + k),
                             Point(-0.5 + 0.5 * k, dice.between(-0.3, 0.3), dim == 3 ? 0.1 : 0.0), dice, dim);
    body.material = (k + 1 + static_cast<int>(seed)) % 3;
    body.sampling = samplings[static_cast<std::size_t>(k)];
    body.particles_per_cell = dice.between(9.0, 20.0);
    body.seed = static_cast<std::uint64_t>(dice.next()) << (seed % 2 == 0 ? 31U : 0U);
    body.velocity = dice.point(2.0, dim);
    body.spin = drawn_spin(dice, dim);
    s.seeds.push_back(body);
  }
  for (int k = 0; k < 3; ++k) {
    Emitter spout;
    spout.name = fmt::format("spout {}", k);
    spout.shape =
        drawn_shape(static_cast<Kind>(1 + k), Point(-0.5 + 0.5 * k, 1.0, dim == 3 ? -0.2 : 0.0), dice, dim);
    const auto* rod = std::get_if<Cylinder>(&spout.shape);
    const Point flow = k == 0                       ? Point(-Point::UnitY())
                       : rod != nullptr && dim == 3 ? rod->axis
                                                    : dice.direction(dim);
    spout.velocity = dice.between(0.5, 2.0) * flow;
    spout.material = (k + static_cast<int>(seed)) % 3;
    spout.rate = dice.between(1e-5, 1e-3);
    spout.start = dice.between(0.01, 0.2);
    spout.stop = dice.between(0.25, 0.45);
    spout.particles_per_cell = dice.between(9.0, 20.0);
    spout.seed = dice.next();
    s.emitters.push_back(spout);
  }
  for (int k = 0; k < 7; ++k) {
    Collider body;
    body.name = fmt::format("solid {}", k);
    if (k < 3) {
      body.shape = drawn_shape(static_cast<Kind>(1 + k), Point(-0.8 + 0.8 * k, -1.2, 0.0), dice, dim);
    } else if (k < 5) {
      body.shape = HalfSpace{
          .point = dim == 2 ? Point(0.1, k == 3 ? -2.2 : 2.2, 0) : Point(0.1, k == 3 ? -2.2 : 2.2, 0.2),
          .normal = Point(0.28, k == 3 ? 0.96 : -0.96, 0)};
    } else if (k == 5) {
      Box room{.min = {-2.1, -2.2, 0}, .max = {2.3, 2.4, 0}};
      if (dim == 3) room.min.z() = -2.3, room.max.z() = 2.2;
      body.shape = room;
      body.hollow = true;
    } else {
      body.shape = Wedge{.tip = {0.3, -1.9, dim == 2 ? 0.0 : 0.2},
                         .normal = {0.28, 0.96, 0},
                         .edge = Point::UnitZ(),
                         .angle = dice.between(0.5, 2.5)};
    }
    body.contact = static_cast<Contact>(k % 2);
    body.friction = dice.between(0.1, 1.5);
    body.friction_from_push_only = k % 3 != 1;
    body.velocity = dice.point(1.0, dim);
    body.spin = drawn_spin(dice, dim);
    s.colliders.push_back(body);
  }
  return s;
}

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
