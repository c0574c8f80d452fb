#include "experiments/bench/room.h"

namespace repose::experiments {

namespace {

void add_wall(Scene& scene, const char* name, const Point& point, const Point& normal) {
  Collider wall;
  wall.name = name;
  wall.shape = HalfSpace{point, normal};
  wall.friction = 0.5;
  scene.colliders.push_back(wall);
}

}  // namespace

void add_room(Scene& scene, const Point& low, const Point& high) {
  add_wall(scene, "floor", Point(0.0, low.y(), 0.0), Point::UnitY());
  add_wall(scene, "west", Point(low.x(), 0.0, 0.0), Point::UnitX());
  add_wall(scene, "east", Point(high.x(), 0.0, 0.0), -Point::UnitX());
  if (scene.grid.dim == 3) {
    add_wall(scene, "back", Point(0.0, 0.0, low.z()), Point::UnitZ());
    add_wall(scene, "front", Point(0.0, 0.0, high.z()), -Point::UnitZ());
  }
}

}  // namespace repose::experiments
