#include "experiments/tampubolon2017/fig05_multiplier/regions.h"

#include "experiments/figures/judging.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/mechanics/cone.h"
#include "validation/mechanics/unilateral.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace repose::experiments::tampubolon2017 {

namespace {

/// A strain by its place along and beside the axis of equal strains, u o + v n, n ⊥ o.
std::array<double, 3> strain_at(double u, double v, int dim) {
  const double d = dim;
  std::array<double, 3> strain{};
  for (std::size_t k = 0; k < static_cast<std::size_t>(dim); ++k) strain[k] = u / std::sqrt(d);
  strain[0] += v / std::numbers::sqrt2;
  strain[1] -= v / std::numbers::sqrt2;
  return strain;
}

double trace_of(const std::array<double, 3>& strain) { return strain[0] + strain[1] + strain[2]; }

double shear_of(const std::array<double, 3>& strain, int dim) {
  double squares = 0.0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(dim); ++k)
    squares += std::pow(strain[k] - trace_of(strain) / dim, 2);
  return std::sqrt(squares);
}

/// f of [Tam17 Eq.8], where z grows with v: the opening of the borders, in units of strain.
double opening(const Unilateral& of, double v) { return of.c0 * std::pow(v, 4) / (1.0 + std::pow(v, 3)); }

/// h, and where it is asked, along a way through strain space.
struct Way {
  const Unilateral& of;
  int dim;
  double u, v;  ///< where it begins, in units of strain
  double cosine, sine;

  double operator()(double t) const {
    return multiplier(strain_at((u + cosine * t) * of.strain_unit, (v + sine * t) * of.strain_unit, dim), dim,
                      of);
  }
};

/// Deviation of h from `outside`, of its slope and of its curvature at a distance t on a way.
std::array<double, 3> deviations(const Way& h, double t, double outside) {
  const double k = 0.1 * t;
  const double before = h(t - k), here = h(t), behind = h(t + k);
  return {std::abs(here - outside), std::abs(behind - before) / (2.0 * k),
          std::abs(behind - 2.0 * here + before) / (k * k)};
}

}  // namespace

std::vector<MultiplierSet> multiplier_sets() {
  std::vector<MultiplierSet> sets{
      {"table2", "Table 2, row of Figure 11", {.a = -3e-3, .b = 0.0, .c0 = 1e-2, .s_C = 0.0}}};
  for (const double unit : {0.01, 1.0}) {
    const char* reading = unit < 1.0 ? "per_cent" : "plain";
    for (const double c0 : {1.1, 2.0, 2.5, 3.0})
      sets.push_back({fmt::format("fig6_c0_{}_{}", word(fmt::format("{}", c0)), reading),
                      "Figure 6",
                      {.a = -0.5, .b = 0.0, .c0 = c0, .s_C = 0.0, .strain_unit = unit}});
    sets.push_back({fmt::format("dam_{}", reading),
                    "Table 2, row of Figure 2, without cohesion",
                    {.a = -0.1, .b = 0.0, .c0 = 1e-2, .s_C = 0.0, .strain_unit = unit}});
  }
  return sets;
}

Scene multiplier_scene(int dim) {
  Scene scene = load_scene(figure_file("tampubolon2017/fig05_multiplier/fig05_multiplier.toml"));
  if (dim == 3) {
    scene.grid.dim = 3;
    scene.grid.domain_min.z() = scene.grid.domain_min.x();
    scene.grid.cells[2] = scene.grid.cells[0];
  }
  return scene;
}

double multiplier(const std::array<double, 3>& strain, int dim, const Unilateral& of) {
  return mechanics::fall(
      mechanics::multiplier_place(of, 0.0, dim, trace_of(strain), shear_of(strain, dim), 0.0).z);
}

