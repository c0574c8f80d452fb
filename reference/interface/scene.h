#pragma once

#include "reference/interface/colliders.h"
#include "reference/interface/grid.h"
#include "reference/interface/materials.h"

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

/// Bounds of the time step, one controller for all solvers (step_control.h).
struct StepLimits {
  double max_dt = 0.0;         ///< [s]
  double cfl = 1.0;            ///< largest displacement of a particle in a step, in units of h
  double elastic_bound = 0.6;  ///< largest c Δt/h; 0.6 cubic, 0.5 quadratic by default
};

/// A scene with every default filled in; what a solver needs besides the particles themselves.
struct Scene {
  std::string title;
  Grid grid;
  Kernel kernel = Kernel::cubic;
  Transfer transfer = Transfer::apic;
  double flip_share = 1.0;          ///< weight of FLIP in flip_pic [-]; 1 for flip, 0 for pic
  Point gravity = Point::Zero();    ///< [m/s²]
  std::vector<Material> materials;
  std::vector<Seed> seeds;
  std::vector<Collider> colliders;  ///< in the order in which contacts are resolved
  StepLimits step;
  double frame_rate = 0.0;  ///< [1/s]
  double duration = 0.0;    ///< [s]

  int dim() const { return grid.dim; }
};

}  // namespace repose
