#include "reference/mixture/coupled_system.h"

#include "reference/mixture/drag.h"
#include "reference/mixture/phases.h"
#include "reference/mixture/reversible.h"
#include "reference/physics/drag.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace repose {

using mixture::Phase;

template <int d>
CoupledSystem<d>::CoupledSystem(const MixtureState<d>& state, const StepContext& step)
    : state_(state),
      dt_(step.dt),
      sand_(state.sand, {state.scene(Phase::solid), step.time, step.dt}),
      water_(state.water, {state.scene(Phase::water), step.time, step.dt}) {
  for (const Phase phase : mixture::phases)
    for (std::size_t i = 0; i < of(phase).nodes(); ++i) mass_.push_back(of(phase).mass(i));

  const std::vector<Vec<d>> reversible = repose::reversible_impulses<d>(state, step);
  for (std::size_t n = 0; n < state.nodes.size(); ++n) {
    const MixedNode<d>& node = state.nodes[n];
    if (node.m_s > 0.0 && node.m_w > 0.0) {
      const double coefficient = dt_ * drag_coefficient_at(step.scene, node.m_s, node.m_w);
      pairs_.push_back({sand_at_.size(), sand_.nodes() + water_at_.size(), coefficient});
      reversible_.push_back(reversible[n]);
      rate_.push_back(drag_rate_at(step.scene, node.m_s, node.m_w));
    }
    if (node.m_s > 0.0) sand_at_.push_back(n);
    if (node.m_w > 0.0) water_at_.push_back(n);
  }
}

template <int d>
Eigen::VectorXd CoupledSystem<d>::both(const Eigen::VectorXd& sand, const Eigen::VectorXd& water) const {
  Eigen::VectorXd all(sand.size() + water.size());
  all << sand, water;
  return all;
}

template <int d>
Vec<d> CoupledSystem<d>::drag(const NodePair& pair, const Eigen::VectorXd& v) const {
  return pair.drag * (at_slot<d>(v, pair.sand) - at_slot<d>(v, pair.water));
}

template <int d>
Eigen::VectorXd CoupledSystem<d>::velocity_before() const {
  return both(sand_.velocity_before(), water_.velocity_before());
}

template <int d>
Eigen::VectorXd CoupledSystem<d>::velocity_after_forces() const {
  Eigen::VectorXd v = v_;
  for (std::size_t i = 0; i < nodes(); ++i) at_slot<d>(v, i) += at_slot<d>(impulse_, i) / mass_[i];
  for (std::size_t n = 0; n < pairs_.size(); ++n) {
    const auto [s, w, unused] = pairs_[n];
    const Vec<d> j = drag_impulse<d>(mass_[s], at_slot<d>(v, s), mass_[w], at_slot<d>(v, w), rate_[n], dt_);
    at_slot<d>(v, s) -= j / mass_[s];
    at_slot<d>(v, w) += j / mass_[w];
  }
  return v;
}

template <int d>
std::optional<std::size_t> CoupledSystem<d>::move_to(const Eigen::VectorXd& v) {
  if (const auto inverted = sand_.move_to(v.head(size_of_sand())))
    return place_among_all<d>(state_, Phase::solid, *inverted);
  if (const auto inverted = water_.move_to(v.tail(v.size() - size_of_sand())))
    return place_among_all<d>(state_, Phase::water, *inverted);
  v_ = v;
  impulse_ = both(sand_.impulse(), water_.impulse());
  magnitude_ = sand_.impulse_magnitude();
  magnitude_.insert(magnitude_.end(), water_.impulse_magnitude().begin(), water_.impulse_magnitude().end());
  parts_.assign(nodes(), 0.0);
  for (std::size_t n = 0; n < pairs_.size(); ++n) {
    const NodePair& pair = pairs_[n];
    const double speeds = at_slot<d>(v, pair.sand).norm() + at_slot<d>(v, pair.water).norm();
    parts_[pair.sand] = parts_[pair.water] = pair.drag * speeds + reversible_[n].norm();
    const double exchanged = drag(pair, v).norm() + reversible_[n].norm();
    magnitude_[pair.sand] += exchanged;
    magnitude_[pair.water] += exchanged;
    at_slot<d>(impulse_, pair.sand) += reversible_[n];
    at_slot<d>(impulse_, pair.water) -= reversible_[n];
  }
  return std::nullopt;
}

template <int d>
Eigen::VectorXd CoupledSystem<d>::residual() const {
  Eigen::VectorXd R = both(sand_.residual(), water_.residual());
  for (std::size_t n = 0; n < pairs_.size(); ++n) {
    const Vec<d> given = drag(pairs_[n], v_) - reversible_[n];
    at_slot<d>(R, pairs_[n].sand) += given;   // [Tam17 Eq.20]
    at_slot<d>(R, pairs_[n].water) -= given;  // [Tam17 Eq.21]
  }
  return R;
}

template <int d>
double CoupledSystem<d>::rounding(std::size_t node) const {
  const bool of_sand = node < sand_.nodes();
  const double own = of_sand ? sand_.rounding(node) : water_.rounding(node - sand_.nodes());
  return own + 64.0 * std::numeric_limits<double>::epsilon() * parts_[node];
}

