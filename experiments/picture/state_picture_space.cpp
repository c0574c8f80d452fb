#include "experiments/picture/canvas.h"
#include "experiments/picture/state_picture_parts.h"
#include "reference/interface/particles/emitters.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace repose::experiments::state_picture {

namespace {

Bounds turned(const Bounds& box, const Eigen::Quaterniond& turn) {
  const Point a = turn * box.min;
  const Point b = turn * box.max;
  return {.min = a.cwiseMin(b), .max = a.cwiseMax(b)};
}

/// The eye's place from which the corners of a box fill the picture.
Point eye_for(const Bounds& box, const Point& target, const View& view) {
  const Point forward = Point(-0.42, -0.40, -1.0).normalized();
  const Point right = forward.cross(Point::UnitY()).normalized();
  const Point up = right.cross(forward);
  const double wide = 0.95 * std::tan(0.5 * view.field_of_view);
  const double high = wide * view.height / view.width;
  double away = 0.0;
  for (int corner = 0; corner < 8; ++corner) {
    const Point x((corner & 1) != 0 ? box.max.x() : box.min.x(),
                  (corner & 2) != 0 ? box.max.y() : box.min.y(),
                  (corner & 4) != 0 ? box.max.z() : box.min.z());
    const Point arm = x - target;
    const double needed = std::max(std::abs(arm.dot(right)) / wide, std::abs(arm.dot(up)) / high);
    away = std::max(away, needed - arm.dot(forward));
  }
  return target - away * forward;
}

Body opening_body(const Emitter& emitter, const Eigen::Quaterniond& turn) {
  Body body{.shape = emitter.shape, .colour = opening_colour, .cover = 0.3F};
  body.to_rest = Eigen::Isometry3d(turn.conjugate());
  return body;
}

}  // namespace

Eigen::Quaterniond upright(const Point& gravity) {
  if (gravity.isZero(0.0)) return Eigen::Quaterniond::Identity();
  Eigen::Index axis = 0;
  gravity.cwiseAbs().maxCoeff(&axis);
  const Point up = gravity[axis] < 0.0 ? Point::Unit(axis) : (-Point::Unit(axis)).eval();
  if (up.y() < 0.0) return Eigen::Quaterniond(0.0, 1.0, 0.0, 0.0);  // half a turn about x
  return Eigen::Quaterniond::FromTwoVectors(up, Point::UnitY());
}

Body body_of(const Collider& collider, double time, const Eigen::Quaterniond& turn) {
  Body body{.shape = collider.shape, .hollow = collider.hollow, .colour = body_colour};
  const Point middle = centre(collider.shape);
  const double angle = collider.spin.norm() * time;
  const Point axis = collider.spin.isZero(0.0) ? Point::UnitZ() : collider.spin.normalized();
  Eigen::Isometry3d to_rest = Eigen::Isometry3d::Identity();
  to_rest.translate(middle);
  to_rest.rotate(Eigen::AngleAxisd(-angle, axis));
  to_rest.translate(-middle - time * collider.velocity);
  body.to_rest = to_rest * turn.conjugate();
  return body;
}

bool is_ground(const Body& body) {
  const auto* plane = std::get_if<HalfSpace>(&body.shape);
  if (plane == nullptr || body.hollow) return false;
  return (body.to_rest.linear().transpose() * plane->normal).y() > 1.0 - 1e-9;
}

Image draw_space(const Frame& frame, int width, int height) {
  const Scene& scene = frame.scene;
  const double time = frame.state.snapshot.time;
  const Eigen::Quaterniond turn = upright(scene.gravity);
  const Bounds domain = turned({.min = scene.grid.domain_min, .max = scene.grid.domain_max()}, turn);

  View view;
  view.width = width;
  view.height = height;
  view.samples = 2;
  view.floor = -std::numeric_limits<double>::infinity();
  view.to_light = Point(-0.7, 1.0, 0.55);
  view.field_of_view = frame.options.field_of_view;

  std::vector<Body> bodies;
  for (const Collider& collider : scene.colliders) {
    Body body = body_of(collider, time, turn);
    if (is_ground(body)) {
      const HalfSpace& plane = std::get<HalfSpace>(body.shape);
      view.floor = std::max(view.floor, (body.to_rest.inverse() * plane.point).y());
      continue;
    }
    if (!is_bounded(body.shape)) body.limits = domain;
    bodies.push_back(body);
  }
  for (const Emitter& emitter : scene.emitters)
    if (time <= emitter.stop) bodies.push_back(opening_body(emitter, turn));

  std::vector<Ball> balls;
  balls.reserve(frame.grains.size());
  for (const Grain& grain : frame.grains) {
    balls.push_back({.centre = (turn * grain.at).cast<float>(),
                     .radius = static_cast<float>(0.55 * grain.size),
                     .colour = grain.colour});
  }
  Bounds seen = domain;  // nothing is to be seen below the ground
  if (std::isfinite(view.floor)) seen.min.y() = std::clamp(view.floor, domain.min.y(), domain.max.y());
  for (auto& body : bodies)
    if (body.limits) body.limits->min.y() = seen.min.y();
  const Point middle = 0.5 * (seen.min + seen.max);
  view.target = frame.options.target ? (turn * *frame.options.target).eval() : middle;
  const Point edge = Point::Constant(scene.grid.h);  // half a particle may stand out of the domain
  const Bounds whole{.min = seen.min - edge, .max = seen.max + edge};
  view.eye = frame.options.eye ? (turn * *frame.options.eye).eval() : eye_for(whole, view.target, view);
  return draw(balls, bodies, {}, view);
}

}  // namespace repose::experiments::state_picture
