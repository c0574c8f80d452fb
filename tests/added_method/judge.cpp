#include "tests/added_method/flight.h"
#include "tests/added_method/judging.h"

#include <cmath>

namespace repose::flight {

namespace {

using namespace repose::crosscheck;

/// u takes four roundings (Δt, g, their product, the sum), x three more and Δt times the error of u.
std::vector<FieldBound> flight_bounds(const Stage& stage) {
  const Field& u = stage.before.get(velocity);
  const Field& x = stage.before.get(field::x);
  FieldBound of_u{.field = u.name, .bound = std::vector<Bound>(u.value.size())};
  FieldBound of_x{.field = x.name, .bound = std::vector<Bound>(x.value.size())};
  const auto d = static_cast<std::size_t>(stage.scene.dim());
  for (std::size_t i = 0; i < u.value.size(); ++i) {
    const double fall = stage.dt * std::abs(stage.scene.gravity[static_cast<Eigen::Index>(i % d)]);
    const double speed = std::abs(u.value[i]) + fall;
    of_u.bound[i].rounding = stage.arithmetic.g(4.0) * speed;
    of_u.bound[i].underflow = 4.0 * stage.arithmetic.smallest;
    of_x.bound[i].rounding = stage.arithmetic.g(3.0) * (std::abs(x.value[i]) + stage.dt * speed);
    of_x.bound[i].carried = stage.dt * of_u.bound[i].total();
    of_x.bound[i].position = stage.arithmetic.position;
  }
  return {of_u, of_x};
}

/// A landing is decided by x_y − ground: within its error either answer is right.
std::vector<FieldBound> landing_bounds(const Stage& stage, Counters& counters) {
  const Field& x = stage.before.get(field::x);
  FieldBound result{.field = std::string(landed), .bound = std::vector<Bound>(stage.before.particles())};
  const auto d = static_cast<std::size_t>(stage.scene.dim());
  const auto carried = stage.carried.find(field::x);
  const double level = ground(stage.scene);
  for (std::size_t p = 0; p < result.bound.size(); ++p) {
    if (stage.before.get(landed).value[p] != 0.0) continue;
    const double height = x.value[p * d + 1];
    const double error = stage.arithmetic.g(1.0) * (std::abs(level) + std::abs(height)) +
                         (carried == stage.carried.end() ? 0.0 : carried->second[p * d + 1]);
    if (std::abs(height - level) > error) continue;
    result.bound[p].tie = 1.0;
    counters[std::string(undecided)] += 1.0;
  }
  return {result};
}

std::vector<FieldBound> computed(const Stage& stage, Counters& counters) {
  return stage.after.at == landing ? landing_bounds(stage, counters) : flight_bounds(stage);
}

FieldBound stored(const Scene&, const Arithmetic& arithmetic, const Field& field) {
  FieldBound result{.field = field.name, .bound = std::vector<Bound>(field.value.size())};
  if (field.name == landed) return result;  // 0 and 1: any precision holds them
  for (std::size_t i = 0; i < result.bound.size(); ++i) {
    result.bound[i].rounding = arithmetic.g(1.0) * std::abs(field.value[i]);
    result.bound[i].underflow = arithmetic.smallest;
    if (field.name == field::x) result.bound[i].position = arithmetic.position;
  }
  return result;
}

std::vector<Ties> ties(const Counters& counters) {
  const auto of = [&](std::string_view name) {
    const auto found = counters.find(name);
    return found == counters.end() ? 0.0 : found->second;
  };
  return {{"landings", of(undecided), of("landings") + of(undecided)}};
}

}  // namespace

const crosscheck::Judge& judge() {
  static const Judge all{.method = table,
                         .counts = {{.each_stage = true}, {true, false, undecided, "landings"}},
                         .computed = computed,
                         .stored = stored,
                         .ties = ties,
                         .told = {{undecided, "ties of landings"}}};
  return all;
}

}  // namespace repose::flight
