#pragma once

#include "reference/interface/snapshot.h"
#include "validation/mechanics/arithmetic.h"

#include <span>
#include <vector>

namespace repose::crosscheck {

/// Where and how an implicit step's balance is evaluated.
struct BalanceProbe {
  const Scene& scene;
  const Arithmetic& arithmetic;  ///< in which the balance is formed: double, whatever particles are stored in
  const Snapshot& state;         ///< at p2g
  std::vector<double> v;         ///< d per active node [m/s]
  double v_error;          ///< relative difference of v between the two solvers: 0 where both were given it
  std::vector<double> dv;  ///< for the change; may be empty [m/s]
  double dt;               ///< [s]
};

/// What two solvers' impulses may differ by, per active node, as norms [kg m/s].
struct BalanceBounds {
  std::vector<double> impulse;  ///< of Δt f(v)
  std::vector<double> change;   ///< of its change for dv
  std::vector<double> stiff;  ///< Δt Σ_p V⁰_p (2μ + dλ) ‖∇w_ip‖, what a strain of 1 would do: no bound itself
  std::vector<double> stiff_error;  ///< of that between two solvers
};

/// Follows errors of ∇v, of the strain and of all sums through stress and derivative. With the stretch A = 1 + Δt ∇v,
/// the condition κ of b̂ = A b Aᵀ, the share e = exp(‖ε̂ − ε‖) by which P Fᵀ may exceed τ, and M ≥ ‖∂ε/∂ε̂‖,
///
///     ‖d(P Fᵀ)‖ ≤ C ‖L‖ ‖A⁻¹‖,   C = e κ ((2μ + dλ) M + ‖τ‖ (1 + M)),   M = 2 + √d α (dλ + 2μ)/(2μ)
///
/// bounds both the change itself and what errors of A and ε̂ do to the impulse, which is continuous across cases. The
/// derivative is not: where rounding decides the case, twice its size is allowed, and counted. With the unilateral energy 2μ + dλ
/// and ‖τ‖ are those of UnilateralError at ε, and what forming its multiplier rounds is added; its derivative is continuous. Where
/// nothing yields before the step's end ε = ε̂ + v_c/d 1, M = 1 and e = 1. Of water errors of tr ∇v are followed through p(Ĵ) J.
/// @param counters "probe inside", "probe tip", "probe surface", "probe undecided" where something yields; "probe region A", … and
///        "probe below z = 0", … of the unilateral energy
BalanceBounds balance_bounds(const BalanceProbe& probe, Counters& counters);

}  // namespace repose::crosscheck
