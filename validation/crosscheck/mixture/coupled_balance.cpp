#include "validation/crosscheck/mixture/coupled_balance.h"

#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_options.h"
#include "validation/mechanics/field_access.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace repose::crosscheck {

using mixture::Phase;

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

SolveNodes nodes_of_both(const Arithmetic& arithmetic, const PhaseBalance& sand, const PhaseBalance& water,
                         double dt) {
  SolveNodes nodes(sand.part.scene, arithmetic, sand.part.state, dt);
  nodes.add(water.part.scene, water.part.state);
  return nodes;
}

template <class T>
std::vector<T> joined(std::vector<T> one, const std::vector<T>& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

}  // namespace

std::vector<double> PhaseBalance::spread(const std::vector<double>& values, std::size_t components,
                                         std::size_t nodes) const {
  std::vector<double> all(nodes * components, 0.0);
  for (std::size_t n = 0; n < part.members.nodes.size(); ++n)
    for (std::size_t a = 0; a < components; ++a)
      all[part.members.nodes[n] * components + a] = values[n * components + a];
  return all;
}

double drag_of_step(const Scene& scene, double m_s, double m_w, double dt) {
  if (!(m_s > 0.0 && m_w > 0.0)) return 0.0;
  const MixtureOptions& options = mixture_options(scene);
  if (options.drag == Drag::printed) return dt * options.c_E * m_s * m_w;  // [Tam17 Eq.20]
  return options.drag == Drag::mesh_consistent ? dt * options.kappa * std::pow(scene.grid.h, scene.dim())
                                               : 0.0;
}

TwoPhaseBalance::TwoPhaseBalance(const Scene& scene, const Arithmetic& arithmetic, const Snapshot& state,
                                 double dt, const PhaseBalance& sand, const PhaseBalance& water,
                                 const std::vector<double>& reversible, ChangeOfBoth change)
    : SolveBalance(scene, arithmetic, mixture_options(scene).implicit, true, dt,
                   nodes_of_both(arithmetic, sand, water, dt)),
      state_(state),
      sand_(sand),
      water_(water),
      sand_size_(sand.part.members.nodes.size()),
      change_(std::move(change)) {
  add_nodes(sand.part.state);
  add_nodes(water.part.state);
  const auto& of_water = water.part.members.nodes;
  for (std::size_t s = 0; s < sand_size_; ++s) {
    const std::size_t n = sand.part.members.nodes[s];
    const auto found = std::lower_bound(of_water.begin(), of_water.end(), n);
    if (found == of_water.end() || *found != n) continue;
    const std::size_t w = sand_size_ + static_cast<std::size_t>(found - of_water.begin());
    pairs_.push_back({s, w, drag_of_step(scene, mass(s), mass(w), dt), point_at(reversible, n, d())});
  }
}

std::array<std::vector<double>, 2> TwoPhaseBalance::parts(const std::vector<double>& v) const {
  const auto end_of_sand = v.begin() + static_cast<std::ptrdiff_t>(d() * sand_size_);
  return {std::vector<double>{v.begin(), end_of_sand}, std::vector<double>{end_of_sand, v.end()}};
}

Standing TwoPhaseBalance::stand(const std::vector<double>& v) const {
  const auto part = parts(v);
  Standing at = stand_of(sand_.part.scene, sand_.part.state, sand_.plain, part[0]);
  const Standing other = stand_of(water_.part.scene, water_.part.state, water_.plain, part[1]);
  if (at.v.size() != part[0].size() || other.v.size() != part[1].size()) return {};
  at.v = v;
  at.R.insert(at.R.end(), other.R.begin(), other.R.end());
  for (const auto field : {&Standing::magnitude, &Standing::error, &Standing::magnitude_error,
                           &Standing::rounding, &Standing::rounding_error})
    at.*field = joined(std::move(at.*field), other.*field);
  for (const Pair& pair : pairs_) {
    const Point j = pair.drag * slip(pair, v);
    const double r = pair.reversible.norm();
    at.R[pair.sand] += j - pair.reversible;   // [Tam17 Eq.20]
    at.R[pair.water] -= j - pair.reversible;  // [Tam17 Eq.21]
    for (const std::size_t n : {pair.sand, pair.water}) {
      const double size = pair.drag * speeds(pair, v) + r;
      at.magnitude[n] += j.norm() + r;
      at.error[n] += arithmetic().g(8.0) * size;
      at.magnitude_error[n] += arithmetic().g(8.0) * size;
      at.rounding[n] += 64.0 * eps * size;
      at.rounding_error[n] += 64.0 * eps * arithmetic().g(10.0) * size;
    }
  }
  return at;
}

