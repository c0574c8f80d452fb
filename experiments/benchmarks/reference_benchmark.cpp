// The readable solver's innermost functions, for one particle each: what a particle-step is made of.
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/particles/random.h"
#include "reference/mpm/kernels.h"
#include "reference/physics/drucker_prager.h"
#include "reference/physics/svd.h"

#include <benchmark/benchmark.h>

#include <vector>

namespace repose {

namespace {

constexpr std::size_t samples =
    1024;  // in the first-level cache, and too many to be learnt by branch prediction

template <int d>
std::vector<Mat<d>> deformations() {
  Random random(1);
  std::vector<Mat<d>> all(samples);
  for (Mat<d>& F : all) {
    for (int a = 0; a < d; ++a)
      for (int b = 0; b < d; ++b) F(a, b) = (a == b ? 1.0 : 0.0) + random.between(-0.05, 0.05);
  }
  return all;
}

template <int d>
void singular_values(benchmark::State& state) {
  const auto all = deformations<d>();
  std::size_t k = 0;
  for (auto _ : state) benchmark::DoNotOptimize(decompose<d>(all[k++ % samples]));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(singular_values<2>)->Name("law/reference/2d/svd");
BENCHMARK(singular_values<3>)->Name("law/reference/3d/svd");

template <int d>
void return_map(benchmark::State& state) {
  Random random(2);
  std::vector<Vec<d>> strains(samples);
  for (Vec<d>& strain : strains)
    for (int a = 0; a < d; ++a) strain[a] = random.between(-0.03, 0.02);
  Material sand;
  sand.youngs_modulus = 3.537e5;
  sand.poisson_ratio = 0.3;
  sand.volume_correction = true;
  std::size_t k = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(return_with_memory<d>(strains[k++ % samples], 0.0, sand, 0.3));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(return_map<2>)->Name("law/reference/2d/return_map");
BENCHMARK(return_map<3>)->Name("law/reference/3d/return_map");

void kernel(benchmark::State& state, Kernel which) {
  Random random(3);
  std::vector<double> places(samples);
  for (double& u : places) u = random.between(-2.0, 2.0);
  std::size_t k = 0;
  for (auto _ : state) {
    const double u = places[k++ % samples];
    benchmark::DoNotOptimize(kernel_value(which, u));
    benchmark::DoNotOptimize(kernel_slope(which, u));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(kernel, quadratic, Kernel::quadratic)->Name("kernel/reference/quadratic");
BENCHMARK_CAPTURE(kernel, cubic, Kernel::cubic)->Name("kernel/reference/cubic");

}  // namespace

}  // namespace repose
