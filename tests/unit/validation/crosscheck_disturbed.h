#pragma once

#include "reference/interface/methods/mpm_options.h"
#include "reference/mpm/reference_solver.h"
#include "tests/unit/validation/crosscheck_wrapper.h"
#include "validation/crosscheck/cases.h"
#include "validation/crosscheck/lockstep.h"
#include "validation/crosscheck/mpm/setup.h"

#include <algorithm>
#include <cmath>
#include <string>

/// A correct solver of which one number is disturbed, judged over one stretch of a step.
namespace repose::crosscheck {

/// In what the comparer is tested: the arithmetic that the wrapped solver states. It computes in double all the same, as
/// the reference does: without a disturbance every value is equal.
struct Judged {
  int dim;
  Precision precision;
  Transfer transfer;
  std::string_view strain;  ///< what it says it stores
};

inline constexpr Judged all_judged[] = {{2, Precision::double_, Transfer::apic, "F"},
                                        {2, Precision::single_, Transfer::flip_pic, "hencky"},
                                        {3, Precision::double_, Transfer::flip, "hencky"},
                                        {3, Precision::single_, Transfer::apic, "F"}};

inline std::ostream& operator<<(std::ostream& out, const Judged& judged) {
  return out << judged.dim << "D " << name_of(judged.precision) << " " << name_of(judged.transfer) << " "
             << judged.strain;
}

/// All plastic cases, contacts, sticking and sliding, of a few dozen particles.
inline Case busy_case(const Judged& judged) {
  Case c = make_case("volume_correction", MpmSetup{.dim = judged.dim,
                                                   .kernel = Kernel::quadratic,
                                                   .transfer = judged.transfer,
                                                   .precision = judged.precision,
                                                   .threads = 1});
  c.scene.colliders = make_case("room_corner", c.setup).scene.colliders;
  constexpr std::size_t kept = 40;
  const std::size_t every = c.start.particles() / kept;
  for (Field& field : c.start.fields) {
    const auto k = static_cast<std::size_t>(field.components);
    std::vector<double> values;
    for (std::size_t p = 0; p < kept; ++p)
      for (std::size_t a = 0; a < k; ++a) values.push_back(field.value[p * every * k + a]);
    field.value = std::move(values);
  }
  return c;
}

/// The states of one step, at all boundaries.
inline std::vector<Snapshot> states_of_a_step(const Case& c) {
  const auto solver = make_reference_solver(c.scene);
  solver->load(c.start);
  std::vector<Snapshot> result{solver->save(boundary::step_start, false)};
  const auto list = solver->boundaries();
  for (std::size_t i = 0; i + 1 < list.size(); ++i) {
    solver->run(list[i], list[i + 1], c.dt);
    result.push_back(solver->save(list[i + 1], false));
  }
  return result;
}

/// One stretch with a spoiled candidate.
/// @param state at the boundary where the stretch begins
inline Lockstep judge(const Case& c, const Judged& judged, const Snapshot& state,
                      const std::function<void(Wrapper&)>& spoil) {
  Wrapper candidate(make_reference_solver(c.scene));
  const double unit = judged.precision == Precision::single_ ? 0x1p-24 : 0x1p-53;
  candidate.stated = Rounding{.unit = unit, .position = 4.0 * c.scene.grid.h * unit, .strain = judged.strain};
  spoil(candidate);
  const auto reference = make_reference_solver(c.scene);
  return LockstepDriver(c.scene, candidate, *reference).replay(state, c.dt);
}

/// Where a candidate is disturbed: in what it hands out behind load(), or behind the stage that ends there.
struct Spot {
  bool loaded;
  const Snapshot* from;    ///< the state the stretch begins with
  const Snapshot* handed;  ///< the state that is handed out there
  std::string name() const { return (loaded ? "load " : "") + std::string(handed->at); }
};

inline std::vector<Spot> spots(const std::vector<Snapshot>& states) {
  std::vector<Spot> result;
  for (std::size_t i = 0; i + 1 < states.size(); ++i) {
    result.push_back({true, &states[i], &states[i]});
    result.push_back({false, &states[i], &states[i + 1]});
  }
  return result;
}

/// Judges a candidate whose state is changed at one spot.
inline Lockstep judge_at(const Case& c, const Judged& judged, const Spot& spot,
                         const std::function<void(Snapshot&)>& change) {
  return judge(c, judged, *spot.from, [&](Wrapper& w) {
    w.on_save = [&](Snapshot& state) {
      const bool here = w.last == (spot.loaded ? Wrapper::Last::load : Wrapper::Last::run);
      if (here && state.at == spot.handed->at) change(state);
    };
  });
}

}  // namespace repose::crosscheck
