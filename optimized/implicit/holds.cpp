#include "optimized/implicit/holds.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace repose::optimized {

namespace {

/// Sine of the angle below which two normals count as one: where such planes meet is too far away to hold anything.
constexpr double parallel = 1e-6;
/// Bodies among which those that hold one node are sought.
constexpr std::size_t most_at_once = 12;

template <int dim>
Point in_space(const Vec<dim>& v) {
  Point p = Point::Zero();
  p.head<dim>() = v;
  return p;
}

}  // namespace

template <int dim>
Holds<dim>::Holds(const std::vector<HeldNodes>& phases, double time, double dt, const Team& team)
    : bodies_(phases.at(0).scene->colliders.size()), time_(time), dt_(dt), team_(team) {
  for (const HeldNodes& phase : phases) {
    x_.insert(x_.end(), phase.x.begin(), phase.x.end());
    scene_of_phase_.push_back(phase.scene);
    end_of_phase_.push_back(x_.size());
  }
  hold_.resize(x_.size());
  before_.resize(x_.size() * bodies_);
#pragma omp parallel for schedule(static) num_threads(threads())
  for (std::size_t node = 0; node < x_.size(); ++node) {
    const Scene& own = scene(node);
    bool sticks = false;
    for (std::size_t k = 0; k < bodies_; ++k) {
      const double phi = signed_distance(own.colliders[k], x_[node], time, own.grid).phi;
      before_[node * bodies_ + k] = phi;
      sticks = sticks || (own.colliders[k].contact == Contact::sticky && holds_node(phi, own.grid.h));
    }
    if (sticks) prescribe(node);
  }
}

/// What a node inside a sticky body does never changes in the step.
template <int dim>
void Holds<dim>::prescribe(std::size_t node) {
  const Contacts contacts(scene(node), time_, dt_);
  Contacts::Near near;
  std::vector<Touch> touches;
  contacts.near(x_[node], 0.0, 0.0, near);
  hold_[node].prescribed = true;
  hold_[node].v_b = contacts.collide(near, x_[node], Point::Zero(), touches).head<dim>();
}

template <int dim>
typename Holds<dim>::Plane Holds<dim>::plane(std::size_t node, std::size_t body, const Vec<dim>& v) const {
  const Collider& collider = scene(node).colliders[body];
  const Distance next =
      signed_distance(collider, x_[node] + dt_ * in_space<dim>(v), time_ + dt_, scene(node).grid);
  Plane result{body, next.phi / dt_, next.normal.template head<dim>(), collider.contact == Contact::slipping};
  // Outside, a is 0 for separating bodies.
  const double before = distance_before(node, body);
  if (before < 0.0 || result.equality) result.gap = (next.phi - before) / dt_;
  return result;
}

/// All that could hold the node, at v.
template <int dim>
std::vector<typename Holds<dim>::Plane> Holds<dim>::planes(std::size_t node, const Vec<dim>& v) const {
  const Scene& own = scene(node);
  std::vector<Plane> result;
  for (std::size_t k = 0; k < bodies_; ++k) {
    const Contact contact = own.colliders[k].contact;
    if (contact == Contact::sticky) continue;
    if (contact == Contact::slipping && !holds_node(distance_before(node, k), own.grid.h)) continue;
    result.push_back(plane(node, k, v));
  }
  return result;
}

template <int dim>
std::vector<typename Holds<dim>::Plane> Holds<dim>::held_planes(std::size_t node, const Vec<dim>& v) const {
  std::vector<Plane> result;
  for (const std::size_t body : hold_[node].bodies) result.push_back(plane(node, body, v));
  return result;
}

/// Columns of `basis`: what each plane's normal adds to those before it. @returns how many add something
template <int dim>
int Holds<dim>::span(const std::vector<Plane>& planes, Mat<dim>& basis) {
  int rank = 0;
  for (const Plane& one : planes) {
    if (rank == dim) break;
    Vec<dim> rest = one.n;
    for (int pass = 0; pass < 2; ++pass)
      for (int k = 0; k < rank; ++k) rest -= basis.col(k).dot(rest) * basis.col(k);
    const double length = rest.norm();
    if (length > parallel) basis.col(rank++) = rest / length;
  }
  return rank;
}

