#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/case_scenes.h"

#include <cmath>

namespace repose::crosscheck {

namespace {

/// The first wall leans: what two bodies do to a node depends on which comes first, already before friction.
void room_corner(Case& c) {
  const bool deep = c.setup.dim > 2;
  moving_block(c, Point(-1.0, -1.2, -0.8));
  const Point leaning = deep ? Point(0.9, 0.4, 0.17).normalized() : Point(0.9, 0.4, 0.0).normalized();
  c.scene.colliders = {body(HalfSpace{Point(-0.1213, 0, 0), leaning}, Contact::separating, 0.3),
                       body(floor_at(-0.0413), Contact::separating, 0.5)};
  if (deep)
    c.scene.colliders.push_back(
        body(HalfSpace{Point(0, 0, -0.0719), Point::UnitZ()}, Contact::slipping, 0.2));
  c.needs = {{"nodes in two bodies", 5}, {"sticking", 3}, {"sliding", 3}, {"nodes where order matters", 3}};
}

/// Two walls that leave a gap of 35°, the first slipping and on its way in.
void narrow_gap(Case& c) {
  moving_block(c, Point(0.3, -1.6, 0.2));
  const double half = 0.5 * (180.0 - 35.0) * degree;
  const Point right(std::sin(half), std::cos(half), 0.0);
  const Point left(-std::sin(half), std::cos(half), 0.0);
  Collider closing = body(HalfSpace{Point(-0.08, 0.01, 0.0), right}, Contact::slipping, 0.2);
  closing.velocity = Point(0.4, 0.1, 0.0);
  c.scene.colliders = {closing, body(HalfSpace{Point(-0.02, 0.01, 0.0), left}, Contact::separating, 0.6)};
  c.needs = {{"nodes held by two oblique bodies", 5}, {"nodes where order matters", 5}, {"sliding", 3}};
}

/// Bodies that grains may leave, turning: a box about its middle and a floor about a point far from the sand.
void turning_separating(Case& c) {
  moving_block(c, Point(0.2, -0.7, 0.1));
  const bool deep = c.setup.dim > 2;
  c.start.time = 0.375;
  Collider mill =
      body(Box{Point(-0.1113, -0.0429, -0.0651), Point(-0.0129, 0.0307, 0.0723)}, Contact::separating, 0.5);
  mill.spin = deep ? Point(4.0, -3.0, 7.0) : Point(0.0, 0.0, 8.0);
  Collider flap = body(HalfSpace{Point(0.6137, -0.0413, 0.2), Point::UnitY()}, Contact::separating, 0.4);
  if (!deep) flap.shape = HalfSpace{Point(0.6137, -0.0413, 0.0), Point::UnitY()};
  // Level with the sand's lower part now, and rising where the sand is.
  flap.spin = Point(0.0, 0.0, -1.5);
  std::get<HalfSpace>(flap.shape).normal =
      Point(std::sin(-1.5 * c.start.time), std::cos(-1.5 * c.start.time), 0.0);
  c.scene.colliders = {mill, flap};
  c.needs = {{"contacts with body 0", 3},
             {"contacts with body 1", 3},
             {"contacts on spinning bodies", 10},
             {"sliding", 3}};
}

/// A wall that shoves the sand into another, which most nodes would not have reached by themselves.
void reached_by_push(Case& c) {
  moving_block(c, Point(-0.6, 0.2, 0.1));
  Collider shover =
      body(HalfSpace{Point(-0.0613, 0.0, 0.0), Point(0.96, 0.28, 0.0)}, Contact::separating, 0.3);
  shover.velocity = Point(25.0, 0.0, 0.0);
  c.scene.colliders = {
      shover, body(HalfSpace{Point(-0.0413, 0.0, 0.0), Point(-0.8, 0.6, 0.0)}, Contact::separating, 0.4)};
  c.needs = {{"contacts only after another's push", 3},
             {"contacts entered within the step", 5},
             {"nodes where order matters", 3}};
}

/// A wall comes along a diagonal over sand at rest and takes, within the step, the first node of each block of the sparse
/// grid that it meets: of a body so near and so fast only its place at the step's end tells that it matters to the block.
void met_at_block_corner(Case& c) {
  const int dim = c.setup.dim;
  lay_out(c, {sand(30.0)});
  c.scene.gravity.setZero();
  fill_block(c, {1, 1, 1}, {10, 9, 9}, dim > 2 ? 1 : 2, 1);
  mix_strains(c, 0.001, 3);
  const Grid& grid = c.scene.grid;
  const Point diagonal = Point(1.0, 1.0, dim > 2 ? 1.0 : 0.0).normalized();
  const double block = dim > 2 ? 4.0 : 8.0;  // edge of a block of the fast solver's grid, in nodes
  const double speed = 0.9 * grid.h / c.dt;
  Point corner = grid.domain_min;
  for (int a = 0; a < dim; ++a) corner[a] += grid.h * (block - Grid::margin);
  Collider wall = body(HalfSpace{corner - 0.45 * grid.h * diagonal, diagonal}, Contact::separating, 0.3);
  wall.velocity = speed * diagonal;
  c.scene.colliders = {wall};
  c.steps = 1;
  c.needs = {{"contacts entered within the step", 3}, {"contacts by the body's own way", 3}};
}

/// The other way round: a lone grain flies from the first node of a block at a wall that waits beyond. All other nodes of the
/// block are without mass, the last among them: whether the wall can matter to the block is told by its fastest node.
void met_from_block_corner(Case& c) {
  const int dim = c.setup.dim;
  lay_out(c, {sand(30.0)});
  c.scene.gravity.setZero();
  const Grid& grid = c.scene.grid;
  const Point diagonal = Point(1.0, 1.0, dim > 2 ? 1.0 : 0.0).normalized();
  const double block = dim > 2 ? 4.0 : 8.0;  // edge of a block of the fast solver's grid, in nodes
  Point corner = grid.domain_min;
  for (int a = 0; a < dim; ++a) corner[a] += grid.h * (block - Grid::margin);
  place_particles(c, {corner + 0.2 * grid.h * diagonal}, std::pow(grid.h, dim));
  set_motion(c, 0, -0.9 * grid.h / c.dt * diagonal, Tensor::Zero());
  c.scene.colliders = {
      body(HalfSpace{corner - 0.45 * grid.h * diagonal, diagonal}, Contact::separating, 0.3)};
  c.steps = 1;
  c.share_of_ties = 1.0;  // a lone grain's strain is rounding
  c.needs = {{"contacts entered within the step", 1}};
}

/// A drum that turns about its own axis, with a blade that turns with it.
void turning_drum(Case& c) {
  moving_block(c, Point(0.5, -1.0, 0.2));
  const bool deep = c.setup.dim > 2;
  const Point axis = deep ? Point(0.2, -0.1, 1.0).normalized() : Point(Point::UnitZ());
  const Point middle(-0.0437, 0.0119, deep ? 0.0071 : 0.0);
  Collider drum = body(Cylinder{middle, axis, 0.0871, 0.0913}, Contact::slipping, 0.6);
  drum.hollow = true;
  drum.spin = 6.0 * axis;
  Collider blade = body(Box{middle - Point(0.0713, 0.0157, 0.0619), middle + Point(0.0291, 0.0183, 0.0641)},
                        Contact::separating, 0.3);
  blade.spin = drum.spin;
  c.scene.colliders = {drum, blade};
  c.start.time = 0.5;
  c.needs = {{"contacts with body 0", 10},
             {"contacts with body 1", 3},
             {"contacts on spinning bodies", 10},
             {"sliding", 3}};
}

/// A ram that crosses most of a cell in a step and meets nodes that were outside when the step began.
void entered_within_step(Case& c) {
  moving_block(c, Point(0.3, 0.2, 0.1));
  c.start.time = 0.25;
  Collider ram = body(Sphere{Point(-0.1837, -0.0371, 0.0119), 0.0931}, Contact::separating, 0.5);
  ram.velocity = Point(30.0, 4.0, 0.0);
  ram.spin = Point(0.0, 0.0, 20.0);
  std::get<Sphere>(ram.shape).centre -= c.start.time * ram.velocity;
  c.scene.colliders = {ram};
  c.needs = {{"contacts entered within the step", 3}, {"contacts by the body's own way", 3}, {"sliding", 1}};
}

}  // namespace

void add_contacts(std::vector<Scenario>& all) {
  const Point fall(0.6, -1.5, 0.4);
  all.push_back({"floor_separating", "a half-space that grains may leave",
                 [=](Case& c) { one_body(c, fall, body(floor_at(-0.0413), Contact::separating, 0.4)); }});
  all.push_back({"slope_sticky", "a tilted half-space that holds what is inside", [=](Case& c) {
                   one_body(c, fall, body(slope_at(-0.0413, c.setup.dim), Contact::sticky, 0.4));
                 }});
  all.push_back({"slope_slipping", "a tilted half-space that pulls and pushes", [](Case& c) {
                   one_body(c, Point(0.8, 0.2, 0.3),
                            body(slope_at(-0.0413, c.setup.dim), Contact::slipping, 0.3));
                   c.needs.push_back({"contacts that pull", 5});
                   c.needs.push_back({"sliding", 5});
                 }});
  all.push_back({"slipping_push_only", "friction from the pushing part of an impulse alone", [](Case& c) {
                   Collider plane = body(slope_at(-0.0413, c.setup.dim), Contact::slipping, 0.5);
                   plane.friction_from_push_only = true;
                   one_body(c, Point(0.8, 0.2, 0.3), plane);
                   c.needs.push_back({"contacts that pull", 5});
                 }});
  all.push_back({"friction_stick", "Coulomb friction strong enough to stop", [](Case& c) {
                   one_body(c, Point(0.3, -1.5, 0.2),
                            body(slope_at(-0.0413, c.setup.dim), Contact::separating, 1.5));
                   c.needs.push_back({"sticking", 10});
                 }});
  all.push_back({"friction_slide", "Coulomb friction that slows", [](Case& c) {
                   one_body(c, Point(2.0, -0.8, 1.0),
                            body(slope_at(-0.0413, c.setup.dim), Contact::separating, 0.2));
                   c.needs.push_back({"sliding", 10});
                 }});
  all.push_back({"moved_after_friction", "particles moved by the velocity that friction left", [](Case& c) {
                   one_body(c, Point(1.0, -0.8, 0.5),
                            body(slope_at(-0.0413, c.setup.dim), Contact::separating, 0.4));
                   mpm_options(c.scene).motion = ParticleMotion::after_friction;
                   c.needs.push_back({"sliding", 10});
                 }});
  all.push_back({"sticky_after_rubbing",
                 "a sticky belt undoes what a rough wall before it did, a wall after it rubs", [](Case& c) {
                   moving_block(c, Point(0.6, -1.5, 0.4));
                   Collider belt = body(slope_at(-0.0313, c.setup.dim), Contact::sticky, 0.0);
                   belt.velocity = Point(1.2, -0.3, c.setup.dim > 2 ? 0.7 : 0.0);
                   c.scene.colliders = {
                       body(floor_at(-0.0213), Contact::separating, 1.5), belt,
                       body(HalfSpace{Point(-0.1213, 0, 0), Point::UnitX()}, Contact::slipping, 0.3)};
                   c.needs = {{"contacts undone", 10}, {"sticking", 3}, {"sliding", 3}};
                 }});
  all.push_back({"sticky_on_nodes",
                 "a turning sticky floor and a slipping wall that stand on planes of nodes", [](Case& c) {
                   moving_block(c, Point(0.3, -0.4, 0.2));
                   c.scene.colliders = surfaces_on_nodes(c);
                   c.needs = {{"contacts", 10}, {"nodes on surfaces", 10}};
                 }});
  all.push_back(
      {"room_corner", "nodes inside two or three walls of a room, one of them leaning", room_corner});
  all.push_back(
      {"wedge", "nodes inside two planes at an obtuse angle", [](Case& c) {
         moving_block(c, Point(0.1, -1.5, 0.1));
         c.scene.colliders = {
             body(HalfSpace{Point(-0.06, -0.05, 0), Point(0.6, 0.8, 0)}, Contact::separating, 0.4),
             body(HalfSpace{Point(-0.05, -0.05, 0), Point(-0.96, 0.28, 0)}, Contact::separating, 0.4)};
         c.needs = {{"nodes in two bodies", 3},
                    {"nodes held by two oblique bodies", 3},
                    {"nodes where order matters", 3}};
       }});
  all.push_back({"box", "a box inside the block", [=](Case& c) {
                   one_body(c, fall,
                            body(Box{Point(-0.0913, -0.1129, -0.0651), Point(0.0171, -0.0193, 0.0477)},
                                 Contact::separating, 0.4));
                 }});
  all.push_back(
      {"sphere", "a sphere inside the block", [=](Case& c) {
         one_body(c, fall, body(Sphere{Point(-0.0437, -0.0371, 0.0119), 0.0631}, Contact::separating, 0.4));
       }});
  all.push_back({"cylinder", "a cylinder inside the block, its axis along z (2D) or tilted", [=](Case& c) {
                   const Point axis = c.setup.dim > 2 ? Point(0.5, 0.3, 0.8).normalized() : Point::UnitZ();
                   one_body(c, fall,
                            body(Cylinder{Point(-0.0437, -0.0371, 0.0119), axis, 0.0631, 0.0719},
                                 Contact::separating, 0.4));
                 }});
  all.push_back({"hollow_box", "a container", [](Case& c) {
                   Collider container =
                       body(Box{Point(-0.1313, -0.0471, -0.0751), Point(0.0271, 0.0613, 0.0817)},
                            Contact::separating, 0.4);
                   container.hollow = true;
                   one_body(c, Point(0.7, -1.2, 0.5), container);
                 }});
  all.push_back(
      {"hollow_sphere", "a round container that slips", [](Case& c) {
         Collider container = body(Sphere{Point(-0.0437, 0.0119, 0.0071), 0.0871}, Contact::slipping, 0.3);
         container.hollow = true;
         one_body(c, Point(0.7, -1.2, 0.5), container);
       }});
  all.push_back({"moving_body", "a box that rises and pushes, found in mid-motion", [](Case& c) {
                   Collider tool =
                       body(Box{Point(-0.2413, -0.3129, -0.1651), Point(-0.1329, -0.2193, -0.0523)},
                            Contact::separating, 0.6);
                   tool.velocity = Point(0.5, 0.8, c.setup.dim > 2 ? 0.4 : 0.0);
                   one_body(c, Point(0.9, 0.1, 0.6), tool);
                   c.start.time = 0.25;
                   c.start.step = 100;
                   c.needs.push_back({"sliding", 3});
                 }});
  all.push_back({"moving_with_sand",
                 "sand and a sticking floor drift together; friction is relative to the body", [](Case& c) {
                   Collider wall = body(floor_at(-0.0413 - 0.25 * 0.1), Contact::separating, 0.5);
                   wall.velocity = Point(1.5, 0.1, c.setup.dim > 2 ? -0.7 : 0.0);
                   one_body(c, Point(1.5, -0.8, -0.7), wall);
                   c.start.time = 0.25;
                   c.needs.push_back({"sticking", 5});
                 }});
  all.push_back(
      {"spinning_body", "a turning sticky box and a turning sphere with friction", [](Case& c) {
         moving_block(c, Point(0.1, -0.5, 0.1));
         Collider paddle = body(Box{Point(-0.1413, -0.0829, -0.0751), Point(-0.0529, -0.0293, 0.0823)},
                                Contact::sticky, 0.0);
         paddle.spin = c.setup.dim > 2 ? Point(2.0, -1.0, 3.0) : Point(0.0, 0.0, 3.0);
         Collider ball = body(Sphere{Point(0.0137, -0.0471, 0.0119), 0.0531}, Contact::slipping, 0.5);
         ball.spin = c.setup.dim > 2 ? Point(-5.0, 4.0, 6.0) : Point(0.0, 0.0, -8.0);
         ball.velocity = Point(0.0, 0.05, 0.0);
         c.scene.colliders = {paddle, ball};
         c.start.time = 0.125;
         c.needs = {{"contacts", 10}};
       }});
  all.push_back(
      {"narrow_gap", "nodes between two walls at 35 degrees to each other, one of them closing", narrow_gap});
  all.push_back({"turning_separating", "a turning box and a floor that turns about a point far away",
                 turning_separating});
  all.push_back({"reached_by_push", "a wall shoves sand into a second one", reached_by_push});
  all.push_back({"met_at_block_corner", "a fast wall meets the first node of a block of the sparse grid",
                 met_at_block_corner});
  all.push_back({"turning_drum", "a turning drum with a blade in it", turning_drum});
  all.push_back({"entered_within_step", "a fast ball meets nodes that it did not hold when the step began",
                 entered_within_step});
}

void add_reach(std::vector<Scenario>& all) {
  all.push_back({"met_from_block_corner",
                 "a fast grain at the first node of a block of the sparse grid meets a wall",
                 met_from_block_corner});
}

void add_wedge(std::vector<Scenario>& all) {
  all.push_back({"wedge", "a wedge in the block, its edge along z (2D) or tilted", [](Case& c) {
                   const bool deep = c.setup.dim > 2;
                   const Point up = deep ? Point(2.0 / 7.0, 6.0 / 7.0, 3.0 / 7.0) : Point(0.28, 0.96, 0.0);
                   const Point edge = deep ? Point(-6.0 / 7.0, 3.0 / 7.0, -2.0 / 7.0) : Point::UnitZ();
                   one_body(c, Point(0.6, -1.5, 0.4),
                            body(Wedge{Point(-0.0437, -0.0171, 0.0119), up, edge, 60.0 * degree},
                                 Contact::separating, 0.4));
                 }});
}

}  // namespace repose::crosscheck