SolveBalance::Change TwoPhaseBalance::change(const std::vector<double>& v,
                                             const std::vector<double>& dv) const {
  const auto at = parts(v), along = parts(dv);
  const std::size_t all = state_.count(Place::node);
  const std::vector<double> v_s = sand_.spread(at[0], d(), all), v_w = water_.spread(at[1], d(), all);
  const std::vector<double> dv_s = sand_.spread(along[0], d(), all), dv_w = water_.spread(along[1], d(), all);
  const PhaseChanges of_f = change_({v_s, v_w}, {dv_s, dv_w});
  Change result;
  for (const PhaseBalance* one : {&sand_, &water_}) {
    const bool is_sand = one == &sand_;
    const std::vector<double> f = one->own(is_sand ? of_f.sand : of_f.water, scene().dim());
    Counters unused;
    const BalanceBounds bounds = balance_bounds({one->part.scene, arithmetic(), one->part.state,
                                                 at[is_sand ? 0 : 1], 0.0, along[is_sand ? 0 : 1], dt()},
                                                unused);
    const std::size_t first = is_sand ? 0 : sand_size_;
    for (std::size_t n = 0; n < one->part.members.nodes.size(); ++n) {
      const Point of_mass = mass(first + n) * point_at(dv, first + n, d());
      result.of_R.emplace_back(of_mass - point_at(f, n, d()));
      result.error.push_back(bounds.change[n] + arithmetic().g(4.0) * of_mass.norm());
    }
  }
  for (const Pair& pair : pairs_) {
    const Point j = pair.drag * slip(pair, dv);
    result.of_R[pair.sand] += j;
    result.of_R[pair.water] -= j;
    for (const std::size_t n : {pair.sand, pair.water})
      result.error[n] += arithmetic().g(8.0) * pair.drag * speeds(pair, dv);
  }
  return result;
}

Measured TwoPhaseBalance::height(const std::vector<double>& v) const {
  const auto part = parts(v);
  const PlainBalance::Energy sand = sand_.plain.energy(part[0]), water = water_.plain.energy(part[1]);
  double value = 0.0, size = 0.0;
  for (const Pair& pair : pairs_) {
    const Point w = slip(pair, v);
    value += 0.5 * pair.drag * w.squaredNorm() - pair.reversible.dot(w);
    size += (pair.drag * w.norm() + pair.reversible.norm()) * speeds(pair, v);
  }
  const double sum = sand.sum() + water.sum() + value;
  const double rounding = sand.rounding + water.rounding +
                          eps * ((64.0 + static_cast<double>(pairs_.size())) * size +
                                 4.0 * (std::abs(sand.sum()) + std::abs(water.sum())));
  return {sum, 2.0 * rounding};  // the solver's and the judge's
}

std::vector<double> TwoPhaseBalance::explicit_velocities() const {
  std::vector<double> v(d() * nodes().size());
  for (std::size_t i = 0; i < v.size(); ++i)
    v[i] = velocity_before(i / d())[static_cast<Eigen::Index>(i % d())];
  Standing at = stand(v);
  if (at.v.empty()) return {};
  // Drag by the velocities behind it, not by those in front of it.
  for (const Pair& pair : pairs_) {
    const Point before = pair.drag * slip(pair, v);
    at.R[pair.sand] -= before;
    at.R[pair.water] += before;
    const double m_s = mass(pair.sand), m_w = mass(pair.water);
    const Point apart = slip(pair, v) - at.R[pair.sand] / m_s + at.R[pair.water] / m_w;
    const Point j = pair.drag / (1.0 + pair.drag / m_s + pair.drag / m_w) * apart;
    at.R[pair.sand] += j;
    at.R[pair.water] -= j;
  }
  for (std::size_t i = 0; i < v.size(); ++i)
    v[i] -= at.R[i / d()][static_cast<Eigen::Index>(i % d())] / mass(i / d());
  return v;
}

