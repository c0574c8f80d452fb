#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/case_scenes.h"

#include <cmath>

namespace repose::crosscheck {

namespace {

/// A block of sand with small strains near one body.
void near_body(Case& c, const Point& velocity, const Collider& collider) {
  one_body(c, velocity, collider);
  step_implicitly(c);
  c.needs.push_back({"held nodes", 5});
}

/// Without gravity and strain nothing acts: v̄ = vⁿ but for rounding, in float that of the nodes' momenta.
void fly(Case& c) {
  lay_out(c, {sand(30.0), rubber(0.3)});
  block(c);
  shake(c, Point(0.7, 0.3, c.setup.dim > 2 ? -0.2 : 0.0), 0.0, 0.0, 2);
  c.scene.gravity.setZero();
  for (std::size_t p = 0; p < c.start.particles(); ++p)
    c.start.get(field::material).value[p] = static_cast<double>(p / 4 % 2);
  step_implicitly(c);
  c.needs = {{"elastic", 30}, {"probe surface", 20}};
}

/// A bed in balance from the start, ln F_yy = −ρ g (top − y)/E at ν = 0, and far above it grains whose whole weight is
/// less than the tolerance of what the bed balances.
void rest_below_grains(Case& c) {
  lay_out(c, {rubber(0.0)});
  const double h = c.scene.grid.h;
  const double bottom = -0.12;
  const double top = bottom + 4.0 * h;
  std::vector<Point> places;
  const int deep = c.setup.dim > 2 ? 6 : 1;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      for (int k = 0; k < deep; ++k)
        places.emplace_back(-0.15 + (0.5 * i + 0.25) * h, bottom + (0.5 * j + 0.25) * h,
                            deep > 1 ? -0.1 + (0.5 * k + 0.25) * h : 0.0);
  const std::size_t bed = places.size();
  for (int i = 0; i < 2; ++i) places.emplace_back(-0.06 + 0.02 * i, top + 4.3 * h, deep > 1 ? -0.03 : 0.0);
  const double cell = std::pow(h, c.setup.dim);
  place_alike(c, places, cell / std::pow(2.0, c.setup.dim));  // a column in balance is one of even density
  c.scene.gravity = Point(0.0, -9.81, 0.0);
  const Material& m = c.scene.materials[0];
  const auto d = static_cast<std::size_t>(c.setup.dim);
  for (std::size_t p = 0; p < bed; ++p)
    c.start.get(field::F).value[p * d * d + d + 1] =
        std::exp(-m.density * 9.81 * (top - places[p].y()) / m.youngs_modulus);
  for (std::size_t p = bed; p < places.size(); ++p) {
    c.start.get(field::mass).value[p] *= 1e-6;
    c.start.get(field::volume).value[p] *= 1e-6;
  }
  // It holds all nodes that reach below the bed, whose stress ends there. Just above a plane of nodes, so that rounding
  // does not decide whether these are inside.
  c.scene.colliders = {body(floor_at(bottom + h + 1e-6), Contact::slipping, 0.0)};
  step_implicitly(c);
  mpm_options(c.scene).implicit.newton_tolerance = 1e-2;
  c.needs = {{"newton iterations", 1}, {"held nodes", 5}, {"elastic", 30}};
}

}  // namespace

void step_implicitly(Case& c) {
  solve_implicitly(c, 60, 30);
  c.dt = 3e-3;
  c.scene.step.max_dt = c.dt;
  c.steps = 2;
  c.needs.push_back({"newton iterations", 4});
  c.needs.push_back({"probe surface", 20});
}

void add_implicit(std::vector<Scenario>& all) {
  all.push_back(
      {"implicit_mixed_states", "cases I, II and III, nearly equal stretches among them", [](Case& c) {
         lay_out(c, {sand(30.0)});
         block(c);
         shake(c, Point(0.4, -0.3, c.setup.dim > 2 ? 0.2 : 0.0), 0.2, 2.0, 2);
         mix_strains(c, 0.02, 3);
         c.needs = {{"inside", 10}, {"tip", 30}, {"surface", 30}, {"probe inside", 10}, {"probe tip", 30}};
         step_implicitly(c);
       }});
  all.push_back({"implicit_hardening",
                 "the cone of the step's start holds through the solve, volume is corrected", [](Case& c) {
                   Material corrected = hardening_sand();
                   corrected.volume_correction = true;
                   lay_out(c, {hardening_sand(), corrected, rubber(0.3)});
                   block(c);
                   shake(c, Point::Zero(), 0.2, 2.0, 2);
                   mix_strains(c, 0.02, 3);
                   randomize(c, field::q, 0.0, 2.0, 5);
                   randomize(c, field::v_c, 0.0, 0.01, 6);
                   for (std::size_t p = 0; p < c.start.particles(); ++p) {
                     c.start.get(field::material).value[p] = static_cast<double>(p / 4 % 3);
                     if (p / 4 % 3 != 1) c.start.get(field::v_c).value[p] = 0.0;
                   }
                   c.needs = {{"tip", 10}, {"surface", 10}, {"elastic", 30}, {"volume correction", 30}};
                   step_implicitly(c);
                 }});
  all.push_back({"implicit_floor", "a floor that grains may leave, with friction that stops", [](Case& c) {
                   near_body(c, Point(0.3, -0.8, 0.2), body(floor_at(-0.0413), Contact::separating, 1.2));
                   c.needs.push_back({"sticking", 5});
                 }});
  all.push_back({"implicit_slope", "a slope that slips: it pushes and pulls and slows", [](Case& c) {
                   near_body(c, Point(0.8, 0.1, 0.3),
                             body(slope_at(-0.0413, c.setup.dim), Contact::slipping, 0.1));
                   c.needs.push_back({"sliding", 5});
                 }});
  all.push_back(
      {"implicit_sticky", "a turning sticky body and a round one that slips, both in motion", [](Case& c) {
         moving_block(c, Point(0.1, -0.3, 0.1));
         Collider paddle = body(Box{Point(-0.1413, -0.0829, -0.0751), Point(-0.0529, -0.0293, 0.0823)},
                                Contact::sticky, 0.0);
         paddle.spin = c.setup.dim > 2 ? Point(1.0, -0.5, 1.5) : Point(0.0, 0.0, 1.5);
         Collider ball = body(Sphere{Point(0.0137, -0.0471, 0.0119), 0.0531}, Contact::slipping, 0.5);
         ball.velocity = Point(0.0, 0.2, 0.0);
         c.scene.colliders = {paddle, ball};
         c.start.time = 0.125;
         step_implicitly(c);
         c.needs.push_back({"held nodes", 10});
       }});
  all.push_back({"implicit_on_nodes",
                 "a turning sticky floor and a slipping wall that stand on planes of nodes", [](Case& c) {
                   moving_block(c, Point(0.3, -0.4, 0.2));
                   c.scene.colliders = surfaces_on_nodes(c);
                   step_implicitly(c);
                   c.needs.push_back({"held nodes", 10});
                   c.needs.push_back({"nodes on surfaces", 10});
                 }});
  all.push_back(
      {"implicit_moving_body", "a ball that rises into the sand and takes it along", [](Case& c) {
         Collider ball = body(Sphere{Point(-0.1737, -0.2571, -0.0881), 0.0731}, Contact::separating, 0.3);
         ball.velocity = Point(0.5, 0.8, c.setup.dim > 2 ? 0.4 : 0.0);
         near_body(c, Point(0.2, -0.2, 0.1), ball);
         c.start.time = 0.25;
         c.start.step = 100;
       }});
  all.push_back({"implicit_corner", "nodes inside two or three walls, steps of ten times the explicit bound",
                 [](Case& c) {
                   moving_block(c, Point(-0.3, -0.4, -0.2));
                   c.scene.materials[0].youngs_modulus *= 30.0;
                   c.scene.colliders = {
                       body(HalfSpace{Point(-0.1213, 0, 0), Point::UnitX()}, Contact::separating, 0.3),
                       body(floor_at(-0.0413), Contact::separating, 0.5)};
                   if (c.setup.dim > 2)
                     c.scene.colliders.push_back(
                         body(HalfSpace{Point(0, 0, -0.0719), Point::UnitZ()}, Contact::slipping, 0.2));
                   step_implicitly(c);
                   c.needs.push_back({"nodes held twice", 1});
                 }});
  all.push_back({"implicit_flight", "free flight without gravity: nothing to balance but rounding", fly});
  all.push_back({"implicit_grains_above_bed",
                 "light grains fall above a bed whose balance they are too light to disturb",
                 rest_below_grains});
}

}  // namespace repose::crosscheck
