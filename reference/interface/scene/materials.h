#pragma once

#include <optional>
#include <string>

namespace repose {

/// What a material is; its laws are its method's.
enum class MaterialKind : unsigned char {
  sand,    ///< holds no tension and slides where shear exceeds friction
  elastic  ///< returns to its shape
};

/// Friction angle as a function of the hardening state q:
///     φ(q) = h0 + (h1 q − h3) exp(−h2 q)                                              [Klar16 Eq.30]
/// A material of constant friction angle has h1 = h2 = h3 = 0.
struct FrictionLaw {
  double h0 = 0.0;  ///< [rad], asymptote of φ
  double h1 = 0.0;  ///< [rad]
  double h2 = 0.0;  ///< [-]
  double h3 = 0.0;  ///< [rad], φ(0) = h0 − h3
  /// The α of [Narain10] by which a scene gave a constant angle, h0 = angle_of_narain_alpha(α); for scenes that are
  /// written again.
  std::optional<double> narain_alpha{};
};

/// Friction angle of the α that bounds each component of stress by α p [Narain10 Eq.15]: sin φ = √(3/2) α [rad].
/// @param alpha in [0, √(2/3)) [-]
double angle_of_narain_alpha(double alpha);

/// Largest friction angle over all hardening states q ≥ 0 [rad]: at q = 1/h2 + h3/h1 or the asymptote h0; infinite
/// where φ grows without bound.
double largest_friction_angle(const FrictionLaw& law);

/// One material of a scene. Scene files give angles in degrees; here they are radians.
struct Material {
  std::string name;
  MaterialKind kind = MaterialKind::sand;
  double density = 0.0;            ///< ρ [kg/m³]; in 2D per metre of depth
  double youngs_modulus = 0.0;     ///< E [Pa]; 0: not given, for methods that need none
  double poisson_ratio = 0.0;      ///< ν [-], in (−1, 0.5)
  FrictionLaw friction{};          ///< of sand
  bool volume_correction = false;  ///< keep the volume gained in tension as v_c [Tam17 §4.3.4]
};

/// Lamé parameters [Pa].
struct Lame {
  double mu = 0.0;
  double lambda = 0.0;
};

/// λ = E ν / ((1 + ν)(1 − 2ν)), μ = E / (2 (1 + ν)); the same in 2D (plane strain) and 3D.
Lame lame(const Material& material);

/// Speed of pressure waves √((λ + 2μ)/ρ) [m/s].
double wave_speed(const Material& material);

}  // namespace repose