Measured TwoPhaseBalance::squared(const std::vector<Point>& r, const FreePart& free) const {
  using Number = long double;
  using Matrix = Eigen::Matrix<Number, 6, 6>;
  constexpr double unit = static_cast<double>(std::numeric_limits<Number>::epsilon());
  std::vector<Point> of_one_phase = r;
  Measured sum;
  for (const Pair& pair : pairs_) {
    of_one_phase[pair.sand] = of_one_phase[pair.water] = Point::Zero();
    const double m_s = mass(pair.sand), m_w = mass(pair.water), D = pair.drag;
    Tensor T_s, T_w;
    for (int a = 0; a < 3; ++a) {
      T_s.col(a) = free(pair.sand, Point::Unit(a));
      T_w.col(a) = free(pair.water, Point::Unit(a));
    }
    // What bodies hold of the diagonal is no matter: r has nothing there.
    const Tensor across = -D * T_s * T_w;
    Matrix A = Matrix::Identity();
    A.topLeftCorner<3, 3>() *= static_cast<Number>(m_s + D);
    A.bottomRightCorner<3, 3>() *= static_cast<Number>(m_w + D);
    A.topRightCorner<3, 3>() = across.cast<Number>();
    A.bottomLeftCorner<3, 3>() = across.transpose().cast<Number>();
    Eigen::Matrix<Number, 6, 1> both;
    both << r[pair.sand].cast<Number>(), r[pair.water].cast<Number>();
    const double due = static_cast<double>(both.dot(A.ldlt().solve(both)));
    sum.value += due;
    sum.error += 64.0 * (unit * (1.0 + D / std::min(m_s, m_w)) + eps) * due;
  }
  sum.value += SolveBalance::squared(of_one_phase, free).value;
  return sum;
}

double TwoPhaseBalance::squared_length(const std::vector<double>& dv) const {
  double sum = SolveBalance::squared_length(dv);
  for (const Pair& pair : pairs_) sum += pair.drag * slip(pair, dv).squaredNorm();
  return sum;
}

std::optional<std::vector<double>> TwoPhaseBalance::of_nodes(const std::vector<double>& told) const {
  const std::size_t half = d() * state_.count(Place::node);
  if (told.size() != 2 * half) return std::nullopt;
  const std::vector<double> s(told.begin(), told.begin() + static_cast<std::ptrdiff_t>(half));
  const std::vector<double> w(told.begin() + static_cast<std::ptrdiff_t>(half), told.end());
  std::vector<double> own_s = sand_.own(s, scene().dim());
  const std::vector<double> own_w = water_.own(w, scene().dim());
  const std::size_t all = state_.count(Place::node);
  if (sand_.spread(own_s, d(), all) != s || water_.spread(own_w, d(), all) != w) return std::nullopt;
  return joined(std::move(own_s), own_w);
}

std::optional<SolveHistory> TwoPhaseBalance::of_nodes(const SolveHistory& told) const {
  const std::size_t all = state_.count(Place::node);
  const auto holds_of = [&](const std::vector<NodeHold>& holds) {
    std::vector<NodeHold> own;
    if (holds.size() != 2 * all) return own;
    std::size_t named = 0;
    const auto bodies = [](const NodeHold& one) { return one.bodies.size() + (one.prescribed ? 1 : 0); };
    for (const NodeHold& one : holds) named += bodies(one);
    for (const std::size_t n : sand_.part.members.nodes) own.push_back(holds[n]);
    for (const std::size_t n : water_.part.members.nodes) own.push_back(holds[all + n]);
    for (const NodeHold& one : own) named -= bodies(one);
    if (named != 0) own.clear();
    return own;
  };
  SolveHistory result = told;
  const auto take = [&](std::vector<double>& v) {
    auto own = of_nodes(v);
    if (own) v = std::move(*own);
    return own.has_value();
  };
  bool whole = take(result.v_bar);
  result.holds = holds_of(told.holds);
  whole = whole && result.holds.size() == nodes().size();
  for (NewtonIteration& one : result.iterations) {
    for (auto* v : {&one.tested, &one.closed, &one.dv}) whole = whole && take(*v);
    one.holds = holds_of(one.holds);
    whole = whole && one.holds.size() == nodes().size();
  }
  if (!whole) return std::nullopt;
  return result;
}

}  // namespace repose::crosscheck
