#pragma once

#include "reference/interface/base/grid.h"
#include "reference/interface/scene/colliders.h"
#include "reference/interface/scene/materials.h"

#include <cstdint>
#include <string>
#include <vector>

namespace repose {

enum class Kernel : unsigned char { quadratic, cubic };

/// How velocities go between particles and grid.
enum class Transfer : unsigned char {
  apic,     ///< affine particle-in-cell [Klar16 Eq.9, 11, 12]
  pic,      ///< particle velocities are replaced by grid velocities
  flip,     ///< particle velocities receive the grid's change
  flip_pic  ///< blend: flip_share · FLIP + (1 − flip_share) · PIC
};

/// Which velocities of the grid move particles and deform them. [Klar16 §5.4] has the first, and allows the second in
/// explicit steps.
enum class ParticleMotion : unsigned char {
  before_friction,  ///< v̄, after collisions
  after_friction    ///< ṽ, as a particle's own velocity
};

enum class Sampling : unsigned char { poisson_disk, regular, jittered };

/// A body of particles present at the start.
struct Seed {
  std::string name;
  std::string where{};  ///< "file:line" of its definition, for messages; empty for scenes built by programs
  Shape shape;
  int material = 0;  ///< index into Scene::materials
  Sampling sampling = Sampling::poisson_disk;
  double particles_per_cell = 8.0;  ///< wanted density of particles [1/h^d]
  std::uint64_t seed = 0;           ///< of the random sequence
  Point velocity = Point::Zero();   ///< at the shape's centre [m/s]
  Point spin = Point::Zero();       ///< about the shape's centre [rad/s]
};

/// A spout: particles that enter during the run through a flat opening, at a steady rate (emitters.h).
struct Emitter {
  std::string name;
  std::string where;  ///< "file:line" of its definition, for messages; empty for scenes built by programs
  /// The opening is where this shape meets the plane through its centre that is perpendicular to the
  /// velocity: the face of a box (velocity along an axis of the grid), a disk of a sphere or of a cylinder
  /// (velocity along its axis). In 2D a segment.
  Shape shape;
  int material = 0;                 ///< index into Scene::materials
  Point velocity = Point::Zero();   ///< with which particles leave the opening [m/s], not zero
  double rate = 0.0;                ///< volume per time [m³/s], in 2D [m²/s]; at most area · speed
  double start = 0.0;               ///< [s]
  double stop = 0.0;                ///< [s], > start
  double particles_per_cell = 8.0;  ///< wanted density of particles in material at rest [1/h^d]
  std::uint64_t seed = 0;           ///< of the random sequence
};

/// How velocities on the grid follow from forces.
enum class Integrator : unsigned char {
  explicit_,  ///< forces of the deformation before the step [Klar16 Eq.10]
  implicit_   ///< forces of the deformation after the step, by Newton's method [Klar16 §5.6]
};

/// Newton's method and GMRES of implicit steps. [Klar16 §5.6] prints no tolerance, start value or treatment
/// of a failed solve, only the limit of 15 GMRES iterations.
struct ImplicitOptions {
  /// Largest residual of the momentum balance of a converged solve, relative to what each node balances [-]:
  ///     ‖R_i‖ ≤ newton_tolerance · I_i + 64 ε (m_i (‖v_i‖ + ‖v_iⁿ‖) + I_i + (1 + Δt max‖v‖/h) S_i)   at every node i
  /// with I_i the magnitudes of the impulses of stress and gravity on node i, summed without their signs. In a sum
  /// over all nodes a light grain's whole weight would be less than the tolerance of a deep bed. The second part is
  /// what rounding leaves, also without gravity; S_i = Δt Σ_p V⁰_p (2μ + dλ) ‖∇w_ip‖. Where colliders are, positions
  /// leave 16 ε m_i max|x|/Δt more, x over the domain.
  double newton_tolerance = 1e-4;
  int newton_iterations = 30;  ///< of one solve, > 0; a solve that needs more has failed
  /// Vectors kept by GMRES before it restarts, > 0; more than unknowns are never kept
  int gmres_restart = 15;
  int gmres_iterations = 15;      ///< of one Newton iteration, > 0; its best solution is taken
  double gmres_tolerance = 1e-3;  ///< linear residual b − A x, formed, relative to b [-], in (0, 1)
  /// Halvings of Δt after failed solves in one step, ≥ 0; then the run stops.
  int step_cuts = 5;
};

/// Bounds of the time step, one controller for all solvers (step_control.h).
struct StepLimits {
  double max_dt = 0.0;         ///< [s]
  double cfl = 1.0;            ///< largest displacement of a particle in a step, in units of h
  double elastic_bound = 0.6;  ///< largest c Δt/h of explicit steps; 0.6 cubic, 0.5 quadratic by default
};

/// A scene with every default filled in; what a solver needs besides the particles themselves.
struct Scene {
  std::string title;
  std::string method = "mpm";  ///< whose steps it takes (methods/all.h)
  Grid grid;
  Kernel kernel = Kernel::cubic;
  Transfer transfer = Transfer::apic;
  double flip_share = 1.0;  ///< weight of FLIP in flip_pic [-]; 1 for flip, 0 for pic
  ParticleMotion motion = ParticleMotion::before_friction;  ///< before_friction in implicit steps
  Point gravity = Point::Zero();                            ///< [m/s²]
  std::vector<Material> materials;
  std::vector<Seed> seeds;
  std::vector<Emitter> emitters;
  std::vector<Collider> colliders;  ///< in the order in which contacts are resolved
  StepLimits step;
  Integrator integrator = Integrator::explicit_;
  ImplicitOptions implicit;  ///< unused by explicit steps
  double frame_rate = 0.0;   ///< [1/s]
  double duration = 0.0;     ///< [s]

  int dim() const { return grid.dim; }
};

}  // namespace repose
