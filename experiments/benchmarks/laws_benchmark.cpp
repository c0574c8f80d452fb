// The fast solver's law over lanes, per instruction set: eigen-decomposition, logarithm, exponential, return
// map.
//     repose_benchmarks --benchmark_filter='law/optimized/3d/float'
#include "optimized/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "experiments/benchmarks/laws_benchmark.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep

#include "experiments/benchmarks/sand_law.h"
#include "optimized/law/law-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// Numbers of one quantity lie together: component k of tensor p is at data[k · count + p].
template <class T, int dim>
HWY_INLINE Symmetric<T, dim> LoadTensor(const T* data, std::size_t count, std::size_t p) {
  const Tag<T> d;
  Symmetric<T, dim> x;
  for (std::size_t k = 0; k < Symmetric<T, dim>::size; ++k) x.s[k] = hn::LoadU(d, data + k * count + p);
  return x;
}
template <class T, int dim>
HWY_INLINE void StoreTensor(const Symmetric<T, dim>& x, T* data, std::size_t count, std::size_t p) {
  const Tag<T> d;
  for (std::size_t k = 0; k < Symmetric<T, dim>::size; ++k) hn::StoreU(x.s[k], d, data + k * count + p);
}

/// @param which 0 eigen-decomposition and back, 1 ½ ln(1 + X), 2 exp(X) − 1, 3 return map
/// @param in    strains, b − 1 or ε, then q, then v_c  @param out as many
template <class T, int dim>
HWY_NOINLINE void LawOf(int which, const T* in, T* out, std::size_t count) {
  const Tag<T> d;
  constexpr std::size_t n = lanes<T>;
  constexpr std::size_t size = Symmetric<T, dim>::size;
  LaneLaw<T> law;
  SetLaw<T>(&experiments::sand_law<T>, 1, hn::Zero(d), law);
  for (std::size_t p = 0; p + n <= count; p += n) {
    const Symmetric<T, dim> x = LoadTensor<T, dim>(in, count, p);
    if (which == 0) StoreTensor<T, dim>(Compose<T, dim>(Decompose<T, dim>(x)), out, count, p);
    if (which == 1) StoreTensor<T, dim>(HalfLog1p<T, dim>(x), out, count, p);
    if (which == 2) StoreTensor<T, dim>(TensorExpm1<T, dim>(x), out, count, p);
    if (which == 3) {
      PlasticState<T, dim> state;
      state.strain = HalfLog1p<T, dim>(StretchOf<T, dim>(x));
      state.q = hn::LoadU(d, in + size * count + p);
      state.v_c = hn::LoadU(d, in + (size + 1) * count + p);
      ReturnStrain<T, dim>(law, ConeAt<T>(state.q, law, {.slope = true}), state);
      StoreTensor<T, dim>(state.strain, out, count, p);
      hn::StoreU(state.q, d, out + size * count + p);
      hn::StoreU(state.v_c, d, out + (size + 1) * count + p);
    }
  }
}

void LawFloat2(int which, const float* in, float* out, std::size_t count) {
  LawOf<float, 2>(which, in, out, count);
}
void LawFloat3(int which, const float* in, float* out, std::size_t count) {
  LawOf<float, 3>(which, in, out, count);
}
void LawDouble2(int which, const double* in, double* out, std::size_t count) {
  LawOf<double, 2>(which, in, out, count);
}
void LawDouble3(int which, const double* in, double* out, std::size_t count) {
  LawOf<double, 3>(which, in, out, count);
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "optimized/mpm/kernels.h"
#include "optimized/simd/choose_target.h"
#include "reference/interface/particles/random.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <type_traits>
#include <vector>

namespace repose::optimized {

HWY_EXPORT(LawFloat2);
HWY_EXPORT(LawFloat3);
HWY_EXPORT(LawDouble2);
HWY_EXPORT(LawDouble3);

namespace {

template <class T, int dim>
auto law_of_target(std::size_t index) {
  if constexpr (std::is_same_v<T, float>) {
    return dim == 3 ? HWY_DISPATCH_TABLE(LawFloat3)[index] : HWY_DISPATCH_TABLE(LawFloat2)[index];
  } else {
    return dim == 3 ? HWY_DISPATCH_TABLE(LawDouble3)[index] : HWY_DISPATCH_TABLE(LawDouble2)[index];
  }
}

constexpr const char* law_names[] = {"eigen", "half_log", "expm1", "return_map"};

/// Operations per particle, counted from the formulas: a rotation of the 3D Jacobi method has 41, a
/// composition 48.
double operations(int which, int dim, bool single) {
  const double log_terms = single ? 8.0 : 17.0;
  const double exp_terms = single ? 5.0 : 10.0;
  const double log = dim == 3 ? 6.0 * log_terms + 97.0 : 4.0 * log_terms + 20.0;
  const double exp = dim == 3 ? 6.0 * exp_terms + 97.0 : 4.0 * exp_terms + 20.0;
  if (which == 0) return dim == 3 ? (single ? 15.0 : 18.0) * 41.0 + 48.0 : 30.0 + 18.0;
  if (which == 1) return log;
  return which == 2 ? exp : log + exp + (dim == 3 ? 125.0 : 95.0);
}

template <class T, int dim>
void law(benchmark::State& state, int which, const std::string& target) {
  constexpr std::size_t count = 2048;  // in the second-level cache
  constexpr std::size_t size = dim == 3 ? 6 : 3;
  constexpr std::size_t fields = size + 2;
  std::vector<T> in(fields * count);
  std::vector<T> out(fields * count);
  Random random(1);
  for (std::size_t k = 0; k < size * count; ++k) in[k] = static_cast<T>(random.between(-0.05, 0.04));
  for (std::size_t k = size * count; k < fields * count; ++k)
    in[k] = static_cast<T>(random.between(0.0, 0.01));
  const auto run = law_of_target<T, dim>(target_index(target, HWY_TARGETS));
  for (auto _ : state) {
    run(which, in.data(), out.data(), count);
    benchmark::ClobberMemory();
  }
  const double particles = static_cast<double>(count) * static_cast<double>(state.iterations());
  using benchmark::Counter;
  state.counters["particle_steps/s"] = Counter(particles, Counter::kIsRate);
  state.counters["bytes/s"] =
      Counter(2.0 * static_cast<double>(fields * sizeof(T)) * particles, Counter::kIsRate);
  state.counters["GFLOP/s"] =
      Counter(1e-9 * operations(which, dim, sizeof(T) == 4) * particles, Counter::kIsRate);
}

const bool registered = [] {
  const std::string available = available_targets();
  for (const std::string target : {"SSE4", "AVX2", "AVX3"}) {
    if (available.find(target) == std::string::npos) continue;
    for (int which = 0; which < 4; ++which) {
      const auto add = [&](const char* setup, auto function) {
        benchmark::RegisterBenchmark(
            fmt::format("law/optimized/{}/{}/{}", setup, target, law_names[which]).c_str(), function, which,
            target);
      };
      add("3d/float", law<float, 3>);
      add("3d/double", law<double, 3>);
      add("2d/float", law<float, 2>);
      add("2d/double", law<double, 2>);
    }
  }
  return true;
}();

}  // namespace

}  // namespace repose::optimized
#endif
