// Products with the derivative of an implicit step's impulses in float. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_IMPLICIT_ROUNDED_CHANGE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_IMPLICIT_ROUNDED_CHANGE_INL_H_
#undef REPOSE_OPTIMIZED_IMPLICIT_ROUNDED_CHANGE_INL_H_
#else
#define REPOSE_OPTIMIZED_IMPLICIT_ROUNDED_CHANGE_INL_H_
#endif

#include "optimized/implicit/change-inl.h"
#include "optimized/simd/cell_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// GatherSlopes() with lanes (node of a row, component), as vectors hold several nodes: the axes before the row's are contracted
/// first.
template <int dim, int K>
HWY_INLINE void GatherRoundedSlopes(const float* HWY_RESTRICT base, const float* HWY_RESTRICT table,
                                    float* HWY_RESTRICT out) {
  using S = SlopeTable<dim>;
  using V = hn::Vec<Tag<float>>;
  const Tag<float> d;
  constexpr std::size_t n = lanes<float>;
  constexpr std::size_t vectors = (4 * K + n - 1) / n;
  constexpr std::size_t last = extent<dim> - 1;
  static_assert(n >= 4);
  V result[extent<dim>];
  REPOSE_UNROLL
  for (std::size_t g = 0; g < vectors; ++g) {
    V sum[extent<dim>];  // per axis, over all but the row's
    REPOSE_UNROLL
    for (std::size_t i = 0; i < K; ++i) {
      const float* HWY_RESTRICT plane = base + i * node_step<dim>(0) + g * n;
      V value, slope;
      if constexpr (dim == 2) {
        value = hn::LoadU(d, plane);
      } else {
        REPOSE_UNROLL
        for (std::size_t j = 0; j < K; ++j) {
          const V node = hn::LoadU(d, plane + j * node_step<dim>(1));
          const V w = hn::Set(d, table[S::w(1) + j]);
          const V s = hn::Set(d, table[S::g(1) + j]);
          value = j == 0 ? hn::Mul(node, w) : hn::MulAdd(node, w, value);
          slope = j == 0 ? hn::Mul(node, s) : hn::MulAdd(node, s, slope);
        }
      }
      const V w = hn::Set(d, table[S::w(0) + i]);
      const V s = hn::Set(d, table[S::g(0) + i]);
      sum[0] = i == 0 ? hn::Mul(value, s) : hn::MulAdd(value, s, sum[0]);
      if constexpr (dim == 3) sum[1] = i == 0 ? hn::Mul(slope, w) : hn::MulAdd(slope, w, sum[1]);
      sum[last] = i == 0 ? hn::Mul(value, w) : hn::MulAdd(value, w, sum[last]);
    }
    const V w = SpreadWeights<float>(table + S::w(dim - 1), g);
    const V s = SpreadWeights<float>(table + S::g(dim - 1), g);
    REPOSE_UNROLL
    for (std::size_t a = 0; a < extent<dim>; ++a)
      result[a] =
          g == 0 ? hn::Mul(sum[a], a == last ? s : w) : hn::MulAdd(sum[a], a == last ? s : w, result[a]);
  }
  REPOSE_UNROLL
  for (std::size_t a = 0; a < extent<dim>; ++a) StoreChunkSum<float>(result[a], out + 4 * a);
}

/// A tile as doubles hold it, less one node's record: slopes are differences, of which floats then keep the digits.
template <int dim>
HWY_INLINE void RoundTile(const double* HWY_RESTRICT from, const double* HWY_RESTRICT origin,
                          float* HWY_RESTRICT to) {
  const Tag<double> d;
  const hn::Rebind<float, Tag<double>> f;
  constexpr std::size_t n = lanes<double>;
  static_assert(Block<dim>::tile_values % n == 0);
  for (std::size_t v = 0; v < Block<dim>::tile_values; v += n)
    hn::StoreU(hn::DemoteTo(f, hn::Sub(hn::LoadU(d, from + v), RepeatChunk<double>(origin, v / n % 2))), f,
               to + v);
}

/// What a particle's stress does with the slopes of velocities, for RoundedChangeBlock().
template <int dim, int K>
struct StressChangeOf {
  using V = hn::Vec<Tag<float>>;
  using S = SlopeTable<dim>;
  static constexpr std::size_t table_size = S::size;
  static constexpr std::size_t stride = 4 * extent<dim>;  ///< numbers that Gather() writes
  Matrix<dim, float> G;                                   ///< the change

