#pragma once

#include "validation/crosscheck/mpm/implicit_bounds.h"

namespace repose::crosscheck {

/// How far each node's velocity is from solving an implicit step with its contacts, and what rounding adds to that
/// [kg m/s].
struct Unsolved {
  std::vector<double> residual;  ///< m_i ‖v_i − Π_i(v_i − R_i/m_i)‖
  std::vector<double> rounding;
};

/// Judges velocities by nothing but impulses and distances. Π_i is the nearest point of the velocities that node i's
/// bodies allow, linearized at v_i: v solves [Klar16 Eq.19] with the signs of [ERRATA K15] if and only if it is the
/// fixed point. Where nothing touches a node this is its residual R_i; where a body holds it, what R_i has along the
/// body, a pull, and an open gap count.
/// @param probe    v̄ and its roundings
/// @param impulse  Δt f(v̄) of the reference [kg m/s]
/// @param bounds   of `impulse` between the two solvers
/// @param counters "held nodes", "nodes held twice", "nodes held by body K", K in scene order
Unsolved unsolved(const BalanceProbe& probe, const std::vector<double>& impulse, const BalanceBounds& bounds,
                  Counters& counters);

}  // namespace repose::crosscheck
