#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/case_scenes.h"

#include <cmath>
#include <functional>

namespace repose::crosscheck {

namespace {

void set_volumes(Case& c, const std::function<double(std::size_t)>& J_of) {
  Field& J = c.start.get(field::J);
  for (std::size_t p = 0; p < c.start.particles(); ++p) J.value[p] = J_of(p);
}

/// Three waters among each other, light and heavy, one that bears no tension and one so soft that it may be crushed: each between a
/// tenth less and a twentieth more than at rest, the soft one down to a two-hundredth.
void mix_waters(Case& c) {
  Material salty = water(3e4, 7.0);
  salty.name = "salty";
  Material torn = water(4e4, 3.0);
  torn.name = "torn";
  torn.density = 2000.0;
  torn.water_tension = false;
  Material soft = water(0.05, 1.5);
  soft.name = "soft";
  soft.density = 700.0;
  lay_out(c, {salty, torn, soft});
  block(c);
  shake(c, Point(0.3, -0.2, c.setup.dim > 2 ? 0.1 : 0.0), 0.4, 4.0, 2);
  Random random(31);
  Field& material = c.start.get(field::material);
  for (std::size_t p = 0; p < c.start.particles(); ++p) material.value[p] = static_cast<double>(p / 2 % 3);
  set_volumes(c, [&](std::size_t p) {
    const double log_J = random.between(-0.1, 0.05), crushed = random.between(-5.3, -2.4);
    return std::exp(p / 2 % 3 == 2 ? crushed : log_J);
  });
  c.needs = {{"water", 100}, {"water compressed", 60}, {"water stretched", 30}, {"water crushed", 60}};
}

/// J = 1 but for 10⁻¹⁷ to 10⁻³, and 1 itself: the pressure is a difference that print forms from two equal numbers. So soft that
/// it stays so.
void rest_water(Case& c) {
  lay_out(c, {water(3.0, 7.0)});
  c.scene.gravity.setZero();
  block(c);
  Random random(32);
  set_volumes(c, [&](std::size_t p) {
    const double off = std::pow(10.0, random.between(-17.0, -3.0));
    return p % 5 == 0 ? 1.0 : p % 2 == 0 ? 1.0 - off : 1.0 + off;
  });
  c.needs = {{"water close to rest", 100}, {"water at rest", 20}};
}

/// A floor and a wall that let water slip, a third body it rubs on.
void pool(Case& c) {
  lay_out(c, {water(3e4, 7.0)});
  block(c);
  shake(c, Point(-1.0, -1.5, 0.0), 0.4, 4.0, 2);
  Random random(33);
  set_volumes(c, [&](std::size_t) { return std::exp(random.between(-0.08, 0.02)); });
  const double wall = c.scene.grid.domain_min[0] + 3.0 * c.scene.grid.h;
  c.scene.colliders = {body(floor_at(-0.061), Contact::separating, 0.0),
                       body(HalfSpace{Point(wall, 0.0, 0.0), Point::UnitX()}, Contact::slipping, 0.0),
                       body(Sphere{Point(0.04, -0.03, 0.0), 0.06}, Contact::separating, 0.4)};
  if (kernel_of(c.setup) == Kernel::quadratic) mpm_options(c.scene).motion = ParticleMotion::after_friction;
  c.needs = {{"water compressed", 60}, {"contacts", 20}};
}

/// The pool in steps three times as long, that solve.
void solved_pool(Case& c, Integrator integrator) {
  pool(c);
  solve_implicitly(c, 200, 60);
  MpmOptions& options = mpm_options(c.scene);
  options.integrator = integrator;
  options.motion = ParticleMotion::before_friction;
  c.dt = 3e-3;
  c.scene.step.max_dt = c.dt;
  c.steps = 1;
  c.needs.push_back({"held nodes", 10});
  c.needs.push_back({"newton iterations", 2});
}

/// Two halves run into each other: Δt tr ∇v comes to −1.
void crush(Case& c) {
  lay_out(c, {water(3e4, 7.0)});
  fill_block(c, {5, 4, 5}, {7, 6, 7}, 4, 9);
  const double speed = 1.2 * c.scene.grid.h / c.dt;
  const double middle = c.scene.grid.domain_min[0] + 6.0 * c.scene.grid.h;
  const Field& x = c.start.get(field::x);
  for (std::size_t p = 0; p < c.start.particles(); ++p) {
    const double side = x.value[p * static_cast<std::size_t>(x.components)] < middle ? 1.0 : -1.0;
    set_motion(c, p, Point(side * speed, 0.0, 0.0), Tensor::Zero());
  }
  c.steps = 1;
  c.stops = true;
}

}  // namespace

Material water(double stiffness, double gamma) {
  Material m;
  m.name = "water";
  m.kind = MaterialKind::water;
  m.density = 1000.0;
  m.water_stiffness = stiffness;
  m.water_gamma = gamma;
  return m;
}

void add_water(std::vector<Scenario>& all) {
  all.push_back({"mixed_waters",
                 "three waters, compressed, stretched and crushed, one of which bears no tension",
                 mix_waters});
  all.push_back({"water_near_rest", "volumes that differ from those at rest by 10^-17 to 10^-3", rest_water});
  all.push_back({"pool", "water that falls onto a floor, a wall and a ball", pool});
  all.push_back({"crushed_water", "a step that would take a volume to 0 is refused", crush});
}

void add_solved_water(std::vector<Scenario>& all) {
  all.push_back({"solved_water", "semi-implicit steps of water on a floor, a wall and a ball",
                 [](Case& c) { solved_pool(c, Integrator::semi_implicit); }, true});
  all.push_back({"solved_waters", "implicit steps of three waters, one of which bears no tension",
                 [](Case& c) {
                   mix_waters(c);
                   solve_implicitly(c, 200, 200);
                   c.steps = 2;
                   c.needs.push_back({"newton iterations", 2});
                 },
                 true});
}

}  // namespace repose::crosscheck
