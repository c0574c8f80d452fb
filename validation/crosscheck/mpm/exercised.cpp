#include "validation/crosscheck/mpm/exercised.h"

#include "reference/interface/base/symmetric_eigen.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/contact_trace.h"
#include "validation/crosscheck/mpm/stress_bounds.h"
#include "validation/mechanics/field_access.h"
#include "validation/mechanics/stencil.h"
#include "validation/mechanics/strain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace repose::crosscheck {

namespace {

constexpr std::array<std::string_view, 4> case_words{"elastic", "inside", "tip", "surface"};

/// A node, and what collided with it.
struct Met {
  const NodeStep& at;
  const Scene& reversed;  ///< the same bodies in reverse order
  Point v_star;
  const CollisionTrace& trace;
};

bool oblique(const CollisionTrace& trace) {
  for (const ContactTrace& a : trace.contacts)
    for (const ContactTrace& b : trace.contacts) {
      if (a.collider->contact == Contact::sticky || b.collider->contact == Contact::sticky) continue;
      const double cosine = std::abs(a.normal.value.dot(b.normal.value));
      if (&a != &b && cosine > std::cos(80.0 * degree) && cosine < std::cos(10.0 * degree)) return true;
    }
  return false;
}

/// How a separating body was reached by a node that came with velocity v.
void count_reach(const Met& met, const Collider& body, const Point& v, Counters& counters) {
  const NodeStep& at = met.at;
  const auto distance = [&](const Point& x, double time) {
    return signed_distance(body, x, time, at.scene.grid).phi;
  };
  const double before = distance(at.x, at.time);
  const double allowed = std::min(before, 0.0);
  if (before > 0.0) counters["contacts entered within the step"] += 1.0;
  if (distance(at.x + at.dt * met.v_star, at.time + at.dt) >= allowed)
    counters["contacts only after another's push"] += 1.0;
  if (distance(at.x + at.dt * v, at.time) >= allowed) counters["contacts by the body's own way"] += 1.0;
}

/// Whether the image of a body that a node meets is not the body itself.
bool across_seam(const NodeStep& at, const Collider& body) {
  if (!is_bounded(body.shape)) return false;
  const Point away = at.x - (centre(body.shape) + at.time * body.velocity);
  for (int axis = 0; axis < at.scene.dim(); ++axis)
    if (std::abs(away[axis]) > 0.5 * at.scene.grid.period(axis) && at.scene.grid.is_periodic(axis))
      return true;
  return false;
}

void count_node(const Met& met, Counters& counters) {
  Point v = met.v_star;
  std::size_t acting = 0;
  for (const ContactTrace& contact : met.trace.contacts) {
    if (contact.dv.value.squaredNorm() == 0.0) continue;
    ++acting;
    const Collider& body = *contact.collider;
    counters[fmt::format("contacts with body {}", &body - met.at.scene.colliders.data())] += 1.0;
    if (!body.spin.isZero(0.0)) counters["contacts on spinning bodies"] += 1.0;
    if (across_seam(met.at, body)) counters["contacts across a seam"] += 1.0;
    if (!body.velocity.isZero(0.0)) counters["contacts on moving bodies"] += 1.0;
    if (body.contact == Contact::separating) count_reach(met, body, v, counters);
    v += contact.dv.value;
  }
  if (acting < 2) return;
  if (oblique(met.trace)) counters["nodes held by two oblique bodies"] += 1.0;
  const NodeStep backwards{met.reversed, met.at.arithmetic, met.at.x, met.at.time, met.at.dt};
  const Point other = follow_collisions(backwards, {met.v_star, 0.0}).v.value;
  if ((other - met.trace.v.value).norm() > 1e-3 * met.trace.v.value.norm())
    counters["nodes where order matters"] += 1.0;
}

void count_collisions(const Stage& stage, Counters& counters) {
  if (stage.scene.colliders.empty() || stage.before.find(field::p_star) == nullptr) return;
  Scene reversed = stage.scene;
  std::reverse(reversed.colliders.begin(), reversed.colliders.end());
  const Field& m = stage.before.get(field::m_i);
  const Field& p_star = stage.before.get(field::p_star);
  for (std::size_t n = 0; n < stage.before.count(Place::node); ++n) {
    const NodeStep at{stage.scene, stage.arithmetic,
                      stage.scene.grid.node_position(stage.before.ids(Place::node)[n]), stage.before.time,
                      stage.dt};
    const Point v_star = point(p_star, n) / m.value[n];
    const CollisionTrace trace = follow_collisions(at, {v_star, 0.0});
    count_node({at, reversed, v_star, trace}, counters);
  }
}

/// Smallest difference of two principal values of ε = ½ ln(F Fᵀ).
double smallest_gap(const Tensor& F, int dim) {
  const Tensor log = strain(F, dim).log;
  if (dim < 3) {
    const Eigen::SelfAdjointEigenSolver<Mat<2>> eigen(log.topLeftCorner<2, 2>(), Eigen::EigenvaluesOnly);
    return eigen.eigenvalues()[1] - eigen.eigenvalues()[0];
  }
  const Eigen::SelfAdjointEigenSolver<Mat<3>> eigen(log, Eigen::EigenvaluesOnly);
  const Point e = eigen.eigenvalues();
  return std::min(e[1] - e[0], e[2] - e[1]);
}

/// What cohesion and the volume correction did to one particle of sand.
void count_cohesion(const Stage& stage, std::size_t p, std::string_view word, Counters& counters) {
  const int dim = stage.scene.dim();
  const auto k = static_cast<std::size_t>(stage.before.get(field::material).value[p]);
  const Material& material = stage.scene.materials.at(k);
  const double before = stage.before.get(field::v_c).value[p], after = stage.after.get(field::v_c).value[p];
  const double trial = strain(tensor(stage.before.get(field::F_trial), p, dim), dim).log.trace();
  if (material.cohesion > 0.0) {
    counters[fmt::format("cohesive {}", word)] += 1.0;
    if (trial + (material.volume_correction ? before : 0.0) > 0.0 && word != "tip")
      counters["tension borne"] += 1.0;
  }
  if (!material.volume_correction || before <= 0.0) return;
  if (after < before) {
    const std::string_view much = after > 0.0 ? "volume given back in part" : "volume given back";
    counters[std::string(much)] += 1.0;
    if (material.cohesion > 0.0) counters[fmt::format("cohesive {}", much)] += 1.0;
  }
  if (after > 0.0 && trial < 0.0) counters["gaps that close"] += 1.0;
}

/// How far from rest the volumes are that a step begins with.
void count_volumes(const Stage& stage, Counters& counters) {
  const std::vector<double>& volumes = stage.before.get(field::J).value;
  for (std::size_t p = 0; p < volumes.size(); ++p) {
    const double J = volumes[p];
    const auto k = static_cast<std::size_t>(stage.before.get(field::material).value[p]);
    if (J != 1.0) counters[fmt::format("material {} {}", k, J < 1.0 ? "compressed" : "stretched")] += 1.0;
    if (J > 1.0 && !stage.scene.materials.at(k).water_tension) counters["water that lets go"] += 1.0;
    counters[J < 1.0 ? "water compressed" : J > 1.0 ? "water stretched" : "water at rest"] += 1.0;
    if (J < 0.1) counters["water crushed"] += 1.0;
    if (std::abs(J - 1.0) < 1e-6) counters["water close to rest"] += 1.0;
  }
}

void count_returns(const Stage& stage, Counters& counters) {
  const int dim = stage.scene.dim();
  const Field* taken = stage.after.find(field::plastic_case);
  if (taken == nullptr) return;
  const Field& F_trial = stage.before.get(field::F_trial);
  for (std::size_t p = 0; p < stage.before.particles(); ++p) {
    const auto k = static_cast<std::size_t>(stage.before.get(field::material).value[p]);
    const std::string_view word = case_words.at(static_cast<std::size_t>(taken->value[p]));
    counters[fmt::format("material {} {}", k, word)] += 1.0;
    counters[fmt::format("{} {}", gap_name(smallest_gap(tensor(F_trial, p, dim), dim)), word)] += 1.0;
    count_cohesion(stage, p, word, counters);
    if (word != "surface") continue;
    const FrictionLaw& law = stage.scene.materials.at(k).friction;
    const double q = stage.before.get(field::q).value[p];
    const double phi = law.h0 + (law.h1 * q - law.h3) * std::exp(-law.h2 * q);
    if (phi > 43.0 * degree) counters["surface beyond 43 degrees"] += 1.0;
    if (law.h1 == 0.0 && law.h3 > 0.0) counters["surface with h1 = 0 < h3"] += 1.0;
  }
}

void count_moves(const Stage& stage, Counters& counters) {
  const Grid& grid = stage.scene.grid;
  const Field& before = stage.before.get(field::x);
  const Field& after = stage.after.get(field::x);
  for (std::size_t p = 0; p < stage.before.particles(); ++p) {
    const Point from = (point(before, p) - grid.domain_min) / grid.h;
    const Point to = (point(after, p) - grid.domain_min) / grid.h;
    if (from.array().floor().matrix() != to.array().floor().matrix())
      counters["particles that change cell"] += 1.0;
    for (int axis = 0; axis < grid.dim; ++axis) {
      const double moved = (to[axis] - from[axis]) * grid.h;
      if (!grid.is_periodic(axis) || std::abs(moved) < 0.5 * grid.period(axis)) continue;
      counters[moved < 0.0 ? "particles across a seam up" : "particles across a seam down"] += 1.0;
    }
  }
}

/// Where strains of sand stand to the fall of the unilateral energy: before it (A), in it (B), behind it (C), and close to its ends.
void count_regions(const Stage& stage, Counters& counters) {
  if (mpm_options(stage.scene).energy != Energy::unilateral) return;
  for (std::size_t p = 0; p < stage.before.particles(); ++p) {
    const auto k = static_cast<std::size_t>(stage.before.get(field::material).value[p]);
    if (stage.scene.materials.at(k).kind != MaterialKind::sand) continue;  // has another energy
    const double z = multiplier_place(stage.scene, stage.before, p);
    counters[z <= 0.0 ? "region A" : z >= 1.0 ? "region C" : "region B"] += 1.0;
    for (const double end : {0.0, 1.0}) {
      if (std::abs(z - end) > 0.01) continue;
      counters[fmt::format("{} z = {}", z < end ? "below" : "above", end)] += 1.0;
    }
  }
}

/// Stencils with a node on each side of a seam.
void count_stencils(const Stage& stage, Counters& counters) {
  const Grid& grid = stage.scene.grid;
  if (!grid.any_periodic()) return;
  const double reach =
      support(mpm_options(stage.scene).kernel) - 1.0;  // in which the first or the last of the nodes lies
  const Field& x = stage.before.get(field::x);
  for (std::size_t p = 0; p < stage.before.particles(); ++p) {
    const Point place = (point(x, p) - grid.domain_min) / grid.h;
    for (int axis = 0; axis < grid.dim; ++axis) {
      const double cells = static_cast<double>(grid.cells[static_cast<std::size_t>(axis)]);
      if (grid.is_periodic(axis) && (place[axis] < reach || place[axis] > cells - 1.0 - reach))
        counters["stencils across a seam"] += 1.0;
    }
  }
}

}  // namespace

std::string_view gap_name(double gap) {
  if (gap < 1e-12) return "equal";
  if (gap < 1e-9) return "1e-12";
  if (gap < 1e-6) return "1e-9";
  return gap < 1e-3 ? "1e-6" : "apart";
}

void count_exercised(const Stage& stage, Counters& counters) {
  if (stage.after.at == boundary::p2g) count_stencils(stage, counters);
  if (stage.after.at == boundary::forces) count_regions(stage, counters);
  if (stage.after.at == boundary::collisions) count_collisions(stage, counters);
  if (stage.after.at == boundary::update) count_moves(stage, counters);
  if (stage.after.at == boundary::update && is_water(stage.scene)) count_volumes(stage, counters);
  if (stage.after.at == boundary::plasticity && !is_water(stage.scene)) count_returns(stage, counters);
}

}  // namespace repose::crosscheck
