#include "tests/added_method/flight.h"
#include "tests/added_method/judging.h"

namespace repose::flight {

namespace {

enum Mistake : std::size_t {
  none,
  moved_by_old_velocity,  ///< x + Δt u of the step's start
  lands_early             ///< a tenth of a spacing above the ground
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
  const double level = ground(scene) + (mistake == lands_early ? 0.1 * scene.grid.h : 0.0);
  const auto d = static_cast<std::size_t>(scene.dim());
  for (std::size_t p = 0; p < state.particles(); ++p)
    if (state.get(field::x).value[p * d + 1] <= level) state.get(landed).value[p] = 1.0;
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
                                               "landed"}};
  return all;
}

}  // namespace

const faults::Model& model() {
  static const faults::Model all{.method = table, .faults = known, .strain = "", .run_stage = run};
  return all;
}

}  // namespace repose::flight
