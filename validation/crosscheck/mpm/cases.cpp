#include "validation/crosscheck/mpm/cases.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_names.h"
#include "validation/crosscheck/mpm/case_scenes.h"
#include "validation/crosscheck/mpm/exact_vectors.h"
#include "validation/crosscheck/mpm/setup.h"

#include <vector>

namespace repose::crosscheck {

namespace {

/// The words of a choice by ascending value, as levels of a setup count.
template <class T>
std::vector<std::string_view> levels_of(const Names<T>& names) {
  std::vector<std::string_view> words(names.size());
  for (const auto& [word, value] : names) words.at(static_cast<std::size_t>(value)) = word;
  return words;
}

/// A walled scene in which all three plastic cases, hardening and volume correction occur.
Case busy(const Setup& setup) {
  Case c = make_case("volume_correction", setup);
  const Case walls = make_case("room_corner", setup);
  c.scene.colliders = walls.scene.colliders;
  if (kernel_of(setup) == Kernel::quadratic) mpm_options(c.scene).motion = ParticleMotion::after_friction;
  return c;
}

/// The same across seams: bodies on them, particles that go through them.
Case periodic(const Setup& setup) {
  Case c = make_case("periodic_bodies", setup);
  c.scene.materials = busy(setup).scene.materials;
  return c;
}

/// Waters among each other, with what the pool has of bodies.
Case waters(const Setup& setup) {
  Case c = make_case("mixed_waters", setup);
  c.scene.colliders = make_case("pool", setup).scene.colliders;
  return c;
}

/// Every number of the sums is a dyadic fraction that a float holds: any order of terms, any vector width and any precision
/// gives the same value as the reference.
const std::vector<BitClaim>& exact() {
  // Weights of the cubic kernel are thirds: never dyadic.
  constexpr auto quadratic = static_cast<std::size_t>(Kernel::quadratic);
  static const std::vector<BitClaim> all{
      {"exact_p2g", "masses and momenta of dyadic particles, exactly", judge_exact_p2g, quadratic},
      {"exact_g2p", "velocities, gradients and C of dyadic nodes, exactly", judge_exact_g2p, quadratic}};
  return all;
}

}  // namespace

MpmSetup::operator Setup() const {
  return {.method = method::mpm.name,
          .dim = dim,
          .variant = {static_cast<std::size_t>(transfer), static_cast<std::size_t>(kernel)},
          .precision = precision,
          .threads = threads};
}

Transfer transfer_of(const Setup& setup) { return static_cast<Transfer>(setup.variant[0]); }
Kernel kernel_of(const Setup& setup) { return static_cast<Kernel>(setup.variant[1]); }

std::string_view name_of(Transfer transfer) { return names::of(transfer, names::transfer); }
std::string_view name_of(Kernel kernel) { return names::of(kernel, names::kernel); }

const std::vector<Scenario>& mpm_scenarios() {
  static const std::vector<Scenario> all = [] {
    std::vector<Scenario> list;
    add_materials(list);
    add_contacts(list);
    add_places(list);
    add_sizes(list);
    add_drawn(list);
    add_implicit(list);
    add_solves(list);
    add_reach(list);
    add_periodic(list);
    add_cohesion(list);
    add_semi(list);
    add_water(list);
    add_wedge(list);
    add_drawn_waters(list);
    add_solved_water(list);
    add_hydrostatic(list);
    add_kept_solve(list);  // last: what a scenario is run in follows from its number
    return list;
  }();
  return all;
}

const MethodCases& mpm_cases() {
  static const MethodCases cases{.levels = {{levels_of(names::transfer), levels_of(names::kernel)}},
                                 .scenarios = mpm_scenarios,
                                 .busy = busy,
                                 .busy_too = {{"periodic_", periodic}, {"water_", waters}},
                                 .exact = exact};
  return cases;
}

}  // namespace repose::crosscheck
