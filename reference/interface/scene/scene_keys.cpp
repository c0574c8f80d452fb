#include "reference/interface/scene/scene_keys.h"

#include "reference/interface/scene/key_kinds.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace repose {

namespace {

using kind::Axes;
using kind::Count;
using kind::Number;
using kind::Text;
using kind::Vector;

/// Corners of the box particles may not leave, and the axes along which it has no end.
struct Domain {
  Point min = Point::Zero();  ///< [m]
  Point max = Point::Zero();  ///< [m]
  std::array<bool, 3> periodic{};
};

const Keys<Domain>& domain_keys() {
  static const Keys<Domain> keys{
      key("min", &Domain::min, Vector("m"), required,
          "lower corner of the box particles may not leave; leaving it ends the run with an error"),
      key("max", &Domain::max, Vector("m"), required,
          "upper corner, a whole number of cells from `min`, at most a million per axis"),
      key("periodic", &Domain::periodic, Axes{}, initial,
          "axes along which the domain comes again without end, see below"),
  };
  return keys;
}

constexpr double most_cells = 1e6;  // more nodes per axis would overflow their ids

/// [domain]: corners in files, whole cells in memory.
struct DomainOf {
  using Value = Grid;

  std::vector<Spelling> spellings(std::string_view name) const { return {{std::string(name)}}; }
  std::vector<KeyRow> rows(const KeyRow& of) const {
    std::vector<KeyRow> all = rows_of(domain_keys());
    for (KeyRow& row : all) row.key = of.key + "." + row.key;
    return all;
  }
  Grid read(TomlTable& table, const std::string& name, const Setting& setting) const {
    TomlTable inner = table.table(name);
    Domain domain;
    read_keys(domain_keys(), inner, domain, setting);
    inner.finish();
    Grid grid = setting.scene.grid;
    grid.domain_min = domain.min;
    grid.periodic = domain.periodic;
    for (int axis = 0; axis < grid.dim; ++axis) {
      const double length = domain.max[axis] - domain.min[axis];
      const double cells = std::round(length / grid.h);
      if (!(length > 0.0)) inner.refuse("max", "larger than domain.min along every axis");
      if (cells > most_cells) inner.refuse("max", "at most a million cells from domain.min along every axis");
      // Decimal fractions round: a billionth of a cell is no intent.
      if (cells < 1.0 || std::abs(length / grid.h - cells) > 1e-9 * cells)
        inner.refuse(
            "max",
            fmt::format(
                "a whole number of cells (spacing = {} m) from domain.min; along {} it is {:.6g}, next "
                "to it are {:.9g} and {:.9g} m",
                grid.h, "xyz"[axis], length / grid.h,
                grid.domain_min[axis] + grid.h * std::max(1.0, std::floor(length / grid.h)),
                grid.domain_min[axis] + grid.h * (std::floor(length / grid.h) + 1.0)));
      grid.cells[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(cells);
    }
    return grid;
  }
  void check(const ScenePart& part, const std::string& name, const Grid& grid, const Setting& setting) const {
    Vector("m").check(part, name + ".min", grid.domain_min, setting);
    for (const std::int64_t cells : grid.cells)
      if (cells < 1 || static_cast<double>(cells) > most_cells)
        part.refuse_value(name, fmt::format("{} cells", cells), "1 to 1000000 cells along each axis");
    if (grid.dim == 2 && grid.cells[2] != 1)
      part.refuse_value(name, fmt::format("{} cells", grid.cells[2]), "1 cell along z in a 2D scene");
    Axes{}.check(part, name + ".periodic", grid.periodic, setting);
  }
  void write(TomlWriter& writer, const std::string& name, const Grid& grid, const Setting& setting) const {
    Domain domain;
    domain.min = grid.domain_min;
    domain.max = grid.domain_max();
    domain.periodic = grid.periodic;
    writer.table(name, [&](TomlWriter& inner) { write_keys(domain_keys(), inner, domain, setting); });
  }
};

}  // namespace

const Keys<Scene>& scene_keys() {
  static const Keys<Scene> keys{
      key("title", &Scene::title, Text{}, initial, "shown in reports"),
      key("dimension", in(&Scene::grid, &Grid::dim), Count(2, 3), required, "d"),
      key("spacing", in(&Scene::grid, &Grid::h), Number(rule::scale, "m"), required, "grid spacing h"),
      key("domain", &Scene::grid, DomainOf{}, required, ""),
      key("gravity", &Scene::gravity, Vector("m/s2"),
          computed("`[0, -9.81]`, in 3D `[0, -9.81, 0]`",
                   [](const Scene&, const Setting&) { return Point(0.0, -9.81, 0.0); }),
          ""),
      key("frame_rate", &Scene::frame_rate, Number(rule::positive, "1/s"), required,
          "frame n ends at n / frame_rate"),
      key("duration", &Scene::duration, Number(rule::positive, "s"), required,
          "the run ends with the first frame that reaches it, after at most 10⁹ frames"),
      key("max_dt", in(&Scene::step, &StepLimits::max_dt), Number(rule::positive, "s"), required,
          "largest time step"),
      key("cfl", in(&Scene::step, &StepLimits::cfl), Number(rule::scale), initial,
          "largest displacement of a particle in a step, in units of h, gravity included"),
  };
  return keys;
}

void check_periods(const Scene& scene, const ScenePart& part) {
  const int least = scene.scheme.table().stencil_nodes(scene);
  for (int axis = 0; axis < scene.dim(); ++axis)
    if (scene.grid.is_periodic(axis) && scene.grid.nodes(axis) < least)
      part.refuse_value(
          "domain", fmt::format("{} cells along {}", scene.grid.nodes(axis), "xyz"[axis]),
          fmt::format("at least {} cells long along the periodic axis {}: a stencil is that wide, and "
                      "would meet itself",
                      least, "xyz"[axis]));
}

}  // namespace repose
