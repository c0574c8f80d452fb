#pragma once

#include <initializer_list>

namespace repose {

/// How velocities on the grid follow from forces, where a method has the choice.
enum class Integrator : unsigned char {
  explicit_,  ///< forces of the deformation before the step [Klar16 Eq.10]
  /// Forces of the deformation after the step, but of one that does not yield before its end [Tam17 §4.2]
  semi_implicit,
  implicit_  ///< forces of the deformation after the step and its return to the cone, by Newton's method [Klar16 §5.6]
};

/// Whether velocities are solved for.
constexpr bool solves(Integrator integrator) { return integrator != Integrator::explicit_; }

/// Some of them.
class Integrators {
 public:
  constexpr Integrators() = default;  ///< all
  constexpr Integrators(std::initializer_list<Integrator> some) : bits_(0) {
    for (const Integrator one : some) bits_ |= bit(one);
  }
  constexpr bool has(Integrator one) const { return (bits_ & bit(one)) != 0; }

 private:
  static constexpr unsigned bit(Integrator one) { return 1U << static_cast<unsigned>(one); }
  unsigned bits_ = ~0U;
};

}  // namespace repose
