#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/solver.h"

#include <map>
#include <string>
#include <vector>

namespace repose::crosscheck {

/// γ_m(u) = m u/(1 − m u): the relative error of m roundings in a row; infinite where m u ≥ 1.
double gamma(double roundings, double unit);

/// What the arithmetic of two solvers allows them to differ by.
struct Arithmetic {
  double u_candidate = 0.0;  ///< unit roundoff [-]
  double u_reference = 0.0;  ///< unit roundoff [-]
  /// δx, largest difference of one particle's or node's position in the two, per axis [m]
  double position = 0.0;
  double smallest = 0.0;                ///< smallest normal number of the coarser of the two
  bool candidate_keeps_strain = false;  ///< stores ε, not F
  bool reference_keeps_strain = false;

  /// γ_m(u_candidate) + γ_m(u_reference).
  double g(double roundings) const { return gamma(roundings, u_candidate) + gamma(roundings, u_reference); }

  // Strains lie near 0, deformation gradients near 1: what is stored decides what a rounding is relative to.

  /// Σ γ_m(u) of the solvers that store F: each rounding is relative to F, whatever the strain.
  double of_F(double roundings) const {
    return (candidate_keeps_strain ? 0.0 : gamma(roundings, u_candidate)) +
           (reference_keeps_strain ? 0.0 : gamma(roundings, u_reference));
  }
  /// Σ γ_m(u) of the solvers that store ε: each rounding is relative to ε.
  double of_strain(double roundings) const {
    return (candidate_keeps_strain ? gamma(roundings, u_candidate) : 0.0) +
           (reference_keeps_strain ? gamma(roundings, u_reference) : 0.0);
  }
  /// Of the solvers that store ε, as they take F from a snapshot or hand it out: in double. A strain below 2⁻⁵⁴ is handed out
  /// as F = 1.
  double handed_out(double roundings) const;
  /// Of a strain that was formed from F: by those who store F in their own arithmetic, by the others as they hand it out.
  double from_F(double roundings) const;
};

/// Whether both solvers compute in double.
inline bool in_double(const Arithmetic& arithmetic) {
  return arithmetic.u_candidate <= 0x1p-53 && arithmetic.u_reference <= 0x1p-53;
}

/// δx is what both solvers state, and what the exchange adds: a position goes through one double in global
/// coordinates, whose offset from the domain's corner each solver recomputes (four roundings of the largest coordinate).
Arithmetic arithmetic(const Scene& scene, const Rounding& candidate, const Rounding& reference);

/// The parts of a bound on |candidate − reference|, in the unit of the field.
struct Bound {
  double rounding = 0.0;   ///< [γ_{n+k}(u_candidate) + γ_{n+k}(u_reference)] · S
  double position = 0.0;   ///< δx · slope, and the second order in δx where the kernel bends
  double underflow = 0.0;  ///< terms · smallest normal number
  /// What goes into the stage with an error: strain, distance, normal, fused stages before
  double carried = 0.0;
  double tie = 0.0;  ///< jump between two branches when rounding decides which one is taken

  double total() const { return rounding + position + underflow + carried + tie; }
};

/// Bounds of one field, one per component, elements in the order of the reference's snapshot.
struct FieldBound {
  std::string field;
  std::vector<Bound> bound;
};

/// Absolute errors of a state's fields that earlier stages of the same run left, by field; absent: none.
using Carried = std::map<std::string, std::vector<double>, std::less<>>;

/// How often something happened, by name.
using Counters = std::map<std::string, double, std::less<>>;

}  // namespace repose::crosscheck
