#pragma once

#include "experiments/figures/figure.h"
#include "reference/interface/scene/scene.h"

#include <array>
#include <string>
#include <vector>

namespace repose::experiments::tampubolon2017 {

/// Parameters of the energy as one place of the paper prints them, in one reading of their unit.
struct MultiplierSet {
  std::string name;  ///< as in names of numbers: "fig6_c0_1p1_per_cent"
  std::string where;
  Unilateral of;
};

/// Table 2's row of Figure 11, Figure 6's four and the dam of Figure 2, the latter two in per cent and as plain strains.
std::vector<MultiplierSet> multiplier_sets();

/// The scene file in d dimensions.
Scene multiplier_scene(int dim);

/// h of principal strains; of d of them. s_C = 0, as of sand without cohesion.
double multiplier(const std::array<double, 3>& strain, int dim, const Unilateral& of);

/// Principal Kirchhoff stresses of ψ^U = h ψ, τ = h τ_H + ψ ∇h [Pa]  [Tam17 Eq.7]
std::array<double, 3> unilateral_stress(const std::array<double, 3>& strain, int dim, const Lame& lame,
                                        const Unilateral& of);

/// The largest c₀ with which region A could cover the cone far from its tip: the cone is u ≤ −c* v,
///     c* = 2μ/((dλ + 2μ) α √d)                                                            erratum T17
double widest_opening(const Material& sand, int dim);

/// Shares of the cone's volume between u = −depth and its tip.
struct ConeShares {
  double a = 0.0;     ///< of region A, h = 1
  double c = 0.0;     ///< of region C, h = 0
  double mean = 0.0;  ///< mean of h
  double most = 0.0;  ///< largest h
};

/// By rows × rows midpoints in u and in the distance from the axis, each weighed by its volume.
ConeShares sampled_shares(const Material& sand, int dim, const Unilateral& of, double depth, int rows);

/// The shares of A and C by an integral over the distance from the axis, in which the borders are single points; nothing of h.
ConeShares integrated_shares(const Material& sand, int dim, const Unilateral& of, double depth);

/// By what power of the way behind a border h leaves its constant value beyond it.
struct BorderOrders {
  double value = 0.0, slope = 0.0, curvature = 0.0;  ///< furthest from 3, 2, 1 over all ways
  int ways = 0;
};

/// Of the border of A, or of C: from points on and beside the axis, along ways of eight directions that cross it, by differences.
BorderOrders border_orders(const std::vector<MultiplierSet>& sets, bool of_a);

}  // namespace repose::experiments::tampubolon2017
