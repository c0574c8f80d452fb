#include "experiments/klar2016/fig09_kernels/kernels.h"

#include "experiments/figures/judging.h"
#include "experiments/figures/scene_run.h"
#include "experiments/klar2016/fig09_kernels/weights.h"
#include "experiments/run/interrupt.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_names.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/file_output.h"

#include <fmt/format.h>

#include <algorithm>

namespace repose::experiments::klar2016 {

namespace {

constexpr std::string_view id = "klar2016/fig09_kernels";

FigureResult run(const FigureRequest& request) {
  const InterruptGuard guard;
  const int places = request.preset == Preset::smoke ? 64 : request.preset == Preset::desk ? 2048 : 16384;
  std::vector<KernelErrors> all;
  FigureResult result;
  for (const Kernel kernel : {Kernel::cubic, Kernel::quadratic}) {
    for (const SolverChoice& solver : all_solvers(method::mpm.name)) {
      all.push_back(measure_kernel(kernel, solver, places));
      if (InterruptGuard::requested()) {
        result.interrupted = true;
        return result;
      }
    }
  }
  result.numbers = judge(all);
  std::string metrics =
      "kernel,solver,places,unity,linear,inertia,values,gradient,affine,least_inertia_over_h2,most_inertia_"
      "over_h2\n";
  std::string samples = "kernel,solver,u,weight\n";
  for (const KernelErrors& e : all) {
    const std::string_view kernel = names::of(e.kernel, names::kernel);
    metrics +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", kernel, e.solver.label, e.places, e.unity, e.linear,
                    e.inertia, e.values, e.gradient, e.affine, e.least_inertia, e.most_inertia);
    const std::size_t stride = std::max<std::size_t>(1, e.samples.size() / 400);
    for (std::size_t k = 0; k < e.samples.size(); k += stride) {
      samples +=
          fmt::format("{},{},{:.17g},{:.17g}\n", kernel, e.solver.label, e.samples[k].u, e.samples[k].value);
    }
  }
  replace_file(request.folder / "metrics.csv", metrics);
  replace_file(request.folder / "samples.csv", samples);
  result.provenance = record_states(kernel_scene(Kernel::cubic, 2), id, request);
  add_plots(
      result, "klar2016/fig09_kernels/plot.py", request,
      {{.file = "kernels.png",
        .caption =
            "Weights along one axis, read from the masses that a lone particle gives to the nodes, over "
            "the splines.",
        .alt =
            "Two bell-shaped curves against the distance in cells from minus two to two: the cubic spline in "
            "blue, 2/3 high, and the quadratic one in red, 3/4 high; dots of all solvers lie on them. Below, "
            "the "
            "dots' distance from the curves on a logarithmic scale."}});
  return result;
}

}  // namespace

Figure kernels() {
  return {.id = id,
          .title = "Interpolation kernels",
          .method = method::mpm.name,
          .starred = false,
          .claim =
              "The cubic and quadratic splines make weights that sum to one, reproduce linear fields and "
              "have the "
              "inertia h²/3 and h²/4 wherever the particle is.",
          .smoke = "64 places in 2D and 3D, all solvers and precisions; a second",
          .desk = "2048 places; some seconds",
          .paper = "16 384 places; half a minute",
          .run = run};
}

}  // namespace repose::experiments::klar2016
