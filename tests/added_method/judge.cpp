#include "tests/added_method/flight.h"
#include "tests/added_method/judging.h"

#include <algorithm>
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

/// How a particle of a stage comes down: decided by x_y − ground, within whose error either answer is right.
enum class Landing : unsigned char { none, sure, undecided };

class Landings {
 public:
  explicit Landings(const Stage& stage)
      : stage_(stage), x_(stage.before.get(field::x)), d_(static_cast<std::size_t>(stage.scene.dim())) {}

  Landing of(std::size_t p) const {
    if (stage_.before.get(landed).value[p] != 0.0) return Landing::none;
    const double height = x_.value[p * d_ + 1];
    if (std::abs(height - level_) <= error(p, 1)) return Landing::undecided;
    return height <= level_ ? Landing::sure : Landing::none;
  }
  /// Cells in which it may come down.
  std::vector<std::int64_t> cells(std::size_t p) const {
    std::vector<std::int64_t> result;
    for (std::size_t corner = 0; corner < std::size_t{1} << d_; ++corner) {
      Point x = Point::Zero();
      for (std::size_t a = 0; a < d_; ++a)
        x[static_cast<Eigen::Index>(a)] =
            x_.value[p * d_ + a] + ((corner >> a & 1U) != 0 ? error(p, a) : -error(p, a));
      result.push_back(cell_of(stage_.scene, x));
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

 private:
  double error(std::size_t p, std::size_t axis) const {
    const auto carried = stage_.carried.find(field::x);
    return stage_.arithmetic.g(1.0) * (std::abs(level_) + std::abs(x_.value[p * d_ + axis])) +
           (carried == stage_.carried.end() ? 0.0 : carried->second[p * d_ + axis]);
  }

  const Stage& stage_;
  const Field& x_;
  std::size_t d_;
  double level_ = ground(stage_.scene);
};

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

/// Of a field that a particle takes along when others come or go: what it had in front of the stage. A half has the error
/// of its whole, which is one of them.
FieldBound kept(const Stage& stage, std::string_view name) {
  const Field& field = stage.after.get(name);
  FieldBound result = stored(stage.scene, stage.arithmetic, field);
  const auto carried = stage.carried.find(name);
  if (carried == stage.carried.end()) return result;
  const double largest = *std::max_element(carried->second.begin(), carried->second.end());
  for (Bound& bound : result.bound) bound.carried = largest;
  return result;
}

/// Of particles that remain behind the stage, the errors carried to it; a half is one rounding less than none. A heap is a
/// sum of at most all masses.
std::vector<FieldBound> landing_bounds(const Stage& stage, Counters& counters) {
  const Landings landings(stage);
  for (std::size_t p = 0; p < stage.before.particles(); ++p)
    if (landings.of(p) == Landing::undecided) counters[std::string(undecided)] += 1.0;
  const bool stays = stage.scene.scheme.as<Options>().on_landing == OnLanding::stay;
  FieldBound flags{.field = std::string(landed), .bound = std::vector<Bound>(stage.after.particles())};
  if (stays)
    for (std::size_t p = 0; p < flags.bound.size(); ++p)
      if (landings.of(p) == Landing::undecided) flags.bound[p].tie = 1.0;
  FieldBound masses{.field = std::string(field::mass), .bound = std::vector<Bound>(stage.after.particles())};
  for (std::size_t p = 0; p < masses.bound.size(); ++p) {
    masses.bound[p].rounding = stage.arithmetic.g(1.0) * stage.after.get(field::mass).value[p];
    masses.bound[p].underflow = stage.arithmetic.smallest;
  }
  FieldBound heaps{.field = std::string(heap), .bound = std::vector<Bound>(stage.after.count(Place::cell))};
  for (std::size_t e = 0; e < heaps.bound.size(); ++e)
    heaps.bound[e].rounding = stage.arithmetic.g(static_cast<double>(stage.before.particles()) + 1.0) *
                              stage.after.get(heap).value[e];
  return {flags, masses, heaps, kept(stage, field::x), kept(stage, velocity)};
}

void undecided_elements(const Stage& stage, Undecided& elements) {
  const Landings landings(stage);
  const OnLanding fate = stage.scene.scheme.as<Options>().on_landing;
  for (std::size_t p = 0; p < stage.before.particles(); ++p) {
    const Landing how = landings.of(p);
    if (how == Landing::none) continue;
    const std::vector<std::int64_t> cells = landings.cells(p);
    if (how == Landing::undecided || cells.size() > 1)
      for (const std::int64_t cell : cells) elements.add(Place::cell, cell);
    if (how != Landing::undecided || fate == OnLanding::stay) continue;
    elements.add(Place::particle, stage.before.id(Place::particle, p));
    if (fate == OnLanding::split) elements.particles_from = stage.before.next_particle();
  }
  auto& cells = elements.ids[static_cast<std::size_t>(Place::cell)];
  std::sort(cells.begin(), cells.end());
}

std::vector<FieldBound> computed(const Stage& stage, Counters& counters) {
  return stage.after.at == landing ? landing_bounds(stage, counters) : flight_bounds(stage);
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
                         .undecided = undecided_elements,
                         .ties = ties,
                         .told = {{undecided, "ties of landings"}}};
  return all;
}

}  // namespace repose::flight
