#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/invariants/invariants.h"
#include "validation/invariants/plain.h"
#include "validation/solvers.h"

#include "reference/interface/base/grid.h"

#include <cmath>

namespace repose::invariants {

namespace {

Grid random_grid(Dice& dice, int dim) {
  Grid grid{.dim = dim, .h = dice.between(0.05, 0.5)};
  for (int axis = 0; axis < dim; ++axis) {
    grid.domain_min[axis] = dice.between(-3.0, 3.0);
    grid.cells[static_cast<std::size_t>(axis)] = dice.whole(1, 9);
  }
  return grid;
}

/// Ids count the nodes one by one, z before y before x, from two nodes outside the domain's corner to two outside the
/// opposite one; index and place are those of the counting.
void ids_of_nodes(int dim, Ledger& ledger) {
  ledger.needs("nodes", 1000);
  Dice dice(101);
  for (int n = 0; n < 12; ++n) {
    const Grid grid = random_grid(dice, dim);
    std::int64_t id = 0;
    const auto last = [&](std::size_t axis) { return grid.cells[axis] + 2; };
    for (std::int64_t i = -2; i <= last(0); ++i)
      for (std::int64_t j = -2; j <= last(1); ++j)
        for (std::int64_t k = dim == 3 ? -2 : 0; k <= (dim == 3 ? last(2) : 0); ++k) {
          ledger.equal("id", static_cast<double>(grid.node_id(i, j, k)), static_cast<double>(id));
          const auto index = grid.node_index(id);
          ledger.holds("index", index[0] == i && index[1] == j && index[2] == k);
          Point x = grid.domain_min;
          x.x() += static_cast<double>(i) * grid.h;
          x.y() += static_cast<double>(j) * grid.h;
          if (dim == 3) x.z() += static_cast<double>(k) * grid.h;
          ledger.near("place", grid.node_position(id), x, 0.0, x);
          ledger.saw("nodes");
          ++id;
        }
    ledger.equal("nodes of all axes", static_cast<double>(grid.nodes(0) * grid.nodes(1) * grid.nodes(2)),
                 static_cast<double>(id));
    for (int axis = 0; axis < 3; ++axis) {
      const double expected =
          axis < dim ? grid.domain_min[axis] +
                           grid.h * static_cast<double>(grid.cells[static_cast<std::size_t>(axis)])
                     : 0.0;
      ledger.equal("opposite corner of the domain", grid.domain_max()[axis], expected);
    }
  }
}

/// A particle in every corner, on every border and in the middle of the domain: its stencil is whole, so that its mass and
/// its moment about any point reach the grid, and every active node is one of those within reach of it.
void stencils_at_borders(int dim, Ledger& ledger) {
  ledger.needs("particles", 2 * (dim == 2 ? 9 : 27));
  Dice dice(102);
  for (const Kernel kernel : {Kernel::quadratic, Kernel::cubic}) {
    Scene scene;
    scene.grid = random_grid(dice, dim);
    scene.scheme = MpmOptions{.kernel = kernel};
    scene.frame_rate = scene.duration = scene.step.max_dt = 1.0;
    Material m;
    m.name = "m";
    m.density = m.youngs_modulus = 1.0;
    scene.materials = {m};
    const double h = scene.grid.h, reach = (kernel == Kernel::cubic ? 2.0 : 1.5) * h;
    const Point low = scene.grid.domain_min, high = scene.grid.domain_max();
    for (int place = 0; place < (dim == 2 ? 9 : 27); ++place) {
      Point x = low;
      for (int axis = 0, rest = place; axis < dim; ++axis, rest /= 3) {
        if (rest % 3 == 1) x[axis] = 0.5 * (low[axis] + high[axis]);
        if (rest % 3 == 2) x[axis] = high[axis];
      }
      const auto solver = make_solver("reference", scene);
      Snapshot state;
      state.method = method::mpm.name;
      const auto d = static_cast<std::size_t>(dim);
      const auto field_of = [&](std::string_view name, std::size_t components, double value,
                                bool identity = false) {
        std::vector<double> values(components, value);
        for (std::size_t a = 0; identity && a < d; ++a) values[a * d + a] = 1.0;
        state.set({.name = std::string(name),
                   .unit = "",
                   .components = static_cast<int>(components),
                   .value = values});
      };
      field_of(field::mass, 1, 1.0);
      field_of(field::volume, 1, 1.0);
      field_of(field::material, 1, 0.0);
      field_of(field::x, d, 0.0);
      for (std::size_t a = 0; a < d; ++a) state.get(field::x).value[a] = x[static_cast<Eigen::Index>(a)];
      field_of(field::v, d, 0.0);
      field_of(field::C, d * d, 0.0);
      field_of(field::F, d * d, 0.0, true);
      field_of(field::q, 1, 0.0);
      field_of(field::v_c, 1, 0.0);
      field_of(field::J, 1, 1.0);
      solver->load(state);
      solver->run(boundary::step_start, boundary::p2g, 0.1);
      const Snapshot grid = solver->save(boundary::p2g, false);
      double mass = 0.0;
      Point moment = Point::Zero();
      for (std::size_t i = 0; i < grid.count(Place::node); ++i) {
        // The place of a node from its id by counting: z fastest, two nodes outside the domain.
        std::int64_t id = grid.ids(Place::node)[i];
        Point y = low;
        for (int axis = dim - 1; axis >= 0; --axis) {
          const std::int64_t count = scene.grid.cells[static_cast<std::size_t>(axis)] + 5;
          y[axis] += h * static_cast<double>(id % count - 2);
          id /= count;
        }
        for (int axis = 0; axis < dim; ++axis)
          ledger.within("node within reach", std::abs(y[axis] - x[axis]), 0.0, reach * (1.0 + 1e-12), x);
        mass += grid.get(field::m_i).value.at(i);
        moment += grid.get(field::m_i).value.at(i) * (y - x);
      }
      // 64 weights of at most 1, each of some ten roundings.
      ledger.near("mass on the grid", mass, 1.0, 640.0 * 0x1p-53, x);
      ledger.near("moment on the grid over h", moment / h, Point::Zero(), 640.0 * 8.0 / h * 0x1p-53, x);
      ledger.saw("particles");
    }
  }
}

}  // namespace

void add_grids(std::vector<Invariant>& all) {
  all.push_back(
      {"ids_of_nodes", "ids, indices and places of nodes, by counting", "grid", {2, 3}, ids_of_nodes});
  all.push_back({"stencils_at_borders",
                 "particles on the domain's border reach whole stencils",
                 "grid",
                 {2, 3},
                 stencils_at_borders});
}

}  // namespace repose::invariants
