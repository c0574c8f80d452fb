#pragma once

#include "reference/interface/scene/scene.h"

#include <cstdint>
#include <vector>

namespace repose::optimized {

/// What one body did to one node.
struct Touch {
  std::size_t collider = 0;
  Point delta = Point::Zero();  ///< Δv by this contact, of sticky ones v_b − v* [m/s]
  /// Out of the body, where the constraint was taken; zero for sticky contacts
  Point normal = Point::Zero();
  Point body = Point::Zero();  ///< v_b [m/s]
};

struct ContactCounts {
  std::uint64_t contacts = 0, sticking = 0, sliding = 0;
};

/// Contacts and friction of nodes with a scene's bodies in one step [Klar16 §8].
class Contacts {
 public:
  Contacts(const Scene& scene, double time, double dt) : scene_(scene), time_(time), dt_(dt) {}

  /// Which bodies can change a velocity within `radius` of a point, for speeds up to `speed`: at least all that do.
  /// What one of them does may speed a node up, so a node must ask again: may_touch().
  struct Near {
    std::vector<double> now, next;  ///< distance of each body at tⁿ and tⁿ⁺¹ less `radius` [m]
    bool any = false;
  };
  void near(const Point& x, double radius, double speed, Near& near) const;

  /// v̄ from v*: bodies in scene order, each sees what the one before left. A sticky body takes the node whatever the
  /// bodies before it did [ERRATA K10].
  /// @param touches replaced by the contacts that made v* into v̄
  Point collide(const Near& near, const Point& x, const Point& star, std::vector<Touch>& touches) const;

  /// ṽ from v̄ and the contacts of v*.
  Point rub(const std::vector<Touch>& touches, Point v, ContactCounts& counts) const;

 private:
  const Scene& scene_;
  double time_;
  double dt_;
};

}  // namespace repose::optimized
