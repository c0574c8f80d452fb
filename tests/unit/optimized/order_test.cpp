#include "optimized/layout/particle_order.h"
#include "tests/unit/optimized/states.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <tuple>

namespace repose::optimized_tests {

using optimized::BlockGrid;
using optimized::BlockPlace;
using optimized::Buffer;
using optimized::Mover;
using optimized::ParticleOrder;

namespace {

using Entry = std::tuple<std::uint64_t, int, std::uint32_t>;  // block, cell, scene id

std::vector<Entry> list(const ParticleOrder<3>& order, const Buffer<std::uint32_t>& id) {
  std::vector<Entry> out;
  for (std::size_t b = 0; b < order.grid().blocks(); ++b)
    for (std::size_t k = order.begin(b); k < order.begin(b) + order.count(b); ++k)
      out.emplace_back(order.grid().keys()[b], order.codes()[k], id[order.records()[k]]);
  return out;
}

Mover somewhere(std::mt19937_64& random, std::uint32_t record, std::uint32_t id) {
  const BlockPlace place{static_cast<std::int32_t>(draw(random, 0, 4)),
                         static_cast<std::int32_t>(draw(random, 0, 4)),
                         static_cast<std::int32_t>(draw(random, 0, 4))};
  const auto code = static_cast<std::uint8_t>(draw(random, 0, 64));
  return {optimized::block_key(place), id, record, code};
}

}  // namespace

/// Merging movers gives what sorting everything gives, for few movers, many, all, and none.
BOOST_AUTO_TEST_CASE(merging_movers_equals_sorting_all) {
  std::mt19937_64 random(17);
  const std::uint32_t count = 3000;
  Buffer<std::uint32_t> id;
  id.resize(count);
  std::vector<Mover> all;
  for (std::uint32_t r = 0; r < count; ++r) {
    id[r] = (r * 7919U) % count;  // records lie in any order
    all.push_back(somewhere(random, r, id[r]));
  }
  ParticleOrder<3> order;
  order.build(all);
  for (const double share : {0.02, 0.5, 1.0, 0.0, 0.1}) {
    std::vector<Mover> movers;
    std::vector<Mover> present;
    for (std::size_t b = 0; b < order.grid().blocks(); ++b) {
      for (std::size_t k = order.begin(b); k < order.begin(b) + order.count(b); ++k) {
        const std::uint32_t r = order.records()[k];
        if (draw(random, 0, 1) < share) {
          movers.push_back(somewhere(random, r, id[r]));
          present.push_back(movers.back());
          order.codes()[k] = optimized::gone;
        } else {
          present.push_back({order.grid().keys()[b], id[r], r, order.codes()[k]});
        }
      }
    }
    std::shuffle(movers.begin(), movers.end(), random);  // threads hand them in in any order
    order.merge(movers, optimized::Team(2, true));
    ParticleOrder<3> sorted;
    sorted.build(present);
    BOOST_TEST(list(order, id) == list(sorted, id), "share " << share);
    const auto entries = list(order, id);
    BOOST_TEST(std::is_sorted(entries.begin(), entries.end()));
    BOOST_TEST(entries.size() == count);
  }
}

BOOST_AUTO_TEST_CASE(links_lead_to_neighbours_and_back) {
  BlockGrid<3> grid;
  grid.build(
      {optimized::block_key({0, 0, 0}), optimized::block_key({0, 0, 1}), optimized::block_key({5, 7, 9})});
  // Eight node blocks each; the first two blocks share four.
  BOOST_TEST(grid.node_blocks() == 20U);
  for (std::size_t b = 0; b < grid.blocks(); ++b) {
    const BlockPlace here = optimized::block_place(grid.keys()[b]);
    for (std::size_t o = 0; o < 8; ++o) {
      const std::uint32_t n = grid.nodes_of(b)[o];
      const BlockPlace there = optimized::block_place(grid.node_key(n));
      BOOST_TEST(there[0] - here[0] == static_cast<int>(o >> 2));
      BOOST_TEST(there[1] - here[1] == static_cast<int>(o >> 1 & 1));
      BOOST_TEST(there[2] - here[2] == static_cast<int>(o & 1));
      BOOST_TEST(grid.particles_of(n)[o] == b);
    }
  }
  BOOST_TEST(grid.find(optimized::block_key({5, 7, 9})) == 2U);
  BOOST_TEST(grid.find(optimized::block_key({5, 7, 8})) == optimized::no_block);
}

}  // namespace repose::optimized_tests
