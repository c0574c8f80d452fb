#pragma once

#include "experiments/figures/all_solvers.h"
#include "experiments/figures/figure.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/scene/scene.h"

#include <string>
#include <vector>

namespace repose::experiments::klar2016 {

/// The scene file in d dimensions with a kernel.
Scene kernel_scene(Kernel kernel, int dim);

/// Factor of h² in D = Σ w (x_i − x_p)(x_i − x_p)ᵀ: 1/3 cubic, 1/4 quadratic  [Klar16 Eq.8]
double inertia_factor(Kernel kernel);

/// Kernel along one axis as a B-spline of truncated powers,
///     N̂(u) = Σ_k (−1)^k C(n+1, k) (u + (n+1)/2 − k)₊ⁿ / n!,   n = 3 cubic, 2 quadratic
/// another way to write [Klar16 Eq.5].
double spline(Kernel kernel, double u);

/// A weight along one axis as a solver shows it.
struct WeightSample {
  double u = 0.0;      ///< (x_p − x_i)/h [-]
  double value = 0.0;  ///< Σ of w over all nodes that share this coordinate [-]
};

/// Largest errors of what one solver makes of one kernel, over the bound of rounding; ≤ 1 each if it is right.
struct KernelErrors {
  Kernel kernel = Kernel::cubic;
  SolverChoice solver;
  double unity = 0.0;     ///< Σ w = 1
  double linear = 0.0;    ///< Σ w x_i = x_p
  double inertia = 0.0;   ///< Σ w (x_i − x_p)(x_i − x_p)ᵀ = h²/3 or h²/4
  double values = 0.0;    ///< weights along an axis against spline()
  double gradient = 0.0;  ///< ∇v of an affine field v_i = a + G x_i is G: Σ ∇w = 0, Σ x_i ∇wᵀ = 1
  double affine = 0.0;    ///< C = B/D of the same field is G: the solver's own D
  double least_inertia = 0.0;  ///< least and largest diagonal entry of D/h²
  double most_inertia = 0.0;
  std::size_t places = 0;  ///< positions of the particle
  std::vector<WeightSample> samples;
};

/// @param places positions per dimension
KernelErrors measure_kernel(Kernel kernel, const SolverChoice& solver, int places);

std::vector<Number> judge(const std::vector<KernelErrors>& all);

}  // namespace repose::experiments::klar2016
