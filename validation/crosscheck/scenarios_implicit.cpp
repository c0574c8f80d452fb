#include "validation/crosscheck/case_scenes.h"

namespace repose::crosscheck {

namespace {

/// Turns a case's steps into implicit ones, three times as long as its explicit ones. The tolerance is one that only
/// a derivative without mistakes reaches in a few iterations.
void step_implicitly(Case& c) {
  c.scene.integrator = Integrator::implicit_;
  c.scene.implicit.newton_tolerance = 1e-6;
  c.scene.implicit.gmres_iterations = 60;
  c.scene.implicit.gmres_restart = 30;
  c.dt = 3e-3;
  c.scene.step.max_dt = c.dt;
  c.steps = 2;
  c.needs.push_back({"newton iterations", 4});
  c.needs.push_back({"probe surface", 20});
}

/// A block of sand with small strains near one body.
void near_body(Case& c, const Point& velocity, const Collider& collider) {
  one_body(c, velocity, collider);
  step_implicitly(c);
  c.needs.push_back({"held nodes", 5});
}

}  // namespace

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
                   Material rubber = sand(0.0);
                   rubber.name = "rubber";
                   rubber.law = Law::elastic;
                   lay_out(c, {hardening_sand(), corrected, rubber});
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
}

}  // namespace repose::crosscheck
