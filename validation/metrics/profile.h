#pragma once

#include "validation/metrics/pile.h"

#include <vector>

namespace repose::metrics {

/// How a profile is binned.
struct Bins {
  double ring_width = 0.0;    ///< [m] in radius
  double layer_height = 0.0;  ///< [m] in height
  double fill = 0.5;          ///< share of a bin that sand must fill to count as below the surface [-]
  int sectors = 1;  ///< the piece of the circle is one of so many equal ones; 2D: 1 (both sides) or 2
  int sector = 0;   ///< which one: 3D counted by azimuth, 2D 0 is x < foot, 1 is x ≥ foot
};

/// Surface of a pile against radius, averaged over the azimuth.
///
/// Particles' volumes V⁰ are summed in rings and layers. The fill of a bin is that sum over the bin's own
/// volume. In each ring the surface is where the fill falls through `Bins::fill`, counted from the topmost
/// layer that reaches it, by linear interpolation between the middles of layers. Flying grains fill no bin
/// and so raise no surface. For sharp level surfaces and fill ½ the error is below 0.09 layers. Meant for
/// piles close to round: of a tilted one it is the median.
struct Profile {
  std::vector<double> radius;   ///< middle of each ring [m]
  std::vector<double> surface;  ///< height of the surface [m]; 0 where no layer is filled
  /// Σ V⁰ of the ring / its area [m]: height if the sand had kept its start volume
  std::vector<double> packed;
  double ring_width = 0.0;  ///< [m]
};

/// @param volume V⁰ of each particle [m³]; 2D [m²]
/// @throws std::invalid_argument for unequal lengths or bins without extent
Profile profile(const std::vector<Point>& x, const std::vector<double>& volume, const Axis& axis,
                const Bins& bins);

/// Volume below the surface of a whole-circle profile, ∫ surface dA [m³]; 2D [m²].
double volume_below(const Profile& profile, int dim);

/// How densely sand lies inside a pile: Σ V⁰ of the particles at least `margin` below the surface and above
/// the ground and within a radius, over the volume of that place. Seeding is not uniform at borders, so
/// compare with the same place at the start. nan where no ring within the radius is higher than two margins.
/// @param margin [m], @param within [m]
double bulk_fill(const std::vector<Point>& x, const std::vector<double>& volume, const Axis& axis,
                 const Profile& profile, double margin, double within);

/// Radius at which the surface of a pile meets the ground: outer edge of the outermost ring that has a
/// surface, counted from the axis without a gap [m]. 0 if the axis itself has none. Good to a ring width.
double foot_radius(const Profile& profile);

/// Slope of a pile's flank: a line through the surface at the rings whose middle is between two shares of the
/// base, least squares with equal weights. The standard error is that of the fit. It leaves out that the
/// flank is curved and that neighbouring rings share noise, so the scatter over seeds or sectors is the
/// better estimate.
struct Flank {
  double angle = 0.0;  ///< atan(−slope) [rad]; nan where fewer than three rings are between the shares
  double standard_error = 0.0;  ///< [rad]
  double residual = 0.0;        ///< root of the mean square distance of the surface to the line [m]
  std::size_t rings = 0;
};

/// @param base radius of the pile's foot [m]; the run-out of 98 % of the particles where nothing better is
/// known
Flank flank(const Profile& profile, double base, double from = 0.15, double to = 0.85);

}  // namespace repose::metrics
