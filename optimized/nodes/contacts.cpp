#include "optimized/nodes/contacts.h"

#include <algorithm>

namespace repose::optimized {

namespace {

bool at_rest(const Collider& c) { return c.velocity == Point::Zero() && c.spin == Point::Zero(); }

/// Whether a contact of this kind can act: sticky and slipping hold nodes inside, separating also stops what would
/// enter. Distances are exact, so they change by no more than the way.
bool may_act(Contact contact, double now, double next, double way, double h) {
  return contact == Contact::separating ? next <= way : holds_node(now, h);
}

}  // namespace

void Contacts::near(const Point& x, double radius, double speed, Near& near) const {
  const std::size_t count = scene_.colliders.size();
  near.now.resize(count);
  near.next.resize(count);
  near.any = false;
  for (std::size_t k = 0; k < count; ++k) {
    const Collider& body = scene_.colliders[k];
    near.now[k] = signed_distance(body, x, time_, scene_.grid).phi - radius;
    near.next[k] =
        at_rest(body) ? near.now[k] : signed_distance(body, x, time_ + dt_, scene_.grid).phi - radius;
    near.any = near.any || may_act(body.contact, near.now[k], near.next[k], dt_ * speed, scene_.grid.h);
  }
}

Point Contacts::collide(const Near& near, const Point& x, const Point& star,
                        std::vector<Touch>& touches) const {
  const double h = scene_.grid.h;
  Point v = star;
  touches.clear();
  double way = dt_ * v.norm();
  for (std::size_t k = 0; k < scene_.colliders.size(); ++k) {
    const Collider& body = scene_.colliders[k];
    if (!may_act(body.contact, near.now[k], near.next[k], way, h)) continue;
    const double now = signed_distance(body, x, time_, scene_.grid).phi;
    // A body at rest whose surface is farther than the way, by more than distances round, is not entered.
    if (body.contact == Contact::separating && at_rest(body) && now > (1.0 + 1e-9) * way) continue;
    if (body.contact != Contact::separating && !holds_node(now, h)) continue;
    Touch touch;
    touch.collider = k;
    if (body.contact == Contact::sticky) {
      // Whatever was done to the node before is undone, and must not rub.
      touches.clear();
      v = rigid_velocity(body, x, time_, dt_, scene_.grid);
      touch.body = v;
      touch.delta = v - star;
    } else {
      const Distance next = signed_distance(body, x + dt_ * v, time_ + dt_, scene_.grid);
      const double allowed = body.contact == Contact::separating ? std::min(now, 0.0) : now;
      if (body.contact == Contact::separating && !(next.phi < allowed)) continue;
      touch.normal = next.normal;
      touch.delta = -((next.phi - allowed) / dt_) * next.normal;
      v += touch.delta;
    }
    way = dt_ * v.norm();
    if (touch.delta == Point::Zero()) continue;
    if (body.contact != Contact::sticky) touch.body = rigid_velocity(body, x, time_, dt_, scene_.grid);
    touches.push_back(touch);
  }
  return v;
}

Point Contacts::rub(const std::vector<Touch>& touches, Point v, ContactCounts& counts) const {
  for (const Touch& touch : touches) {
    const Collider& body = scene_.colliders[touch.collider];
    if (body.contact == Contact::sticky || !(body.friction > 0.0)) continue;
    const double push =
        body.friction_from_push_only ? std::max(0.0, touch.normal.dot(touch.delta)) : touch.delta.norm();
    const double limit = body.friction * push;
    const Point relative = v - touch.body;
    const Point along_normal = touch.normal.dot(relative) * touch.normal;
    const Point tangent = relative - along_normal;
    const double speed = tangent.norm();
    if (speed == 0.0 || limit == 0.0) continue;
    if (speed <= limit) {
      v = touch.body + along_normal;
      ++counts.sticking;
    } else {
      v -= (limit / speed) * tangent;
      ++counts.sliding;
    }
  }
  return v;
}

}  // namespace repose::optimized
