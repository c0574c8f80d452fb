#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/particles/emitter_column.h"
#include "reference/interface/particles/emitters.h"
#include "reference/interface/particles/sampling.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/invariants/invariants.h"
#include "validation/invariants/periodic_grid.h"
#include "validation/mechanics/field_access.h"

#include <algorithm>
#include <cmath>

namespace repose::invariants {

namespace {

Scene scene_of(const Grid& grid) {
  Scene scene;
  scene.scheme = MpmOptions{};
  scene.grid = grid;
  mpm_options(scene).kernel = Kernel::quadratic;
  Material m;
  m.name = "m";
  m.density = 1000.0;
  m.youngs_modulus = 1e5;
  scene.materials = {m};
  scene.frame_rate = scene.duration = 1.0;
  scene.step.max_dt = 1e-3;
  return scene;
}

std::vector<Point> places_of(const Snapshot& state) {
  std::vector<Point> result;
  for (std::size_t p = 0; p < state.particles(); ++p)
    result.push_back(crosscheck::point(state.get(field::x), p));
  return result;
}

/// Least distance of two points, images counted, over that of two whose difference is shorter than half a length in each
/// direction by itself.
struct Closest {
  double across = 1e9;  ///< of pairs through a seam
  double within = 1e9;  ///< of the others
};

Closest closest(const std::vector<Point>& points, const Grid& grid) {
  Closest result;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Point plain = points[i] - points[j];
      Point nearest = plain;
      for (int axis = 0; axis < grid.dim; ++axis) {
        if (!grid.periodic[static_cast<std::size_t>(axis)]) continue;
        const double length = length_of(grid, axis);
        for (const double lengths : {-1.0, 1.0})
          if (std::abs(plain[axis] + lengths * length) < std::abs(nearest[axis]))
            nearest[axis] = plain[axis] + lengths * length;
      }
      double& least = nearest == plain ? result.within : result.across;
      least = std::min(least, nearest.norm());
    }
  return result;
}

/// A seed from end to end has no seam: Poisson-disk points are no closer through it than elsewhere, and as many lie about it;
/// a lattice goes on. A ball on the seam is whole. All lie in the domain, and have the volume of the shape.
void seeds_across_seams(int dim, Ledger& ledger) {
  ledger.needs("particles", 500);
  Dice dice(305);
  for (const Sampling sampling : {Sampling::poisson_disk, Sampling::regular, Sampling::jittered})
    for (const bool ball : {false, true}) {
      const Grid grid = periodic_grid(dice, dim, (1 << dim) - 1, 6);
      Scene scene = scene_of(grid);
      Seed seed;
      seed.name = "seed";
      seed.sampling = sampling;
      seed.seed = 5;
      seed.particles_per_cell = dim == 2 ? 4.0 : 8.0;
      const Point low = grid.domain_min, high = grid.domain_max();
      double room = 1e9;
      for (int axis = 0; axis < dim; ++axis) room = std::min(room, length_of(grid, axis));
      const double radius = 0.4 * room;
      if (ball)
        seed.shape = Sphere{.centre = low, .radius = radius};
      else
        seed.shape = Box{.min = low, .max = high};
      scene.seeds = {seed};
      validate(scene);
      const Snapshot state = sample(scene);
      const std::vector<Point> points = places_of(state);
      ledger.saw("particles", static_cast<double>(points.size()));
      double total = 0.0;
      for (const double v : state.get(field::volume).value) total += v;
      ledger.near("volume", total / volume(seed.shape, dim), 1.0, 1e-12);
      double about_seam = 0.0;
      for (const Point& x : points) {
        for (int axis = 0; axis < dim; ++axis)
          ledger.holds("inside the domain", x[axis] >= low[axis] && x[axis] < high[axis], x);
        if (ball)
          ledger.within("from the centre", grid.nearest(x - low).norm(), 0.0, radius * (1.0 + 1e-12), x);
        const double from_seam = std::min(x.x() - low.x(), high.x() - x.x());
        if (from_seam < grid.h) about_seam += 1.0;
      }
      const Closest least = closest(points, grid);
      // Both are the least of many: a sample has its radius, but for the few pairs at a seam.
      if (sampling == Sampling::poisson_disk)
        ledger.within("least distance through the seam over that elsewhere", least.across / least.within,
                      1.0 - 1e-9, 1.3);
      if (sampling == Sampling::regular && !ball)
        ledger.near("least distance through the seam over that elsewhere", least.across / least.within, 1.0,
                    1e-9);
      if (ball) continue;
      const double share = 2.0 * grid.h / length_of(grid, 0);
      ledger.near("share of particles within h of the seam over that of the volume",
                  about_seam / static_cast<double>(points.size()) / share, 1.0, 0.15);
    }
}

/// Grains of an opening from end to end keep their distance through the seam, and come in inside the domain.
void openings_across_seams(int dim, Ledger& ledger) {
  ledger.needs("grains", 200);
  Dice dice(306);
  for (int n = 0; n < 4; ++n) {
    Grid grid = periodic_grid(dice, dim, dim == 2 ? 1 : 5, 8);
    Scene scene = scene_of(grid);
    const Point low = grid.domain_min, high = grid.domain_max();
    Emitter e;
    e.name = "spout";
    Point top = high;
    top.y() = low.y() + 0.5 * (high.y() - low.y());
    Point bottom = low;
    bottom.y() = top.y() - 0.1 * grid.h;
    // Every other one lies half beyond the seam.
    if (n % 2 == 1) bottom.x() -= 0.4 * length_of(grid, 0), top.x() -= 0.4 * length_of(grid, 0);
    e.shape = Box{.min = bottom, .max = top};
    e.velocity = Point(0.0, -1.0, 0.0);
    e.rate = 0.9 * (dim == 2 ? length_of(grid, 0) : length_of(grid, 0) * length_of(grid, 2));
    e.start = 0.0;
    e.stop = 1.0;
    e.particles_per_cell = dim == 2 ? 4.0 : 8.0;
    scene.emitters = {e};
    validate(scene);
    const EmitterColumn column = emitter_column(e, grid.h, dim, grid.periods());
    const Snapshot state = Inflow(scene).between(0.0, 1.5 * grid.h);
    const std::vector<Point> points = places_of(state);
    ledger.saw("grains", static_cast<double>(points.size()));
    for (const Point& x : points)
      for (const int axis : {0, dim == 3 ? 2 : 0})
        ledger.holds("inside the domain", x[axis] >= low[axis] && x[axis] < high[axis], x);
    const Closest least = closest(points, grid);
    ledger.within("least distance through the seam over the column's", least.across / column.radius,
                  1.0 - 1e-9, 3.0);
  }
}

bool refused(const Scene& scene) {
  try {
    validate(scene);
  } catch (const BadInput&) {
    return true;
  }
  return false;
}

/// What cannot be where everything comes again is refused, what can is taken; and a file keeps the axes.
void scenes_of_periodic_domains(int dim, Ledger& ledger) {
  ledger.needs("wrong scenes", 8);
  Dice dice(307);
  Grid grid = periodic_grid(dice, dim, 1, 6);
  Scene legal = scene_of(grid);
  Seed seed;
  seed.name = "seed";
  const Point low = grid.domain_min, high = grid.domain_max();
  Point top = high;
  top.y() = low.y() + 0.9 * (high.y() - low.y());
  Point bottom = low;
  bottom.y() = low.y() + 0.6 * (high.y() - low.y());
  seed.shape = Box{.min = bottom, .max = top};
  legal.seeds = {seed};
  Collider floor;
  floor.name = "floor";
  floor.shape = HalfSpace{.point = Point(0.0, low.y() + 0.1, 0.0), .normal = Point::UnitY()};
  floor.velocity = Point(2.0, 0.0, 0.0);
  Collider ball;
  ball.name = "ball";
  ball.shape = Sphere{.centre = low + 0.2 * (high - low), .radius = 0.1 * length_of(grid, 0)};
  ball.velocity = Point(3.0, 0.0, 0.0);
  ball.spin = Point(0.0, 0.0, 5.0);
  legal.colliders = {floor, ball};
  ledger.holds("taken: a legal scene", !refused(legal));
  const auto wrong = [&](const std::string& what, const std::function<void(Scene&)>& change) {
    Scene scene = legal;
    change(scene);
    ledger.holds("refused: " + what, refused(scene));
    ledger.saw("wrong scenes");
  };
  wrong("a plane that leans along the axis", [](Scene& s) {
    std::get<HalfSpace>(s.colliders[0].shape).normal = Point(0.01, std::sqrt(1.0 - 1e-4), 0.0);
  });
  wrong("a plane that turns", [](Scene& s) { s.colliders[0].spin = Point(0.0, 0.0, 1.0); });
  wrong("a ball longer than the domain",
        [&](Scene& s) { std::get<Sphere>(s.colliders[1].shape).radius = 0.51 * length_of(grid, 0); });
  wrong("a beam that turns", [&](Scene& s) {
    s.colliders[1].shape =
        Box{.min = low - Point(0.0, 1.0, 0.0), .max = Point(high.x(), low.y() + 0.05, high.z())};
  });
  wrong("a seed longer than the domain",
        [&](Scene& s) { std::get<Box>(s.seeds[0].shape).max.x() += 0.5 * grid.h; });
  wrong("a seed whose centre is outside", [&](Scene& s) {
    std::get<Box>(s.seeds[0].shape).min.x() = high.x() + 0.1 * grid.h;
    std::get<Box>(s.seeds[0].shape).max.x() = high.x() + 0.2 * grid.h;
  });
  wrong("a seed from end to end that spins", [](Scene& s) { s.seeds[0].spin = Point(0.0, 0.0, 1.0); });
  wrong("an axis narrower than a stencil", [](Scene& s) { s.grid.cells[0] = 2; });
  if (dim == 2) wrong("a periodic axis that does not exist", [](Scene& s) { s.grid.periodic[2] = true; });

  const Scene again = parse_scene(scene_to_toml(legal), "written");
  ledger.holds("periodic axes read back", again.grid.periodic == legal.grid.periodic);
}

}  // namespace

void add_periodic_sources(std::vector<Invariant>& all) {
  all.push_back({"seeds_across_seams",
                 "particles of seeds on and across seams",
                 "sampling",
                 {2, 3},
                 seeds_across_seams});
  all.push_back({"openings_across_seams",
                 "grains of openings from end to end",
                 "emitters",
                 {2, 3},
                 openings_across_seams});
  all.push_back({"scenes_of_periodic_domains",
                 "what cannot be in a domain that comes again is refused",
                 "scenes",
                 {2, 3},
                 scenes_of_periodic_domains});
}

}  // namespace repose::invariants
