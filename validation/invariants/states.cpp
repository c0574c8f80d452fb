#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/invariants/invariants.h"
#include "validation/invariants/plain.h"

#include "reference/interface/particles/sampling.h"
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
  scene.scheme = MpmOptions{};
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

/// Whether a solver that is loaded at some boundaries is kept from taking a state.
template <class Check>
bool refused_by(const Check& check) {
  try {
    check();
  } catch (const std::exception&) {
    return true;
  }
  return false;
}

/// What a state of mpm has at a boundary beside mass, volume, material, x, v, C, q and v_c: written down a second time, so
/// that the table which solvers ask is not judged by itself.
struct StateRow {
  Boundary at;
  std::vector<std::string_view> node_fields;
  std::vector<std::string_view> particle_fields;
};
std::vector<StateRow> state_rows() {
  using namespace field;
  return {{boundary::step_start, {}, {F}},
          {boundary::p2g, {m_i, p_i}, {F}},
          {boundary::forces, {m_i, p_i, p_star}, {F}},
          {boundary::collisions, {m_i, p_i, p_star, p_bar}, {F}},
          {boundary::friction, {m_i, p_i, p_star, p_bar, p_tilde}, {F}},
          {boundary::g2p, {}, {F, v_bar, grad_v}},
          {boundary::update, {}, {F_trial}},
          {boundary::plasticity, {}, {F, plastic_case}}};
}

/// A legal state of that row: particles as sampled, three nodes.
Snapshot state_of(const StateRow& row, const Snapshot& sampled, int dim) {
  const auto d = static_cast<std::size_t>(dim);
  Snapshot state = sampled;
  state.at = row.at;
  const Field strain = state.get(field::F);
  const std::size_t count = state.particles();
  state.erase(field::F);
  for (const std::string_view name : row.particle_fields) {
    Field added = strain;
    added.name = std::string(name);
    if (name == field::v_bar) added.components = dim, added.value.assign(count * d, 0.5);
    if (name == field::plastic_case) added.components = 1, added.value.assign(count, 3.0);
    state.set(added);
  }
  if (row.node_fields.empty()) return state;
  state.ids(Place::node) = {0, 5, 17};
  for (const std::string_view name : row.node_fields) {
    const bool scalar = name == field::m_i;
    state.set({.name = std::string(name),
               .unit = scalar ? "kg" : "kg m/s",
               .place = Place::node,
               .components = scalar ? 1 : dim,
               .value = std::vector<double>(scalar ? 3 : 3 * d, scalar ? 0.0 : 0.5)});
  }
  return state;
}

/// What snapshot_check.h promises, one wrong thing at a time: each field missing, at another place, of another size, not
/// finite, of a value that no state can have; nodes that do not ascend or are none of the grid. What is right is taken.
void states_that_are_refused(int dim, Ledger& ledger) {
  ledger.needs("wrong states", 300);
  ledger.needs("boundaries", 8);
  const Scene scene = checked_scene(dim);
  const Snapshot good = sample(scene);
  constexpr std::array<Boundary, 8> everywhere{boundary::step_start, boundary::p2g,       boundary::forces,
                                               boundary::collisions, boundary::friction,  boundary::g2p,
                                               boundary::update,     boundary::plasticity};
  const auto is_refused_at = [&](const Snapshot& state) {
    return refused_by([&] { require_loadable(state, scene, method::mpm, everywhere); });
  };
  const auto refused = [&](const Snapshot& state, const std::string& what) {
    ledger.holds("refused: " + what, is_refused_at(state));
    ledger.saw("wrong states");
  };
  const auto taken = [&](const Snapshot& state, const std::string& what) {
    ledger.holds("taken: " + what, !is_refused_at(state));
  };
  taken(good, "a state as sampled");
  Snapshot foreign = good;
  foreign.method = "another";
  refused(foreign, "a state of another method");
  Snapshot on_grid;
  for (const StateRow& row : state_rows()) {
    const Snapshot state = state_of(row, good, dim);
    if (row.at == boundary::p2g) on_grid = state;
    taken(state, "a state at " + std::string(row.at));
    ledger.saw("boundaries");
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
    const auto strain = row.at == boundary::update ? field::F_trial : field::F;
    refused(valued(strain, -1.0), "a mirrored F");
    refused(valued(strain, 0.0), "a flat F");
    if (row.at == boundary::plasticity) {
      for (const double number : {-1.0, 4.0, 1.5})
        refused(valued(field::plastic_case, number), fmt::format("case {}", number));
      for (const double number : {0.0, 1.0, 2.0}) taken(valued(field::plastic_case, number), "a case");
    }
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
  constexpr std::array<Boundary, 1> start{boundary::step_start};
  ledger.holds("refused: a boundary at which the solver is not loaded",
               refused_by([&] { require_loadable(on_grid, scene, method::mpm, start); }));
  ledger.holds("refused: appended within a step",
               refused_by([&] { require_appendable(on_grid, scene, method::mpm, 3); }));
  ledger.holds("taken: appended at a step's start",
               !refused_by([&] { require_appendable(good, scene, method::mpm, 3); }));
  for (const std::int64_t last : {100, -1}) {
    Snapshot listed = good;
    for (std::size_t p = 0; p + 1 < good.particles(); ++p)
      listed.ids(Place::particle).push_back(static_cast<std::int64_t>(2 * p));
    listed.ids(Place::particle)
        .push_back(last < 0 ? 0 : static_cast<std::int64_t>(2 * good.particles()) + last);
    if (last < 0) {
      refused(listed, "ids of particles that do not ascend");
    } else {
      taken(listed, "particles with ids of their own");
      listed.next_id = listed.ids(Place::particle).back();
      refused(listed, "a next id that is taken");
      listed.next_id += 1;
      taken(listed, "the next id behind the last");
      listed.ids(Place::particle).pop_back();
      refused(listed, "fewer ids than particles");
    }
  }
  for (const Place place : {Place::cell, Place::face_y, Place::edge_xy, Place::body, Place::scene}) {
    Snapshot elsewhere = good;
    elsewhere.ids(place) = {1};
    refused(elsewhere, fmt::format("a {} where there are none", names::of(place).one));
  }
  Snapshot with_nodes = good;
  with_nodes.ids(Place::node) = {1};
  refused(with_nodes, "nodes where there are none");
  Snapshot light = on_grid;
  light.get(field::m_i).value[0] = -1.0;
  refused(light, "a node of negative mass");
  std::int64_t nodes = 1;
  for (int axis = 0; axis < dim; ++axis) nodes *= scene.grid.cells[static_cast<std::size_t>(axis)] + 5;
  const auto numbered = [&](std::int64_t a, std::int64_t b, std::int64_t c) {
    Snapshot state = on_grid;
    state.ids(Place::node) = {a, b, c};
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
