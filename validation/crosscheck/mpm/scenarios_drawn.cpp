#include "validation/crosscheck/mpm/case_drawn.h"
#include "validation/crosscheck/mpm/case_scenes.h"

#include <fmt/format.h>

#include <array>

namespace repose::crosscheck {

namespace {

/// Of the k-th scene the first from 100 (k + 1) + 1 on whose four cases each meet all their needs.
constexpr std::array<std::uint64_t, 17> seeds{103,  201,  303,  402,  501,  601,  718,  801, 901,
                                              1001, 1101, 1201, 1301, 1413, 1505, 1603, 1702};
/// Those before are of sand and elastic bodies.
constexpr int first_of_water = 14;

}  // namespace

Kinds kinds_of(int k) {
  // Setups come by turns too: neither borders nor walls go with odd or even scenes.
  const bool at_border = k % 4 == 1 || k % 4 == 2;
  Kinds kinds{.materials = 1 + k % 3,
              .bodies = 1 + k / 2 % 4,
              .walls = k / 2 % 2 == 1 ? 2 : 0,
              .first = 0,
              .border = at_border ? 2 * (k / 4) + k % 4 - 1 : -1};
  if (k >= first_of_water) kinds.waters = 0;
  for (int before = first_of_water; before < k; ++before) kinds.waters += 1 + before % 3;
  for (int before = 0; before < k; ++before)
    kinds.first += 1 + before / 2 % 4 - (before / 2 % 2 == 1 ? 2 : 0);
  return kinds;
}

namespace {

/// The scenes [first, end).
void add_scenes(std::vector<Scenario>& all, int first, int end) {
  for (int k = first; k < end; ++k) {
    const std::uint64_t seed = seeds.at(static_cast<std::size_t>(k));
    const Kinds kinds = kinds_of(k);
    all.push_back({fmt::format("drawn_{:02}", k + 1),
                   fmt::format("a drawn scene: {} {}, {} bodies{}", kinds.materials,
                               kinds.waters < 0 ? "materials" : "waters", kinds.bodies,
                               kinds.border < 0 ? "" : ", at the border of the domain"),
                   [=](Case& c) { draw_scene(c, kinds, seed); }});
  }
}

}  // namespace

void add_drawn(std::vector<Scenario>& all) { add_scenes(all, 0, first_of_water); }
void add_drawn_waters(std::vector<Scenario>& all) {
  add_scenes(all, first_of_water, static_cast<int>(seeds.size()));
}

}  // namespace repose::crosscheck
