// d×d matrices over lanes. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_IMPLICIT_MATRIX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_IMPLICIT_MATRIX_INL_H_
#undef REPOSE_OPTIMIZED_IMPLICIT_MATRIX_INL_H_
#else
#define REPOSE_OPTIMIZED_IMPLICIT_MATRIX_INL_H_
#endif

#include "optimized/implicit/kernels.h"
#include "optimized/simd/lanes-inl.h"

#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

using Doubles = hn::Vec<Tag<double>>;

template <int dim, class T = double>
struct Matrix {
  using V = hn::Vec<Tag<T>>;
  V m[extent<dim>][extent<dim>];
  HWY_INLINE V& operator()(std::size_t a, std::size_t b) { return m[a][b]; }
  HWY_INLINE V operator()(std::size_t a, std::size_t b) const { return m[a][b]; }
};

template <int dim, class T>
HWY_INLINE Matrix<dim, T> Scaled(Matrix<dim, T> x, hn::Vec<Tag<T>> factor) {
  REPOSE_UNROLL
  for (std::size_t a = 0; a < extent<dim>; ++a) {
    REPOSE_UNROLL
    for (std::size_t b = 0; b < extent<dim>; ++b) x(a, b) = hn::Mul(x(a, b), factor);
  }
  return x;
}

/// Entry (a, b) = Σ_k x(a, k) y(k, b), x and y read through functions: so that transposes cost nothing.
template <int dim, class T = double, class X, class Y>
HWY_INLINE Matrix<dim, T> Product(X&& x, Y&& y) {
  Matrix<dim, T> out;
  REPOSE_UNROLL
  for (std::size_t a = 0; a < extent<dim>; ++a) {
    REPOSE_UNROLL
    for (std::size_t b = 0; b < extent<dim>; ++b) {
      auto sum = hn::Mul(x(a, 0), y(0, b));
      REPOSE_UNROLL
      for (std::size_t k = 1; k < extent<dim>; ++k) sum = hn::MulAdd(x(a, k), y(k, b), sum);
      out(a, b) = sum;
    }
  }
  return out;
}

/// Views of a matrix for Product().
template <int dim, class T>
HWY_INLINE auto Plain(const Matrix<dim, T>& x) {
  return [&x](std::size_t a, std::size_t b) HWY_ATTR { return x(a, b); };
}
template <int dim, class T>
HWY_INLINE auto Transposed(const Matrix<dim, T>& x) {
  return [&x](std::size_t a, std::size_t b) HWY_ATTR { return x(b, a); };
}

/// One vector of a pack's particles, from lane `lane` on.
/// @tparam P Pack or RoundedPack
template <int dim, class P = Pack<dim>>
struct PackLanes {
  using Number = typename P::Number;
  using V = hn::Vec<Tag<Number>>;
  P& pack;
  std::size_t lane;

  HWY_INLINE V Get(std::size_t field) const { return hn::LoadU(Tag<Number>(), pack.field[field] + lane); }
  HWY_INLINE void Set(std::size_t field, V x) const {
    hn::StoreU(x, Tag<Number>(), pack.field[field] + lane);
  }
  /// A matrix's entries as a view for Product().
  HWY_INLINE auto View(std::size_t field) const {
    return [this, field](std::size_t a, std::size_t b) HWY_ATTR { return Get(field + extent<dim> * a + b); };
  }
  HWY_INLINE auto TransposedView(std::size_t field) const {
    return [this, field](std::size_t a, std::size_t b) HWY_ATTR { return Get(field + extent<dim> * b + a); };
  }
  /// a_ij of the stress's derivative, i ≠ j.
  HWY_INLINE V Shear(std::size_t i, std::size_t j) const { return Get(P::shear + of_pair(i, j)); }
  /// a_ji − s_i, i ≠ j.
  HWY_INLINE V Across(std::size_t i, std::size_t j) const {
    if constexpr (std::is_same_v<Number, float>)
      return Get(P::across + of_pair(i, j));
    else
      return hn::Sub(Shear(j, i), Get(P::s + i));
  }

 private:
  static constexpr std::size_t of_pair(std::size_t i, std::size_t j) {
    return 2 * (i + j - 1) + (i < j ? 0 : 1);  // (0, 1), (0, 2), (1, 2)
  }
};

/// Records (·, column a) of all lanes, `stride` apart, to a matrix and back.
template <int dim, std::size_t stride, class T>
HWY_INLINE Matrix<dim, T> LoadColumns(const T* records) {
  Matrix<dim, T> out;
  REPOSE_UNROLL
  for (std::size_t a = 0; a < extent<dim>; ++a) {
    hn::Vec<Tag<T>> four[4];
    LoadFourApart<T, stride>(records, 4 * a, four);
    REPOSE_UNROLL
    for (std::size_t c = 0; c < extent<dim>; ++c) out(c, a) = four[1 + c];
  }
  return out;
}
template <int dim, std::size_t stride, class T>
HWY_INLINE void StoreColumn(const Matrix<dim, T>& x, std::size_t column, T* records, std::size_t at) {
  using V = hn::Vec<Tag<T>>;
  const V zero = hn::Zero(Tag<T>());
  const V four[4] = {zero, x(0, column), x(1, column), dim == 3 ? x(extent<dim> - 1, column) : zero};
  StoreFourApart<T, stride>(four, records, at);
}

template <int dim, std::size_t stride, class T>
HWY_INLINE void StoreColumns(const Matrix<dim, T>& x, T* records) {
  REPOSE_UNROLL
  for (std::size_t a = 0; a < extent<dim>; ++a) StoreColumn<dim, stride>(x, a, records, 4 * a);
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
