// Divergences over the stencil of one particle, and what pushes against them. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_IMPLICIT_DIVERGENCE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_IMPLICIT_DIVERGENCE_INL_H_
#undef REPOSE_OPTIMIZED_IMPLICIT_DIVERGENCE_INL_H_
#else
#define REPOSE_OPTIMIZED_IMPLICIT_DIVERGENCE_INL_H_
#endif

#include "optimized/implicit/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// Of a node's slope (g_x, g_y, g_z) each component is a product of three numbers, one per axis: a record per axis and node of a
/// row holds those of all components, (0, w, w, w) with g in the place of the axis itself. [axis][node][4]
template <int dim>
struct DivergenceTable {
  static constexpr std::size_t size = 16 * extent<dim>;
  static constexpr std::size_t at(std::size_t axis, std::size_t node) { return 16 * axis + 4 * node; }
};

/// Fills the tables of one vector of particles.
template <class N, int dim, int K>
HWY_INLINE void StoreDivergence(const Weights<N, K>* weight, N* table) {
  using S = DivergenceTable<dim>;
  using V = hn::Vec<Tag<N>>;
  const V zero = hn::Zero(Tag<N>());
  REPOSE_UNROLL
  for (std::size_t axis = 0; axis < extent<dim>; ++axis) {
    REPOSE_UNROLL
    for (std::size_t k = 0; k < 4; ++k) {
      V four[4] = {zero, zero, zero, zero};
      if (k < K) {
        REPOSE_UNROLL
        for (std::size_t c = 0; c < extent<dim>; ++c)
          four[1 + c] = c == axis ? weight[axis].g[k] : weight[axis].w[k];
      }
      StoreFourApart<N, S::size>(four, table, S::at(axis, k));
    }
  }
}

/// The divergences of all lanes from their records.
template <class N, int dim>
HWY_INLINE hn::Vec<Tag<N>> DivergenceOf(const N* records) {
  hn::Vec<Tag<N>> four[4];
  LoadFourApart<N, 4>(records, 0, four);
  const auto plane = hn::Add(four[1], four[2]);
  return dim == 3 ? hn::Add(plane, four[3]) : plane;
}

/// A record (0, ·, ·, ·) whose numbers add up to Σ_i v_i·g_i over the stencil.
/// @param base record of the stencil's first node
template <int dim, int K>
HWY_INLINE void GatherDivergence(const double* HWY_RESTRICT base, const double* HWY_RESTRICT table,
                                 double* HWY_RESTRICT out) {
  using S = DivergenceTable<dim>;
  constexpr std::size_t last = extent<dim> - 1;
  Four sum[static_cast<std::size_t>(K)];
  REPOSE_UNROLL
  for (std::size_t i = 0; i < K; ++i) {
    const double* plane = base + i * node_step<dim>(0);
    Four along[static_cast<std::size_t>(K)];
    if constexpr (dim == 2) {
      REPOSE_UNROLL
      for (std::size_t k = 0; k < K; ++k) along[k] = LoadRecord(plane + 4 * k);
    } else {
      REPOSE_UNROLL
      for (std::size_t j = 0; j < K; ++j) {
        const Four of = LoadRecord(table + S::at(1, j));
        REPOSE_UNROLL
        for (std::size_t k = 0; k < K; ++k) {
          const Four v = LoadRecord(plane + j * node_step<dim>(1) + 4 * k);
          along[k] = j == 0 ? Times(v, of) : TimesAdd(v, of, along[k]);
        }
      }
    }
    const Four of = LoadRecord(table + S::at(0, i));
    REPOSE_UNROLL
    for (std::size_t k = 0; k < K; ++k)
      sum[k] = i == 0 ? Times(along[k], of) : TimesAdd(along[k], of, sum[k]);
  }
  Four total = Times(sum[0], LoadRecord(table + S::at(last, 0)));
  REPOSE_UNROLL
  for (std::size_t k = 1; k < K; ++k) total = TimesAdd(sum[k], LoadRecord(table + S::at(last, k)), total);
  StoreRecord(total, out);
}

/// Adds push g_i to the records of the stencil.
template <int dim, int K>
HWY_INLINE void ScatterGradient(double push, const double* HWY_RESTRICT table, double* HWY_RESTRICT base) {
  using S = DivergenceTable<dim>;
  Four last[static_cast<std::size_t>(K)];
  REPOSE_UNROLL
  for (std::size_t k = 0; k < K; ++k)
    last[k] = Times(LoadRecord(table + S::at(extent<dim> - 1, k)), Spread(push));
  const auto add_row = [&](double* row, const Four& of) HWY_ATTR {
    REPOSE_UNROLL
    for (std::size_t k = 0; k < K; ++k)
      StoreRecord(TimesAdd(of, last[k], LoadRecord(row + 4 * k)), row + 4 * k);
  };
  REPOSE_UNROLL
  for (std::size_t i = 0; i < K; ++i) {
    double* plane = base + i * node_step<dim>(0);
    const Four of_plane = LoadRecord(table + S::at(0, i));
    if constexpr (dim == 2) {
      add_row(plane, of_plane);
    } else {
      REPOSE_UNROLL
      for (std::size_t j = 0; j < K; ++j)
        add_row(plane + j * node_step<dim>(1), Times(of_plane, LoadRecord(table + S::at(1, j))));
    }
  }
}

/// GatherDivergence() in float, lanes being (node of a row, component).
template <int dim, int K>
HWY_INLINE void GatherRoundedDivergence(const float* HWY_RESTRICT base, const float* HWY_RESTRICT table,
                                        float* HWY_RESTRICT out) {
  using S = DivergenceTable<dim>;
  using V = hn::Vec<Tag<float>>;
  const Tag<float> d;
  constexpr std::size_t n = lanes<float>;
  constexpr std::size_t vectors = (4 * K + n - 1) / n;
  V total;
  REPOSE_UNROLL
  for (std::size_t g = 0; g < vectors; ++g) {
    V sum;
    REPOSE_UNROLL
    for (std::size_t i = 0; i < K; ++i) {
      const float* plane = base + i * node_step<dim>(0) + g * n;
      V along;
      if constexpr (dim == 2) {
        along = hn::LoadU(d, plane);
      } else {
        REPOSE_UNROLL
        for (std::size_t j = 0; j < K; ++j) {
          const V v = hn::LoadU(d, plane + j * node_step<dim>(1));
          const V of = RepeatChunk<float>(table + S::at(1, j), g);
          along = j == 0 ? hn::Mul(v, of) : hn::MulAdd(v, of, along);
        }
      }
      const V of = RepeatChunk<float>(table + S::at(0, i), g);
      sum = i == 0 ? hn::Mul(along, of) : hn::MulAdd(along, of, sum);
    }
    // A row's nodes lie side by side, as lanes do; of the quadratic kernel the fourth counts nothing.
    const V of = hn::LoadU(d, table + S::at(extent<dim> - 1, 0) + g * n);
    total = g == 0 ? hn::Mul(sum, of) : hn::MulAdd(sum, of, total);
  }
  StoreChunkSum<float>(total, out);
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
