#pragma once

#include "reference/interface/method.h"
#include "reference/interface/scene/scene.h"

/// A method as somebody adds it who touches no file but lists: particles that fly freely and stay where they land.
namespace repose::flight {

/// Boundaries behind step_start.
inline constexpr Boundary flight = "flight";
inline constexpr Boundary landing = "landing";

inline constexpr std::string_view velocity = "u";
inline constexpr std::string_view landed = "landed";  ///< 0 or 1

/// Rows of the table of counters.
enum Counter : std::size_t { flying, landings };

struct Options {
  double ground = 1.0;  ///< height of the ground above the domain's floor [h]

  static const SchemeTable& table();
};

/// Height of the ground [m].
inline double ground(const Scene& scene) {
  return scene.grid.domain_min[1] + scene.scheme.as<Options>().ground * scene.grid.h;
}

/// In each step, of particles that have not landed,
///
///     u ← u + Δt g,   x ← x + Δt u            flight
///     landed ← x_y ≤ ground                   landing
extern const method::Method table;

}  // namespace repose::flight
