// Products with the derivative of an implicit step's impulses. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_IMPLICIT_CHANGE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_IMPLICIT_CHANGE_INL_H_
#undef REPOSE_OPTIMIZED_IMPLICIT_CHANGE_INL_H_
#else
#define REPOSE_OPTIMIZED_IMPLICIT_CHANGE_INL_H_
#endif

#include "optimized/implicit/matrix-inl.h"
#include "optimized/implicit/rows-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// Calls visit(vector of a pack, tables of its particles, index of its first particle, number of its particles).
template <int dim, int K, class Visit>
HWY_INLINE void VisitLanes(const PackBlock<dim>& a, Visit&& visit) {
  using P = Pack<dim>;
  constexpr std::size_t n = lanes<double>;
  static_assert(P::lanes % n == 0);
  HWY_ALIGN double table[n * SlopeTable<dim>::size];
  for (std::size_t first = 0; first < a.count; first += n) {
    const PackLanes<dim> at{a.packs[first / P::lanes], first % P::lanes};
    SetSlopes<dim, K>(at.pack.field + P::offset, at.lane, table);
    visit(at, static_cast<const double*>(table), first, a.count - first < n ? a.count - first : n);
  }
}

/// Σ_i v_i g_iᵀ of all lanes: a record (·, column) per axis and lane. Lanes beyond the last particle are at rest.
template <int dim, int K>
HWY_INLINE void GatherLanes(const PackBlock<dim>& a, const double* table, std::size_t first, std::size_t real,
                            double* slopes) {
  constexpr std::size_t stride = 4 * extent<dim>;
  if (HWY_UNLIKELY(real < lanes<double>)) {
    for (std::size_t v = 0; v < lanes<double> * stride; ++v) slopes[v] = 0.0;
  }
  for (std::size_t lane = 0; lane < real; ++lane)
    GatherSlopes<dim, K>(a.from + Block<dim>::tile_offset(a.code[first + lane]),
                         table + lane * SlopeTable<dim>::size, slopes + lane * stride);
}

/// U K Wᵀ for L = Uᵀ dA W:  K_ii = Σ_j normal_ij L_jj,  K_ij = a_ij L_ij + (a_ji − s_i) L_ji
template <int dim, class P, class T>
HWY_INLINE Matrix<dim, T> StressChange(const PackLanes<dim, P>& at, const Matrix<dim, T>& dA) {
  const Matrix<dim, T> half = Product<dim, T>(at.TransposedView(P::U), Plain(dA));
  const Matrix<dim, T> L = Product<dim, T>(Plain(half), at.View(P::W));
  Matrix<dim, T> K;
  REPOSE_UNROLL
  for (std::size_t i = 0; i < extent<dim>; ++i) {
    REPOSE_UNROLL
    for (std::size_t j = 0; j < extent<dim>; ++j) {
      if (i != j) {
        K(i, j) = hn::MulAdd(at.Shear(i, j), L(i, j), hn::Mul(at.Across(i, j), L(j, i)));
        continue;
      }
      auto sum = hn::Mul(at.Get(P::normal + extent<dim> * i), L(0, 0));
      REPOSE_UNROLL
      for (std::size_t k = 1; k < extent<dim>; ++k)
        sum = hn::MulAdd(at.Get(P::normal + extent<dim> * i + k), L(k, k), sum);
      K(i, i) = sum;
    }
  }
  const Matrix<dim, T> back = Product<dim, T>(at.View(P::U), Plain(K));
  return Product<dim, T>(Plain(back), at.TransposedView(P::W));
}