template <int d>
Eigen::VectorXd CoupledSystem<d>::derivative_along(const Eigen::VectorXd& dv) const {
  Eigen::VectorXd dR = both(sand_.derivative_along(dv.head(size_of_sand())),
                            water_.derivative_along(dv.tail(dv.size() - size_of_sand())));
  for (const NodePair& pair : pairs_) {
    const Vec<d> given = drag(pair, dv);
    at_slot<d>(dR, pair.sand) += given;
    at_slot<d>(dR, pair.water) -= given;
  }
  return dR;
}

template <int d>
Eigen::VectorXd CoupledSystem<d>::stress_change_along(const Eigen::VectorXd& dv) const {
  Eigen::VectorXd change = -both(sand_.derivative_along(dv.head(size_of_sand())),
                                 water_.derivative_along(dv.tail(dv.size() - size_of_sand())));
  for (std::size_t i = 0; i < nodes(); ++i) at_slot<d>(change, i) += mass_[i] * at_slot<d>(dv, i);
  return change;
}

template <int d>
typename CoupledSystem<d>::Energy CoupledSystem<d>::energy() const {
  const Energy sand = sand_.energy(), water = water_.energy();
  double value = sand.value + water.value, size = 0.0;
  for (std::size_t n = 0; n < pairs_.size(); ++n) {
    const NodePair& pair = pairs_[n];
    const Vec<d> v_s = at_slot<d>(v_, pair.sand), v_w = at_slot<d>(v_, pair.water);
    const Vec<d> w = v_s - v_w;
    value += 0.5 * pair.drag * w.squaredNorm() - reversible_[n].dot(w);
    size += (pair.drag * w.norm() + reversible_[n].norm()) * (v_s.norm() + v_w.norm());
  }
  const double terms = 64.0 + static_cast<double>(pairs_.size());
  return {value, sand.rounding + water.rounding +
                     std::numeric_limits<double>::epsilon() *
                         (terms * size + 2.0 * (std::abs(sand.value) + std::abs(water.value)))};
}

template <int d>
std::vector<double> CoupledSystem<d>::spread(std::span<const double> values, Phase phase,
                                             std::size_t k) const {
  const std::vector<std::size_t>& places = phase == Phase::water ? water_at_ : sand_at_;
  std::vector<double> all(k * state_.nodes.size(), 0.0);
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t a = 0; a < k; ++a) all[places[i] * k + a] = values[i * k + a];
  return all;
}

template <int d>
std::vector<double> CoupledSystem<d>::at_all_nodes(const Eigen::VectorXd& v) const {
  const std::span<const double> values(v.data(), static_cast<std::size_t>(v.size()));
  std::vector<double> all = spread(values.first(d * sand_.nodes()), Phase::solid, d);
  const std::vector<double> water = spread(values.last(d * water_.nodes()), Phase::water, d);
  all.insert(all.end(), water.begin(), water.end());
  return all;
}

template <int d>
std::vector<NodeHold> CoupledSystem<d>::at_all_nodes(std::vector<NodeHold> holds) const {
  std::vector<NodeHold> all(2 * state_.nodes.size());
  for (std::size_t i = 0; i < sand_at_.size(); ++i) all[sand_at_[i]] = std::move(holds[i]);
  for (std::size_t i = 0; i < water_at_.size(); ++i)
    all[state_.nodes.size() + water_at_[i]] = std::move(holds[sand_at_.size() + i]);
  return all;
}

template <int d>
Eigen::VectorXd CoupledSystem<d>::from_all_nodes(std::span<const double> sand,
                                                 std::span<const double> water) const {
  for (const std::span<const double> one : {sand, water})
    if (one.size() != d * state_.nodes.size())
      throw std::invalid_argument(
          fmt::format("{} velocity components for {} nodes", one.size(), state_.nodes.size()));
  Eigen::VectorXd v(static_cast<Eigen::Index>(d * nodes()));
  Eigen::Index at = 0;
  for (const std::size_t n : sand_at_)
    for (std::size_t a = 0; a < d; ++a) v[at++] = sand[n * d + a];
  for (const std::size_t n : water_at_)
    for (std::size_t a = 0; a < d; ++a) v[at++] = water[n * d + a];
  return v;
}

template <int d>
std::vector<double> CoupledSystem<d>::drag_impulses(const Eigen::VectorXd& v) const {
  std::vector<double> all(d * state_.nodes.size(), 0.0);
  for (const NodePair& pair : pairs_) {
    const Vec<d> j = drag(pair, v);
    for (int a = 0; a < d; ++a) all[sand_at_[pair.sand] * d + static_cast<std::size_t>(a)] = j[a];
  }
  return all;
}

template <int d>
std::vector<double> CoupledSystem<d>::reversible_impulses() const {
  std::vector<double> all(d * state_.nodes.size(), 0.0);
  for (std::size_t n = 0; n < pairs_.size(); ++n)
    for (int a = 0; a < d; ++a)
      all[sand_at_[pairs_[n].sand] * d + static_cast<std::size_t>(a)] = reversible_[n][a];
  return all;
}

template class CoupledSystem<2>;
template class CoupledSystem<3>;

}  // namespace repose
