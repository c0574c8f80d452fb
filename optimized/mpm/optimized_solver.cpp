#include "optimized/mpm/optimized_solver.h"

#include "optimized/mpm/twin.h"
#include "reference/interface/methods/mpm_options.h"

#include <fmt/format.h>

namespace repose::optimized {

namespace {

template <class T>
std::unique_ptr<Solver> make(const Scene& scene, const SolverOptions& options) {
  if (scene.dim() == 2) return std::make_unique<Twin<T, 2>>(scene, options);
  return std::make_unique<Twin<T, 3>>(scene, options);
}

}  // namespace

void require_possible(const Scene& scene, const SolverOptions& options) {
  if (options.threads < 1) throw BadInput(fmt::format("threads = {}: at least 1 is needed", options.threads));
  constexpr std::int64_t most = std::int64_t{1} << 22;  // what block keys can number
  for (int axis = 0; axis < scene.dim(); ++axis) {
    const std::int64_t cells = scene.grid.cells[static_cast<std::size_t>(axis)];
    if (cells >= most)
      throw BadInput(fmt::format("{} cells along an axis: fewer than {} are allowed", cells, most));
    const std::int64_t stencil = mpm_options(scene).kernel == Kernel::cubic ? 4 : 3;
    if (scene.grid.is_periodic(axis) && cells < stencil)
      throw BadInput(fmt::format("{} cells along a periodic axis: at least {} are needed", cells, stencil));
  }
}

std::unique_ptr<Solver> make_optimized_solver(const Scene& scene, const SolverOptions& options) {
  require_possible(scene, options);
  return options.precision == Precision::single_ ? make<float>(scene, options) : make<double>(scene, options);
}

}  // namespace repose::optimized
