#include "experiments/bench/machine.h"

#include "experiments/run/provenance.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

namespace repose::experiments {

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Keeps a result alive that nobody reads.
volatile double sink = 0.0;

struct Arrays {
  explicit Arrays(std::size_t n)
      : count(n),
        a(std::make_unique_for_overwrite<double[]>(n)),
        b(std::make_unique_for_overwrite<double[]>(n)),
        c(std::make_unique_for_overwrite<double[]>(n)) {}
  std::size_t count;
  std::unique_ptr<double[]> a, b, c;
};

struct Bandwidth {
  double copy = 0.0;
  double triad = 0.0;
};

void copy(double* to, const double* from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = from[i];
}

void triad(double* to, const double* b, const double* c, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = b[i] + 3.0 * c[i];
}

/// Every thread has its own part of the arrays, touches it first, and meets the others before and after each
/// pass.
Bandwidth bandwidth(int threads, std::size_t array_bytes, int passes) {
  const auto parts = static_cast<std::size_t>(threads);
  Arrays arrays(array_bytes / sizeof(double) / parts * parts);
  const std::size_t part = arrays.count / parts;
  std::barrier meet(threads);
  Bandwidth best;
  const auto work = [&](std::size_t thread) {
    double* const a = arrays.a.get() + thread * part;
    double* const b = arrays.b.get() + thread * part;
    double* const c = arrays.c.get() + thread * part;
    std::fill(a, a + part, 0.0);
    std::fill(b, b + part, 1.0);
    std::fill(c, c + part, 2.0);
    for (int pass = 0; pass < passes; ++pass) {
      meet.arrive_and_wait();
      const double start = now();
      copy(a, b, part);
      meet.arrive_and_wait();
      const double copied = now();
      triad(a, b, c, part);
      meet.arrive_and_wait();
      const double end = now();
      if (thread == 0) {
        const auto elements = static_cast<double>(arrays.count);
        best.copy = std::max(best.copy, 16e-9 * elements / (copied - start));
        best.triad = std::max(best.triad, 24e-9 * elements / (end - copied));
        sink = a[part / 2];
      }
    }
  };
  std::vector<std::jthread> others;
  for (std::size_t thread = 1; thread < parts; ++thread) others.emplace_back(work, thread);
  work(0);
  others.clear();  // joins
  return best;
}

// Twelve sums that do not depend on each other: latency 4 or 5, two units. The numbers stay near 1.
constexpr int sums = 12;

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) double fma_avx2_float(long rounds) {
  __m256 x[sums];
  for (int k = 0; k < sums; ++k) x[k] = _mm256_set1_ps(1.0F + 0.01F * static_cast<float>(k));
  const __m256 a = _mm256_set1_ps(0.999F);
  const __m256 b = _mm256_set1_ps(0.001F);
  for (long i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
    for (int k = 0; k < sums; ++k) x[k] = _mm256_fmadd_ps(x[k], a, b);
  }
  for (int k = 1; k < sums; ++k) x[0] = _mm256_add_ps(x[0], x[k]);
  sink = static_cast<double>(_mm256_cvtss_f32(x[0]));
  return 2.0 * 8.0 * sums * static_cast<double>(rounds);
}

__attribute__((target("avx2,fma"))) double fma_avx2_double(long rounds) {
  __m256d x[sums];
  for (int k = 0; k < sums; ++k) x[k] = _mm256_set1_pd(1.0 + 0.01 * k);
  const __m256d a = _mm256_set1_pd(0.999);
  const __m256d b = _mm256_set1_pd(0.001);
  for (long i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
    for (int k = 0; k < sums; ++k) x[k] = _mm256_fmadd_pd(x[k], a, b);
  }
  for (int k = 1; k < sums; ++k) x[0] = _mm256_add_pd(x[0], x[k]);
  sink = _mm256_cvtsd_f64(x[0]);
  return 2.0 * 4.0 * sums * static_cast<double>(rounds);
}

