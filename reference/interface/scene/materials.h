#pragma once

#include <optional>
#include <string>

namespace repose {

/// What a material is; its laws are its method's.
enum class MaterialKind : unsigned char {
  sand,     ///< holds no tension and slides where shear exceeds friction
  elastic,  ///< returns to its shape
  water     ///< resists changes of its volume alone
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

/// When sand hardens whose grains are apart, its volume correction v_c > 0 (errata T19, T38). Without volume correction both
/// are one.
enum class HardeningApart : unsigned char {
  opening,             ///< while they move further apart alone
  opening_and_closing  ///< while their gap closes, too; how much then depends on the step's size
};

/// Where the unilateral energy ψ^U(ε) = h(ε) ψ(ε) of sand is Hencky's own (region A, h = 1) and where it vanishes (region C,
/// h = 0) [Tam17 §3.1.1]. Numbers are strains in units of `strain_unit`, along the axis of equal strains and from it:
/// u = Σε/√d, v = ‖ε − u o‖, o = 1/√d (1, …, 1).
struct Unilateral {
  double a = 0.0;   ///< where A ends on the axis, for s_C = 0
  double b = 0.0;   ///< where C begins there, > a
  double c0 = 0.0;  ///< c₀ ≥ 0, by how much both borders open with v
  /// Shift of both along the axis. Where it is not given it is that of the cone's tip, e_c/√d/strain_unit at the particle's
  /// own hardening (erratum T18).
  std::optional<double> s_C{};
  double strain_unit = 1.0;  ///< 1, or 0.01 for per cent (erratum T16)
};

/// One material of a scene. Scene files give angles in degrees; here they are radians.
struct Material {
  std::string name;
  MaterialKind kind = MaterialKind::sand;
  double density = 0.0;         ///< ρ [kg/m³]; in 2D per metre of depth
  double youngs_modulus = 0.0;  ///< E [Pa]; 0: not given, for methods that need none
  double poisson_ratio = 0.0;   ///< ν [-], in (−1, 0.5)
  FrictionLaw friction{};       ///< of sand
  double cohesion = 0.0;  ///< c_C ≥ 0 of sand [Pa]: ‖dev τ‖ + α tr τ ≤ c_C, τ Kirchhoff stress [Tam17 Eq.6]
  bool von_mises =
      false;  ///< a friction angle of 0 with cohesion is meant: ‖dev τ‖ ≤ c_C, a cone without a tip
  bool volume_correction = false;  ///< keep the volume gained in tension as v_c [Tam17 §4.3.4]
  HardeningApart hardening_apart = HardeningApart::opening;
  std::optional<Unilateral> unilateral{};  ///< for methods that are asked for the unilateral energy of sand
  double water_stiffness =
      0.0;  ///< k of water [Pa]: p = k (J^−γ − 1) [Tam17 §3.2], the bulk modulus at rest over γ
  double water_gamma = 0.0;   ///< γ of water [-]
  bool water_tension = true;  ///< false: p = max(p, 0), water that is stretched bears nothing [ERRATA T42]
};

/// Where the cone of a cohesive sand ends, for those who read scenes; solvers form their own.
struct ConeTip {
  double trace = 0.0;   ///< e_c, Σε there [-]
  double stress = 0.0;  ///< each principal Kirchhoff stress [Pa]
};

///     e_c = c_C/(α (dλ + 2μ)),   τ = c_C/(α d) 1,   α that of φ(0)                      [Tam17 Eq.6], erratum T18
/// None without cohesion, without friction and without elasticity.
std::optional<ConeTip> tip_before_hardening(const Material& material, int dim);

/// Lamé parameters [Pa].
struct Lame {
  double mu = 0.0;
  double lambda = 0.0;
};

/// λ = E ν / ((1 + ν)(1 − 2ν)), μ = E / (2 (1 + ν)); the same in 2D (plane strain) and 3D.
Lame lame(const Material& material);

/// Speed of pressure waves √((λ + 2μ)/ρ), of water at rest √(γk/ρ) [ERRATA T15] [m/s].
double wave_speed(const Material& material);

}  // namespace repose
