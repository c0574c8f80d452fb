#include "validation/invariants/plain.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace repose::invariants {

std::uint32_t Dice::next() {
  const std::uint64_t old = state_;
  state_ = old * 6364136223846793005ULL + increment;
  const auto shifted = static_cast<std::uint32_t>(((old >> 18U) ^ old) >> 27U);
  const auto turn = static_cast<std::uint32_t>(old >> 59U);
  return (shifted >> turn) | (shifted << ((32U - turn) & 31U));
}

Point Dice::point(double reach, int dim) {
  Point x = Point::Zero();
  for (int axis = 0; axis < dim; ++axis) x[axis] = between(-reach, reach);
  return x;
}

Point Dice::direction(int dim) {
  for (;;) {
    const Point x = point(1.0, dim);
    const double length = x.norm();
    if (length > 0.1 && length < 1.0) return x / length;
  }
}

namespace {

Surface box_surface(const Box& box, int dim) {
  Surface s;
  s.centre = Point::Zero();
  for (int axis = 0; axis < dim; ++axis) s.centre[axis] = 0.5 * (box.min[axis] + box.max[axis]);
  for (int axis = 0; axis < dim; ++axis) {
    s.size += box.max[axis] - box.min[axis];
    for (const bool upper : {false, true}) {
      s.patches.emplace_back([=](double u, double v) {
        const std::array<double, 2> along{u, v};
        Point y = Point::Zero();
        std::size_t k = 0;
        for (int other = 0; other < dim; ++other) {
          const double low = box.min[other], high = box.max[other];
          if (other == axis) {
            y[other] = upper ? high : low;
          } else {
            const double t = 0.5 * (along[k++] + 1.0);
            y[other] = (1.0 - t) * low + t * high;
          }
        }
        return y;
      });
    }
  }
  s.inside = [=](const Point& x) {
    bool in = true;
    for (int axis = 0; axis < dim; ++axis) in = in && x[axis] > box.min[axis] && x[axis] < box.max[axis];
    return in;
  };
  s.off = [=](const Point& y) {
    double outside = 0.0, to_face = 1e300;
    for (int axis = 0; axis < dim; ++axis) {
      for (const double face : {box.min[axis], box.max[axis]})
        to_face = std::min(to_face, std::abs(y[axis] - face));
      outside = std::max({outside, box.min[axis] - y[axis], y[axis] - box.max[axis]});
    }
    return std::max(outside, to_face);
  };
  return s;
}

/// A ball's surface: of each side of a cube around it, seen from its centre.
Surface ball_surface(const Point& centre, double radius, int dim) {
  Surface s;
  s.centre = centre;
  s.size = 2.0 * radius;
  for (int axis = 0; axis < dim; ++axis) {
    for (const double side : {-1.0, 1.0}) {
      s.patches.emplace_back([=](double u, double v) {
        const std::array<double, 2> along{u, v};
        Point direction = Point::Zero();
        std::size_t k = 0;
        for (int other = 0; other < dim; ++other) direction[other] = other == axis ? side : along[k++];
        return Point(centre + radius / std::sqrt(direction.squaredNorm()) * direction);
      });
    }
  }
  const auto reach = [=](const Point& x) {
    return dim == 2 ? std::hypot(x.x() - centre.x(), x.y() - centre.y())
                    : std::hypot(x.x() - centre.x(), x.y() - centre.y(), x.z() - centre.z());
  };
  s.inside = [=](const Point& x) { return reach(x) < radius; };
  s.off = [=](const Point& y) { return std::abs(reach(y) - radius); };
  return s;
}

Surface cylinder_surface(const Cylinder& c) {
  Surface s;
  s.centre = c.centre;
  s.size = 2.0 * (c.radius + c.half_length);
  // Two directions across the axis: of the coordinate axes, those whose cross products with it are long.
  int most = 0;
  for (int axis = 1; axis < 3; ++axis) {
    if (std::abs(c.axis[axis]) < std::abs(c.axis[most])) most = axis;
  }
  const Point a = Point::Unit(most).cross(c.axis).normalized();
  const Point b = c.axis.cross(a);
  constexpr double pi = std::numbers::pi;
  for (const double quarter : {0.25, 0.75, 1.25, 1.75}) {
    s.patches.emplace_back([=](double u, double v) {
      const double angle = pi * (quarter + 0.25 * u);
      return Point(c.centre + c.radius * (std::cos(angle) * a + std::sin(angle) * b) +
                   v * c.half_length * c.axis);
    });
  }
  for (const double end : {-1.0, 1.0}) {
    s.patches.emplace_back([=](double u, double v) {
      const double beyond = std::max(1.0, std::hypot(u, v));  // the corners of the square belong to the rim
      return Point(c.centre + c.radius / beyond * (u * a + v * b) + end * c.half_length * c.axis);
    });
  }
  const auto places = [=](const Point& x) {
    const Point r = x - c.centre;
    return std::array<double, 2>{r.cross(c.axis).norm() - c.radius, std::abs(r.dot(c.axis)) - c.half_length};
  };
  s.inside = [=](const Point& x) {
    const auto [side, end] = places(x);
    return side < 0.0 && end < 0.0;
  };
  s.off = [=](const Point& y) {
    const auto [side, end] = places(y);
    return std::max(std::max(side, end), std::min(std::abs(side), std::abs(end)));
  };
  return s;
}

/// The faces as far as 4 m from the edge, and 2 m along it to either side; where a point lies is told by angles.
Surface wedge_surface(const Wedge& w, int dim) {
  constexpr double reach = 2.0;
  const Point edge = dim == 2 ? Point(Point::UnitZ()) : w.edge;
  const Point side = edge.cross(w.normal);
  Surface s;
  s.centre = w.tip - 0.2 * w.normal;
  s.size = 4.0 * reach;
  for (const double turn : {-0.5 * w.angle, 0.5 * w.angle}) {
    const Point along = std::sin(turn) * side - std::cos(turn) * w.normal;
    s.patches.emplace_back([=](double u, double v) {
      return Point(w.tip + reach * (1.0 + u) * along + (dim == 2 ? 0.0 : reach * v) * edge);
    });
  }
  // From the middle of the solid, 0 to π.
  const auto angle = [=](const Point& x) {
    return std::atan2(std::abs((x - w.tip).dot(side)), -(x - w.tip).dot(w.normal));
  };
  s.inside = [=](const Point& x) { return angle(x) < 0.5 * w.angle; };
  s.off = [=](const Point& y) {
    const double from_edge = std::hypot((y - w.tip).dot(side), (y - w.tip).dot(w.normal));
    const double from_face = std::abs(angle(y) - 0.5 * w.angle);
    return from_face < 0.5 * std::numbers::pi ? from_edge * std::sin(from_face) : from_edge;
  };
  return s;
}

}  // namespace

