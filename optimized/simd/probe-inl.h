// The table of one instruction set's vector maths. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_SIMD_PROBE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_SIMD_PROBE_INL_H_
#undef REPOSE_OPTIMIZED_SIMD_PROBE_INL_H_
#else
#define REPOSE_OPTIMIZED_SIMD_PROBE_INL_H_
#endif

#include "optimized/simd/bspline-inl.h"
#include "optimized/simd/probe.h"
#include "optimized/simd/scalar-inl.h"
#include "optimized/simd/symmetric-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// Calls `map` with lanes of `inputs` numbers each and stores `outputs` numbers of each.
template <class T, std::size_t inputs, std::size_t outputs, class Map>
HWY_INLINE void MapLanes(const T* in, std::size_t count, T* out, const Map& map) {
  const Tag<T> d;
  constexpr std::size_t n = lanes<T>;
  for (std::size_t first = 0; first < count; first += n) {
    HWY_ALIGN T value[n];
    hn::Vec<Tag<T>> x[inputs];
    hn::Vec<Tag<T>> y[outputs];
    for (std::size_t k = 0; k < inputs; ++k) {
      for (std::size_t lane = 0; lane < n; ++lane)
        value[lane] = in[std::min(first + lane, count - 1) * inputs + k];
      x[k] = hn::Load(d, value);
    }
    map(x, y);
    for (std::size_t k = 0; k < outputs; ++k) {
      hn::Store(y[k], d, value);
      for (std::size_t lane = 0; lane < n && first + lane < count; ++lane)
        out[(first + lane) * outputs + k] = value[lane];
    }
  }
}

template <class T, int dim>
void ProbeLog(const T* in, std::size_t count, T* out) {
  constexpr std::size_t size = Symmetric<T, dim>::size;
  MapLanes<T, size, size>(in, count, out, [](const hn::Vec<Tag<T>>* x, hn::Vec<Tag<T>>* y) HWY_ATTR {
    Symmetric<T, dim> s;
    std::copy_n(x, size, s.s);
    std::copy_n(HalfLog1p<T, dim>(s).s, size, y);
  });
}

template <class T, int dim>
void ProbeExp(const T* in, std::size_t count, T* out) {
  constexpr std::size_t size = Symmetric<T, dim>::size;
  MapLanes<T, size, size>(in, count, out, [](const hn::Vec<Tag<T>>* x, hn::Vec<Tag<T>>* y) HWY_ATTR {
    Symmetric<T, dim> s;
    std::copy_n(x, size, s.s);
    std::copy_n(TensorExpm1<T, dim>(s).s, size, y);
  });
}

template <class T, int dim>
void ProbeDecompose(const T* in, std::size_t count, T* out) {
  constexpr std::size_t size = Symmetric<T, dim>::size;
  constexpr std::size_t d = extent<dim>;
  MapLanes<T, size, d + d * d>(in, count, out, [](const hn::Vec<Tag<T>>* x, hn::Vec<Tag<T>>* y) HWY_ATTR {
    Symmetric<T, dim> s;
    std::copy_n(x, size, s.s);
    const Eigen<T, dim> e = Decompose<T, dim>(s);
    std::copy_n(e.value, d, y);
    for (std::size_t row = 0; row < d; ++row) std::copy_n(e.vector[row], d, y + d + d * row);
  });
}

template <class T, int K>
void ProbeWeights(const T* in, std::size_t count, T* out) {
  MapLanes<T, 1, 12>(in, count, out, [](const hn::Vec<Tag<T>>* x, hn::Vec<Tag<T>>* y) HWY_ATTR {
    Weights<T, K> weights;
    SetWeights<T, K>(x[0], weights);
    std::copy_n(weights.w, 4, y);
    std::copy_n(weights.d, 4, y + 4);
    std::copy_n(weights.g, 4, y + 8);
  });
}

template <class T>
const Probe<T>* ProbeTable() {
  static const Probe<T> table = [] {
    Probe<T> p;
    p.name = hwy::TargetName(HWY_TARGET);
    p.half_log1p[0] = &ProbeLog<T, 2>;
    p.half_log1p[1] = &ProbeLog<T, 3>;
    p.expm1[0] = &ProbeExp<T, 2>;
    p.expm1[1] = &ProbeExp<T, 3>;
    p.decompose[0] = &ProbeDecompose<T, 2>;
    p.decompose[1] = &ProbeDecompose<T, 3>;
    p.log1p = [](const T* in, std::size_t count, T* out) {
      MapLanes<T, 1, 1>(in, count, out,
                        [](const hn::Vec<Tag<T>>* x, hn::Vec<Tag<T>>* y) HWY_ATTR { y[0] = Log1p<T>(x[0]); });
    };
    p.scalar_expm1 = [](const T* in, std::size_t count, T* out) {
      MapLanes<T, 1, 1>(in, count, out,
                        [](const hn::Vec<Tag<T>>* x, hn::Vec<Tag<T>>* y) HWY_ATTR { y[0] = Expm1<T>(x[0]); });
    };
    p.exp = [](const T* in, std::size_t count, T* out) {
      MapLanes<T, 1, 1>(in, count, out,
                        [](const hn::Vec<Tag<T>>* x, hn::Vec<Tag<T>>* y) HWY_ATTR { y[0] = Exp<T>(x[0]); });
    };
    p.acute_sine = [](const T* in, std::size_t count, T* out) {
      MapLanes<T, 1, 1>(in, count, out, [](const hn::Vec<Tag<T>>* x, hn::Vec<Tag<T>>* y) HWY_ATTR {
        y[0] = AcuteSine<T>(x[0]);
      });
    };
    p.weights[0] = &ProbeWeights<T, 3>;
    p.weights[1] = &ProbeWeights<T, 4>;
    return p;
  }();
  return &table;
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
