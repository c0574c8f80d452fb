#include "validation/crosscheck/mpm/case_scenes.h"

#include "reference/interface/methods/mpm_options.h"

namespace repose::crosscheck {

Material sand(double friction_degrees) {
  Material m;
  m.name = "sand";
  m.density = 2200.0;
  m.youngs_modulus = 3.537e5;
  m.poisson_ratio = 0.3;
  m.friction.h0 = friction_degrees * degree;
  return m;
}

Material hardening_sand() {
  Material m = sand(35.0);
  m.friction.h1 = 9.0 * degree;
  m.friction.h2 = 0.3;
  m.friction.h3 = 10.0 * degree;
  return m;
}

Material rubber(double poisson_ratio) {
  Material m = sand(0.0);
  m.name = "rubber";
  m.kind = MaterialKind::elastic;
  m.poisson_ratio = poisson_ratio;
  return m;
}

void solve_implicitly(Case& c, int gmres_iterations, int gmres_restart) {
  MpmOptions& options = mpm_options(c.scene);
  options.integrator = Integrator::implicit_;
  options.implicit.newton_tolerance = 1e-6;
  options.implicit.gmres_iterations = gmres_iterations;
  options.implicit.gmres_restart = gmres_restart;
}

void lay_out(Case& c, std::vector<Material> materials) {
  c.scene.title = c.scenario;
  Grid& grid = c.scene.grid;
  grid.dim = c.setup.dim;
  grid.h = 0.05;
  grid.domain_min = Point(-0.3, -0.17, c.setup.dim > 2 ? -0.25 : 0.0);
  grid.cells = {12, 10, c.setup.dim > 2 ? 10 : 1};
  c.scene.scheme =
      MpmOptions{.kernel = kernel_of(c.setup), .transfer = transfer_of(c.setup), .flip_share = 0.95};
  // Along no axis: a step that forgets a component shows.
  c.scene.gravity = Point(1.7, -9.2, c.setup.dim > 2 ? -2.9 : 0.0);
  c.scene.materials = std::move(materials);
  c.scene.frame_rate = 100.0;
  c.scene.duration = 1.0;
  c.dt = 1e-3;
  c.scene.step.max_dt = c.dt;
}

void block(Case& c) { fill_block(c, {3, 2, 3}, {7, 5, 7}, c.setup.dim > 2 ? 2 : 5, 1); }

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

HalfSpace slope_at(double y, int dim) {
  const Point normal = dim > 2 ? Point(0.3, 0.9, -0.2).normalized() : Point(0.3, 0.9, 0.0).normalized();
  return {.point = Point(0.0, y, 0.0), .normal = normal};
}

void one_body(Case& c, const Point& velocity, Collider collider) {
  moving_block(c, velocity);
  c.scene.colliders = {std::move(collider)};
  c.needs = {{"contacts", 5}};
}

std::vector<Collider> surfaces_on_nodes(const Case& c) {
  const Grid& grid = c.scene.grid;
  const double short_of = 0.01 * surface_tolerance * grid.h;
  Collider floor = body(floor_at(grid.domain_min[1] + 3.0 * grid.h - short_of), Contact::sticky, 0.0);
  if (c.setup.dim > 2) floor.spin = Point(0.0, 4.0, 0.0);
  const double wall = grid.domain_min[0] + 4.0 * grid.h;
  return {floor, body(HalfSpace{Point(wall, 0.0, 0.0), Point::UnitX()}, Contact::slipping, 0.3)};
}

}  // namespace repose::crosscheck
