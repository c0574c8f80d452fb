// Sums over the stencil of one particle in double, lanes being the four numbers of a node record. Compiled once per
// instruction set.
#if defined(REPOSE_OPTIMIZED_IMPLICIT_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_IMPLICIT_ROWS_INL_H_
#undef REPOSE_OPTIMIZED_IMPLICIT_ROWS_INL_H_
#else
#define REPOSE_OPTIMIZED_IMPLICIT_ROWS_INL_H_
#endif

#include "optimized/implicit/kernels.h"
#include "optimized/layout/block.h"
#include "optimized/simd/bspline-inl.h"
#include "optimized/simd/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// Four numbers: one vector, or two where vectors are shorter.
using FourTag = hn::CappedTag<double, 4>;
using FourPart = hn::Vec<FourTag>;
inline constexpr std::size_t four_lanes = HWY_MIN(lanes<double>, std::size_t{4});
inline constexpr std::size_t four_parts = 4 / four_lanes;
struct Four {
  FourPart part[four_parts];
};

HWY_INLINE FourPart Spread(double x) { return hn::Set(FourTag(), x); }
HWY_INLINE Four LoadRecord(const double* from) {
  Four x;
  REPOSE_UNROLL
  for (std::size_t p = 0; p < four_parts; ++p) x.part[p] = hn::LoadU(FourTag(), from + p * four_lanes);
  return x;
}
HWY_INLINE void StoreRecord(const Four& x, double* to) {
  REPOSE_UNROLL
  for (std::size_t p = 0; p < four_parts; ++p) hn::StoreU(x.part[p], FourTag(), to + p * four_lanes);
}
HWY_INLINE Four Times(const Four& x, FourPart w) {
  Four y;
  REPOSE_UNROLL
  for (std::size_t p = 0; p < four_parts; ++p) y.part[p] = hn::Mul(x.part[p], w);
  return y;
}
HWY_INLINE Four Times(const Four& x, const Four& w) {
  Four y;
  REPOSE_UNROLL
  for (std::size_t p = 0; p < four_parts; ++p) y.part[p] = hn::Mul(x.part[p], w.part[p]);
  return y;
}
/// x w + y
HWY_INLINE Four TimesAdd(const Four& x, FourPart w, const Four& y) {
  Four z;
  REPOSE_UNROLL
  for (std::size_t p = 0; p < four_parts; ++p) z.part[p] = hn::MulAdd(x.part[p], w, y.part[p]);
  return z;
}
HWY_INLINE Four TimesAdd(const Four& x, const Four& w, const Four& y) {
  Four z;
  REPOSE_UNROLL
  for (std::size_t p = 0; p < four_parts; ++p) z.part[p] = hn::MulAdd(x.part[p], w.part[p], y.part[p]);
  return z;
}

/// Weights of one particle in memory: [axis][w, g][4], g = h N̂′; the fourth node of the quadratic kernel is zero.
template <int dim>
struct SlopeTable {
  static constexpr std::size_t size = 8 * extent<dim>;
  static constexpr std::size_t w(int axis) { return 8 * static_cast<std::size_t>(axis); }
  static constexpr std::size_t g(int axis) { return w(axis) + 4; }
};

/// Fills the tables of one vector of particles. @param offset fields of a pack, from the vector's first lane on
template <int dim, int K>
HWY_INLINE void SetSlopes(const double (*offset)[Pack<dim>::lanes], std::size_t lane, double* table) {
  using S = SlopeTable<dim>;
  REPOSE_UNROLL
  for (int axis = 0; axis < dim; ++axis) {
    Weights<double, K> along;
    SetWeights<double, K>(hn::LoadU(Tag<double>(), offset[axis] + lane), along);
    if constexpr (K == 3) along.g[3] = hn::Zero(Tag<double>());
    StoreFourApart<double, S::size>(along.w, table, S::w(axis));
    StoreFourApart<double, S::size>(along.g, table, S::g(axis));
  }
}

/// Numbers from one node's record to that of the next along each axis.
template <int dim>
constexpr std::size_t node_step(int axis) {
  if (axis == dim - 1) return 4;
  return (dim == 3 && axis == 0 ? Block<3>::tile_edge : 1) * Block<dim>::row_values;
}

/// Weights along a row of nodes, each in all lanes.
template <int dim, int K>
struct LastAxis {
  FourPart w[static_cast<std::size_t>(K)], g[static_cast<std::size_t>(K)];
  HWY_INLINE explicit LastAxis(const double* HWY_RESTRICT table) {
    using S = SlopeTable<dim>;
    REPOSE_UNROLL
    for (std::size_t k = 0; k < K; ++k) {
      w[k] = Spread(table[S::w(dim - 1) + k]);
      g[k] = Spread(table[S::g(dim - 1) + k]);
    }
  }
};

