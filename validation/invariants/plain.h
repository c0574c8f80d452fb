#pragma once

#include "reference/interface/scene/shapes.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace repose::invariants {

/// Random numbers of the judges, not those that are judged: PCG, 64 bits of state and 32 of output
/// (O'Neill 2014), with the same bits everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed + increment) { next(); }
  std::uint32_t next();
  double unit() { return (static_cast<double>(next()) + 0.5) * 0x1p-32; }  ///< in (0, 1)
  double between(double low, double high) { return low + (high - low) * unit(); }
  /// low … high, both included.
  int whole(int low, int high) {
    return low + static_cast<int>(unit() * static_cast<double>(high - low + 1));
  }
  bool flip() { return (next() >> 31U) != 0; }
  Point point(double reach, int dim);  ///< in a cube around the origin; z = 0 in 2D
  Point direction(int dim);            ///< a unit vector

 private:
  static constexpr std::uint64_t increment = 1442695040888963407ULL;
  std::uint64_t state_;
};

/// A piece of a surface, drawn by two numbers in [−1, 1]; in 2D the second is unused.
using Patch = std::function<Point(double, double)>;

/// A shape as its surface, of a wedge the part within 4 m of its tip, and the question whether a point lies inside: all that
/// can be known without a formula of its distance.
struct Surface {
  std::vector<Patch> patches;
  std::function<bool(const Point&)> inside;
  /// How far a point is from being on the surface, up to a factor of √3 [m].
  std::function<double(const Point&)> off;
  double size = 0.0;  ///< no shorter than its longest extent [m]
  Point centre = Point::Zero();
};

Surface surface_of(const Shape& shape, int dim);

/// Distance to the nearest point of a surface [m], by search: every patch in a grid of 7 × 7 points, the grid narrowed
/// around the best of them until it is 2⁻³⁶ of the patch. In the coordinates of each patch the distance has one valley.
double searched_distance(const Surface& surface, const Point& x, int dim);
/// The search ends this far from the nearest point at most, in units of Surface::size: its distance is too long by no
/// more.
inline constexpr double search_error = 1e-10;

/// Integral of a function of place and outward normal (an area vector) over the surface, by midpoints of n × n pieces of
/// each patch.
double surface_integral(const Surface& surface, int dim, int n,
                        const std::function<double(const Point& y, const Point& area)>& integrand);

/// A vector turned with an angular velocity for a time, by quaternions: q r q*.
Point turned_by_quaternion(const Point& omega, double time, const Point& r);

/// A random shape of the five kinds, some 0.2 to 1 m large and within a metre of the origin.
enum class Kind : unsigned char { half_space, box, sphere, cylinder, wedge };
Shape random_shape(Kind kind, Dice& dice, int dim);

/// χ² of counts that should be alike, less the degrees of freedom, in units of its standard deviation √(2 dof): a
/// normal number, nearly, where counts are large. Six of them happen by chance once in 10⁹; with seeds that are fixed,
/// never or always.
double chi_squared_excess(const std::vector<double>& counts);
inline constexpr double chi_squared_limit = 6.0;

}  // namespace repose::invariants
