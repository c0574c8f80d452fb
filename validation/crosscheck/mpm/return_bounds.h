#pragma once

#include "reference/interface/scene/materials.h"
#include "validation/mechanics/strain.h"

namespace repose::crosscheck {

/// A value with a bound on its error.
struct Approximate {
  double value = 0.0;
  double error = 0.0;
};

/// α of the state before the step, and how well it is known [Klar16 Eq.30, 31]. φ takes two products and two sums, a
/// product inside exp makes its relative error h2 q times larger; dα/dφ ≤ 3 √(2/3) / 2 (at sin φ = 1), six roundings of α.
Approximate friction_slope(const Arithmetic& arithmetic, const FrictionLaw& law, double q, double q_error);

/// e_c = c_C/(α (dλ + 2μ)), the trace of the strain at the tip of the cone [Tam17 Eq.6]; infinite without friction. Where α is
/// known to δ < α/2, 1/α is to 2δ/α²; c_C, dλ + 2μ, product and quotient take six roundings.
Approximate tip_trace(const Arithmetic& arithmetic, const Material& material, const Approximate& alpha,
                      int dim);

/// Bounds of one particle's return.
struct ReturnBound {
  Bound strain;
  Bound q;
  Bound v_c;
  bool undecided = false;   ///< rounding decides which case is taken
  bool strainless = false;  ///< besides, the strain itself is no more than rounding: all cases mean the same
  bool undecided_hardening =
      false;  ///< at the tip rounding decides whether grains move apart, and by more than itself
};

struct TrialState {
  Strain strain;
  double formed = 0.0;        ///< error of the strain as it is formed from F
  double strain_error = 0.0;  ///< carried into the stage
  double q = 0.0, q_error = 0.0;
  double v_c = 0.0, v_c_error = 0.0;
};

/// Follows the errors of a trial state through [Klar16 §7.1, 7.3; Tam17 §4.3.4]. @param material of sand
ReturnBound return_bound(const Arithmetic& arithmetic, const Material& material, const TrialState& trial,
                         int dim);

}  // namespace repose::crosscheck