/// Σ_i v_i g_ia over the stencil: a record (·, v) per axis a.
/// @param base record of the stencil's first node
template <int dim, int K>
HWY_INLINE void GatherSlopes(const double* HWY_RESTRICT base, const double* HWY_RESTRICT table,
                             double* HWY_RESTRICT out) {
  using S = SlopeTable<dim>;
  const LastAxis<dim, K> last(table);
  const auto row = [&](const double* node, Four& value, Four& slope) HWY_ATTR {
    const Four first = LoadRecord(node);
    value = Times(first, last.w[0]);
    slope = Times(first, last.g[0]);
    REPOSE_UNROLL
    for (std::size_t k = 1; k < K; ++k) {
      const Four v = LoadRecord(node + 4 * k);
      value = TimesAdd(v, last.w[k], value);
      slope = TimesAdd(v, last.g[k], slope);
    }
  };
  Four sum[extent<dim>];
  REPOSE_UNROLL
  for (std::size_t i = 0; i < K; ++i) {
    const double* plane = base + i * node_step<dim>(0);
    const FourPart w_i = Spread(table[S::w(0) + i]);
    const FourPart g_i = Spread(table[S::g(0) + i]);
    Four along[extent<dim>];  // per axis, summed over all but the first
    if constexpr (dim == 2) {
      row(plane, along[0], along[1]);
    } else {
      REPOSE_UNROLL
      for (std::size_t j = 0; j < K; ++j) {
        Four value, slope;
        row(plane + j * node_step<dim>(1), value, slope);
        const FourPart w_j = Spread(table[S::w(1) + j]);
        const FourPart g_j = Spread(table[S::g(1) + j]);
        along[0] = j == 0 ? Times(value, w_j) : TimesAdd(value, w_j, along[0]);
        along[1] = j == 0 ? Times(value, g_j) : TimesAdd(value, g_j, along[1]);
        along[2] = j == 0 ? Times(slope, w_j) : TimesAdd(slope, w_j, along[2]);
      }
    }
    REPOSE_UNROLL
    for (std::size_t a = 0; a < extent<dim>; ++a) {
      const FourPart factor = a == 0 ? g_i : w_i;
      sum[a] = i == 0 ? Times(along[a], factor) : TimesAdd(along[a], factor, sum[a]);
    }
  }
  REPOSE_UNROLL
  for (std::size_t a = 0; a < extent<dim>; ++a) StoreRecord(sum[a], out + 4 * a);
}

/// Calls visit(i-th row's first record, its place among the K^(d−1) rows, value, slope): a node k of the row has
/// Σ_a column[a] g_ia = value w_k + slope g_k.
template <int dim, int K, class Visit>
HWY_INLINE void VisitRows(const double* HWY_RESTRICT column, const double* HWY_RESTRICT table,
                          Visit&& visit) {
  using S = SlopeTable<dim>;
  Four of[extent<dim>];
  REPOSE_UNROLL
  for (std::size_t a = 0; a < extent<dim>; ++a) of[a] = LoadRecord(column + 4 * a);
  REPOSE_UNROLL
  for (std::size_t i = 0; i < K; ++i) {
    const FourPart w_i = Spread(table[S::w(0) + i]);
    const Four x = Times(of[0], Spread(table[S::g(0) + i]));
    const Four y = Times(of[1], w_i);
    if constexpr (dim == 2) {
      visit(i * node_step<dim>(0), x, y);
    } else {
      const Four z = Times(of[2], w_i);
      REPOSE_UNROLL
      for (std::size_t j = 0; j < K; ++j) {
        const FourPart w_j = Spread(table[S::w(1) + j]);
        const FourPart g_j = Spread(table[S::g(1) + j]);
        visit(i * node_step<dim>(0) + j * node_step<dim>(1), TimesAdd(x, w_j, Times(y, g_j)), Times(z, w_j));
      }
    }
  }
}

/// Adds Σ_a column[a] g_ia to the records of the stencil. @param column a record (0, x, y, z) per axis
template <int dim, int K>
HWY_INLINE void ScatterSlopes(const double* HWY_RESTRICT column, const double* HWY_RESTRICT table,
                              double* HWY_RESTRICT base) {
  const LastAxis<dim, K> last(table);
  VisitRows<dim, K>(column, table, [&](std::size_t at, const Four& value, const Four& slope) HWY_ATTR {
    REPOSE_UNROLL
    for (std::size_t k = 0; k < K; ++k) {
      double* node = base + at + 4 * k;
      StoreRecord(TimesAdd(value, last.w[k], TimesAdd(slope, last.g[k], LoadRecord(node))), node);
    }
  });
}

