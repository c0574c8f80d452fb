#pragma once

namespace repose {

/// What becomes of a solve that has had all its iterations and leaves more than its tolerance.
enum class Unconverged : unsigned char {
  cut,  ///< it has failed: the step is tried again with half of Δt
  keep  ///< its last velocities are the step's, as if they balanced
};

/// Newton's method and GMRES of implicit steps, or MINRES of semi-implicit ones. [Klar16 §5.6] prints no tolerance, start
/// value or treatment of a failed solve, only the limit of 15 GMRES iterations; [Tam17 §4.2] "a few" of Newton's method.
struct ImplicitOptions {
  /// Largest residual of the momentum balance of a converged solve, relative to what each node balances [-]:
  ///     ‖R_i‖ ≤ newton_tolerance · I_i + 64 ε (m_i (‖v_i‖ + ‖v_iⁿ‖) + I_i + (1 + Δt max‖v‖/h) S_i)   at every node i
  /// with I_i the magnitudes of the impulses of stress and gravity on node i, summed without their signs. In a sum
  /// over all nodes a light grain's whole weight would be less than the tolerance of a deep bed. The second part is
  /// what rounding leaves, also without gravity; S_i = Δt Σ_p V⁰_p (2μ + dλ) ‖∇w_ip‖, of water λ = γk, μ = 0.
  /// Where colliders are, positions leave 16 ε m_i max|x|/Δt more, x over the domain.
  double newton_tolerance = 1e-4;
  int newton_iterations = 30;  ///< of one solve, > 0
  /// Of a solve that needs more. [Tam17 §4.2] takes "a few" and tells of no test of what they leave: that is `keep` with a few.
  Unconverged unconverged = Unconverged::cut;
  /// Vectors kept by GMRES before it restarts, > 0; more than unknowns are never kept. MINRES has no use for it
  int gmres_restart = 15;
  int gmres_iterations = 15;  ///< in one Newton iteration, > 0, also of MINRES; the best solution is taken
  double gmres_tolerance =
      1e-3;  ///< linear residual b − A x, formed, relative to b [-], in (0, 1), also of MINRES
  /// Halvings of Δt after failed solves in one step, ≥ 0; then the run stops.
  int step_cuts = 5;
};

}  // namespace repose
