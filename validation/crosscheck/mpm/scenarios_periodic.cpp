#include "reference/interface/methods/mpm.h"
#include "validation/crosscheck/mpm/case_scenes.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/mechanics/field_access.h"

#include <cmath>

namespace repose::crosscheck {

namespace {

/// The scene of lay_out() with other numbers of cells, periodic along some axes (those of 2D are the first).
void close(Case& c, const std::array<std::int64_t, 3>& cells, const std::array<bool, 3>& periodic) {
  Grid& grid = c.scene.grid;
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.setup.dim); ++a) {
    grid.cells[a] = cells[a];
    grid.periodic[a] = periodic[a];
  }
}

/// Particles of all the domain's cells from row `first` to before `last` along y.
void fill_rows(Case& c, int first, int last, int per_axis, std::uint64_t seed) {
  const auto& cells = c.scene.grid.cells;
  fill_block(c, {0, first, 0}, {static_cast<int>(cells[0]), last, static_cast<int>(cells[2])}, per_axis,
             seed);
}

/// Needs of a case whose particles cross the seams both ways.
std::vector<Need> both_ways(double least) {
  return {{"particles across a seam up", least},
          {"particles across a seam down", least},
          {"stencils across a seam", 100}};
}

/// Two layers that slide past each other along x, each from end to end.
void layers(Case& c, double share_of_cell) {
  fill_rows(c, 1, 8, c.setup.dim > 2 ? 2 : 5, 1);
  const Field& x = c.start.get(field::x);
  std::vector<Point> places;
  for (std::size_t p = 0; p < c.start.particles(); ++p) {
    const double row = (point(x, p).y() - c.scene.grid.domain_min.y()) / c.scene.grid.h;
    if (row < 3.0 || row >= 6.0) places.push_back(point(x, p));
  }
  place_particles(c, places, std::pow(c.scene.grid.h / (c.setup.dim > 2 ? 2 : 5), c.setup.dim));
  shake(c, Point::Zero(), 0.3, 3.0, 2);
  const double speed = share_of_cell * c.scene.grid.h / c.dt;
  for (std::size_t p = 0; p < places.size(); ++p) {
    const double row = (places[p].y() - c.scene.grid.domain_min.y()) / c.scene.grid.h;
    Field& v = c.start.get(field::v);
    v.value[p * static_cast<std::size_t>(v.components)] += row < 3.0 ? -speed : speed;
    // In space also across the other seam.
    if (c.setup.dim > 2) v.value[p * 3 + 2] += row < 3.0 ? 0.5 * speed : -0.5 * speed;
  }
  mix_strains(c, 0.01, 3);
  c.steps = 2;  // the second one is of particles that have crossed the seam
}

/// Lone particles 10⁻¹⁴ to 10⁻¹ h from a seam, on both sides of it and on it, that move as little or not at all.
void rim(Case& c) {
  lay_out(c, {sand(30.0)});
  close(c, {11, 10, 9}, {true, true, true});
  c.scene.gravity.setZero();
  const Grid& grid = c.scene.grid;
  Random random(8);
  std::vector<Point> places;
  std::vector<Point> speeds;
  for (int n = 0; n < 120; ++n) {
    Point x = grid.domain_min;
    Point v = Point::Zero();
    for (int a = 0; a < c.setup.dim; ++a) {
      const double off = grid.h * std::pow(10.0, random.between(-14.0, -1.0));
      const double way = grid.h * std::pow(10.0, random.between(-14.0, -1.0));
      const bool low = random.unit() < 0.5;
      const bool exactly = random.unit() < 0.1;
      x[a] = low       ? grid.domain_min[a] + (exactly ? 0.0 : off)
             : exactly ? std::nextafter(grid.domain_max()[a], grid.domain_min[a])
                       : grid.domain_max()[a] - off;
      grid.wrap(x[a], a);
      v[a] = (low ? -1.0 : 1.0) * way / c.dt;
    }
    // Each pair of axes in turn away from its seams, so that they do not all meet.
    const int kept = n % c.setup.dim;
    for (int a = 0; a < c.setup.dim; ++a)
      if (a != kept) x[a] = grid.domain_min[a] + grid.h * (1.3 + std::floor(random.between(0.0, 6.0)));
    places.push_back(x);
    speeds.push_back(v);
  }
  place_particles(c, places, 1e-5);
  for (std::size_t p = 0; p < places.size(); ++p) set_motion(c, p, speeds[p], Tensor::Zero());
  mix_strains(c, 0.01, 3);
  c.needs = {
      {"particles across a seam up", 1}, {"particles across a seam down", 1}, {"stencils across a seam", 60}};
}