Surface surface_of(const Shape& shape, int dim) {
  if (const auto* box = std::get_if<Box>(&shape)) return box_surface(*box, dim);
  if (const auto* sphere = std::get_if<Sphere>(&shape))
    return ball_surface(sphere->centre, sphere->radius, dim);
  if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
    return dim == 2 ? ball_surface(cylinder->centre, cylinder->radius, dim) : cylinder_surface(*cylinder);
  }
  if (const auto* wedge = std::get_if<Wedge>(&shape)) return wedge_surface(*wedge, dim);
  throw std::logic_error("a half-space has no bounded surface");
}

double searched_distance(const Surface& surface, const Point& x, int dim) {
  double least = 1e300;
  for (const Patch& patch : surface.patches) {
    double u = 0.0, v = 0.0;  // middle of the grid
    for (double half = 1.0; half > 0x1p-36; half *= 0.5) {
      double best = 1e300, best_u = u, best_v = v;
      for (int i = -3; i <= 3; ++i) {
        for (int j = dim == 2 ? 0 : -3; j <= (dim == 2 ? 0 : 3); ++j) {
          const double at_u = std::clamp(u + half * i / 3.0, -1.0, 1.0);
          const double at_v = std::clamp(v + half * j / 3.0, -1.0, 1.0);
          const double squared = (patch(at_u, at_v) - x).squaredNorm();
          if (squared < best) {
            best = squared;
            best_u = at_u;
            best_v = at_v;
          }
        }
      }
      u = best_u;
      v = best_v;
      least = std::min(least, best);
      // A number moves a point by half the size of the surface at most: no further search comes closer than this.
      if (std::sqrt(best) - 2.0 * half * surface.size > std::sqrt(least)) break;
    }
  }
  return std::sqrt(least);
}

