// What Newton's method, its contacts and GMRES meet in implicit steps.
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/case_scenes.h"

#include <cmath>

namespace repose::crosscheck {

namespace {

/// Turns a case's steps into implicit ones of sand `stiffer` times as stiff. With Δt = 3 ms and sand's own c Δt/h = 0.88,
/// of which explicit steps allow 0.5 or 0.6, the step is some 1.6 √stiffer times as long as these.
void solve_stiff(Case& c, double stiffer) {
  solve_implicitly(c, 120, 20);
  for (Material& m : c.scene.materials) m.youngs_modulus *= stiffer;
  c.dt = 3e-3;
  c.scene.step.max_dt = c.dt;
  c.steps = 2;
}

/// Both solvers must go through it.
void need_of_both(Case& c, const std::string& counter, double least) {
  c.needs.push_back({counter, least});
  c.needs.push_back({"candidate's " + counter, least});
}

/// Sand, sand that keeps its volume, and rubber, four particles of each in turn.
void three_materials(Case& c) {
  Material corrected = hardening_sand();
  corrected.volume_correction = true;
  lay_out(c, {sand(30.0), corrected, rubber(0.45)});
}
void mix_materials(Case& c) {
  for (std::size_t p = 0; p < c.start.particles(); ++p)
    c.start.get(field::material).value[p] = static_cast<double>(p / 4 % 3);
}

/// As block(), in three dimensions a quarter of it.
void small_block(Case& c) {
  if (c.setup.dim < 3)
    block(c);
  else
    fill_block(c, {3, 2, 3}, {7, 4, 5}, 2, 1);
}

/// Each particle of small_block() as heavy and as large as the others.
void make_alike(Case& c) {
  const double volume = std::pow(c.scene.grid.h / (c.setup.dim > 2 ? 2.0 : 5.0), c.setup.dim);
  for (double& V : c.start.get(field::volume).value) V = volume;
  for (double& m : c.start.get(field::mass).value) m = c.scene.materials[0].density * volume;
}

Point in_setup(const Case& c, double x, double y, double z) { return {x, y, c.setup.dim > 2 ? z : 0.0}; }

/// Thrown into a corner of two walls that stand askew: the block's own pressure brings nodes to the walls that their
/// velocity before the step does not, and takes away others.
void squeeze(Case& c) {
  three_materials(c);
  small_block(c);
  mix_materials(c);
  shake(c, in_setup(c, -2.0, -0.1, 0.1), 0.3, 3.0, 2);
  mix_strains(c, 0.004, 3);
  c.scene.gravity = in_setup(c, 4.0, -7.0, -3.0);
  c.scene.colliders = {body(HalfSpace{Point(-0.1613, 0, 0), in_setup(c, 1.0, 0.3, 0.2).normalized()},
                            Contact::separating, 0.3),
                       body(HalfSpace{Point(0, -0.0813, 0), in_setup(c, 0.2, 1.0, -0.1).normalized()},
                            Contact::separating, 0.5)};
  solve_stiff(c, 30.0);
  need_of_both(c, "holds changed", 8);
  need_of_both(c, "gmres restarts", 2);
  c.needs.push_back({"nodes held twice", 1});
}

/// Thrown into a bowl of three walls whose bottom is some millimetres wide: nodes that all three stop are held by the one
/// that lies nearest, though where the two others meet none is left behind.
void squeeze_in_a_bowl(Case& c) {
  three_materials(c);
  small_block(c);
  mix_materials(c);
  shake(c, in_setup(c, 0.4, -2.5, 0.1), 0.3, 3.0, 2);
  mix_strains(c, 0.004, 3);
  c.scene.gravity = in_setup(c, 1.0, -9.0, -2.0);
  c.scene.colliders = {
      body(HalfSpace{Point(-0.0513, -0.0413, 0), in_setup(c, 0.6, 0.8, 0.1).normalized()},
           Contact::separating, 0.3),
      body(HalfSpace{Point(-0.0503, -0.0423, 0), Point(0.0, 1.0, 0.0)}, Contact::separating, 0.2),
      body(HalfSpace{Point(-0.0493, -0.0413, 0), in_setup(c, -0.6, 0.8, 0.1).normalized()},
           Contact::separating, 0.4)};
  solve_stiff(c, 3.0);
  need_of_both(c, "holds changed", 2);
  c.needs.push_back({"contacts", 10});
}

/// A ball, a wall and a shelf that move and turn and a slope that moves: curved and oblique corners of bodies of all three
/// contacts.
void squeeze_between_bodies(Case& c) {
  three_materials(c);
  small_block(c);
  mix_materials(c);
  shake(c, in_setup(c, 0.4, -1.5, 0.3), 0.3, 3.0, 2);
  mix_strains(c, 0.004, 3);
  c.scene.gravity = in_setup(c, -3.0, -8.0, 5.0);
  c.start.time = 0.125;
  Collider ball = body(Sphere{in_setup(c, -0.0711, -0.2631, -0.0271), 0.2013}, Contact::separating, 0.4);
  ball.velocity = in_setup(c, 0.2, 0.4, 0.2);
  ball.spin = c.setup.dim > 2 ? Point(1.0, -0.5, 4.0) : Point(0.0, 0.0, 4.0);
  Collider wall = body(HalfSpace{Point(-0.1313, 0, 0), in_setup(c, 1.0, 0.3, 0.1).normalized()},
                       Contact::separating, 0.2);
  wall.velocity = in_setup(c, 0.3, 0.1, 0.0);
  wall.spin = c.setup.dim > 2 ? Point(0.5, 0.0, -1.5) : Point(0.0, 0.0, -1.5);
  Collider slope =
      body(HalfSpace{Point(0.0413, 0, 0), in_setup(c, -1.0, 0.5, -0.2).normalized()}, Contact::slipping, 0.3);
  slope.velocity = in_setup(c, 0.1, 0.1, 0.0);
  Collider shelf =
      body(Box{Point(0.0313, 0.0307, -0.2151), Point(0.1629, 0.1693, 0.1823)}, Contact::sticky, 0.0);
  shelf.velocity = in_setup(c, 0.0, -0.2, 0.1);
  shelf.spin = c.setup.dim > 2 ? Point(0.5, 1.0, -2.0) : Point(0.0, 0.0, -2.0);
  c.scene.colliders = {ball, wall, slope, shelf};
  solve_stiff(c, 10.0);
  need_of_both(c, "holds changed", 5);
  c.needs.push_back({"nodes held twice", 1});
  c.needs.push_back({"nodes held by curved bodies", 3});
}

/// Half of the sand strongly compressed, half at the tip of its cone, where it does not resist at all: the way that the
/// derivative promises there goes too far.
void release(Case& c) {
  lay_out(c, {sand(30.0)});
  small_block(c);
  make_alike(
      c);  // at the edge of what Newton's method solves: light particles beside heavy ones are beyond it
  shake(c, Point::Zero(), 0.1, 1.0, 2);
  Random random(7);
  const auto d = static_cast<std::size_t>(c.setup.dim);
  for (std::size_t p = 0; p < c.start.particles(); ++p) {
    const bool dense = c.start.get(field::x).value[p * d] < -0.05;
    set_stretch(c, p, Point::Constant(dense ? -0.3 : 1e-4), random);
  }
  solve_stiff(c, 60.0);
  c.steps = 1;
  need_of_both(c, "halvings", 1);
  need_of_both(c, "gmres restarts", 2);
}

/// Grains so far apart that some hundred of them reach some four thousand nodes, in long rows of slopes.
void scatter(Case& c) {
  lay_out(c, {sand(30.0), rubber(0.45)});
  const bool deep = c.setup.dim > 2;
  const int side = deep ? 20 : 84;
  c.scene.grid.cells = {side, side, deep ? side : 1};
  const double h = c.scene.grid.h;
  const int rows = deep ? 6 : 28;
  std::vector<Point> places;
  Random random(3);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j)
      for (int k = 0; k < (deep ? rows : 1); ++k) {
        Point x = c.scene.grid.domain_min;
        for (int a = 0; a < c.setup.dim; ++a)
          x[a] += h * (3.0 + 2.4 * (a == 0 ? i : a == 1 ? j : k) + random.between(-0.2, 0.2));
        places.push_back(x);
      }
  place_particles(c, places, std::pow(h, c.setup.dim));
  for (std::size_t p = 0; p < places.size(); ++p)
    c.start.get(field::material).value[p] = static_cast<double>(p / 2 % 2);
  shake(c, Point::Zero(), 0.4, 2.0, 2);
  mix_strains(c, 0.004, 3);
  c.scene.colliders = {body(floor_at(c.scene.grid.domain_min.y() + 6.1 * h), Contact::separating, 0.4)};
  solve_stiff(c, 1.0);
  c.steps = 1;
  c.needs = {{"unknowns", 8193}, {"held nodes", 50}};
  need_of_both(c, "holds changed", 5);
}

/// Sand that falls together so fast along one axis that steps of twice Δt and more turn it inside out before anything is
/// solved: asked for four times Δt, a solver has to halve twice.
void fall_together(Case& c) {
  lay_out(c, {sand(30.0)});
  fill_block(c, {3, 2, 3}, {7, 5, 5}, c.setup.dim > 2 ? 2 : 5, 1);
  const double rate = 0.9 / 3e-3;
  const auto d = static_cast<std::size_t>(c.setup.dim);
  Random random(5);
  for (std::size_t p = 0; p < c.start.particles(); ++p) {
    Tensor C = Tensor::Zero();
    C(1, 1) = -rate;
    Point v = Point::Zero();
    v[1] = -rate * (c.start.get(field::x).value[p * d + 1] + 0.02);
    const double z = random.unit();
    const double y = random.unit();
    const double x = random.unit();
    set_motion(c, p, v + 0.1 * in_setup(c, x, y, z), C);
  }
  solve_stiff(c, 1e-4);
  c.steps = 1;
  c.offered = 4.0;
  mpm_options(c.scene).implicit.step_cuts = 2;
  c.scene.step.max_dt = c.offered * c.dt;
  c.scene.step.cfl = 100.0;
  c.needs = {{"step cuts", 2}, {"newton iterations", 1}};
}

/// The same without a cut: there is no step, and the first of the particles that are turned is named.
void turn_inside_out(Case& c) {
  fall_together(c);
  c.dt *= 4.0;
  c.offered = 1.0;
  c.stops = true;
}

/// Fewer iterations than the step needs.
void run_out_of_iterations(Case& c) {
  release(c);
  mpm_options(c.scene).implicit.newton_iterations = 3;
}

void give_up(Case& c) {
  run_out_of_iterations(c);
  c.stops = true;
}

/// The last velocities are taken as they are.
void keep_what_is_left(Case& c) {
  run_out_of_iterations(c);
  mpm_options(c.scene).implicit.unconverged = Unconverged::keep;
  c.needs = {{"newton iterations", 3}};
  need_of_both(c, "solves kept", 1);
}

}  // namespace

void add_solves(std::vector<Scenario>& all) {
  all.push_back({"implicit_squeeze", "contacts that open and close while the step is solved for", squeeze});
  all.push_back({"implicit_between_bodies", "curved and oblique corners of bodies that move and turn",
                 squeeze_between_bodies});
  all.push_back({"implicit_release",
                 "steps of eleven to fourteen times the explicit bound, in which Newton's steps are halved",
                 release});
  all.push_back({"implicit_wide", "more unknowns than any sum takes in one piece", scatter});
  all.push_back({"implicit_cut", "a step that is too long to be solved and is halved twice", fall_together});
  all.push_back(
      {"implicit_inside_out", "velocities that turn particles inside out: no step", turn_inside_out});
  all.push_back({"implicit_given_up", "more iterations needed than may be: no step", give_up});
  all.push_back({"implicit_bowl", "three walls that meet in nearly one corner", squeeze_in_a_bowl});
}

void add_kept_solve(std::vector<Scenario>& all) {
  all.push_back(
      {"implicit_kept", "more iterations needed than may be, and what they leave kept", keep_what_is_left});
}

}  // namespace repose::crosscheck
