#include "tests/added_method/flight.h"
#include "tests/added_method/judging.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace repose::flight {

namespace {

enum Mistake : std::size_t {
  none,
  moved_by_old_velocity,  ///< x + Δt u of the step's start
  lands_early,            ///< a tenth of a spacing above the ground
  next_one_leaves,        ///< in place of the one that landed
  halves_are_whole,       ///< both keep the mass
  heaps_beside            ///< one cell further on
};

template <class Real>
void fly(const Scene& scene, std::size_t mistake, double dt, Snapshot& state) {
  const auto d = static_cast<std::size_t>(scene.dim());
  Field& x = state.get(field::x);
  Field& u = state.get(velocity);
  for (std::size_t i = 0; i < x.value.size(); ++i) {
    if (state.get(landed).value[i / d] != 0.0) continue;
    const Real before = static_cast<Real>(u.value[i]);
    const Real after =
        before + static_cast<Real>(dt) * static_cast<Real>(scene.gravity[static_cast<Eigen::Index>(i % d)]);
    const Real moving = mistake == moved_by_old_velocity ? before : after;
    u.value[i] = static_cast<double>(after);
    x.value[i] = static_cast<double>(static_cast<Real>(x.value[i]) + static_cast<Real>(dt) * moving);
  }
}

/// A state whose particles are those of another at some places in its order.
void keep(Snapshot& state, const std::vector<std::size_t>& kept) {
  const Snapshot all = state;
  state.next_id = all.next_particle();
  state.ids(Place::particle).clear();
  for (const std::size_t p : kept) state.ids(Place::particle).push_back(all.id(Place::particle, p));
  for (Field& field : state.fields) {
    if (field.place != Place::particle) continue;
    const auto k = static_cast<std::size_t>(field.components);
    const std::vector<double> values = std::exchange(field.value, {});
    for (const std::size_t p : kept)
      field.value.insert(field.value.end(), values.begin() + static_cast<std::ptrdiff_t>(p * k),
                         values.begin() + static_cast<std::ptrdiff_t>(p * k + k));
  }
}

void land(const Scene& scene, std::size_t mistake, Snapshot& state) {
  const double level = ground(scene) + (mistake == lands_early ? 0.1 * scene.grid.h : 0.0);
  const auto d = static_cast<std::size_t>(scene.dim());
  std::map<std::int64_t, double> heaps;
  for (std::size_t e = 0; e < state.count(Place::cell); ++e)
    heaps[state.id(Place::cell, e)] = state.get(heap).value[e];
  std::vector<std::size_t> down;
  std::vector<std::size_t> others;
  for (std::size_t p = 0; p < state.particles(); ++p) {
    const bool lands = state.get(landed).value[p] == 0.0 && state.get(field::x).value[p * d + 1] <= level;
    (lands ? down : others).push_back(p);
    if (!lands) continue;
    state.get(landed).value[p] = 1.0;
    Point x = Point::Zero();
    for (std::size_t a = 0; a < d; ++a)
      x[static_cast<Eigen::Index>(a)] = state.get(field::x).value[p * d + a];
    if (mistake == heaps_beside) x[0] += scene.grid.h;
    heaps[cell_of(scene, x)] += state.get(field::mass).value[p];
  }
  state.ids(Place::cell).clear();
  state.get(heap).value.clear();
  for (const auto& [cell, mass] : heaps) {
    state.ids(Place::cell).push_back(cell);
    state.get(heap).value.push_back(mass);
  }
  const OnLanding fate = scene.scheme.as<Options>().on_landing;
  if (fate == OnLanding::split) {
    if (mistake != halves_are_whole)
      for (const std::size_t p : down) state.get(field::mass).value[p] *= 0.5;
    Snapshot halves = state;
    keep(halves, down);
    append(state, halves);
  }
  if (fate == OnLanding::leave && !down.empty()) {
    if (mistake == next_one_leaves && !others.empty()) std::swap(others.back(), down.back());
    std::sort(others.begin(), others.end());
    keep(state, others);
  }
}

void run(const Scene& scene, std::size_t mistake, Precision precision, double dt, Snapshot& state) {
  state.dt = dt;
  if (state.at == boundary::step_start) {
    if (precision == Precision::single_)
      fly<float>(scene, mistake, dt, state);
    else
      fly<double>(scene, mistake, dt, state);
    state.at = flight;
    return;
  }
  land(scene, mistake, state);
  state.at = landing;
}

const std::vector<faults::Fault>& known() {
  static const std::vector<faults::Fault> all{{"flight_by_old_velocity",
                                               "flight",
                                               moved_by_old_velocity,
                                               "flight_falls",
                                               {.method = table.name},
                                               "flight",
                                               "x"},
                                              {"flight_lands_early",
                                               "flight",
                                               lands_early,
                                               "flight_falls",
                                               {.method = table.name, .dim = 3},
                                               "landing",
                                               "landed"},
                                              {"flight_wrong_one_leaves",
                                               "flight",
                                               next_one_leaves,
                                               "flight_leaves",
                                               {.method = table.name},
                                               "landing",
                                               "particles"},
                                              {"flight_halves_are_whole",
                                               "flight",
                                               halves_are_whole,
                                               "flight_splits",
                                               {.method = table.name, .dim = 3},
                                               "landing",
                                               "mass"},
                                              {"flight_heaps_beside",
                                               "flight",
                                               heaps_beside,
                                               "flight_falls",
                                               {.method = table.name},
                                               "landing",
                                               "heap"}};
  return all;
}

}  // namespace

const faults::Model& model() {
  static const faults::Model all{.method = table, .faults = known, .strain = "", .run_stage = run};
  return all;
}

}  // namespace repose::flight
