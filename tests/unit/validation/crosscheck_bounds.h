#pragma once

#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/case_scenes.h"
#include "validation/crosscheck/mpm/stage_bounds.h"
#include "validation/solvers.h"

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <memory>
#include <ostream>

/// Small states whose bounds are worked out in the tests.
namespace repose::crosscheck {

inline constexpr double double_unit = 0x1p-53;
inline constexpr double float_unit = 0x1p-24;

/// A candidate as it states its rounding, against a reference that stores F in double.
struct Candidate {
  double unit;
  std::string_view strain;
};
inline constexpr std::array<Candidate, 4> candidates{
    {{float_unit, "F"}, {float_unit, "hencky"}, {double_unit, "F"}, {double_unit, "hencky"}}};

inline std::ostream& operator<<(std::ostream& out, const Candidate& candidate) {
  return out << (candidate.unit == float_unit ? "float " : "double ") << candidate.strain;
}

/// γ_m(u) = m u/(1 − m u), of a candidate and of a reference in double.
inline double gamma_of(double m, double u) { return m * u / (1.0 - m * u); }
inline double both(double m, const Candidate& c) { return gamma_of(m, c.unit) + gamma_of(m, double_unit); }

/// Of a strain from F: by the reference, and by the candidate, in its own numbers or (hencky) on the way through double.
inline double from_F(double m, const Candidate& c) {
  return gamma_of(m, c.strain == "F" ? c.unit : double_unit) + gamma_of(m, double_unit);
}

/// Numbers that two ways of writing the same formula may differ by.
inline bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

/// One grain of 2 kg and 0.75 m² at (1.625, 2) m in a plane grid with h = ½ m: a quarter of a cell right of node (3, 4).
/// The weights of the quadratic kernel along x are 1/32, 22/32, 9/32, along y 1/8, 6/8, 1/8, their slopes times h
/// −1/4, −1/2, 3/4 and −1/2, 0, 1/2, their second derivatives times h² 1, −2, 1.
struct Grain {
  Case c;
  static constexpr double h = 0.5, mass = 2.0, volume = 0.75, dt = 1e-3;

  explicit Grain(Transfer transfer = Transfer::apic, std::size_t count = 1) {
    c.setup = MpmSetup{.dim = 2, .transfer = transfer};
    lay_out(c, {sand(30.0)});
    c.scene.grid.h = h;
    c.scene.grid.domain_min = Point::Zero();
    c.scene.grid.cells = {8, 8, 1};
    c.scene.gravity = Point(0.0, -8.0, 0.0);
    place_alike(c, std::vector<Point>(count, Point(1.625, 2.0, 0.0)), volume);
    for (double& m : c.start.get(field::mass).value) m = mass;
    c.dt = dt;
  }

  Arithmetic arithmetic_with(const Candidate& candidate) const {
    return arithmetic(c.scene,
                      {.unit = candidate.unit, .position = h * candidate.unit, .strain = candidate.strain},
                      {.unit = double_unit, .position = 0.0, .strain = "F"});
  }

  /// δx: of the candidate, and of the way between the solvers, four roundings of the largest coordinate, 4 m + 2 h.
  static double dx(const Candidate& candidate) { return h * candidate.unit + 4.0 * double_unit * 5.0; }
};

/// A stage as the reference runs it, and what it leaves of the bounds.
class Ran {
 public:
  Ran(const Grain& grain, const Snapshot& start, Boundary to, const Candidate& candidate,
      const Carried& carried = {})
      : arithmetic_(grain.arithmetic_with(candidate)), reference_(make_solver("reference", grain.c.scene)) {
    reference_->load(start);
    before = reference_->save(start.at, false);
    reference_->run(start.at, to, Grain::dt);
    after = reference_->save(to, false);
    bounds_ =
        stage_bounds({grain.c.scene, arithmetic_, Grain::dt, before, after, *reference_, carried}, counters);
  }

  const Bound& bound(std::string_view name, std::size_t index) const {
    for (const FieldBound& one : bounds_)
      if (one.field == name) return one.bound.at(index);
    throw std::out_of_range(std::string(name));
  }
  std::size_t place_of(std::int64_t node) const {
    return static_cast<std::size_t>(
        std::find(after.ids(Place::node).begin(), after.ids(Place::node).end(), node) -
        after.ids(Place::node).begin());
  }

  Snapshot before, after;
  Counters counters;

 private:
  Arithmetic arithmetic_;
  std::unique_ptr<Solver> reference_;
  std::vector<FieldBound> bounds_;
};

/// The state of a grain at a boundary.
inline Snapshot state_at(const Grain& grain, Boundary at) {
  const auto solver = make_solver("reference", grain.c.scene);
  solver->load(grain.c.start);
  if (at != boundary::step_start) solver->run(boundary::step_start, at, Grain::dt);
  return solver->save(at, false);
}

}  // namespace repose::crosscheck
