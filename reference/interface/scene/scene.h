#pragma once

#include "reference/interface/base/grid.h"
#include "reference/interface/scene/colliders.h"
#include "reference/interface/scene/materials.h"
#include "reference/interface/scene/scheme.h"

#include <cstdint>
#include <string>
#include <vector>

namespace repose {

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

/// Bounds of the time step of any method, one controller for all solvers (step_control.h).
struct StepLimits {
  double max_dt = 0.0;  ///< [s]
  double cfl = 1.0;     ///< largest displacement of a particle in a step, in units of h
};

/// A scene with every default filled in; what a solver needs besides the particles themselves.
struct Scene {
  std::string title;
  Grid grid;
  Scheme scheme;                  ///< the options of its method (methods/)
  Point gravity = Point::Zero();  ///< [m/s²]
  std::vector<Material> materials;
  std::vector<Seed> seeds;
  std::vector<Emitter> emitters;
  std::vector<Collider> colliders;  ///< in the order in which contacts are resolved
  StepLimits step;
  double frame_rate = 0.0;  ///< [1/s]
  double duration = 0.0;    ///< [s]

  int dim() const { return grid.dim; }
};

}  // namespace repose
