#include "experiments/bench/mpm/sheared.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/particles/sampling.h"

#include <variant>

namespace repose::experiments {

Snapshot sheared(const Scene& scene) {
  constexpr double shear_rate = 2.0;  // γ̇ [1/s]
  Snapshot state = sample(scene);
  const double foot = std::get<Box>(scene.seeds.front().shape).min.y();
  const auto d = static_cast<std::size_t>(scene.dim());
  Field& v = state.get(field::v);
  Field& C = state.get(field::C);
  const Field& x = state.get(field::x);
  for (std::size_t p = 0; p < state.particles(); ++p) {
    v.value[d * p] = shear_rate * (x.value[d * p + 1] - foot);
    C.value[d * d * p + 1] = shear_rate;
  }
  return state;
}

double yielding_share(const StepReport& report, std::size_t grains) {
  return static_cast<double>(report.counts[counter::tip] + report.counts[counter::surface]) /
         static_cast<double>(grains);
}

}  // namespace repose::experiments
