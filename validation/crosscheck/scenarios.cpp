#include "validation/crosscheck/case_states.h"

#include <cmath>

namespace repose::crosscheck {

namespace {

Material sand(double friction_degrees) {
  Material m;
  m.name = "sand";
  m.density = 2200.0;
  m.youngs_modulus = 3.537e5;
  m.poisson_ratio = 0.3;
  m.friction.h0 = friction_degrees * degree;
  return m;
}

/// Table 3's hardening sand.
Material hardening_sand() {
  Material m = sand(35.0);
  m.friction.h1 = 9.0 * degree;
  m.friction.h2 = 0.3;
  m.friction.h3 = 10.0 * degree;
  return m;
}

/// Grid with negative coordinates that no power of two divides; h = 5 cm, Δt = 0.3 h/c.
void lay_out(Case& c, std::vector<Material> materials) {
  c.scene.title = c.scenario;
  Grid& grid = c.scene.grid;
  grid.dim = c.setup.dim;
  grid.h = 0.05;
  grid.domain_min = Point(-0.3, -0.17, c.setup.dim > 2 ? -0.25 : 0.0);
  grid.cells = {12, 10, c.setup.dim > 2 ? 10 : 1};
  c.scene.kernel = c.setup.kernel;
  c.scene.transfer = c.setup.transfer;
  c.scene.flip_share = c.setup.transfer == Transfer::flip ? 1.0 : c.setup.transfer == Transfer::flip_pic ? 0.95 : 0.0;
  c.scene.gravity = Point(0.0, -9.81, 0.0);
  c.scene.materials = std::move(materials);
  c.scene.frame_rate = 100.0;
  c.scene.duration = 1.0;
  c.dt = 1e-3;
  c.scene.step.max_dt = c.dt;
}

/// The block most scenarios start from: 4 × 3 (× 4) cells, x in [−0.15, 0.05], y in [−0.07, 0.08], z in [−0.1, 0.1].
void block(Case& c) { fill_block(c, {3, 2, 3}, {7, 5, 7}, c.setup.dim > 2 ? 2 : 5, 1); }

/// A block of sand, some of it compressed, that moves with `velocity` and a little at random.
void moving_block(Case& c, const Point& velocity) {
  lay_out(c, {sand(30.0)});
  block(c);
  Point v = velocity;
  if (c.setup.dim < 3) v[2] = 0.0;
  shake(c, v, 0.3, 3.0, 2);
  mix_strains(c, 0.004, 3);
}

Collider body(Shape shape, Contact contact, double friction) {
  Collider result;
  result.name = "body";
  result.shape = std::move(shape);
  result.contact = contact;
  result.friction = friction;
  return result;
}

HalfSpace floor_at(double y) { return {.point = Point(0.0, y, 0.0), .normal = Point::UnitY()}; }

/// A plane whose normal lies along no axis.
HalfSpace slope_at(double y, int dim) {
  const Point normal = dim > 2 ? Point(0.3, 0.9, -0.2).normalized() : Point(0.3, 0.9, 0.0).normalized();
  return {.point = Point(0.0, y, 0.0), .normal = normal};
}

void one_body(Case& c, const Point& velocity, Collider collider) {
  moving_block(c, velocity);
  c.scene.colliders = {std::move(collider)};
  c.needs = {{"contacts", 5}};
}

void add_materials(std::vector<Scenario>& all) {
  all.push_back({"mixed_states", "cases I, II and III side by side, with nearly equal stretches among them", [](Case& c) {
                   lay_out(c, {sand(30.0)});
                   block(c);
                   shake(c, Point(0.4, -0.3, c.setup.dim > 2 ? 0.2 : 0.0), 0.5, 5.0, 2);
                   mix_strains(c, 0.05, 3);
                   c.needs = {{"inside", 30}, {"tip", 30}, {"surface", 30}};
                 }});
  all.push_back({"hydrostatic_compression", "equal compression in all directions stays elastic", [](Case& c) {
                   // So soft that no force moves anything: the strain stays exactly hydrostatic.
                   Material soft = sand(30.0);
                   soft.youngs_modulus = 1e-12;
                   lay_out(c, {soft});
                   c.scene.gravity.setZero();
                   block(c);
                   Random random(4);
                   for (std::size_t p = 0; p < c.start.particles(); ++p) {
                     const double stretch = std::exp(random.between(-0.2, -0.01));
                     Field& F = c.start.get(field::F);
                     const auto size = static_cast<std::size_t>(F.components);
                     for (std::size_t i = 0; i < size; ++i) F.value[p * size + i] *= stretch;
                   }
                   c.needs = {{"inside", 200}};
                 }});
  all.push_back({"frictionless_tension", "a material of friction angle 0 releases tension and all shear", [](Case& c) {
                   lay_out(c, {sand(0.0)});
                   block(c);
                   shake(c, Point::Zero(), 0.2, 2.0, 2);
                   mix_strains(c, 0.03, 3);
                   c.needs = {{"tip", 30}, {"surface", 30}};
                 }});
  all.push_back({"hardening", "the friction angle follows the plastic strain", [](Case& c) {
                   lay_out(c, {hardening_sand()});
                   block(c);
                   shake(c, Point::Zero(), 0.3, 3.0, 2);
                   mix_strains(c, 0.05, 3);
                   randomize(c, field::q, 0.0, 3.0, 5);
                   c.needs = {{"tip", 30}, {"surface", 30}};
                 }});
  all.push_back({"volume_correction", "gained volume is kept and consumed, with hardening", [](Case& c) {
                   Material m = hardening_sand();
                   m.volume_correction = true;
                   lay_out(c, {m});
                   block(c);
                   shake(c, Point::Zero(), 0.3, 3.0, 2);
                   mix_strains(c, 0.05, 3);
                   randomize(c, field::v_c, 0.0, 0.03, 6);
                   randomize(c, field::q, 0.0, 1.0, 5);
                   c.needs = {{"inside", 10}, {"tip", 30}, {"surface", 30}, {"volume correction", 100}};
                 }});
  all.push_back({"three_materials", "two sands and an elastic body share nodes", [](Case& c) {
                   Material rubber = sand(0.0);
                   rubber.name = "rubber";
                   rubber.law = Law::elastic;
                   rubber.density = 1100.0;
                   rubber.poisson_ratio = 0.45;
                   Material corrected = hardening_sand();
                   corrected.volume_correction = true;
                   lay_out(c, {sand(25.0), rubber, corrected});
                   block(c);
                   shake(c, Point(0.5, 0.0, 0.0), 0.3, 3.0, 2);
                   mix_strains(c, 0.03, 3);
                   for (std::size_t p = 0; p < c.start.particles(); ++p)
                     c.start.get(field::material).value[p] = static_cast<double>(p / 5 % 3);
                   c.needs = {{"inside", 10}, {"tip", 10}, {"surface", 10}, {"elastic", 30}};
                 }});
  all.push_back({"nearly_equal_stretches", "singular values that differ by 10^-17 to 10^-3", [](Case& c) {
                   lay_out(c, {sand(30.0)});
                   block(c);
                   Random random(7);
                   for (std::size_t p = 0; p < c.start.particles(); ++p) {
                     const double volume = random.between(-0.1, 0.02);
                     const double gap = std::pow(10.0, random.between(-17.0, -3.0));
                     set_stretch(c, p, Point::Constant(volume) + gap * Point(1.0, 0.0, -0.5), random);
                   }
                   c.needs = {{"inside", 30}, {"tip", 10}};
                 }});
  all.push_back({"large_stretches", "strains of order 1", [](Case& c) {
                   Material soft = sand(35.0);
                   soft.youngs_modulus = 2e3;
                   lay_out(c, {soft});
                   block(c);
                   shake(c, Point::Zero(), 0.3, 3.0, 2);
                   mix_strains(c, 1.0, 3);
                   c.needs = {{"inside", 10}, {"tip", 30}, {"surface", 30}};
                 }});
}

void add_contacts(std::vector<Scenario>& all) {
  const Point fall(0.6, -1.5, 0.4);
  all.push_back({"floor_separating", "a half-space that grains may leave", [=](Case& c) {
                   one_body(c, fall, body(floor_at(-0.0413), Contact::separating, 0.4));
                 }});
  all.push_back({"slope_sticky", "a tilted half-space that holds what is inside", [=](Case& c) {
                   one_body(c, fall, body(slope_at(-0.0413, c.setup.dim), Contact::sticky, 0.4));
                 }});
  all.push_back({"slope_slipping", "a tilted half-space that pulls and pushes", [](Case& c) {
                   one_body(c, Point(0.8, 0.2, 0.3), body(slope_at(-0.0413, c.setup.dim), Contact::slipping, 0.3));
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
                   one_body(c, Point(0.3, -1.5, 0.2), body(slope_at(-0.0413, c.setup.dim), Contact::separating, 1.5));
                   c.needs.push_back({"sticking", 10});
                 }});
  all.push_back({"friction_slide", "Coulomb friction that slows", [](Case& c) {
                   one_body(c, Point(2.0, -0.8, 1.0), body(slope_at(-0.0413, c.setup.dim), Contact::separating, 0.2));
                   c.needs.push_back({"sliding", 10});
                 }});
  all.push_back({"room_corner", "nodes inside two or three walls of a room", [](Case& c) {
                   moving_block(c, Point(-1.0, -1.2, -0.8));
                   c.scene.colliders = {body(HalfSpace{Point(-0.1213, 0, 0), Point::UnitX()}, Contact::separating, 0.3),
                                        body(floor_at(-0.0413), Contact::separating, 0.5)};
                   if (c.setup.dim > 2)
                     c.scene.colliders.push_back(
                         body(HalfSpace{Point(0, 0, -0.0719), Point::UnitZ()}, Contact::slipping, 0.2));
                   c.needs = {{"nodes in two bodies", 5}, {"sticking", 3}, {"sliding", 3}};
                 }});
  all.push_back({"wedge", "nodes inside two planes that are not at right angles", [](Case& c) {
                   moving_block(c, Point(0.1, -1.5, 0.1));
                   c.scene.colliders = {
                       body(HalfSpace{Point(-0.06, -0.05, 0), Point(0.6, 0.8, 0)}, Contact::separating, 0.4),
                       body(HalfSpace{Point(-0.05, -0.05, 0), Point(-0.8, 0.6, 0)}, Contact::separating, 0.4)};
                   c.needs = {{"nodes in two bodies", 3}};
                 }});
  all.push_back({"box", "a box inside the block", [=](Case& c) {
                   one_body(c, fall, body(Box{Point(-0.0913, -0.1129, -0.0651), Point(0.0171, -0.0193, 0.0477)},
                                          Contact::separating, 0.4));
                 }});
  all.push_back({"sphere", "a sphere inside the block", [=](Case& c) {
                   one_body(c, fall, body(Sphere{Point(-0.0437, -0.0371, 0.0119), 0.0631}, Contact::separating, 0.4));
                 }});
  all.push_back({"cylinder", "a cylinder inside the block, its axis along z (2D) or tilted", [=](Case& c) {
                   const Point axis = c.setup.dim > 2 ? Point(0.5, 0.3, 0.8).normalized() : Point::UnitZ();
                   one_body(c, fall, body(Cylinder{Point(-0.0437, -0.0371, 0.0119), axis, 0.0631, 0.0719},
                                          Contact::separating, 0.4));
                 }});
  all.push_back({"hollow_box", "a container", [](Case& c) {
                   Collider container = body(Box{Point(-0.1313, -0.0471, -0.0751), Point(0.0271, 0.0613, 0.0817)},
                                             Contact::separating, 0.4);
                   container.hollow = true;
                   one_body(c, Point(0.7, -1.2, 0.5), container);
                 }});
  all.push_back({"hollow_sphere", "a round container that slips", [](Case& c) {
                   Collider container = body(Sphere{Point(-0.0437, 0.0119, 0.0071), 0.0871}, Contact::slipping, 0.3);
                   container.hollow = true;
                   one_body(c, Point(0.7, -1.2, 0.5), container);
                 }});
  all.push_back({"moving_body", "a box that rises and pushes, found in mid-motion", [](Case& c) {
                   Collider tool = body(Box{Point(-0.2413, -0.3129, -0.1651), Point(-0.1329, -0.2193, -0.0523)},
                                        Contact::separating, 0.6);
                   tool.velocity = Point(0.5, 0.8, c.setup.dim > 2 ? 0.4 : 0.0);
                   one_body(c, Point(0.9, 0.1, 0.6), tool);
                   c.start.time = 0.25;
                   c.start.step = 100;
                   c.needs.push_back({"sliding", 3});
                 }});
  all.push_back({"moving_with_sand", "sand and a sticking floor drift together; friction is relative to the body", [](Case& c) {
                   Collider wall = body(floor_at(-0.0413 - 0.25 * 0.1), Contact::separating, 0.5);
                   wall.velocity = Point(1.5, 0.1, c.setup.dim > 2 ? -0.7 : 0.0);
                   one_body(c, Point(1.5, -0.8, -0.7), wall);
                   c.start.time = 0.25;
                   c.needs.push_back({"sticking", 5});
                 }});
  all.push_back({"spinning_body", "a turning sticky box and a turning sphere with friction", [](Case& c) {
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
}

void add_places(std::vector<Scenario>& all) {
  all.push_back({"particle_on_node", "particles on nodes, faces and centres of cells, exactly", [](Case& c) {
                   lay_out(c, {sand(30.0)});
                   Grid& grid = c.scene.grid;
                   grid.h = 0.0625;
                   grid.domain_min = Point(-0.25, -0.125, c.setup.dim > 2 ? -0.25 : 0.0);
                   std::vector<Point> places;
                   for (int i = 0; i < 6; ++i)
                     for (int j = 0; j < 6; ++j)
                       for (int k = 0; k < (c.setup.dim > 2 ? 6 : 1); ++k)
                         places.push_back(0.5 * grid.h * Point(i, j, k));
                   place_particles(c, places, std::pow(0.5 * grid.h, c.setup.dim));
                   shake(c, Point(0.25, 0.5, 0.0), 0.3, 3.0, 2);
                   mix_strains(c, 0.02, 3);
                   c.needs = {{"inside", 5}, {"surface", 5}};
                 }});
  all.push_back({"domain_edge", "particles on the border of the domain", [](Case& c) {
                   lay_out(c, {sand(30.0)});
                   c.scene.gravity.setZero();
                   const Point low = c.scene.grid.domain_min;
                   const Point high = c.scene.grid.domain_max();
                   const Point middle = 0.5 * (low + high);
                   std::vector<Point> places{low, high};
                   for (int a = 0; a < c.setup.dim; ++a)
                     for (const Point& end : {low, high}) {
                       Point x = middle;
                       x[a] = end[a];
                       places.push_back(x);
                     }
                   if (c.setup.dim < 3)
                     for (Point& x : places) x[2] = 0.0;
                   place_particles(c, places, 1e-5);
                   for (std::size_t p = 0; p < places.size(); ++p) {
                     Point inward = 2.0 * (middle - places[p]);
                     if (c.setup.dim < 3) inward[2] = 0.0;
                     set_motion(c, p, inward, 0.5 * identity(c.setup.dim));
                   }
                   c.needs = {{"tip", 1}};
                 }});
  all.push_back({"far_from_origin", "a domain whose coordinates use up half of a float's digits", [](Case& c) {
                   lay_out(c, {sand(30.0)});
                   c.scene.grid.domain_min = Point(150.3, -77.17, c.setup.dim > 2 ? 33.3 : 0.0);
                   block(c);
                   shake(c, Point(0.4, -0.3, 0.0), 0.5, 5.0, 2);
                   mix_strains(c, 0.03, 3);
                   c.needs = {{"surface", 30}};
                 }});
  all.push_back({"rim_of_support", "lone particles 10^-14 to 10^-1 h from where a node leaves their stencil", [](Case& c) {
                   lay_out(c, {sand(30.0)});
                   Random random(8);
                   std::vector<Point> places;
                   const double h = c.scene.grid.h;
                   const double edge = c.setup.kernel == Kernel::quadratic ? 0.5 : 0.0;
                   for (int n = 0; n < 60; ++n) {
                     Point x = c.scene.grid.domain_min;
                     for (int a = 0; a < c.setup.dim; ++a) {
                       const double cell = std::floor(random.between(1.0, 9.0));
                       const double off = std::pow(10.0, random.between(-14.0, -1.0));
                       const double side = random.unit() < 0.5 ? -1.0 : 1.0;
                       x[a] += h * (cell + edge + side * off);
                     }
                     places.push_back(x);
                   }
                   place_particles(c, places, 1e-5);
                   shake(c, Point::Zero(), 0.5, 3.0, 2);
                   mix_strains(c, 0.01, 3);
                   c.needs = {{"inside", 5}};
                 }});
  all.push_back({"crowded_cell", "hundreds of particles in one cell: long sums", [](Case& c) {
                   lay_out(c, {sand(30.0)});
                   fill_block(c, {5, 4, 5}, {6, 5, 6}, c.setup.dim > 2 ? 8 : 20, 9);
                   shake(c, Point(0.2, 0.1, 0.0), 0.5, 5.0, 2);
                   mix_strains(c, 0.02, 3);
                   c.needs = {{"surface", 30}};
                 }});
  all.push_back({"at_rest", "undeformed sand in its first moments under gravity on a floor", [](Case& c) {
                   lay_out(c, {sand(30.0)});
                   block(c);
                   c.scene.colliders = {body(floor_at(-0.0413), Contact::separating, 0.4)};
                   c.needs = {{"contacts", 10}};
                 }});
  all.push_back({"fast_flow", "particles that cross most of a cell in a step", [](Case& c) {
                   lay_out(c, {sand(30.0)});
                   block(c);
                   const double speed = 0.8 * c.scene.grid.h / c.dt;
                   shake(c, Point(speed, 0.1 * speed, 0.0), 0.3, 3.0, 2);
                   c.needs = {{"tip", 30}};
                   c.steps = 2;
                 }});
  all.push_back({"empty", "no particle, a wall", [](Case& c) {
                   lay_out(c, {sand(30.0)});
                   place_particles(c, {}, 1.0);
                   c.scene.colliders = {body(floor_at(-0.0413), Contact::separating, 0.4)};
                 }});
  all.push_back({"one_particle", "a single particle meets a floor", [](Case& c) {
                   lay_out(c, {sand(30.0)});
                   place_particles(c, {Point(-0.0311, -0.0137, c.setup.dim > 2 ? 0.0419 : 0.0)}, 1e-5);
                   set_motion(c, 0, Point(0.7, -1.3, c.setup.dim > 2 ? 0.3 : 0.0), 3.0 * identity(c.setup.dim));
                   c.scene.colliders = {body(floor_at(-0.0413), Contact::separating, 0.4)};
                   c.needs = {{"contacts", 2}};
                 }});
  all.push_back({"inverted_particle", "a step that would turn a particle inside out is refused", [](Case& c) {
                   lay_out(c, {sand(30.0)});
                   fill_block(c, {5, 4, 5}, {7, 6, 7}, 4, 9);
                   // Two halves run into each other: Δt ∂v/∂x reaches −1.
                   const double speed = 1.2 * c.scene.grid.h / c.dt;
                   const double middle = c.scene.grid.domain_min[0] + 6.0 * c.scene.grid.h;
                   const Field& x = c.start.get(field::x);
                   for (std::size_t p = 0; p < c.start.particles(); ++p) {
                     const double side = x.value[p * static_cast<std::size_t>(x.components)] < middle ? 1.0 : -1.0;
                     set_motion(c, p, Point(side * speed, 0.0, 0.0), Tensor::Zero());
                   }
                   c.steps = 1;
                   c.stops = true;
                 }});
  all.push_back({"leaves_domain", "a particle that would leave the domain is refused", [](Case& c) {
                   lay_out(c, {sand(30.0)});
                   block(c);
                   shake(c, Point::Zero(), 0.1, 1.0, 2);
                   Field& x = c.start.get(field::x);
                   // One particle alone at the right border, on its way out.
                   x.value[7 * static_cast<std::size_t>(x.components)] = c.scene.grid.domain_max()[0] - 0.001;
                   set_motion(c, 7, Point(5.0, 0.0, 0.0), Tensor::Zero());
                   c.steps = 1;
                   c.stops = true;
                 }});
}

std::vector<Scenario> all_scenarios() {
  std::vector<Scenario> all;
  add_materials(all);
  add_contacts(all);
  add_places(all);
  return all;
}

}  // namespace

const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> all = all_scenarios();
  return all;
}

}  // namespace repose::crosscheck
