#include "reference/mpm/implicit_contacts.h"

#include "reference/mpm/contact.h"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>

namespace repose {

namespace {

/// Normals whose angle is below this many radians count as one: their intersection is too far away to hold
/// anything.
constexpr double parallel = 1e-6;

/// Orthonormal basis of the span of some normals.
template <int d>
std::vector<Vec<d>> basis_of(const std::vector<Vec<d>>& normals) {
  std::vector<Vec<d>> basis;
  for (Vec<d> n : normals) {
    for (const Vec<d>& b : basis) n -= b.dot(n) * b;
    if (n.norm() > parallel) basis.push_back(n.normalized());
  }
  return basis;
}

}  // namespace

template <int d>
NodeBodies<d>::NodeBodies(const Vec<d>& x_i, const StepContext& step)
    : x_i_(x_i), dt_(step.dt), time_(step.time) {
  for (const Collider& collider : step.scene.colliders) {
    const double phi_n = signed_distance(collider, in_space<d>(x_i), step.time, d).phi;
    if (collider.contact == Contact::separating) {
      bodies_.push_back({&collider, std::min(phi_n, 0.0), true, false});
    } else if (phi_n < 0.0 && collider.contact == Contact::slipping) {
      bodies_.push_back({&collider, phi_n, false, true});
    } else if (phi_n < 0.0) {
      prescribed_ = resolve_contacts<d>(x_i, Vec<d>::Zero(), step).v;
    }
  }
  if (prescribed_) bodies_.clear();
}

template <int d>
std::size_t NodeBodies<d>::holding() const {
  const auto holds =
      std::count_if(bodies_.begin(), bodies_.end(), [](const Body& body) { return body.holds; });
  return static_cast<std::size_t>(holds) + (prescribed_ ? 1 : 0);
}

template <int d>
double NodeBodies<d>::gap_rate(const Body& body, const Vec<d>& v, Vec<d>* n) const {
  const Distance candidate = signed_distance(*body.collider, in_space<d>(x_i_ + dt_ * v), time_ + dt_, d);
  if (n != nullptr) *n = in_plane<d>(candidate.normal);
  return (candidate.phi - body.wanted) / dt_;
}

template <int d>
Vec<d> NodeBodies<d>::admissible(const Vec<d>& v) const {
  if (prescribed_) return *prescribed_;
  // Gauss–Newton: one correction is exact for planes, and for one body of any form; corners of curved ones
  // need more.
  Vec<d> result = v;
  for (int pass = 0; pass < 4; ++pass) {
    std::vector<Vec<d>> normals;
    std::vector<double> gaps;
    for (const Body& body : bodies_) {
      if (!body.holds) continue;
      normals.emplace_back();
      gaps.push_back(gap_rate(body, result, &normals.back()));
    }
    const auto count = static_cast<Eigen::Index>(normals.size());
    if (count == 0 || (pass > 0 && count == 1)) break;
    Eigen::Matrix<double, Eigen::Dynamic, d> N(count, d);
    Eigen::VectorXd g(count);
    for (Eigen::Index k = 0; k < count; ++k) {
      N.row(k) = normals[static_cast<std::size_t>(k)].transpose();
      g[k] = gaps[static_cast<std::size_t>(k)];
    }
    Eigen::CompleteOrthogonalDecomposition<decltype(N)> least;
    least.setThreshold(parallel);
    least.compute(N);
    const Vec<d> correction = least.solve(g);
    result -= correction;
  }
  return result;
}

template <int d>
void NodeBodies<d>::linearize(const Vec<d>& v) {
  std::vector<Vec<d>> normals;
  for (Body& body : bodies_) {
    gap_rate(body, v, &body.n);
    if (body.holds) normals.push_back(body.n);
  }
  held_ = basis_of<d>(normals);
}

template <int d>
Vec<d> NodeBodies<d>::free_part(const Vec<d>& w) const {
  if (prescribed_) return Vec<d>::Zero();
  Vec<d> rest = w;
  for (const Vec<d>& b : held_) rest -= b.dot(rest) * b;
  return rest;
}

template <int d>
std::vector<double> NodeBodies<d>::pushes(const Vec<d>& reaction) const {
  std::vector<double> result;
  Eigen::Matrix<double, d, Eigen::Dynamic> N(d, 0);
  for (const Body& body : bodies_) {
    if (!body.holds) continue;
    N.conservativeResize(d, N.cols() + 1);
    N.col(N.cols() - 1) = body.n;
  }
  if (N.cols() == 0) return result;
  Eigen::CompleteOrthogonalDecomposition<decltype(N)> least;
  least.setThreshold(parallel);
  least.compute(N);
  const Eigen::VectorXd push = least.solve(reaction);
  result.assign(push.data(), push.data() + push.size());
  return result;
}

template <int d>
double NodeBodies<d>::violation(const Vec<d>& v, const Vec<d>& reaction) const {
  const std::vector<double> push = pushes(reaction);
  double sum = 0.0;
  std::size_t k = 0;
  for (const Body& body : bodies_) {
    const double lambda = body.holds ? push[k++] : 0.0;
    if (!body.separating) continue;
    const double wrong = body.holds ? std::min(lambda, 0.0) : std::min(gap_rate(body, v), 0.0);
    sum += wrong * wrong;
  }
  return std::sqrt(sum);
}

template <int d>
bool NodeBodies<d>::revise(const Vec<d>& v, const Vec<d>& reaction) {
  const std::vector<double> push = pushes(reaction);
  bool changed = false;
  std::size_t k = 0;
  for (Body& body : bodies_) {
    const bool held = body.holds;
    const double lambda = held ? push[k++] : 0.0;
    if (!body.separating) continue;
    body.holds = held ? lambda > 0.0 : gap_rate(body, v) < 0.0;
    changed = changed || body.holds != held;
  }
  return changed;
}

template class NodeBodies<2>;
template class NodeBodies<3>;

}  // namespace repose
