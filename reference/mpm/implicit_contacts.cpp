#include "reference/mpm/implicit_contacts.h"

#include "reference/mpm/contact.h"

#include <algorithm>
#include <cmath>

namespace repose {

namespace {

/// Normals whose angle is below this many radians count as one: their intersection is too far away to hold
/// anything.
constexpr double parallel = 1e-6;

}  // namespace

template <int d>
NodeBodies<d>::NodeBodies(const Vec<d>& x_i, const StepContext& step)
    : grid_(&step.scene.grid), x_i_(x_i), dt_(step.dt), time_(step.time) {
  for (std::size_t index = 0; index < step.scene.colliders.size(); ++index) {
    const Collider& collider = step.scene.colliders[index];
    const double phi_n = signed_distance(collider, in_space<d>(x_i), step.time, step.scene.grid).phi;
    const bool held = holds_node(phi_n, step.scene.grid.h);
    if (collider.contact == Contact::separating) {
      bodies_.push_back({&collider, index, std::min(phi_n, 0.0), true, false});
    } else if (held && collider.contact == Contact::slipping) {
      bodies_.push_back({&collider, index, phi_n, false, true});
    } else if (held) {
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
NodeHold NodeBodies<d>::hold() const {
  NodeHold hold{prescribed_.has_value(), {}};
  for (const Body& body : bodies_)
    if (body.holds) hold.bodies.push_back(body.index);
  return hold;
}

template <int d>
double NodeBodies<d>::gap_rate(const Body& body, const Vec<d>& v, Vec<d>* n) const {
  const Distance candidate =
      signed_distance(*body.collider, in_space<d>(x_i_ + dt_ * v), time_ + dt_, *grid_);
  if (n != nullptr) *n = in_plane<d>(candidate.normal);
  return (candidate.phi - body.wanted) / dt_;
}

template <int d>
std::vector<typename NodeBodies<d>::Hold> NodeBodies<d>::holds_at(const Vec<d>& v) const {
  std::vector<Hold> all;
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    if (!bodies_[k].holds) continue;
    Hold hold{k, 0.0, Vec<d>::Zero(), Vec<d>::Zero()};
    hold.gap = gap_rate(bodies_[k], v, &hold.n);
    all.push_back(hold);
  }
  std::stable_sort(all.begin(), all.end(), [](const Hold& a, const Hold& b) { return a.gap < b.gap; });

  std::vector<Hold> independent;
  for (Hold& hold : all) {
    Vec<d> rest = hold.n;
    for (const Hold& before : independent) rest -= before.b.dot(rest) * before.b;
    if (rest.norm() <= parallel) continue;
    hold.b = rest.normalized();
    independent.push_back(hold);
  }
  return independent;
}

template <int d>
Vec<d> NodeBodies<d>::admissible(const Vec<d>& v) const {
  if (prescribed_) return *prescribed_;
  // One pass is exact for planes, and for one body of any form; corners of curved ones need more.
  Vec<d> result = v;
  for (int pass = 0; pass < 4; ++pass) {
    const std::vector<Hold> holds = holds_at(result);
    if (holds.empty() || (pass > 0 && holds.size() == 1)) break;
    Vec<d> correction = Vec<d>::Zero();
    for (const Hold& hold : holds) {
      // Along b, which is perpendicular to the normals before: their gaps stay closed.
      correction -= (hold.gap + hold.n.dot(correction)) / hold.n.dot(hold.b) * hold.b;
    }
    result += correction;
  }
  return result;
}

template <int d>
void NodeBodies<d>::linearize(const Vec<d>& v) {
  held_ = holds_at(v);
}

template <int d>
Vec<d> NodeBodies<d>::free_part(const Vec<d>& w) const {
  if (prescribed_) return Vec<d>::Zero();
  Vec<d> rest = w;
  for (const Hold& hold : held_) rest -= hold.b.dot(rest) * hold.b;
  return rest;
}

template <int d>
std::vector<double> NodeBodies<d>::pushes(const Vec<d>& reaction) const {
  std::vector<double> push(bodies_.size(), 0.0);
  // The last hold alone has a part along its b.
  Vec<d> rest = reaction;
  for (auto hold = held_.rbegin(); hold != held_.rend(); ++hold) {
    push[hold->body] = hold->b.dot(rest) / hold->b.dot(hold->n);
    rest -= push[hold->body] * hold->n;
  }
  return push;
}

template <int d>
double NodeBodies<d>::violation(const Vec<d>& v, const Vec<d>& reaction) const {
  const std::vector<double> push = pushes(reaction);
  double sum = (admissible(v) - v).squaredNorm();
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    if (!bodies_[k].separating) continue;
    const double wrong = bodies_[k].holds ? std::min(push[k], 0.0) : std::min(gap_rate(bodies_[k], v), 0.0);
    sum += wrong * wrong;
  }
  return std::sqrt(sum);
}

template <int d>
bool NodeBodies<d>::revise(const Vec<d>& v, const Vec<d>& reaction) {
  const std::vector<double> push = pushes(reaction);
  bool changed = false;
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    Body& body = bodies_[k];
    if (!body.separating) continue;
    const bool held = body.holds;
    body.holds = held ? push[k] > 0.0 : gap_rate(body, v) < 0.0;
    changed = changed || body.holds != held;
  }
  return changed;
}

template <int d>
std::vector<NodeBodies<d>> bodies_of_nodes(const State<d>& state, const StepContext& step) {
  std::vector<NodeBodies<d>> all;
  for (const Node<d>& node : state.nodes)
    all.emplace_back(in_plane<d>(step.scene.grid.node_position(node.id)), step);
  return all;
}

template class NodeBodies<2>;
template class NodeBodies<3>;
template std::vector<NodeBodies<2>> bodies_of_nodes<2>(const State<2>&, const StepContext&);
template std::vector<NodeBodies<3>> bodies_of_nodes<3>(const State<3>&, const StepContext&);

}  // namespace repose