template <int dim, int K>
HWY_NOINLINE void ChangeBlock(const PackBlock<dim>& a) {
  constexpr std::size_t stride = 4 * extent<dim>;
  const Tag<double> d;
  std::fill_n(a.to, Block<dim>::tile_values, 0.0);
  const Doubles scale = hn::Set(d, a.dt_over_h * a.per_h);
  VisitLanes<dim, K>(
      a, [&](const PackLanes<dim>& at, const double* table, std::size_t first, std::size_t real) HWY_ATTR {
        HWY_ALIGN double records[lanes<double> * stride];
        GatherLanes<dim, K>(a, table, first, real, records);
        const Matrix<dim> G = StressChange<dim>(at, LoadColumns<dim, stride>(records));
        StoreColumns<dim, stride>(Scaled<dim>(G, scale), records);
        for (std::size_t lane = 0; lane < real; ++lane)
          ScatterSlopes<dim, K>(records + lane * stride, table + lane * SlopeTable<dim>::size,
                                a.to + Block<dim>::tile_offset(a.code[first + lane]));
      });
}

/// What velocities of one node alone do to itself, N in N dv = d(P Fᵀ)(dv gᵀ) g, is quadratic in g. With γ = Wᵀ g
///
///     N = U Q Uᵀ,   Q_ij = (normal_ij + a_ji − s_i) γ_i γ_j,   Q_ii = normal_ii γ_i² + Σ_j≠i a_ij γ_j²
///
/// @returns the coefficient of g_c g_d in N, both orders of c ≠ d together
template <int dim>
HWY_INLINE Matrix<dim> ProductTerm(const PackLanes<dim>& at, std::size_t c, std::size_t d) {
  using P = Pack<dim>;
  const auto W = at.View(P::W);
  const auto both = [&](std::size_t i, std::size_t j) HWY_ATTR {
    const Doubles one = hn::Mul(W(c, i), W(d, j));
    return c == d ? one : hn::MulAdd(W(d, i), W(c, j), one);
  };
  Matrix<dim> Q;
  REPOSE_UNROLL
  for (std::size_t i = 0; i < extent<dim>; ++i) {
    Doubles diagonal = hn::Mul(at.Get(P::normal + (extent<dim> + 1) * i), both(i, i));
    REPOSE_UNROLL
    for (std::size_t j = 0; j < extent<dim>; ++j) {
      if (i == j) continue;
      diagonal = hn::MulAdd(at.Shear(i, j), both(j, j), diagonal);
      const Doubles normal = at.Get(P::normal + extent<dim> * i + j);
      Q(i, j) = hn::Mul(hn::Add(normal, at.Across(i, j)), both(i, j));
    }
    Q(i, i) = diagonal;
  }
  const Matrix<dim> half = Product<dim>(at.View(P::U), Plain(Q));
  return Product<dim>(Plain(half), at.TransposedView(P::U));
}

template <int dim, int K>
HWY_NOINLINE void ColumnsBlock(const PackBlock<dim>& a) {
  constexpr std::size_t stride = 4 * axis_pairs<dim>;
  constexpr std::size_t column_stride = lanes<double> * stride;
  const Tag<double> d;
  std::fill_n(a.to, extent<dim> * Block<dim>::tile_values, 0.0);
  const Doubles scale = hn::Set(d, a.dt_over_h * a.per_h);
  VisitLanes<dim, K>(
      a, [&](const PackLanes<dim>& at, const double* table, std::size_t first, std::size_t real) HWY_ATTR {
        HWY_ALIGN double terms[extent<dim> * column_stride];
        for (std::size_t c = 0; c < extent<dim>; ++c) {
          for (std::size_t e = c; e < extent<dim>; ++e) {
            const Matrix<dim> term = Scaled<dim>(ProductTerm<dim>(at, c, e), scale);
            const std::size_t pair = symmetric_index<dim>(static_cast<int>(c), static_cast<int>(e));
            for (std::size_t b = 0; b < extent<dim>; ++b)
              StoreColumn<dim, stride>(term, b, terms + b * column_stride, 4 * pair);
          }
        }
        for (std::size_t lane = 0; lane < real; ++lane)
          for (std::size_t b = 0; b < extent<dim>; ++b)
            ScatterProducts<dim, K>(
                terms + b * column_stride + lane * stride, table + lane * SlopeTable<dim>::size,
                a.to + b * Block<dim>::tile_values + Block<dim>::tile_offset(a.code[first + lane]));
      });
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