double surface_integral(const Surface& surface, int dim, int n,
                        const std::function<double(const Point&, const Point&)>& integrand) {
  double sum = 0.0;
  const double width = 2.0 / n;
  for (const Patch& patch : surface.patches) {
    for (int i = 0; i < n; ++i) {
      const double u = -1.0 + width * (i + 0.5);
      for (int j = 0; j < (dim == 2 ? 1 : n); ++j) {
        const double v = dim == 2 ? 0.0 : -1.0 + width * (j + 0.5);
        const Point along_u = patch(u + 0.5 * width, v) - patch(u - 0.5 * width, v);
        const Point along_v =
            dim == 2 ? Point::UnitZ() : Point(patch(u, v + 0.5 * width) - patch(u, v - 0.5 * width));
        const Point y = patch(u, v);
        Point area = along_u.cross(along_v);
        // Outward from a convex body.
        if (area.dot(y - surface.centre) < 0.0) area = -area;
        sum += integrand(y, area);
      }
    }
  }
  return sum;
}

Point turned_by_quaternion(const Point& omega, double time, const Point& r) {
  const double speed = std::sqrt(omega.x() * omega.x() + omega.y() * omega.y() + omega.z() * omega.z());
  if (speed == 0.0) return r;
  const double w = std::cos(0.5 * speed * time);
  const Point u = std::sin(0.5 * speed * time) / speed * omega;
  // (w + u) r (w − u) with the product of quaternions, ij = k.
  const double s = -u.dot(r);
  const Point p = w * r + u.cross(r);
  return -s * u + w * p - p.cross(u);
}

Shape random_shape(Kind kind, Dice& dice, int dim) {
  const Point centre = dice.point(1.0, dim);
  const double radius = dice.between(0.1, 0.5);
  if (kind == Kind::half_space) return HalfSpace{.point = centre, .normal = dice.direction(dim)};
  if (kind == Kind::sphere) return Sphere{.centre = centre, .radius = radius};
  if (kind == Kind::cylinder) {
    const Point axis = dim == 2 ? Point(Point::UnitZ()) : dice.direction(3);
    const double half = dim == 2 ? 0.0 : dice.between(0.05, 0.5);
    return Cylinder{.centre = centre, .axis = axis, .radius = radius, .half_length = half};
  }
  if (kind == Kind::wedge) {
    const Point normal = dice.direction(dim);
    Point edge = Point::UnitZ();
    if (dim == 3) edge = normal.cross(dice.direction(3)).normalized();
    return Wedge{.tip = centre, .normal = normal, .edge = edge, .angle = dice.between(0.3, 2.8)};
  }
  Box box{.min = centre, .max = centre};
  for (int axis = 0; axis < dim; ++axis) box.max[axis] += dice.between(0.2, 1.0);
  return box;
}

double chi_squared_excess(const std::vector<double>& counts) {
  double total = 0.0;
  for (const double count : counts) total += count;
  const double expected = total / static_cast<double>(counts.size());
  double chi = 0.0;
  for (const double count : counts) chi += (count - expected) * (count - expected) / expected;
  const double freedom = static_cast<double>(counts.size()) - 1.0;
  return (chi - freedom) / std::sqrt(2.0 * freedom);
}

}  // namespace repose::invariants
