#include "reference/interface/methods/mpm.h"
#include "validation/crosscheck/mpm/case_scenes.h"

#include <Eigen/Geometry>

#include <cmath>

namespace repose::crosscheck {

namespace {

/// Cells per axis of a block of the fast solver's sparse grid.
int block_edge(int dim) { return dim > 2 ? 4 : 8; }

/// One particle in each cell of a square or cube of `cells` per axis, or in every `stride`-th cell.
void spread_out(Case& c, int cells, int stride, std::uint64_t seed) {
  const int dim = c.setup.dim;
  Grid& grid = c.scene.grid;
  const int margin = 3 + cells / 4;  // a turning square's corners reach √2 as far as its sides
  grid.cells = {cells + 2 * margin, cells + 2 * margin, dim > 2 ? cells + 2 * margin : 1};
  grid.domain_min = -0.5 * grid.h * (cells + 2 * margin) * Point(1.0, 1.0, dim > 2 ? 1.0 : 0.0);
  Random random(seed);
  std::vector<Point> places;
  for (int i = 0; i < cells; i += stride)
    for (int j = 0; j < cells; j += stride)
      for (int k = 0; k < (dim > 2 ? cells : 1); k += stride) {
        const double a = random.unit();
        const double b = random.unit();
        const double e = random.unit();
        Point x = grid.domain_min + grid.h * Point(margin + i + a, margin + j + b, margin + k + e);
        if (dim < 3) x[2] = 0.0;
        places.push_back(x);
      }
  place_particles(c, places, std::pow(grid.h, dim));
}

/// Turns all particles about the middle of the domain, the outermost by a part of a cell in a step, and shakes them.
void whirl(Case& c, double cells_per_step, std::uint64_t seed) {
  const Grid& grid = c.scene.grid;
  const int dim = c.setup.dim;
  const double reach = -grid.domain_min[0];
  const double rate = cells_per_step * grid.h / c.dt / reach;
  const Point spin = dim > 2 ? Point(rate * Point(0.3, -0.5, 0.8).normalized()) : Point(0.0, 0.0, rate);
  Tensor turn = Tensor::Zero();
  for (int a = 0; a < dim; ++a) turn.col(a).head(dim) = spin.cross(Point(Point::Unit(a))).head(dim);
  Random random(seed);
  const Field& x = c.start.get(field::x);
  for (std::size_t p = 0; p < c.start.particles(); ++p) {
    Point r = Point::Zero();
    for (int a = 0; a < dim; ++a)
      r[a] = x.value[p * static_cast<std::size_t>(dim) + static_cast<std::size_t>(a)];
    Point v = spin.cross(r);
    for (int a = 0; a < dim; ++a) v[a] += random.between(-0.2, 0.2);
    set_motion(c, p, v, turn);
  }
}

std::vector<Collider> floor_and_ball(const Case& c) {
  const double h = c.scene.grid.h;
  Collider ball =
      body(Sphere{0.7 * h * Point(3.1, 2.3, c.setup.dim > 2 ? -1.7 : 0.0), 2.2 * h}, Contact::slipping, 0.3);
  ball.spin = Point(0.0, 0.0, 2.0);
  return {body(slope_at(0.6 * c.scene.grid.domain_min[1], c.setup.dim), Contact::separating, 0.4), ball};
}

void ask_for_threads(Case& c, std::initializer_list<const char*> stages) {
  if (c.setup.threads < 2) return;
  for (const char* stage : stages) c.needs.push_back({std::string("threads in ") + stage, 2});
  // A solver whose threads take work as they come: one that wakes late finds none left, and comes in time in another.
  c.most_steps = 20;
}

void implicit_steps(Case& c) {
  solve_implicitly(c, 60, 30);
  c.needs.push_back({"newton iterations", 1});
  c.steps = 1;
}

/// At least 64 blocks of the fast solver's grid, in which particles go from block to block.
/// @param stride one particle in each or in every other cell per axis
void many_blocks(Case& c, int stride) {
  lay_out(c, {sand(30.0), hardening_sand()});
  spread_out(c, 8 * block_edge(c.setup.dim) / (c.setup.dim > 2 ? 2 : 1), stride, 31);
  whirl(c, 0.7, 32);
  mix_strains(c, 0.01, 33);
  for (std::size_t p = 0; p < c.start.particles(); ++p)
    c.start.get(field::material).value[p] = static_cast<double>(p / 3 % 2);
  c.scene.colliders = floor_and_ball(c);
  c.needs = {{"contacts", 10}, {"particles that change cell", 200}};
}

/// Lone particles, each in a block of its own whose neighbours are empty.
void lone_blocks(Case& c) {
  lay_out(c, {sand(30.0)});
  const int edge = block_edge(c.setup.dim);
  spread_out(c, 2 * edge * (c.setup.dim > 2 ? 5 : 10), 2 * edge, 34);
  whirl(c, 0.8, 35);
  mix_strains(c, 0.01, 36);
  c.needs = {{"particles that change cell", 20}};
  // A lone particle does not deform: what a step has returned to the cone lies on it in the next.
  c.share_of_ties = 0.25;
}

/// Hundreds of blocks, tens of thousands of particles.
void large(Case& c, int cells, int per_axis) {
  lay_out(c, {sand(30.0), hardening_sand()});
  const bool deep = c.setup.dim > 2;
  Grid& grid = c.scene.grid;
  grid.h = 0.02;
  grid.cells = {cells + 6, cells + 6, deep ? cells + 6 : 1};
  grid.domain_min = -0.5 * grid.h * (cells + 6) * Point(1.0, 1.0, deep ? 1.0 : 0.0);
  fill_block(c, {3, 3, 3}, {cells + 3, cells + 3, cells + 3}, per_axis, 37);
  c.dt = 4e-4;
  c.scene.step.max_dt = c.dt;
  whirl(c, 0.5, 38);
  mix_strains(c, 0.01, 39);
  randomize(c, field::q, 0.0, 2.0, 40);
  for (std::size_t p = 0; p < c.start.particles(); ++p)
    c.start.get(field::material).value[p] = static_cast<double>(p / 7 % 2);
  c.scene.colliders = floor_and_ball(c);
  c.steps = 1;
  c.needs = {{"contacts", 100}, {"inside", 1000}, {"surface", 1000}, {"tip", 1000}};
}

}  // namespace

void add_sizes(std::vector<Scenario>& all) {
  all.push_back({.name = "many_blocks",
                 .what = "64 blocks and more of the sparse grid, shared by two or three threads",
                 .build =
                     [](Case& c) {
                       many_blocks(c, 1);
                       ask_for_threads(c, {"sort", "p2g", "grid", "g2p"});
                     },
                 .parallel = true});
  all.push_back(
      {.name = "many_blocks_implicit",
       .what = "64 blocks and more of the sparse grid in implicit steps, shared by two or three threads",
       .build =
           [](Case& c) {
             many_blocks(c, 2);
             implicit_steps(c);
             ask_for_threads(c, {"sort", "p2g", "solve", "g2p"});
           },
       .parallel = true});
  all.push_back(
      {"lone_blocks", "lone particles whose neighbour blocks are empty: tables of nodes grow", lone_blocks});
  all.push_back({"lone_blocks_implicit", "the same in implicit steps", [](Case& c) {
                   lone_blocks(c);
                   implicit_steps(c);
                 }});
  all.push_back({.name = "large",
                 .what = "hundreds of blocks, tens of thousands of particles",
                 .build = [](Case& c) { large(c, c.setup.dim > 2 ? 26 : 130, 2); },
                 .takes_long = true});
  all.push_back({.name = "large_implicit",
                 .what = "hundreds of blocks, thousands of unknowns in an implicit step",
                 .build =
                     [](Case& c) {
                       large(c, c.setup.dim > 2 ? 20 : 80, c.setup.dim > 2 ? 1 : 2);
                       implicit_steps(c);
                       c.needs = {{"newton iterations", 2}, {"tip", 100}};
                     },
                 .takes_long = true});
}

}  // namespace repose::crosscheck
