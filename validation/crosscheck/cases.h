#pragma once

#include "reference/interface/solver.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace repose::crosscheck {

/// How a case is run: the factors that are varied against each other.
struct Setup {
  std::string_view method;  ///< empty: of none, but of what all share
  int dim = 2;
  /// Levels of the method's own two factors, of which the first has up to four and the second up to two (MethodCases)
  std::array<std::size_t, 2> variant{};
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
  std::string name;  ///< "SCENARIO/FIRST-DIM-SECOND-PRECISION-THREADS" with the method's own factors
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

/// All scenarios of a method. @throws std::out_of_range as judged()
const std::vector<Scenario>& scenarios(std::string_view method);

/// @throws BadInput for a scenario that the setup's method does not have
Case make_case(std::string_view scenario, const Setup& setup);

/// Setups of all cases of one of a method's scenarios. Eight rows cover every pair of factor levels (two-dimensional orthogonal array
/// with one factor of four levels and four of two); a scenario takes four of them that hold every level of every
/// factor, the scenarios in turn one half or the other: every scenario meets every level, and every pair of levels
/// meets in half of the scenarios. A method with fewer levels meets each more often.
std::vector<Setup> setups(std::string_view method, std::size_t scenario_index);

/// Setups and names of all cases of all methods, without building them.
struct CaseName {
  std::string name;
  std::string scenario;
  Setup setup;
  bool takes_long = false;  ///< Scenario::takes_long
};
std::vector<CaseName> case_names();

/// Whether a name matches a pattern: with '*' as a shell's over the whole name (a '/' is a letter like others), without as
/// a part of it.
bool matches(std::string_view name, std::string_view pattern);

std::string_view name_of(Precision precision);
/// The options of the method that are varied: "apic-cubic".
std::string variant_of(const Setup& setup);
std::string case_name(std::string_view scenario, const Setup& setup);

}  // namespace repose::crosscheck
