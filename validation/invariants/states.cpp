#include "validation/invariants/invariants.h"
#include "validation/invariants/plain.h"

#include "reference/interface/sampling.h"
#include "reference/interface/snapshot_check.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace repose::invariants {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

Scene checked_scene(int dim) {
  Scene scene;
  scene.grid = {.dim = dim, .h = 0.25, .cells = {8, 8, dim == 3 ? 8 : 1}};
  for (const char* name : {"a", "b"}) {
    Material m;
    m.name = name;
    m.density = 1000.0;
    m.youngs_modulus = 1e4;
    scene.materials.push_back(m);
  }
  Seed seed;
  seed.name = "body";
  seed.shape = Box{.min = {0.5, 0.5, 0.5}, .max = {1, 1, 1}};
  seed.sampling = Sampling::regular;
  seed.particles_per_cell = std::pow(2.0, dim);
  scene.seeds = {seed};
  return scene;
}

bool load_refused(const Snapshot& state, const Scene& scene) {
  constexpr std::array<Boundary, 2> at{boundary::step_start, boundary::p2g};
  try {
    require_loadable(state, scene, at);
  } catch (const std::exception&) {
    return true;
  }
  return false;
}

/// What snapshot_check.h promises, one wrong thing at a time: each field missing, at another place, of another size, not
/// finite, of a value that no state can have; nodes that do not ascend or are none of the grid. What is right is taken.
void states_that_are_refused(int dim, Ledger& ledger) {
  ledger.needs("wrong states", 50);
  const Scene scene = checked_scene(dim);
  const Snapshot good = sample(scene);
  const auto refused = [&](const Snapshot& state, const std::string& what) {
    ledger.holds("refused: " + what, load_refused(state, scene));
    ledger.saw("wrong states");
  };
  const auto taken = [&](const Snapshot& state, const std::string& what) {
    ledger.holds("taken: " + what, !load_refused(state, scene));
  };
  taken(good, "a state as sampled");
  Snapshot on_grid = good;
  on_grid.at = boundary::p2g;
  on_grid.node = {0, 5, 17};
  on_grid.set({.name = std::string(field::m_i), .unit = "kg", .place = Place::node, .value = {1, 0, 2}});
  on_grid.set({.name = std::string(field::p_i),
               .unit = "kg m/s",
               .place = Place::node,
               .components = dim,
               .value = std::vector<double>(3 * static_cast<std::size_t>(dim), 0.5)});
  taken(on_grid, "a state with nodes");

  for (const Snapshot& state : {good, on_grid}) {
    for (const Field& f : state.fields) {
      const std::string name = f.name;
      const auto with = [&](const auto& change) {
        Snapshot wrong = state;
        change(wrong.get(name));
        return wrong;
      };
      Snapshot without = state;
      without.erase(name);
      refused(without, name + " missing");
      refused(with([](Field& g) { g.value.pop_back(); }), name + " too short");
      refused(with([](Field& g) { g.components += 1; }), name + " of other components");
      refused(with([](Field& g) { g.place = g.place == Place::node ? Place::particle : Place::node; }),
              name + " elsewhere");
      refused(with([](Field& g) { g.value.back() = not_a_number; }), name + " not a number");
      refused(with([](Field& g) { g.value.front() = std::numeric_limits<double>::infinity(); }),
              name + " infinite");
    }
    const auto valued = [&](std::string_view name, double value) {
      Snapshot wrong = state;
      wrong.get(name).value.back() = value;
      return wrong;
    };
    for (const auto name : {field::mass, field::volume}) {
      refused(valued(name, 0.0), std::string(name) + " 0");
      refused(valued(name, -1.0), std::string(name) + " negative");
    }
    for (const double material : {-1.0, 2.0, 0.5})
      refused(valued(field::material, material), fmt::format("material {}", material));
    taken(valued(field::material, 1.0), "the last material");
    refused(valued(field::F, -1.0), "a mirrored F");
    refused(valued(field::F, 0.0), "a flat F");
    for (const auto& [what, time, dt, step] : {std::tuple{"time negative", -1.0, 0.0, 0},
                                               {"time not a number", not_a_number, 0.0, 0},
                                               {"dt negative", 0.0, -1.0, 0},
                                               {"dt not a number", 0.0, not_a_number, 0},
                                               {"step negative", 0.0, 0.0, -1}}) {
      Snapshot wrong = state;
      wrong.time = time;
      wrong.dt = dt;
      wrong.step = step;
      refused(wrong, what);
    }
  }
  Snapshot elsewhere = good;
  elsewhere.at = boundary::g2p;
  refused(elsewhere, "a boundary at which the solver is not loaded");
  Snapshot with_nodes = good;
  with_nodes.node = {1};
  refused(with_nodes, "nodes where there are none");
  Snapshot light = on_grid;
  light.get(field::m_i).value[0] = -1.0;
  refused(light, "a node of negative mass");
  std::int64_t nodes = 1;
  for (int axis = 0; axis < dim; ++axis) nodes *= scene.grid.cells[static_cast<std::size_t>(axis)] + 5;
  const auto numbered = [&](std::int64_t a, std::int64_t b, std::int64_t c) {
    Snapshot state = on_grid;
    state.node = {a, b, c};
    return state;
  };
  taken(numbered(0, 1, nodes - 1), "the last node of the grid");
  refused(numbered(0, 1, nodes), "a node beyond the grid");
  refused(numbered(-1, 1, 2), "a node before the grid");
  refused(numbered(0, 2, 2), "a node twice");
  refused(numbered(0, 5, 2), "nodes that do not ascend");
}

}  // namespace

void add_states(std::vector<Invariant>& all) {
  all.push_back({"states_that_are_refused",
                 "wrong states are refused before a solver takes them, right ones are not",
                 "states",
                 {2, 3},
                 states_that_are_refused});
}

}  // namespace repose::invariants