std::array<double, 3> unilateral_stress(const std::array<double, 3>& strain, int dim, const Lame& lame,
                                        const Unilateral& of) {
  const double trace = trace_of(strain), unit = of.strain_unit, v = shear_of(strain, dim) / unit;
  const auto at = mechanics::multiplier_place(of, 0.0, dim, trace, shear_of(strain, dim), 0.0);
  const double h = mechanics::fall(at.z), falls = mechanics::fall_slope(at.z, 0.0);
  double squares = 0.0;
  for (const double e : strain) squares += e * e;
  const double psi = lame.mu * squares + 0.5 * lame.lambda * trace * trace;
  const double beside = of.c0 * v * v * (4.0 + std::pow(v, 3)) / std::pow(1.0 + std::pow(v, 3), 2);  // f′/v
  std::array<double, 3> stress{};
  for (std::size_t k = 0; k < static_cast<std::size_t>(dim); ++k) {
    const double grad_z =
        (1.0 / std::sqrt(static_cast<double>(dim)) + beside * (strain[k] - trace / dim) / unit) /
        (at.width * unit);
    stress[k] = h * (2.0 * lame.mu * strain[k] + lame.lambda * trace) - psi * falls * grad_z;
  }
  return stress;
}

double widest_opening(const Material& sand, int dim) {
  const Lame moduli = lame(sand);
  const double alpha = mechanics::cone_slope(sand.friction.h0);
  return 2.0 * moduli.mu /
         ((dim * moduli.lambda + 2.0 * moduli.mu) * alpha * std::sqrt(static_cast<double>(dim)));
}

ConeShares sampled_shares(const Material& sand, int dim, const Unilateral& of, double depth, int rows) {
  const double edge = widest_opening(sand, dim);
  ConeShares shares;
  double volume = 0.0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j) {
      const double down = (i + 0.5) / rows, out = (j + 0.5) / rows;
      // A row at u is as wide as |u|, in space a disk; what lies farther out in it is a wider ring.
      const double weight = std::pow(down, dim - 1) * std::pow(out, dim - 2);
      const double u = -depth * down;
      const double h = multiplier(strain_at(u, -u / edge * out, dim), dim, of);
      volume += weight;
      shares.mean += weight * h;
      shares.most = std::max(shares.most, h);
      if (h == 1.0) shares.a += weight;
      if (h == 0.0) shares.c += weight;
    }
  shares.a /= volume;
  shares.c /= volume;
  shares.mean /= volume;
  return shares;
}

ConeShares integrated_shares(const Material& sand, int dim, const Unilateral& of, double depth) {
  const double edge = widest_opening(sand, dim), unit = of.strain_unit;
  const double deep = depth / unit, wide = deep / edge;
  constexpr int parts = 200'000;
  ConeShares shares;
  double volume = 0.0;
  for (int j = 0; j < parts; ++j) {
    const double v = wide * (j + 0.5) / parts;
    const double ring = std::pow(v, dim - 2);
    const double from = -deep, to = -edge * v;  // u of the cone at this distance
    volume += ring * (to - from);
    shares.a += ring * (std::clamp(of.a - opening(of, v), from, to) - from);
    shares.c += ring * (to - std::clamp(of.b - opening(of, v), from, to));
  }
  shares.a /= volume;
  shares.c /= volume;
  return shares;
}

BorderOrders border_orders(const std::vector<MultiplierSet>& sets, bool of_a) {
  BorderOrders orders{3.0, 2.0, 1.0, 0};
  const auto keep = [](double& so_far, double order, double due) {
    if (!(std::abs(order - due) <= std::abs(so_far - due))) so_far = order;
  };
  for (const MultiplierSet& set : sets)
    for (const int dim : {2, 3})
      for (const double v : {0.0, 0.5, 1.0, 2.0})
        for (int turn = 0; turn < 8; ++turn) {
          const double angle = 2.0 * std::numbers::pi * turn / 8.0;
          const Way way{
              set.of,         dim, (of_a ? set.of.a : set.of.b) - opening(set.of, v), v, std::cos(angle),
              std::sin(angle)};
          // As far as z = 10⁻² and a tenth of it if the way led along the axis; those that hardly enter the fall are no ways.
          const double far = 1e-2 * (set.of.b - set.of.a), outside = of_a ? 1.0 : 0.0;
          const auto reached = deviations(way, far, outside), closer = deviations(way, 0.1 * far, outside);
          if (!(reached[0] > 1e-7)) continue;
          ++orders.ways;
          keep(orders.value, std::log10(reached[0] / closer[0]), 3.0);
          keep(orders.slope, std::log10(reached[1] / closer[1]), 2.0);
          keep(orders.curvature, std::log10(reached[2] / closer[2]), 1.0);
        }
  return orders;
}

}  // namespace repose::experiments::tampubolon2017
