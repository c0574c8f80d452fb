#pragma once

namespace repose {

/// How velocities on the grid follow from forces, where a method has the choice.
enum class Integrator : unsigned char {
  explicit_,  ///< forces of the deformation before the step [Klar16 Eq.10]
  implicit_   ///< forces of the deformation after the step, by Newton's method [Klar16 §5.6]
};

}  // namespace repose
