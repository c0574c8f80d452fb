#include "experiments/tampubolon2017/dam/balance.h"

#include "reference/interface/methods/mixture.h"
#include "validation/mechanics/arithmetic.h"
#include "validation/mechanics/field_access.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr double unit = 0x1p-53;

using Sum = Eigen::Matrix<long double, 3, 1>;  // adds no rounding that counts

Sum sum_of(const Snapshot& state, std::string_view name) {
  const Field& field = state.get(name);
  Sum sum = Sum::Zero();
  for (std::size_t n = 0; n < state.count(field.place); ++n)
    sum += crosscheck::point(field, n).cast<long double>();
  return sum;
}

double sum_of(const std::vector<double>& values) {
  return static_cast<double>(std::accumulate(values.begin(), values.end(), 0.0L));
}

Sum momentum_of(const Snapshot& state) {
  const auto& m = state.get(field::mass).value;
  Sum sum = Sum::Zero();
  for (std::size_t p = 0; p < m.size(); ++p)
    sum += static_cast<long double>(m[p]) * crosscheck::point(state.get(field::v), p).cast<long double>();
  return sum;
}

bool is_water(const Snapshot& state, const Scene& scene, std::size_t p) {
  return scene.materials.at(static_cast<std::size_t>(state.get(field::material).value[p])).kind ==
         MaterialKind::water;
}

/// By species.
std::array<long double, 2> mass_of(const Snapshot& state, const Scene& scene) {
  std::array<long double, 2> mass{};
  for (std::size_t p = 0; p < state.particles(); ++p)
    mass[is_water(state, scene, p) ? 1 : 0] += static_cast<long double>(state.get(field::mass).value[p]);
  return mass;
}

/// γ of a sum over a node's particles: as many roundings as terms, and those inside of a term.
double gamma_of(const Sums& sums) {
  const auto most = std::max_element(sums.terms.begin(), sums.terms.end());
  return crosscheck::gamma(20.0 + (most == sums.terms.end() ? 0.0 : *most), unit);
}

/// Largest error at a node of what both phases have together, by two states, over eight roundings of all that was added there:
/// either phase's own momentum, and the impulse, which is formed alike for both.
double worst_of_both(const Snapshot& before, const Snapshot& behind, std::string_view sand_before,
                     std::string_view water_before, std::string_view sand_behind,
                     std::string_view water_behind, double& given) {
  const Field &s0 = before.get(sand_before), &w0 = before.get(water_before), &s1 = behind.get(sand_behind),
              &w1 = behind.get(water_behind);
  double worst = 0.0;
  given = 0.0;
  for (std::size_t n = 0; n < before.count(Place::node); ++n) {
    const Point a = crosscheck::point(s0, n), b = crosscheck::point(w0, n), c = crosscheck::point(s1, n),
                d = crosscheck::point(w1, n);
    const Point impulse = c - a;
    given += impulse.norm();
    const double of = a.norm() + b.norm() + c.norm() + d.norm();
    if (of > 0.0) worst = std::max(worst, (impulse + (d - b)).norm() / (8.0 * unit * of));
  }
  return worst;
}

/// Of the grains that have lost cohesion the one farthest from water.
double reach_of(const Snapshot& state, const Scene& scene) {
  using Cell = std::array<std::int64_t, 3>;
  const int dim = scene.dim();
  const double h = scene.grid.h;
  std::map<Cell, std::vector<Point>> drops;
  const auto cell_of = [&](const Point& x) {
    Cell cell{};
    for (int a = 0; a < dim; ++a)
      cell[static_cast<std::size_t>(a)] = static_cast<std::int64_t>(std::floor(x[a] / h));
    return cell;
  };
  for (std::size_t p = 0; p < state.particles(); ++p) {
    if (!is_water(state, scene, p)) continue;
    const Point x = crosscheck::point(state.get(field::x), p);
    drops[cell_of(x)].push_back(x);
  }
  constexpr std::int64_t around = 5;  // cells that are searched: what is farther counts as this far
  double reach = 0.0;
  for (std::size_t p = 0; p < state.particles(); ++p) {
    if (is_water(state, scene, p)) continue;
    const double dry =
        scene.materials.at(static_cast<std::size_t>(state.get(field::material).value[p])).cohesion;
    if (!(state.get(field::c_C).value[p] < dry)) continue;
    const Point x = crosscheck::point(state.get(field::x), p);
    const Cell at = cell_of(x);
    double nearest = around * h;
    Cell cell = at;
    const std::int64_t deep = dim == 3 ? around : 0;
    for (cell[0] = at[0] - around; cell[0] <= at[0] + around; ++cell[0])
      for (cell[1] = at[1] - around; cell[1] <= at[1] + around; ++cell[1])
        for (cell[2] = at[2] - deep; cell[2] <= at[2] + deep; ++cell[2]) {
          const auto here = drops.find(cell);
          if (here == drops.end()) continue;
          for (const Point& drop : here->second)
            nearest = std::min(nearest, (drop - x).cwiseAbs().maxCoeff());
        }
    reach = std::max(reach, nearest / h);
  }
  return reach;
}

}  // namespace

Balance balance_of(Solver& solver, Solver* without, const Scene& scene, const Snapshot& state, double dt) {
  Balance balance{.time = state.time, .reach = reach_of(state, scene)};
  const auto mass = mass_of(state, scene);
  solver.load(state);
  solver.run(boundary::step_start, boundary::p2g, dt);
  const Snapshot grids = solver.save(boundary::p2g, false);
  for (const std::size_t species : {std::size_t{0}, std::size_t{1}}) {
    const std::string_view name = species == 0 ? field::m_i : field::m_i_w;
    const double error = std::abs(static_cast<double>(sum_of(grids, name).x() - mass[species]));
    balance.mass_error[species] = error / (gamma_of(solver.sums(name)) * static_cast<double>(mass[species]));
  }
  solver.run(boundary::p2g, boundary::forces, dt);
  const Snapshot forces = solver.save(boundary::forces, false);
  const Sums sand = solver.sums(field::p_star), water = solver.sums(field::p_star_w);
  if (without != nullptr) {
    without->load(state);
    without->run(boundary::step_start, boundary::forces, dt);
    balance.reversible_error =
        worst_of_both(without->save(boundary::forces, false), forces, field::p_star, field::p_star_w,
                      field::p_star, field::p_star_w, balance.reversible_given);
  }
  solver.run(boundary::forces, boundary::drag, dt);
  const Snapshot dragged = solver.save(boundary::drag, false);
  balance.drag_error = worst_of_both(forces, dragged, field::p_star, field::p_star_w, field::p_drag,
                                     field::p_drag_w, balance.drag_given);
  solver.run(boundary::drag, boundary::friction, dt);
  const Snapshot rubbed = solver.save(boundary::friction, false);
  const Sum walls = sum_of(rubbed, field::p_tilde) + sum_of(rubbed, field::p_tilde_w) -
                    sum_of(dragged, field::p_drag) - sum_of(dragged, field::p_drag_w);
  solver.run(boundary::friction, boundary::plasticity, dt);
  const Sum weight = static_cast<long double>(dt) * (mass[0] + mass[1]) * scene.gravity.cast<long double>();
  const Sum change =
      momentum_of(solver.save(boundary::plasticity, false)) - momentum_of(state) - weight - walls;
  // To the grids and back.
  const double roundings = 2.0 * std::max(gamma_of(sand), gamma_of(water));
  balance.step_error =
      static_cast<double>(change.norm()) / (roundings * (sum_of(sand.magnitude) + sum_of(water.magnitude)));
  return balance;
}

}  // namespace repose::experiments::tampubolon2017