/// The point nearest to v + y on all the planes, less v. Of planes with one normal the first counts.
template <int dim>
Vec<dim> Holds<dim>::onto(const std::vector<Plane>& planes, Vec<dim> y) {
  Mat<dim> basis;
  int rank = 0;
  std::vector<Plane> so_far;
  for (const Plane& one : planes) {
    so_far.push_back(one);
    const int now = span(so_far, basis);
    if (now == rank) {
      so_far.pop_back();
      continue;
    }
    // The new direction leaves the planes before where they are: a triangular system, solved on the way.
    const Vec<dim> b = basis.col(now - 1);
    y -= (one.gap + one.n.dot(y)) / one.n.dot(b) * b;
    rank = now;
  }
  return y;
}

/// The planes active at the point of the polyhedron nearest to v + y, by trying their combinations.
template <int dim>
std::vector<typename Holds<dim>::Plane> Holds<dim>::nearest(const std::vector<Plane>& all,
                                                            const Vec<dim>& y) {
  std::vector<Plane> fixed, loose;
  for (const Plane& one : all) (one.equality ? fixed : loose).push_back(one);
  Mat<dim> unused;
  while (!fixed.empty() && span(fixed, unused) < static_cast<int>(fixed.size())) fixed.pop_back();

  double scale = y.norm();
  for (const Plane& one : all) scale = std::max(scale, std::abs(one.gap));
  const double rounding = 64.0 * std::numeric_limits<double>::epsilon() * scale;
  const auto room = [](const Plane& one, const Vec<dim>& at) { return one.gap + one.n.dot(at); };

  std::vector<Plane> tried, best = fixed;
  Vec<dim> point = onto(fixed, y);
  for (double allowed = 0.0;; allowed = rounding) {
    // What the point violates takes part from now on.
    bool grew = false;
    for (const Plane& one : loose) {
      const bool in =
          std::any_of(tried.begin(), tried.end(), [&](const Plane& t) { return t.body == one.body; });
      if (in || !(room(one, point) < -allowed) || tried.size() == most_at_once) continue;
      tried.push_back(one);
      grew = true;
    }
    if (!grew) break;
    double least_violation = std::numeric_limits<double>::infinity();
    double least_distance = least_violation;
    for (unsigned choice = 0; choice < (1U << tried.size()); ++choice) {
      if (static_cast<std::size_t>(std::popcount(choice)) + fixed.size() > dim) continue;
      std::vector<Plane> planes = fixed;
      for (std::size_t k = 0; k < tried.size(); ++k)
        if ((choice >> k & 1U) != 0) planes.push_back(tried[k]);
      if (span(planes, unused) < static_cast<int>(planes.size())) continue;
      const Vec<dim> at = onto(planes, y);
      double violation = 0.0;
      for (std::size_t k = 0; k < tried.size(); ++k)
        if ((choice >> k & 1U) == 0) violation = std::max(violation, -room(tried[k], at));
      if (violation <= rounding) violation = 0.0;
      const double distance = (at - y).norm();
      if (violation < least_violation || (violation == least_violation && distance < least_distance)) {
        least_violation = violation;
        least_distance = distance;
        best = planes;
        point = at;
      }
    }
  }
  return best;
}

/// From now on the bodies of these planes hold the node.
template <int dim>
void Holds<dim>::hold(std::size_t node, const std::vector<Plane>& planes, const Vec<dim>& v) {
  std::vector<std::size_t> bodies;
  for (const Plane& one : planes) bodies.push_back(one.body);
  std::sort(bodies.begin(), bodies.end());
  if (bodies == hold_[node].bodies) return;
  hold_[node].bodies = bodies;
  hold_[node].rank = span(held_planes(node, v), hold_[node].basis);
}

