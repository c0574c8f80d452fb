#include "experiments/tampubolon2017/fig03_wedge/clumps.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>

namespace repose::experiments::tampubolon2017 {

namespace {

/// Sets of numbers that are joined one pair at a time.
class JoinedSets {
 public:
  explicit JoinedSets(std::size_t count) : above_(count) {
    std::iota(above_.begin(), above_.end(), std::size_t{0});
  }
  std::size_t root(std::size_t of) {
    while (above_[of] != of) of = above_[of] = above_[above_[of]];
    return of;
  }
  void join(std::size_t a, std::size_t b) { above_[root(a)] = root(b); }

 private:
  std::vector<std::size_t> above_;
};

ClumpSizes sizes_of(JoinedSets& sets, std::size_t grains, const Scene& scene) {
  std::map<std::size_t, std::size_t> of_clump;
  for (std::size_t p = 0; p < grains; ++p) ++of_clump[sets.root(p)];
  const auto least = static_cast<std::size_t>(4.0 * scene.seeds.front().particles_per_cell);
  ClumpSizes sizes;
  for (const auto& [root, count] : of_clump) {
    const double share = static_cast<double>(count) / static_cast<double>(grains);
    sizes.mean += share * share;
    sizes.largest = std::max(sizes.largest, share);
    sizes.count += count >= least ? 1U : 0U;
  }
  return sizes;
}

bool are_within(const std::vector<Point>& grains, const GrainPair& pair, double distance) {
  return (grains[pair.first] - grains[pair.second]).squaredNorm() <= distance * distance;
}

}  // namespace

std::vector<GrainPair> neighbours_within(const std::vector<Point>& grains, double distance) {
  std::vector<GrainPair> pairs;
  for (std::size_t a = 0; a < grains.size(); ++a)
    for (std::size_t b = a + 1; b < grains.size(); ++b)
      if (are_within(grains, {a, b}, distance)) pairs.emplace_back(a, b);
  return pairs;
}

ClumpSizes clumps_of_cells(const std::vector<Point>& grains, const Scene& scene, int least) {
  const Grid& grid = scene.grid;
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::size_t>> cells;
  for (std::size_t p = 0; p < grains.size(); ++p)
    cells[{static_cast<std::int64_t>(std::floor((grains[p].x() - grid.domain_min.x()) / grid.h)),
           static_cast<std::int64_t>(std::floor((grains[p].y() - grid.domain_min.y()) / grid.h))}]
        .push_back(p);
  std::erase_if(cells, [&](const auto& cell) { return std::cmp_less(cell.second.size(), least); });
  JoinedSets sets(grains.size());
  for (const auto& [at, held] : cells) {
    for (const std::size_t p : held) sets.join(p, held.front());
    for (const auto& beside : {std::pair{at.first + 1, at.second}, std::pair{at.first, at.second + 1}})
      if (const auto found = cells.find(beside); found != cells.end())
        sets.join(held.front(), found->second.front());
  }
  return sizes_of(sets, grains.size(), scene);
}

ClumpSizes clumps_of_pairs(const std::vector<Point>& grains, const Scene& scene,
                           const std::vector<GrainPair>& pairs, double distance) {
  JoinedSets sets(grains.size());
  for (const GrainPair& pair : pairs)
    if (are_within(grains, pair, distance)) sets.join(pair.first, pair.second);
  return sizes_of(sets, grains.size(), scene);
}

double pairs_kept(const std::vector<Point>& grains, const std::vector<GrainPair>& pairs, double distance) {
  const auto kept = std::count_if(pairs.begin(), pairs.end(),
                                  [&](const GrainPair& pair) { return are_within(grains, pair, distance); });
  return static_cast<double>(kept) / static_cast<double>(pairs.size());
}

}  // namespace repose::experiments::tampubolon2017