__attribute__((target("avx512f"))) double fma_avx512_float(long rounds) {
  __m512 x[sums];
  for (int k = 0; k < sums; ++k) x[k] = _mm512_set1_ps(1.0F + 0.01F * static_cast<float>(k));
  const __m512 a = _mm512_set1_ps(0.999F);
  const __m512 b = _mm512_set1_ps(0.001F);
  for (long i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
    for (int k = 0; k < sums; ++k) x[k] = _mm512_fmadd_ps(x[k], a, b);
  }
  for (int k = 1; k < sums; ++k) x[0] = _mm512_add_ps(x[0], x[k]);
  sink = static_cast<double>(_mm512_cvtss_f32(x[0]));
  return 2.0 * 16.0 * sums * static_cast<double>(rounds);
}

__attribute__((target("avx512f"))) double fma_avx512_double(long rounds) {
  __m512d x[sums];
  for (int k = 0; k < sums; ++k) x[k] = _mm512_set1_pd(1.0 + 0.01 * k);
  const __m512d a = _mm512_set1_pd(0.999);
  const __m512d b = _mm512_set1_pd(0.001);
  for (long i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
    for (int k = 0; k < sums; ++k) x[k] = _mm512_fmadd_pd(x[k], a, b);
  }
  for (int k = 1; k < sums; ++k) x[0] = _mm512_add_pd(x[0], x[k]);
  sink = _mm512_cvtsd_f64(x[0]);
  return 2.0 * 8.0 * sums * static_cast<double>(rounds);
}
#endif

/// For machines without the loops above: what the compiler's baseline makes of a multiplication and an
/// addition.
template <class T>
double multiply_add(long rounds) {
  constexpr int lanes = 64 / static_cast<int>(sizeof(T));
  T x[std::size_t{sums} * lanes];
  std::fill(std::begin(x), std::end(x), T{1});
  for (long i = 0; i < rounds; ++i) {
    for (T& value : x) value = value * T(0.999) + T(0.001);
  }
  sink = static_cast<double>(x[0]);
  return 2.0 * lanes * sums * static_cast<double>(rounds);
}

double peak(double (*loop)(long rounds), int passes) {
  long rounds = 1000;
  double best = 0.0;
  for (int pass = 0; pass < passes;) {
    const double start = now();
    const double operations = loop(rounds);
    const double seconds = now() - start;
    if (seconds < 0.01) {
      rounds *= 4;  // too short for the clock
      continue;
    }
    best = std::max(best, 1e-9 * operations / seconds);
    ++pass;
  }
  return best;
}

}  // namespace

MachineLimits measure_machine(int threads, std::size_t array_bytes, int passes) {
  MachineLimits limits;
  limits.threads = threads;
  const Bandwidth one = bandwidth(1, array_bytes, passes);
  const Bandwidth all = threads > 1 ? bandwidth(threads, array_bytes, passes) : one;
  limits.copy_gb_s = one.copy;
  limits.triad_gb_s = one.triad;
  limits.copy_all_gb_s = all.copy;
  limits.triad_all_gb_s = all.triad;
  double (*in_float)(long) = multiply_add<float>;
  double (*in_double)(long) = multiply_add<double>;
  limits.fma = "multiply and add, baseline instructions";
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") != 0) {
    in_float = fma_avx512_float;
    in_double = fma_avx512_double;
    limits.fma = "AVX-512";
  } else if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) {
    in_float = fma_avx2_float;
    in_double = fma_avx2_double;
    limits.fma = "AVX2";
  }
#endif
  limits.float_gflop_s = peak(in_float, passes);
  limits.double_gflop_s = peak(in_double, passes);
  return limits;
}

nlohmann::json machine_json(const MachineLimits& limits) {
  const Build program = build();
  const Machine about = machine();
  return {{"cpu", about.cpu},
          {"cores", about.cores},
          {"instruction_sets", about.instruction_sets},
          {"memory_bytes", about.memory_bytes},
          {"version", program.version},
          {"revision", program.revision},
          {"compiler", program.compiler},
          {"flags", program.flags},
          {"build_type", program.build_type},
          {"threads_all", limits.threads},
          {"copy_gb_s", limits.copy_gb_s},
          {"triad_gb_s", limits.triad_gb_s},
          {"copy_all_gb_s", limits.copy_all_gb_s},
          {"triad_all_gb_s", limits.triad_all_gb_s},
          {"fma_float_gflop_s", limits.float_gflop_s},
          {"fma_double_gflop_s", limits.double_gflop_s},
          {"fma_instructions", limits.fma}};
}

}  // namespace repose::experiments
