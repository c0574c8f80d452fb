#pragma once

#include "reference/interface/method.h"
#include "reference/interface/scene/scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

/// A method as somebody adds it who touches no file but lists: particles that fly freely and stay where they land.
namespace repose::flight {

/// Boundaries behind step_start.
inline constexpr Boundary flight = "flight";
inline constexpr Boundary landing = "landing";

inline constexpr std::string_view velocity = "u";
inline constexpr std::string_view landed = "landed";  ///< 0 or 1
inline constexpr std::string_view heap = "heap";      ///< mass that came down in a cell [kg]

/// Rows of the table of counters.
enum Counter : std::size_t { flying, landings };

/// What becomes of a particle that lands.
enum class OnLanding : unsigned char {
  stay,
  leave,  ///< the state
  split   ///< into two halves, of which the second is a new particle
};

struct Options {
  double ground = 1.0;  ///< height of the ground above the domain's floor [h]
  OnLanding on_landing = OnLanding::stay;

  static const SchemeTable& table();
};

/// Height of the ground [m].
inline double ground(const Scene& scene) {
  return scene.grid.domain_min[1] + scene.scheme.as<Options>().ground * scene.grid.h;
}

/// The cell in which a particle lands; beyond the domain the nearest one.
inline std::int64_t cell_of(const Scene& scene, const Point& x) {
  std::array<std::int64_t, 3> at{0, 0, 0};
  for (std::size_t a = 0; a < static_cast<std::size_t>(scene.dim()); ++a) {
    const auto axis = static_cast<Eigen::Index>(a);
    const double cell = std::floor((x[axis] - scene.grid.domain_min[axis]) / scene.grid.h);
    at[a] = static_cast<std::int64_t>(std::clamp(cell, 0.0, static_cast<double>(scene.grid.cells[a] - 1)));
  }
  return scene.grid.node_id(at[0], at[1], at[2]);
}

/// In each step, of particles that have not landed,
///
///     u ← u + Δt g,   x ← x + Δt u            flight
///     landed ← x_y ≤ ground                   landing
///     heap += m of the cell, for each that landed; then it stays, leaves or splits
extern const method::Method table;

}  // namespace repose::flight