/// Adds ‖Σ_a column[a] g_ia‖ to one number per node; lanes are the nodes of a row. @param base the first node's number
template <int dim, int K>
HWY_INLINE void ScatterMagnitudes(const double* HWY_RESTRICT column, const double* HWY_RESTRICT table,
                                  double* HWY_RESTRICT base) {
  using S = SlopeTable<dim>;
  const Four w = LoadRecord(table + S::w(dim - 1));
  const Four g = LoadRecord(table + S::g(dim - 1));
  VisitRows<dim, K>(column, table, [&](std::size_t at, const Four& value, const Four& slope) HWY_ATTR {
    HWY_ALIGN double component[8];
    StoreRecord(value, component);
    StoreRecord(slope, component + 4);
    Four squared;
    REPOSE_UNROLL
    for (std::size_t c = 1; c <= extent<dim>; ++c) {
      const Four taken = TimesAdd(w, Spread(component[c]), Times(g, Spread(component[4 + c])));
      REPOSE_UNROLL
      for (std::size_t p = 0; p < four_parts; ++p)
        squared.part[p] = c == 1 ? hn::Mul(taken.part[p], taken.part[p])
                                 : hn::MulAdd(taken.part[p], taken.part[p], squared.part[p]);
    }
    Four sum = LoadRecord(base + at / 4);
    REPOSE_UNROLL
    for (std::size_t p = 0; p < four_parts; ++p)
      sum.part[p] = hn::Add(sum.part[p], hn::Sqrt(squared.part[p]));
    StoreRecord(sum, base + at / 4);
  });
}

/// Pairs of axes (c, d), c ≤ d, in the order of Symmetric.
template <int dim>
inline constexpr std::size_t axis_pairs = Record<dim>::symmetric;

/// Adds Σ_{c ≤ d} term[(c, d)] g_ic g_id to the records of the stencil.
/// @param term a record (0, x, y, z) per pair of axes
template <int dim, int K>
HWY_INLINE void ScatterProducts(const double* HWY_RESTRICT term, const double* HWY_RESTRICT table,
                                double* HWY_RESTRICT base) {
  using S = SlopeTable<dim>;
  constexpr int last = dim - 1;
  FourPart ww[static_cast<std::size_t>(K)], wg[static_cast<std::size_t>(K)], gg[static_cast<std::size_t>(K)];
  REPOSE_UNROLL
  for (std::size_t k = 0; k < K; ++k) {
    const double w = table[S::w(last) + k];
    const double g = table[S::g(last) + k];
    ww[k] = Spread(w * w), wg[k] = Spread(w * g), gg[k] = Spread(g * g);
  }
  const auto add_row = [&](double* row, const Four& of_ww, const Four& of_wg, const Four& of_gg) HWY_ATTR {
    REPOSE_UNROLL
    for (std::size_t k = 0; k < K; ++k) {
      double* node = row + 4 * k;
      StoreRecord(TimesAdd(of_ww, ww[k], TimesAdd(of_wg, wg[k], TimesAdd(of_gg, gg[k], LoadRecord(node)))),
                  node);
    }
  };
  const auto of = [&](int c, int d) HWY_ATTR { return LoadRecord(term + 4 * symmetric_index<dim>(c, d)); };
  REPOSE_UNROLL
  for (std::size_t i = 0; i < K; ++i) {
    const double w = table[S::w(0) + i];
    const double g = table[S::g(0) + i];
    const FourPart ww_i = Spread(w * w);
    const FourPart wg_i = Spread(w * g);
    const FourPart gg_i = Spread(g * g);
    double* plane = base + i * node_step<dim>(0);
    if constexpr (dim == 2) {
      add_row(plane, Times(of(0, 0), gg_i), Times(of(0, 1), wg_i), Times(of(1, 1), ww_i));
    } else {
      REPOSE_UNROLL
      for (std::size_t j = 0; j < K; ++j) {
        const double w_j = table[S::w(1) + j];
        const double g_j = table[S::g(1) + j];
        const auto factor = [](FourPart x, double y) HWY_ATTR { return hn::Mul(x, Spread(y)); };
        const Four of_ww =
            TimesAdd(of(0, 0), factor(gg_i, w_j * w_j),
                     TimesAdd(of(0, 1), factor(wg_i, w_j * g_j), Times(of(1, 1), factor(ww_i, g_j * g_j))));
        const Four of_wg =
            TimesAdd(of(0, 2), factor(wg_i, w_j * w_j), Times(of(1, 2), factor(ww_i, w_j * g_j)));
        add_row(plane + j * node_step<dim>(1), of_ww, of_wg, Times(of(2, 2), factor(ww_i, w_j * w_j)));
      }
    }
  }
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
