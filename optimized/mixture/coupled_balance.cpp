#include "optimized/mixture/coupled_balance.h"

#include <algorithm>
#include <cmath>

namespace repose::optimized {

namespace {

NodeVector one_behind_other(NodeVector one, const NodeVector& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

}  // namespace

template <class T, int dim>
CoupledBalance<T, dim>::CoupledBalance(Balance<T, dim> sand, Balance<T, dim> water, Coupling coupling,
                                       std::array<std::span<const std::size_t>, 2> among, const Team& team,
                                       const ImplicitKernels<dim>& kernels)
    : sand_(std::move(sand)),
      water_(std::move(water)),
      coupling_(std::move(coupling)),
      sand_at_(water_.nodes(), Coupling::none),
      among_(among),
      algebra_(dim * (sand_.nodes() + water_.nodes()), team, kernels.dots, kernels.add) {
  for (std::size_t k = 0; k < sand_.nodes(); ++k)
    if (coupling_.partner[k] != Coupling::none)
      sand_at_[coupling_.partner[k]] = static_cast<std::uint32_t>(k);
}

template <class T, int dim>
std::uint64_t CoupledBalance<T, dim>::dragged_nodes() const {
  return static_cast<std::uint64_t>(
      std::count_if(coupling_.drag.begin(), coupling_.drag.end(), [](double d) { return d > 0.0; }));
}

template <class T, int dim>
NodeVector CoupledBalance<T, dim>::velocity_before() const {
  return one_behind_other(sand_.velocity_before(), water_.velocity_before());
}

template <class T, int dim>
Vec<dim> CoupledBalance<T, dim>::dragged(std::size_t k) const {
  if (!(drag(k) > 0.0)) return Vec<dim>::Zero();
  return drag(k) * (of_node<dim>(v_, k) - of_node<dim>(v_, partner(k)));
}

template <class T, int dim>
std::optional<std::int64_t> CoupledBalance<T, dim>::move_to(NodeVector v) {
  v_ = std::move(v);
  const auto of_sand_bad = sand_.move_to(of_sand(v_));
  const auto of_water_bad = water_.move_to(of_water(v_));
  impulse_ = one_behind_other(sand_.impulse(), water_.impulse());
  for (std::size_t k = 0; k < sand_.nodes(); ++k) {
    if (coupling_.partner[k] == Coupling::none) continue;
    const Vec<dim> to_water = dragged(k) - reversible(k);
    of_node<dim>(impulse_, k) -= to_water;
    of_node<dim>(impulse_, partner(k)) += to_water;
  }
  std::optional<std::int64_t> first;
  const auto see = [&](std::size_t place) {
    const auto found = static_cast<std::int64_t>(place);
    first = first ? std::min(*first, found) : found;
  };
  if (of_sand_bad) see(among_[0][*of_sand_bad]);
  if (of_water_bad) see(among_[1][*of_water_bad]);
  return first;
}

template <class T, int dim>
typename CoupledBalance<T, dim>::Height CoupledBalance<T, dim>::height() const {
  const Height one = sand_.height();
  const Height other = water_.height();
  Height sum{.energy = one.energy + other.energy, .rounding = one.rounding + other.rounding};
  double size = std::abs(one.energy) + std::abs(other.energy), lost = 0.0;
  std::size_t terms = 0;
  for (std::size_t k = 0; k < sand_.nodes(); ++k) {
    if (coupling_.partner[k] == Coupling::none) continue;
    const Vec<dim> v_s = of_node<dim>(v_, k);
    const Vec<dim> v_w = of_node<dim>(v_, partner(k));
    const Vec<dim> slip = v_s - v_w;
    const double speeds = v_s.norm() + v_w.norm();
    const double dragged = 0.5 * drag(k) * slip.squaredNorm();
    const double pushed = reversible(k).dot(slip);
    sum.energy += dragged - pushed;
    size += dragged + reversible(k).norm() * speeds;
    lost += drag(k) * slip.norm() * speeds;  // by the difference of nearly equal velocities
    ++terms;
  }
  sum.rounding +=
      std::numeric_limits<double>::epsilon() * (static_cast<double>(64 + terms) * size + 64.0 * lost);
  return sum;
}

template <class T, int dim>
void CoupledBalance<T, dim>::residual(NodeVector& R) const {
  NodeVector of_part;
  sand_.residual(of_part);
  R = of_part;
  water_.residual(of_part);
  R.insert(R.end(), of_part.begin(), of_part.end());
  for (std::size_t k = 0; k < sand_.nodes(); ++k) {
    if (coupling_.partner[k] == Coupling::none) continue;
    const Vec<dim> to_water = dragged(k) - reversible(k);
    of_node<dim>(R, k) += to_water;
    of_node<dim>(R, partner(k)) -= to_water;
  }
}

template <class T, int dim>
double CoupledBalance<T, dim>::magnitude(std::size_t k) const {
  const std::size_t s = is_sand(k) ? k : sand_at_[k - sand_.nodes()];
  const double own = is_sand(k) ? sand_.magnitude(k) : water_.magnitude(k - sand_.nodes());
  if (s == Coupling::none) return own;
  return own + dragged(s).norm() + reversible(s).norm();
}

template <class T, int dim>
double CoupledBalance<T, dim>::rounding(std::size_t k) const {
  const std::size_t s = is_sand(k) ? k : sand_at_[k - sand_.nodes()];
  const double own = is_sand(k) ? sand_.rounding(k) : water_.rounding(k - sand_.nodes());
  if (s == Coupling::none || coupling_.partner[s] == Coupling::none) return own;
  const double speeds = of_node<dim>(v_, s).norm() + of_node<dim>(v_, partner(s)).norm();
  return own + 64.0 * std::numeric_limits<double>::epsilon() * (drag(s) * speeds + reversible(s).norm());
}

template <class T, int dim>
void CoupledBalance<T, dim>::round_derivative() {
  sand_.round_derivative();
  water_.round_derivative();
}

template class CoupledBalance<float, 2>;
template class CoupledBalance<float, 3>;
template class CoupledBalance<double, 2>;
template class CoupledBalance<double, 3>;

}  // namespace repose::optimized
