#pragma once

#include "reference/interface/base/grid.h"
#include "reference/interface/scene/shapes.h"

#include <string>

namespace repose {

/// What a body does to the nodes inside or entering it [Klar16 §8].
enum class Contact : unsigned char { sticky, slipping, separating };

/// Up to this distance outside a surface, in units of h, a node counts as inside a sticky or slipping body [-]. A
/// surface that stands on nodes must hold them whatever rounding makes of their distance: up to 10⁻⁹ h where
/// coordinates are a million cells, a turned frame included. Far below what a contact by a grid resolves.
inline constexpr double surface_tolerance = 1e-6;

/// Whether a sticky or slipping body holds a node at the distance phi [m] before the step, on a grid of spacing h [m].
inline bool holds_node(double phi, double h) { return phi <= surface_tolerance * h; }

/// A scripted rigid body. Its pose at time t is the shape moved by velocity·t and turned by spin·t about centre(shape).
struct Collider {
  std::string name;
  Shape shape;
  bool hollow = false;  ///< true: the solid is everything outside the shape (a container)
  Contact contact = Contact::separating;
  double friction = 0.0;  ///< Coulomb μ_b [-]; unused by sticky contacts
  /// true: only the part of an impulse that pushes out of the body gives friction. false: also what a slipping contact
  /// pulls, as [Klar16 §8.1] prints it.
  bool friction_from_push_only = false;
  Point velocity = Point::Zero();  ///< of the centre [m/s], constant
  Point spin = Point::Zero();      ///< angular velocity about the centre [rad/s], constant; 2D: z only
};

/// Signed distance and outward normal of the body at time t [s]; negative inside the solid. Along periodic axes of the grid
/// the body stands again at every whole number of lengths, and the distance is that to the nearest of them. Where they meet
/// across the seam (endless_along()) there are no ends between them. The solid of hollow ones is outside of them all.
Distance signed_distance(const Collider& collider, const Point& x, double time, const Grid& grid);

/// Velocity of the body's material point that is at x at time t: its exact rigid displacement over dt, divided by dt
/// [m/s]. At dt = 0 the limit, velocity + spin × (x − centre). In a periodic domain that of the nearest image.
/// Departs from [Klar16 §8], which takes the velocity at the place where x will be: an implicit equation for a turning
/// body, whose solution leaves the circle about its axis [ERRATA K16].
Point rigid_velocity(const Collider& collider, const Point& x, double time, double dt, const Grid& grid);

/// Whether a body reaches along a periodic axis from one end of the domain to the other and always will, with faces
/// across it that meet: a box that turns about that axis at most, a cylinder that lies and turns along it.
bool endless_along(const Collider& collider, int axis, const Grid& grid);

/// Length along an axis that a bounded body needs for itself however it turns [m]; along a periodic axis it must not be
/// longer than the domain unless it is endless, or it would meet itself.
double length_along(const Collider& collider, int axis, const Grid& grid);

}  // namespace repose
