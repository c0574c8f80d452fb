// d×d matrices over lanes. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_IMPLICIT_MATRIX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_IMPLICIT_MATRIX_INL_H_
#undef REPOSE_OPTIMIZED_IMPLICIT_MATRIX_INL_H_
#else
#define REPOSE_OPTIMIZED_IMPLICIT_MATRIX_INL_H_
#endif

#include "optimized/implicit/kernels.h"
#include "optimized/simd/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

using Doubles = hn::Vec<Tag<double>>;

template <int dim>
struct Matrix {
  Doubles m[extent<dim>][extent<dim>];
  HWY_INLINE Doubles& operator()(std::size_t a, std::size_t b) { return m[a][b]; }
  HWY_INLINE Doubles operator()(std::size_t a, std::size_t b) const { return m[a][b]; }
};

template <int dim>
HWY_INLINE Matrix<dim> Scaled(Matrix<dim> x, Doubles factor) {
  REPOSE_UNROLL
  for (std::size_t a = 0; a < extent<dim>; ++a) {
    REPOSE_UNROLL
    for (std::size_t b = 0; b < extent<dim>; ++b) x(a, b) = hn::Mul(x(a, b), factor);
  }
  return x;
}

/// Entry (a, b) = Σ_k x(a, k) y(k, b), x and y read through functions: so that transposes cost nothing.
template <int dim, class X, class Y>
HWY_INLINE Matrix<dim> Product(X&& x, Y&& y) {
  Matrix<dim> out;
  REPOSE_UNROLL
  for (std::size_t a = 0; a < extent<dim>; ++a) {
    REPOSE_UNROLL
    for (std::size_t b = 0; b < extent<dim>; ++b) {
      Doubles sum = hn::Mul(x(a, 0), y(0, b));
      REPOSE_UNROLL
      for (std::size_t k = 1; k < extent<dim>; ++k) sum = hn::MulAdd(x(a, k), y(k, b), sum);
      out(a, b) = sum;
    }
  }
  return out;
}

/// Views of a matrix for Product().
template <int dim>
HWY_INLINE auto Plain(const Matrix<dim>& x) {
  return [&x](std::size_t a, std::size_t b) HWY_ATTR { return x(a, b); };
}
template <int dim>
HWY_INLINE auto Transposed(const Matrix<dim>& x) {
  return [&x](std::size_t a, std::size_t b) HWY_ATTR { return x(b, a); };
}

/// One vector of a pack's particles, from lane `lane` on.
template <int dim>
struct PackLanes {
  Pack<dim>& pack;
  std::size_t lane;

  HWY_INLINE Doubles Get(std::size_t field) const {
    return hn::LoadU(Tag<double>(), pack.field[field] + lane);
  }
  HWY_INLINE void Set(std::size_t field, Doubles x) const {
    hn::StoreU(x, Tag<double>(), pack.field[field] + lane);
  }
  /// A matrix's entries as a view for Product().
  HWY_INLINE auto View(std::size_t field) const {
    return [this, field](std::size_t a, std::size_t b) HWY_ATTR { return Get(field + extent<dim> * a + b); };
  }
  HWY_INLINE auto TransposedView(std::size_t field) const {
    return [this, field](std::size_t a, std::size_t b) HWY_ATTR { return Get(field + extent<dim> * b + a); };
  }
  /// a_ij of the stress's derivative, i ≠ j.
  HWY_INLINE Doubles Shear(std::size_t i, std::size_t j) const {
    const std::size_t pair = i + j - 1;  // (0, 1), (0, 2), (1, 2)
    return Get(Pack<dim>::shear + 2 * pair + (i < j ? 0 : 1));
  }
};

/// Records (·, column a) of all lanes, `stride` apart, to a matrix and back.
template <int dim, std::size_t stride>
HWY_INLINE Matrix<dim> LoadColumns(const double* records) {
  Matrix<dim> out;
  REPOSE_UNROLL
  for (std::size_t a = 0; a < extent<dim>; ++a) {
    Doubles four[4];
    LoadFourApart<double, stride>(records, 4 * a, four);
    REPOSE_UNROLL
    for (std::size_t c = 0; c < extent<dim>; ++c) out(c, a) = four[1 + c];
  }
  return out;
}
template <int dim, std::size_t stride>
HWY_INLINE void StoreColumn(const Matrix<dim>& x, std::size_t column, double* records, std::size_t at) {
  const Doubles zero = hn::Zero(Tag<double>());
  const Doubles four[4] = {zero, x(0, column), x(1, column), dim == 3 ? x(extent<dim> - 1, column) : zero};
  StoreFourApart<double, stride>(four, records, at);
}

template <int dim, std::size_t stride>
HWY_INLINE void StoreColumns(const Matrix<dim>& x, double* records) {
  REPOSE_UNROLL
  for (std::size_t a = 0; a < extent<dim>; ++a) StoreColumn<dim, stride>(x, a, records, 4 * a);
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
