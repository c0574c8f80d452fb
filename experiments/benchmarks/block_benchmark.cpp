// The fast solver's two kernels over one block that stays in the caches: what they would take if memory took no time.
//     repose_benchmarks --benchmark_filter='block/3d/quadratic/float/AVX2'
// Cells hold as many particles as in a packed block ("packed"), or that give or take three eighths, as in flow ("uneven").
#include "experiments/bench/mpm/costs.h"
#include "experiments/benchmarks/sand_law.h"
#include "optimized/layout/block.h"
#include "optimized/layout/buffer.h"
#include "optimized/layout/record.h"
#include "optimized/mpm/kernels.h"
#include "optimized/simd/choose_target.h"
#include "reference/interface/methods/mpm_names.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/particles/random.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace repose::experiments {

namespace {

using namespace optimized;

/// A block in which every call of the kernel strains the sand a little more; on its cone it is taken back.
template <class T, int dim>
struct OneBlock {
  using R = Record<dim>;
  using B = Block<dim>;
  Buffer<T> records, tile, velocities;
  std::vector<std::uint32_t> order, id;
  std::vector<std::uint8_t> code;
  std::vector<Moved> moved;

  explicit OneBlock(bool uneven) {
    tile.resize(B::tile_values);
    velocities.resize(B::tile_values);
    Random random(1);
    const int packed = 1 << dim;
    const int spread = uneven ? packed * 3 / 8 : 0;
    for (std::size_t cell = 0; cell < B::nodes; ++cell) {
      const int here = packed - spread + static_cast<int>(random.between(0.0, 2.0 * spread + 1.0));
      code.insert(code.end(), static_cast<std::size_t>(here), static_cast<std::uint8_t>(cell));
    }
    const auto draw = [&](double low, double high) { return static_cast<T>(random.between(low, high)); };
    records.resize(R::size * code.size());
    for (std::size_t p = 0; p < code.size(); ++p) {
      T* r = records.data() + R::size * p;
      std::fill_n(r, R::size, T{0});
      for (std::size_t a = 0; a < dim; ++a) r[R::offset + a] = draw(-0.5, 0.5);
      for (std::size_t k = R::v; k < R::C + dim * dim; ++k) r[k] = draw(-1.0, 1.0);
      for (std::size_t k = 0; k < R::symmetric; ++k)
        r[R::strain + k] = draw(-1e-3, 1e-3) - (k < dim ? T(1e-3) : T{0});
      r[R::mass] = T(1e-3);
      r[R::volume] = T(1e-6);
      r[R::q] = T(0.1);
      order.push_back(static_cast<std::uint32_t>(p));
    }
    id = order;
    moved.resize(code.size());
    for (T& v : velocities) v = draw(-5e-4, 5e-4);
  }

  ToTile<T> to_tile() {
    ToTile<T> a;
    a.records = records.data();
    a.order = order.data();
    a.code = code.data();
    a.count = a.known = code.size();
    a.tile = tile.data();
    a.next_tile = tile.data();
    a.h = T(0.01);
    a.dt_over_h = T(1e-6);
    a.laws = &sand_law<T>;
    a.materials = 1;
    return a;
  }

  /// Nobody moves, so that a call leaves the block as it found it but for the strains.
  FromTile<T> from_tile(Tally<T>& tally, std::size_t& moved_count) {
    FromTile<T> a;
    a.records = records.data();
    a.order = order.data();
    a.code = code.data();
    a.id = id.data();
    a.count = a.known = code.size();
    a.bar = a.kept = velocities.data();
    a.dt = T(1e-4);
    a.per_h = T(100);
    a.per_D = T(400);
    a.dt_over_h = T{0};
    a.laws = &sand_law<T>;
    a.materials = 1;
    a.hardening = {.slope = true};
    a.moved = moved.data();
    a.moved_count = &moved_count;
    a.tally = &tally;
    return a;
  }
};

template <class T, int dim>
void block(benchmark::State& state, Kernel kernel, bool p2g, bool uneven, const std::string& target) {
  OneBlock<T, dim> one(uneven);
  const Kernels<T, dim>& all = kernels<T, dim>(target);
  const std::size_t which = kernel == Kernel::cubic ? 1 : 0;
  Tally<T> tally;
  std::size_t moved = 0;
  const ToTile<T> to = one.to_tile();
  const FromTile<T> from = one.from_tile(tally, moved);
  const std::vector<T> start(one.records.begin(), one.records.end());
  constexpr int lasting =
      1000;  // calls until the strains are no longer small: their copy costs nothing beside
  int calls = 0;
  for (auto _ : state) {
    if (p2g) {
      all.p2g[which](to);
    } else {
      if (++calls % lasting == 0) std::copy(start.begin(), start.end(), one.records.begin());
      moved = 0;
      all.g2p[which](from);
    }
    benchmark::ClobberMemory();
  }
  if (tally.fault.kind != Fault::none) state.SkipWithError("a particle went wrong");
  const double particles = static_cast<double>(one.code.size()) * static_cast<double>(state.iterations());
  using benchmark::Counter;
  state.counters["particle_steps/s"] = Counter(particles, Counter::kIsRate);
  state.counters["ns/particle"] = Counter(1e-9 * particles, Counter::kIsRate | Counter::kInvert);
  for (const StageCost& cost :
       stage_costs(dim, kernel, sizeof(T) == 4 ? Precision::single_ : Precision::double_))
    if (cost.stage == (p2g ? "p2g" : "g2p"))
      state.counters["GFLOP/s"] = Counter(1e-9 * cost.flops * particles, Counter::kIsRate);
  if (!p2g) {
    const auto met = static_cast<double>(tally.inside + tally.tip + tally.surface);
    state.counters["on_cone"] = static_cast<double>(tally.surface) / met;
  }
}

template <class T, int dim>
void add(const std::string& target) {
  for (const Kernel kernel : {Kernel::quadratic, Kernel::cubic})
    for (const bool p2g : {true, false})
      for (const bool uneven : {false, true})
        benchmark::RegisterBenchmark(
            fmt::format("block/{}d/{}/{}/{}/{}/{}", dim, names::of(kernel, names::kernel),
                        sizeof(T) == 4 ? "float" : "double", target, p2g ? "p2g" : "g2p",
                        uneven ? "uneven" : "packed")
                .c_str(),
            block<T, dim>, kernel, p2g, uneven, target);
}

const bool registered = [] {
  const std::string available = available_targets();
  for (const std::string target : {"SSE4", "AVX2", "AVX3"}) {
    if (available.find(target) == std::string::npos) continue;
    add<float, 3>(target);
    add<double, 3>(target);
    add<float, 2>(target);
    add<double, 2>(target);
  }
  return true;
}();

}  // namespace

}  // namespace repose::experiments
