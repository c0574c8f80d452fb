#include "optimized/mixture/mixture_solver.h"

#include "optimized/mixture/mixture_twin.h"
#include "optimized/mpm/footprint.h"
#include "optimized/mpm/optimized_solver.h"

namespace repose::optimized {

namespace {

template <class T>
std::unique_ptr<Solver> made(const Scene& scene, const SolverOptions& options) {
  if (scene.dim() == 2) return std::make_unique<MixtureTwin<T, 2>>(scene, options);
  return std::make_unique<MixtureTwin<T, 3>>(scene, options);
}

}  // namespace

std::unique_ptr<Solver> make_mixture_solver(const Scene& scene, const SolverOptions& options) {
  require_possible(mixture::scene_of_part(scene, mixture::Phase::solid), options);
  return options.precision == Precision::single_ ? made<float>(scene, options) : made<double>(scene, options);
}

Footprint mixture_footprint(const Scene& scene, const SolverOptions& options) {
  Footprint need = optimized_footprint(mixture::scene_of_part(scene, mixture::Phase::solid), options);
  const double number = options.precision == Precision::single_ ? sizeof(float) : sizeof(double);
  // Cohesion and saturation of a grain, its place among all.
  need.bytes_per_particle += 2.0 * number + sizeof(std::size_t);
  // Both phases may be at all nodes.
  need.bytes_per_node *= 2.0;
  need.kept_vectors *= 2.0;
  return need;
}

}  // namespace repose::optimized
