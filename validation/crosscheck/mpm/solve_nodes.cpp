#include "validation/crosscheck/mpm/solve_nodes.h"

#include "validation/crosscheck/mpm/contact_trace.h"
#include "validation/mechanics/field_access.h"

#include <Eigen/QR>
#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <limits>

namespace repose::crosscheck {

namespace {

constexpr double independent = 1e-6;  ///< least angle of two normals [rad]

Eigen::MatrixXd normals(const std::vector<SolveNodes::Gap>& held) {
  Eigen::MatrixXd N(static_cast<Eigen::Index>(held.size()), 3);
  for (std::size_t k = 0; k < held.size(); ++k) N.row(static_cast<Eigen::Index>(k)) = held[k].n.transpose();
  return N;
}

Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposed(const std::vector<SolveNodes::Gap>& held) {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> result;
  result.setThreshold(independent);
  result.compute(normals(held));
  return result;
}

bool names(const NodeHold& hold, std::size_t body) {
  return std::find(hold.bodies.begin(), hold.bodies.end(), body) != hold.bodies.end();
}

}  // namespace

SolveNodes::SolveNodes(const Scene& scene, const Arithmetic& arithmetic, const Snapshot& state, double dt)
    : arithmetic_(arithmetic), time_(state.time), dt_(dt) {
  const double reach =
      std::max(scene.grid.domain_min.cwiseAbs().maxCoeff(), scene.grid.domain_max().cwiseAbs().maxCoeff());
  gap_rounding_ = 16.0 * std::numeric_limits<double>::epsilon() * reach / dt;
  add(scene, state);
}

void SolveNodes::add(const Scene& scene, const Snapshot& state) {
  for (const std::int64_t id : state.ids(Place::node)) {
    const Point x = scene.grid.node_position(id);
    const NodeStep at{scene, arithmetic_, x, time_, dt_};
    std::vector<double> before;
    bool sticks = false, unsure = false;
    for (const Collider& body : scene.colliders) {
      const Held held = held_before(at, body);
      sticks = sticks || (body.contact == Contact::sticky && held.holds);
      unsure = unsure || (body.contact != Contact::separating && held.unsure);
      const bool may_hold =
          body.contact == Contact::separating || (body.contact == Contact::slipping && held.holds);
      before.push_back(may_hold ? signed_distance(body, x, time_, scene.grid).phi
                                : std::numeric_limits<double>::quiet_NaN());
    }
    x_.push_back(x);
    scene_.push_back(&scene);
    before_.push_back(std::move(before));
    sticks_.push_back(sticks);
    unsure_.push_back(unsure);
  }
}

std::vector<SolveNodes::Gap> SolveNodes::gaps(std::size_t node, const Point& v) const {
  std::vector<Gap> result;
  if (sticks_[node]) return result;
  const Scene& scene = *scene_[node];
  for (std::size_t k = 0; k < scene.colliders.size(); ++k) {
    const double before = before_[node][k];
    if (std::isnan(before)) continue;
    const bool separating = scene.colliders[k].contact == Contact::separating;
    const Distance next = signed_distance(scene.colliders[k], x_[node] + dt_ * v, time_ + dt_, scene.grid);
    const double wanted = separating ? std::min(before, 0.0) : before;
    result.push_back({k, (next.phi - wanted) / dt_, next.normal, separating});
  }
  return result;
}

std::vector<SolveNodes::Gap> SolveNodes::held(const std::vector<Gap>& all, const NodeHold& hold) {
  std::vector<Gap> result;
  for (const Gap& one : all)
    if (names(hold, one.body)) result.push_back(one);
  return result;
}

Point SolveNodes::prescribed(std::size_t node, double& error) const {
  const CollisionTrace trace = follow_collisions({*scene_[node], arithmetic_, x_[node], time_, dt_}, {});
  error = trace.v.error;
  return trace.v.value;
}

Point SolveNodes::close(std::size_t node, const NodeHold& hold, Point v) const {
  if (hold.prescribed) {
    double unused = 0.0;
    return prescribed(node, unused);
  }
  if (hold.bodies.empty()) return v;
  for (int pass = 0; pass < 8; ++pass) v += closing(held(gaps(node, v), hold));
  return v;
}

Point SolveNodes::free_part(const std::vector<Gap>& held, const Point& w) {
  if (held.empty()) return w;
  const auto N = decomposed(held);
  // What is left of w when its part in the rows of N is gone.
  return w - N.solve(normals(held) * w);
}

Point SolveNodes::closing(const std::vector<Gap>& held) {
  if (held.empty()) return Point::Zero();
  Eigen::VectorXd rate(static_cast<Eigen::Index>(held.size()));
  for (std::size_t k = 0; k < held.size(); ++k) rate[static_cast<Eigen::Index>(k)] = -held[k].rate;
  return decomposed(held).solve(rate);
}

int SolveNodes::rank(const std::vector<Gap>& held) {
  return held.empty() ? 0 : static_cast<int>(decomposed(held).rank());
}

std::vector<std::vector<SolveNodes::Gap>> SolveNodes::choices(const std::vector<Gap>& held) {
  const auto most = static_cast<std::size_t>(rank(held));
  if (most == held.size()) return {held};
  std::vector<std::vector<Gap>> result;
  // All parts of that size, by what std::prev_permutation makes of a mask.
  std::vector<char> taken(held.size(), 0);
  std::fill_n(taken.begin(), most, 1);
  do {
    std::vector<Gap> part;
    for (std::size_t k = 0; k < held.size(); ++k)
      if (taken[k] != 0) part.push_back(held[k]);
    if (rank(part) == static_cast<int>(most)) result.push_back(std::move(part));
  } while (std::prev_permutation(taken.begin(), taken.end()));
  return result;
}

double SolveNodes::skewness(const std::vector<Gap>& counted) {
  if (counted.empty()) return 1.0;
  return 1.0 / Eigen::JacobiSVD<Eigen::MatrixXd>(normals(counted)).singularValues().minCoeff();
}

double SolveNodes::violation(const std::vector<Gap>& all, const NodeHold& hold,
                             const std::vector<Gap>& counted, const Point& reaction) {
  double sum = 0.0;
  for (const Gap& one : all)
    if (one.separating && !names(hold, one.body)) sum += std::pow(std::min(one.rate, 0.0), 2);
  if (!counted.empty()) {
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> N;
    N.setThreshold(independent);
    N.compute(normals(counted).transpose());
    const Eigen::VectorXd push = N.solve(reaction);
    for (std::size_t k = 0; k < counted.size(); ++k)
      if (counted[k].separating) sum += std::pow(std::min(push[static_cast<Eigen::Index>(k)], 0.0), 2);
  }
  return std::sqrt(sum);
}

}  // namespace repose::crosscheck
