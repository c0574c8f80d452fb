#pragma once

#include "validation/crosscheck/judge.h"
#include "validation/crosscheck/mpm/stress_bounds.h"

namespace repose::crosscheck {

// Of water. Solvers that store strains store ln J, whose roundings are relative to it; the others store J. On the way from one to
// the other J may become ln J and J again, by two units in the last place each: in double where ln J is stored, else in the
// solver's own arithmetic.

/// Of J that only went through storage: relative to J, a rounding of ln J and of the way into it and back. J = 1 comes back as 1.
Bound stored_volume_bound(const Arithmetic& arithmetic, double J);

/// |p J| and what it may differ by where both solvers hold one J: those that store ln J have taken it from J in double, the others
/// form p from a J whose roundings the 1 of J^−γ − 1 does not forgive,
///
///     |δ(p J)| ≤ J (|p| + kγ J^−γ) δ ln J + γ_4(u) J k (J^−γ + 1)
StressError water_stress_error(const Arithmetic& arithmetic, const Material& water, double J);

/// Roundings inside p J from ln J, but for those of ln J: the product with γ (1), expm1 (8) and exp (4) of four and two units in the
/// last place, products with k and J (2).
inline constexpr double water_stress_roundings = 15.0;

/// J behind the update, Ĵ = (1 + A) J with A = Δt tr ∇v, as an error of ln Ĵ times Ĵ: A takes d + 1 roundings of Σ Δt |∂_a v_a|,
/// which 1 + A passes on; 1 + A, the product and storage three where J is stored; where ln J is, ln(1 + A) eight, the sum one and
/// storage one.
FieldBound volume_bounds(const Stage& stage);

}  // namespace repose::crosscheck