/// Bodies on and across the seam: a ball on it, a beam without ends, and a rod that turns and has moved through several
/// lengths of the domain.
void bodies_across(Case& c, int rows) {
  const bool deep = c.setup.dim > 2;
  close(c, {13, 10, 9}, {true, false, deep});
  const Grid& grid = c.scene.grid;
  const double h = grid.h;
  const Point low = grid.domain_min;
  const Point high = grid.domain_max();
  fill_rows(c, 2, 2 + rows, deep ? 2 : 4, 1);
  shake(c, Point(0.9, -1.1, deep ? 0.4 : 0.0), 0.3, 3.0, 2);
  mix_strains(c, 0.004, 3);
  const double z = deep ? high.z() - 0.6 * h : 0.0;
  const Collider ball =
      body(Sphere{.centre = Point(low.x() + 0.3 * h, low.y() + 3.1 * h, z), .radius = 1.7 * h},
           Contact::separating, 0.4);
  const Collider beam = body(Box{.min = Point(low.x() - h, low.y(), deep ? low.z() - h : 0.0),
                                 .max = Point(high.x(), low.y() + 2.2 * h, deep ? high.z() : 0.0)},
                             Contact::slipping, 0.3);
  Collider rod = body(Box{.min = Point(low.x() + 5.0 * h, low.y() + 4.0 * h, deep ? z - 0.8 * h : 0.0),
                          .max = Point(low.x() + 8.0 * h, low.y() + 5.6 * h, deep ? z + 0.8 * h : 0.0)},
                      Contact::sticky, 0.0);
  rod.velocity = Point(grid.period(0) / 0.1, 0.0, 0.0);
  rod.spin = Point(0.0, 0.0, 7.0);
  c.start.time = 0.345;  // three lengths and 45 % of one
  c.scene.colliders = {ball, beam, rod};
  c.needs = {{"contacts with body 0", 5},
             {"contacts with body 1", 20},
             {"contacts on spinning bodies", 5},
             {"contacts across a seam", 10}};
}

}  // namespace

void add_periodic(std::vector<Scenario>& all) {
  all.push_back({"periodic_layers", "layers that slide past each other through the seam of an endless domain",
                 [](Case& c) {
                   lay_out(c, {sand(30.0)});
                   close(c, {11, 9, 10}, {true, false, true});
                   layers(c, 0.3);
                   c.needs = both_ways(10);
                   c.needs.push_back({"surface", 30});
                 }});
  all.push_back({"periodic_everywhere",
                 "a body that fills a domain without ends and moves through all its seams", [](Case& c) {
                   lay_out(c, {sand(30.0)});
                   close(c, {10, 9, 7}, {true, true, true});
                   fill_rows(c, 0, 9, c.setup.dim > 2 ? 2 : 4, 1);
                   const double speed = 0.4 * c.scene.grid.h / c.dt;
                   shake(c, speed * Point(1.0, -0.7, c.setup.dim > 2 ? 0.5 : 0.0), 0.3, 3.0, 2);
                   mix_strains(c, 0.01, 3);
                   c.steps = 2;
                   c.needs = both_ways(30);
                 }});
  all.push_back(
      {"periodic_narrow", "domains just as wide as a stencil", [](Case& c) {
         lay_out(c, {sand(30.0)});
         const std::int64_t width = kernel_of(c.setup) == Kernel::cubic ? 4 : 3;
         close(c, {width, 9, width + 1}, {true, false, true});
         fill_rows(c, 2, 6, c.setup.dim > 2 ? 3 : 5, 1);
         const double speed = 0.3 * c.scene.grid.h / c.dt;
         shake(c, Point(speed, 0.0, c.setup.dim > 2 ? -speed : 0.0), 0.3, 3.0, 2);
         mix_strains(c, 0.01, 3);
         c.scene.colliders = {body(floor_at(-0.0413), Contact::separating, 0.4)};
         c.steps = 2;
         c.needs = {{"particles across a seam up", 10}, {"stencils across a seam", 100}, {"contacts", 5}};
       }});
  all.push_back({"periodic_far", "a seam at coordinates that use up half of a float's digits", [](Case& c) {
                   lay_out(c, {sand(30.0)});
                   close(c, {11, 9, 10}, {true, false, true});
                   c.scene.grid.domain_min = Point(150.3, -77.17, c.setup.dim > 2 ? 33.3 : 0.0);
                   layers(c, 0.3);
                   c.needs = both_ways(10);
                 }});
  all.push_back(
      {"periodic_rim", "lone particles 10^-14 to 10^-1 h from a seam, on both sides of it and on it", rim});
  all.push_back({"periodic_bodies",
                 "a ball on the seam, a beam without ends, a rod that turns and has moved through it",
                 [](Case& c) {
                   lay_out(c, {sand(30.0)});
                   bodies_across(c, 4);
                   c.steps = 2;
                 }});
  all.push_back({"periodic_implicit", "an implicit step with bodies across the seam", [](Case& c) {
                   lay_out(c, {sand(30.0)});
                   bodies_across(c, c.setup.dim > 2 ? 2 : 4);
                   c.scene.colliders[0].contact = Contact::separating;
                   solve_implicitly(c, 60, 30);
                   c.dt = 3e-3;
                   c.scene.step.max_dt = c.dt;
                   c.steps = 1;
                   c.needs = {{"newton iterations", 4},
                              {"probe surface", 20},
                              {"held nodes", 20},
                              {"stencils across a seam", 100}};
                 }});
}

}  // namespace repose::crosscheck