  static HWY_INLINE void StoreWeights(const Weights<float, K>* weight, float* table) {
    REPOSE_UNROLL
    for (int axis = 0; axis < dim; ++axis) {
      StoreFourApart<float, S::size>(weight[axis].w, table, S::w(axis));
      StoreFourApart<float, S::size>(weight[axis].g, table, S::g(axis));
    }
  }
  static HWY_INLINE void Gather(const float* base, const float* table, float* out) {
    GatherRoundedSlopes<dim, K>(base, table, out);
  }
  HWY_INLINE StressChangeOf(const PackLanes<dim, const RoundedPack<dim>>& at, const float* records,
                            float scale)
      : G(Scaled<dim>(StressChange<dim>(at, LoadColumns<dim, stride>(records)),
                      hn::Set(Tag<float>(), scale))) {}
  /// What a node of slope g along axis b gets from that axis, component c.
  HWY_INLINE V Along(std::size_t b, std::size_t c, V g) const { return hn::Mul(g, G(c, b)); }
};

/// The impulses' change, added cell by cell as momentum is (cell_sums-inl.h): X, Y and U hold what the columns of the
/// stress's change give to the nodes of their axis.
/// @tparam Of StressChangeOf or PressureChangeOf
template <int dim, int K, template <int, int> class Of>
HWY_NOINLINE void RoundedChangeBlock(const RoundedBlock<dim>& a) {
  using P = RoundedPack<dim>;
  using F = Factors<float, dim, K>;
  using Change = Of<dim, K>;
  using V = hn::Vec<Tag<float>>;
  const Tag<float> d;
  constexpr std::size_t n = lanes<float>;
  constexpr std::size_t stride = Change::stride;
  constexpr std::size_t batch = 32;  // particles whose factors stay in the first-level cache
  static_assert(P::lanes % n == 0 && batch % n == 0);
  ClearTile<float, dim, K>(a.to);
  if (a.count == 0) return;
  // The node nearest to the block's middle particle: one with mass.
  std::size_t middle = Block<dim>::tile_offset(a.code[a.count / 2]);
  for (int axis = 0; axis < dim; ++axis) middle += node_step<dim>(axis);
  HWY_ALIGN float from[Block<dim>::tile_values];
  RoundTile<dim>(a.from, a.from + middle, from);
  HWY_ALIGN float factors[batch * F::stride];
  HWY_ALIGN float table[n * Change::table_size];
  HWY_ALIGN float records[n * stride];
  for (std::size_t begin = 0; begin < a.count; begin += batch) {
    const std::size_t end = begin + batch < a.count ? begin + batch : a.count;
    for (std::size_t k = begin; k < end; k += n) {
      const PackLanes<dim, const P> at{a.packs[k / P::lanes], k % P::lanes};
      Weights<float, K> weight[extent<dim>];
      REPOSE_UNROLL
      for (int axis = 0; axis < dim; ++axis)
        SetWeights<float, K>(at.Get(P::offset + static_cast<std::size_t>(axis)), weight[axis]);
      Change::StoreWeights(weight, table);
      const std::size_t real = end - k < n ? end - k : n;
      if (HWY_UNLIKELY(real < n)) std::fill_n(records, n * stride, 0.0F);
      for (std::size_t lane = 0; lane < real; ++lane)
        Change::Gather(from + Block<dim>::tile_offset(a.code[k + lane]), table + lane * Change::table_size,
                       records + lane * stride);
      const Change change(at, records, a.scale);
      const auto chunk = [&](std::size_t b, std::size_t i, V* four) HWY_ATTR {
        four[0] = four[3] = hn::Zero(d);
        REPOSE_UNROLL
        for (std::size_t c = 0; c < extent<dim>; ++c) four[1 + c] = change.Along(b, c, weight[b].g[i]);
      };
      StoreFactors<float, dim, K>(
          weight, [](std::size_t) {}, chunk, factors + (k - begin) * F::stride);
    }
    for (std::uint32_t cells = CellStarts(a.code + begin, end - begin); cells != 0;) {
      const std::size_t first = hwy::Num0BitsBelowLS1Bit_Nonzero32(cells);
      cells &= cells - 1;
      const std::size_t last = cells != 0 ? hwy::Num0BitsBelowLS1Bit_Nonzero32(cells) : end - begin;
      AddCell<float, dim, K>(factors, first, last, a.to + Block<dim>::tile_offset(a.code[begin + first]));
    }
  }
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
