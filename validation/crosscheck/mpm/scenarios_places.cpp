#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/case_scenes.h"

#include <array>
#include <cmath>

namespace repose::crosscheck {

namespace {

/// Each of a scenario's four cases has a transfer of its own, and so a side.
int side_of(const Case& c, const std::array<int, 4>& sides) {
  return sides.at(static_cast<std::size_t>(transfer_of(c.setup)));
}

/// One particle alone at a side of the domain, on its way out: sides low x, high x, low y, high y; in 3D of y and z.
void leave(Case& c, int side) {
  lay_out(c, {sand(30.0)});
  block(c);
  shake(c, Point::Zero(), 0.1, 1.0, 2);
  const int axis = side / 2 + (c.setup.dim > 2 ? 1 : 0);
  const bool high = side % 2 == 1;
  const double border = high ? c.scene.grid.domain_max()[axis] : c.scene.grid.domain_min[axis];
  Field& x = c.start.get(field::x);
  x.value[7 * static_cast<std::size_t>(x.components) + static_cast<std::size_t>(axis)] =
      border + (high ? -0.001 : 0.001);
  Point out = Point::Zero();
  out[axis] = high ? 5.0 : -5.0;
  set_motion(c, 7, out, Tensor::Zero());
  c.steps = 1;
  c.stops = true;
}

}  // namespace

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
                   mix_strains(c, 0.01, 3);
                   c.needs = {{"inside", 1}, {"tip", 1}};
                 }});
  all.push_back(
      {"far_from_origin", "a domain whose coordinates use up half of a float's digits", [](Case& c) {
         lay_out(c, {sand(30.0)});
         c.scene.grid.domain_min = Point(150.3, -77.17, c.setup.dim > 2 ? 33.3 : 0.0);
         block(c);
         shake(c, Point(0.4, -0.3, 0.0), 0.5, 5.0, 2);
         mix_strains(c, 0.03, 3);
         c.needs = {{"surface", 30}};
       }});
  all.push_back({"rim_of_support", "lone particles 10^-14 to 10^-1 h from where a node leaves their stencil",
                 [](Case& c) {
                   lay_out(c, {sand(30.0)});
                   Random random(8);
                   std::vector<Point> places;
                   const double h = c.scene.grid.h;
                   const double edge = kernel_of(c.setup) == Kernel::quadratic ? 0.5 : 0.0;
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
                   set_motion(c, 0, Point(0.7, -1.3, c.setup.dim > 2 ? 0.3 : 0.0),
                              3.0 * identity(c.setup.dim));
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
                     const double side =
                         x.value[p * static_cast<std::size_t>(x.components)] < middle ? 1.0 : -1.0;
                     set_motion(c, p, Point(side * speed, 0.0, 0.0), Tensor::Zero());
                   }
                   c.steps = 1;
                   c.stops = true;
                 }});
  all.push_back({"leaves_domain",
                 "a particle that would leave the domain is refused, on one side and another", [](Case& c) {
                   leave(c, side_of(c, {1, 2, 3, 1}));
                 }});
  all.push_back({"leaves_domain_elsewhere", "the same on the other sides", [](Case& c) {
                   leave(c, side_of(c, {3, 0, 2, 0}));
                 }});
  all.push_back({"fast_flow_back",
                 "particles that cross most of a cell in a step, towards smaller coordinates", [](Case& c) {
                   lay_out(c, {sand(30.0)});
                   block(c);
                   const double speed = c.scene.grid.h / c.dt;
                   shake(c, -speed * Point(0.6, 0.8, c.setup.dim > 2 ? 0.5 : 0.0), 0.3, 3.0, 2);
                   c.needs = {{"tip", 30}, {"particles that change cell", 300}};
                   c.steps = 2;
                 }});
}

}  // namespace repose::crosscheck
