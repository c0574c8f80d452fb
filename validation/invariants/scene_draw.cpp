#include "validation/invariants/scene_draw.h"

#include "reference/interface/methods/mpm_options.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

namespace repose::invariants {

namespace {

std::string drawn_name(int k, Dice& dice) {
  return fmt::format("stuff \"{}\" \\ ünï {}", k, dice.whole(0, 999));
}

Material drawn_water(int k, Dice& dice) {
  Material m;
  m.name = drawn_name(k, dice);
  m.kind = MaterialKind::water;
  m.density = dice.between(500.0, 3000.0);
  m.water_stiffness = std::exp(dice.between(0.0, 12.0));
  m.water_gamma = dice.between(1.0, 8.0);
  m.water_tension = k == 2;
  return m;
}

Material drawn_material(int k, Dice& dice) {
  Material m;
  m.name = drawn_name(k, dice);
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
                        .unconverged = seed % 8 > 2 ? Unconverged::keep : Unconverged::cut,
                        .gmres_restart = dice.whole(16, 60),
                        .gmres_iterations = dice.whole(61, 90),
                        .gmres_tolerance = dice.between(1e-6, 1e-4),
                        .step_cuts = dice.whole(6, 9)};
  }
  const bool water = seed % 8 == 6;  // alone, as it has to be
  for (int k = 0; k < 3; ++k) s.materials.push_back(water ? drawn_water(k, dice) : drawn_material(k, dice));
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

}  // namespace repose::invariants