template <int dim>
void Holds<dim>::guess(const NodeVector& v, const NodeVector& residual, const std::vector<double>& mass) {
  const double fall = dt_ * scene_of_phase_.front()->gravity.head<dim>().norm();
#pragma omp parallel for schedule(static) num_threads(threads())
  for (std::size_t node = 0; node < hold_.size(); ++node) {
    if (hold_[node].prescribed) continue;
    std::vector<Plane> near = planes(node, of_node<dim>(v, node));
    std::erase_if(near, [&](const Plane& one) { return !one.equality && one.gap > fall; });
    if (near.empty()) continue;
    hold(node, nearest(near, -of_node<dim>(residual, node) / mass[node]), of_node<dim>(v, node));
  }
}

template <int dim>
void Holds<dim>::choose(const NodeVector& v, const NodeVector& residual, const std::vector<double>& mass) {
#pragma omp parallel for schedule(static) num_threads(threads())
  for (std::size_t node = 0; node < hold_.size(); ++node) {
    Hold<dim>& hold = hold_[node];
    if (hold.prescribed) continue;
    const std::vector<Plane> all = planes(node, of_node<dim>(v, node));
    // A node that nothing holds or reaches needs no search.
    const auto idle = [](const Plane& one) { return !one.equality && !(one.gap < 0.0); };
    if (hold.bodies.empty() && std::all_of(all.begin(), all.end(), idle)) continue;
    Vec<dim> pushed = Vec<dim>::Zero();
    for (int c = 0; c < hold.rank; ++c)
      pushed -= hold.basis.col(c).dot(of_node<dim>(residual, node)) / mass[node] * hold.basis.col(c);
    this->hold(node, nearest(all, pushed), of_node<dim>(v, node));
  }
}

template <int dim>
void Holds<dim>::close(NodeVector& v) const {
  // One pass is exact for planes and for one body of any form; corners of curved bodies need more.
  constexpr int passes = 6;
#pragma omp parallel for schedule(static) num_threads(threads())
  for (std::size_t node = 0; node < hold_.size(); ++node) {
    auto at = of_node<dim>(v, node);
    if (hold_[node].prescribed) at = hold_[node].v_b;
    if (hold_[node].bodies.empty()) continue;
    for (int pass = 0; pass < passes; ++pass) {
      const Vec<dim> step = onto(held_planes(node, at), Vec<dim>::Zero());
      at += step;
      if (!(step.norm() > 4.0 * std::numeric_limits<double>::epsilon() * at.norm())) break;
    }
  }
}

template <int dim>
void Holds<dim>::linearize(const NodeVector& v) {
#pragma omp parallel for schedule(static) num_threads(threads())
  for (std::size_t node = 0; node < hold_.size(); ++node) {
    Hold<dim>& hold = hold_[node];
    if (!hold.bodies.empty()) hold.rank = span(held_planes(node, of_node<dim>(v, node)), hold.basis);
  }
}

template <int dim>
double Holds<dim>::opening2(std::size_t node, const Vec<dim>& v) const {
  if (hold_[node].prescribed) return (v - hold_[node].v_b).squaredNorm();
  if (hold_[node].bodies.empty()) return 0.0;
  return onto(held_planes(node, v), Vec<dim>::Zero()).squaredNorm();
}

template <int dim>
std::uint64_t Holds<dim>::contacts() const {
  std::uint64_t count = 0;
  for (const Hold<dim>& hold : hold_) count += hold.prescribed ? 1 : hold.bodies.size();
  return count;
}

template <int dim>
std::vector<NodeHold> Holds<dim>::told() const {
  std::vector<NodeHold> result;
  for (const Hold<dim>& hold : hold_) result.push_back({hold.prescribed, hold.bodies});
  return result;
}

template <int dim>
std::size_t Holds<dim>::free_dimensions() const {
  std::size_t count = 0;
  for (const Hold<dim>& hold : hold_)
    count += hold.prescribed ? 0 : static_cast<std::size_t>(dim - hold.rank);
  return count;
}

template class Holds<2>;
template class Holds<3>;

}  // namespace repose::optimized
