#include "reference/interface/scene/opening.h"

#include "reference/interface/base/error.h"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <cmath>
#include <numbers>
#include <string>

namespace repose {

namespace {

[[noreturn]] void refuse(const Emitter& emitter, const std::string& problem) {
  const std::string where = emitter.where.empty() ? "" : emitter.where + ": ";
  throw BadInput(fmt::format("{}emitter \"{}\": {}", where, emitter.name, problem));
}

/// True if two unit vectors point along one line, to the rounding of numbers in a file.
bool along(const Point& a, const Point& b) { return a.cross(b).norm() <= 1e-12; }

/// The section of a shape by the plane through its centre.
Opening section(const Emitter& emitter, int dim) {
  const double speed = emitter.velocity.norm();
  if (!(speed > 0.0)) refuse(emitter, "velocity = 0: must be different from 0");
  if (std::holds_alternative<HalfSpace>(emitter.shape))
    refuse(emitter, "shape = half_space: must be bounded");
  if (std::holds_alternative<Wedge>(emitter.shape)) refuse(emitter, "shape = wedge: must be bounded");

  Opening result;
  result.centre = centre(emitter.shape);
  result.axis = emitter.velocity / speed;
  if (const Box* box = std::get_if<Box>(&emitter.shape)) {
    int flow = 0;
    for (int axis = 0; axis < dim; ++axis) {
      if (along(result.axis, Point::Unit(axis))) flow = axis;
    }
    if (!along(result.axis, Point::Unit(flow))) {
      refuse(emitter, "velocity: must be along an axis of the grid where shape = box");
    }
    const int first = (flow + 1) % dim;
    const int second = dim == 3 ? (flow + 2) % 3 : 2;
    result.across_1 = Point::Unit(first);
    result.across_2 = Point::Unit(second);
    result.half_1 = 0.5 * (box->max[first] - box->min[first]);
    if (dim == 3) result.half_2 = 0.5 * (box->max[second] - box->min[second]);
    result.area = dim == 2 ? 2.0 * result.half_1 : 4.0 * result.half_1 * result.half_2;
    return result;
  }

  if (const Sphere* sphere = std::get_if<Sphere>(&emitter.shape)) result.half_1 = sphere->radius;
  if (const Cylinder* cylinder = std::get_if<Cylinder>(&emitter.shape)) {
    if (dim == 3 && !along(result.axis, cylinder->axis)) {
      refuse(emitter, "velocity: must be along the axis where shape = cylinder");
    }
    result.half_1 = cylinder->radius;
  }
  if (dim == 2) {
    result.across_1 = Point(-result.axis.y(), result.axis.x(), 0.0);
    result.across_2 = Point::UnitZ();
    result.area = 2.0 * result.half_1;
    return result;
  }
  // The grid's axis that is furthest from the flow gives the first direction.
  int furthest = 0;
  result.axis.cwiseAbs().minCoeff(&furthest);
  result.across_1 = result.axis.cross(Point::Unit(furthest)).normalized();
  result.across_2 = result.axis.cross(result.across_1);
  result.half_2 = result.half_1;
  result.round = true;
  result.area = std::numbers::pi * result.half_1 * result.half_1;
  return result;
}

}  // namespace

Opening opening(const Emitter& emitter, int dim) {
  const Opening result = section(emitter, dim);
  const double most = result.area * emitter.velocity.norm();
  // A rate of just area · speed may round: a billionth more is no intent.
  if (!(emitter.rate > 0.0 && emitter.rate <= most * (1.0 + 1e-9))) {
    refuse(emitter,
           fmt::format("rate = {}: must be a number in (0, {:.6g}], the opening's area times the speed",
                       emitter.rate, most));
  }
  return result;
}

}  // namespace repose
