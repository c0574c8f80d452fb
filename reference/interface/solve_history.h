#pragma once

#include <cstddef>
#include <vector>

namespace repose {

/// What holds one node while the velocities of a semi- or fully implicit step are solved for.
struct NodeHold {
  bool prescribed = false;          ///< inside a sticky body: the velocity is given
  std::vector<std::size_t> bodies;  ///< others that hold it, indices into Scene::colliders, ascending
};

/// How the way of an iteration follows from what solved its linear system. In implicit steps it is that; in semi-implicit ones it
/// has to lead to less energy.
enum class Turn : unsigned char {
  none,      ///< it is that
  reversed,  ///< its opposite: it led uphill
  slope      ///< along minus the slope of the energy: it led along a plane of equal energy
};

/// One iteration of Newton's method in such a step, for those who judge it. Vectors hold d numbers per active
/// node, nodes in the order of save(p2g); of two phases 2d, the vector of the first, then that of the second, with zeros where one is
/// not.
struct NewtonIteration {
  std::vector<double> tested;  ///< velocities whose residual was found too large [m/s]
  double error = 0.0;  ///< that residual, relative: the largest of ImplicitOptions' ratios over all nodes [-]
  std::vector<NodeHold> holds;  ///< who holds whom in this iteration, one per node and phase
  std::vector<double> closed;   ///< `tested` with held nodes moved onto their bodies [m/s]
  std::vector<double> dv;       ///< the way taken there, before it was shortened [m/s]
  int gmres_iterations = 0;     ///< products with the matrix, but those that check a cycle
  double linear_residual =
      0.0;                 ///< what the linear solver left of the right-hand side, weighted with 1/√m [-]
  int halvings = 0;        ///< the move was dv/2^halvings
  Turn turn = Turn::none;  ///< whether dv is what the linear solver found
};

/// A whole solve.
struct SolveHistory {
  std::vector<NewtonIteration> iterations;
  std::vector<double> v_bar;    ///< v̄ [m/s]
  double error = 0.0;           ///< its residual, relative, as that of an iteration [-]
  std::vector<NodeHold> holds;  ///< who holds whom at v̄, one per node
};

}  // namespace repose
