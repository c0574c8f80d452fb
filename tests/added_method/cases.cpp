#include "reference/interface/particles/random.h"
#include "tests/added_method/flight.h"
#include "tests/added_method/judging.h"

namespace repose::flight {

namespace {

using namespace repose::crosscheck;

/// Particles in a room, most of them near the ground and on their way down.
void fall(Case& c, OnLanding on_landing) {
  Scene& scene = c.scene;
  scene.title = c.scenario;
  scene.scheme = Options{.on_landing = on_landing};
  scene.grid = {.dim = c.setup.dim, .h = 0.05, .domain_min = Point(-0.3, -0.17, 0.0), .cells = {12, 10, 1}};
  if (c.setup.dim > 2) scene.grid.cells[2] = 10;
  scene.gravity = Point(1.7, -9.2, c.setup.dim > 2 ? -2.9 : 0.0);
  scene.frame_rate = 100.0;
  scene.duration = 0.1;
  c.dt = 1e-3;
  scene.step.max_dt = c.dt;
  constexpr std::size_t count = 60;
  c.start.method = table.name;
  c.start.fields = method::state_at_rest(table, c.setup.dim, count);
  Random random(5);
  for (double& mass : c.start.get(field::mass).value) mass = random.between(0.5, 1.5);
  const auto d = static_cast<std::size_t>(c.setup.dim);
  for (std::size_t i = 0; i < count * d; ++i) {
    const bool up = i % d == 1;
    c.start.get(field::x).value[i] =
        up ? ground(scene) + random.between(-0.001, 0.01) : random.between(-0.1, 0.1);
    c.start.get(velocity).value[i] = up ? random.between(-3.0, 0.0) : random.between(-1.0, 1.0);
  }
  c.needs = {{"landings", 5}};
}

const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> all{
      {"flight_falls", "particles fall, and some land", [](Case& c) { fall(c, OnLanding::stay); }},
      {"flight_leaves", "those that land leave the state", [](Case& c) { fall(c, OnLanding::leave); }},
      {"flight_splits", "those that land become two", [](Case& c) { fall(c, OnLanding::split); }}};
  return all;
}

const std::vector<BitClaim>& exact() {
  static const std::vector<BitClaim> none;
  return none;
}

}  // namespace

const crosscheck::MethodCases& cases() {
  static const MethodCases all{.levels = {{{"flight"}, {}}},
                               .scenarios = scenarios,
                               .busy = [](const Setup& setup) { return make_case("flight_falls", setup); },
                               .exact = exact};
  return all;
}

}  // namespace repose::flight
