#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"

#include <vector>

namespace repose::experiments {

/// What of the particles' motion the grid sees. Their momenta go to the nodes as the scene's transfer takes them there,
///     m_i v_i = Σ_p w_ip m_p (v_p + C_p (x_i − x_p))                                  [Klar16 Eq.7, 9]
/// and back by plain interpolation, u_p = Σ_i w_ip v_i; no force acts between. What is left over,
/// v_p − u_p, is hidden from every force: nothing on the grid can slow it down.
struct UnseenMotion {
  double kinetic_energy = 0.0;  ///< ½ Σ m ‖v‖² [J]
  double unseen_energy = 0.0;   ///< ½ Σ m ‖v − u‖² [J]
  double mass = 0.0;            ///< [kg]
  std::vector<double> speed;    ///< ‖v − u‖ of each particle [m/s]

  double share() const { return kinetic_energy > 0.0 ? unseen_energy / kinetic_energy : 0.0; }
  double root_mean_square() const;  ///< of v − u, by mass [m/s]; 0 without particles
};

/// @param state at step_start, in 2D or 3D as the scene
UnseenMotion unseen_motion(const Snapshot& state, const Scene& scene);

}  // namespace repose::experiments
