#pragma once

#include "reference/interface/solver.h"

#include <functional>
#include <string>
#include <vector>

namespace repose::crosscheck {

/// How a case is run: the factors that are varied against each other.
struct Setup {
  int dim = 2;
  Kernel kernel = Kernel::quadratic;
  Transfer transfer = Transfer::apic;
  Precision precision = Precision::double_;
  int threads = 1;
};

/// What a case must exercise to be worth a pass; counters of Lockstep.
struct Need {
  std::string counter;
  double least = 1.0;
};

/// The share of plastic cases, contacts or frictions that a case may leave to rounding; more, and it is mistrusted. What lies
/// closer to a border than its error is a tie: of states spread over a range, twice the error by the range. Errors
/// of some hundred roundings of float against strains and speeds spread over their own size come to 10⁻⁴. Cases that put
/// nodes on walls or shear without volume change put up to 10⁻² of all there. Beyond a fiftieth either the bound is too wide
/// or nothing was decided. A single tie is chance.
inline constexpr double largest_share_of_ties = 0.02;

/// A start state in a scene, run for some steps of fixed Δt.
struct Case {
  std::string name;  ///< "SCENARIO/TRANSFER-DIM-KERNEL-PRECISION-THREADS"
  std::string scenario;
  Setup setup;
  Scene scene;
  Snapshot start;
  double dt = 0.0;  ///< [s]
  /// Of dt, what advance() is asked for: what is too long for an implicit step is cut to dt
  double offered = 1.0;
  int steps = 3;
  /// Where more than `steps`: goes on up to this many steps until all needs are met, which may take some luck.
  int most_steps = 0;
  std::vector<Need> needs;
  double share_of_ties = largest_share_of_ties;  ///< that rounding may decide
  bool stops = false;  ///< both solvers must refuse to go on, for the same particle at the same boundary
};

/// One situation that both solvers must treat alike, in any setup.
struct Scenario {
  std::string name;
  std::string what;  ///< in words
  std::function<void(Case&)> build;
  bool takes_long = false;  ///< run only when long cases are asked for
  bool parallel = false;    ///< each case asks for one thread more than its setup has: for two or three
};

const std::vector<Scenario>& scenarios();

/// @throws BadInput for an unknown scenario
Case make_case(std::string_view scenario, const Setup& setup);

/// Setups of all cases of one scenario. Eight rows cover every pair of factor levels (two-dimensional orthogonal array
/// with one factor of four levels and four of two); a scenario takes four of them that hold every level of every
/// factor, the scenarios in turn one half or the other: every scenario meets every level, and every pair of levels
/// meets in half of the scenarios.
std::vector<Setup> setups(std::size_t scenario_index);

/// Setups and names of all cases, without building them.
struct CaseName {
  std::string name;
  std::string scenario;
  Setup setup;
  bool takes_long = false;  ///< Scenario::takes_long
  bool alone = false;       ///< counts the threads that come in time: nothing is to run beside it
};
std::vector<CaseName> case_names();

/// Whether a name matches a pattern: with '*' as a shell's over the whole name (a '/' is a letter like others), without as
/// a part of it.
bool matches(std::string_view name, std::string_view pattern);

std::string_view name_of(Transfer transfer);
std::string_view name_of(Kernel kernel);
std::string_view name_of(Precision precision);
/// The options of the method that are varied: "apic-cubic".
std::string variant_of(const Setup& setup);
std::string case_name(std::string_view scenario, const Setup& setup);

}  // namespace repose::crosscheck
