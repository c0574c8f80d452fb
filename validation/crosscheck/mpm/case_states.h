#pragma once

#include "reference/interface/particles/random.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/mechanics/strain.h"

namespace repose::crosscheck {

/// Particles by hand: everything but their places starts at rest and undeformed. Each has a volume, a mass and a density
/// of its own, so that one particle's cannot stand for another's, nor ρ V⁰ of the material for a mass.
///
/// @param volume V⁰ [m³], of which particles have 0.6 to 1.4; m/V⁰ is 0.75 to 1.25 ρ of material 0
void place_particles(Case& c, const std::vector<Point>& places, double volume);

/// Particles that must be alike: V⁰ = `volume` [m³], m = ρ V⁰ of material 0.
void place_alike(Case& c, const std::vector<Point>& places, double volume);

/// One jittered particle in each part of a lattice of `per_axis` parts per cell, in the block of cells [first, last).
void fill_block(Case& c, const std::array<int, 3>& first, const std::array<int, 3>& last, int per_axis,
                std::uint64_t seed);

/// Velocity of particle p, and C where the scene transfers it.
void set_motion(Case& c, std::size_t p, const Point& v, const Tensor& C);

/// The same base velocity for all, and random parts: ‖·‖∞ ≤ `speed` for v, ≤ `rate` for C.
void shake(Case& c, const Point& base, double speed, double rate, std::uint64_t seed);

/// F = R₁ exp(diag ε) R₂ with random rotations.
void set_stretch(Case& c, std::size_t p, const Point& log_stretch, Random& random);

/// Random states near, inside and outside the cone in turn: compressed with little shear, compressed with much,
/// expanded, and with stretches that differ by as little as rounding. `size` is the size of the strains.
void mix_strains(Case& c, double size, std::uint64_t seed);

/// A scalar field, uniform in [low, high).
void randomize(Case& c, std::string_view field, double low, double high, std::uint64_t seed);

/// Rotation by the angle about a random axis; in 2D about z.
Tensor random_rotation(int dim, Random& random);

}  // namespace repose::crosscheck
