#pragma once

#include "reference/interface/solver.h"
#include "reference/mpm/state.h"

#include <cstdint>
#include <utility>

namespace repose {

/// Magnitude, slope and terms while a field is summed again; element-major like Field::value.
class SumsBuilder {
 public:
  SumsBuilder(std::size_t elements, int components);
  void add(std::size_t element, int component, double magnitude, double slope);
  void count(std::size_t element, std::uint32_t terms = 1) { sums_.terms[element] += terms; }
  Sums result() && { return std::move(sums_); }

 private:
  std::size_t components_;
  Sums sums_;
};

/// ∂_b∂_c w at a stencil node [1/m²].
template <int d>
Mat<d> weight_hessian(const Scene& scene, const StencilNode<d>& node);

/// Condition number of F, the largest over the smallest stretch [-].
template <int d>
double condition(const Mat<d>& F);

/// The table of sums.h for m_i or p_i (before: particles), p_star (before: also p_i), p_bar and p_tilde
/// (before: also p_star, and p_bar for p_tilde).
template <int d>
Sums sums_of_transfer(const State<d>& before, const StepContext& step, bool momentum);
template <int d>
Sums sums_of_forces(const State<d>& before, const StepContext& step);
template <int d>
Sums sums_of_contacts(const State<d>& before, const StepContext& step, bool with_friction);

}  // namespace repose
