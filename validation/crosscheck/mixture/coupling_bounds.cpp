#include "validation/crosscheck/mixture/coupling_bounds.h"

#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_options.h"
#include "validation/crosscheck/mpm/stress_bounds.h"
#include "validation/mechanics/field_access.h"
#include "validation/mechanics/stencil.h"
#include "validation/mechanics/strain.h"

#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <cmath>

namespace repose::crosscheck {

namespace {

using mixture::Phase;

/// Roundings inside one weight, as in transfers.
double of_weight(int dim) { return 6.0 * dim; }

/// Both volumes at each node of a state and what they may differ by.
struct Volumes {
  std::vector<std::array<double, 2>> volume;
  std::vector<double> error;
};

Volumes volumes(const Stage& stage) {
  const Snapshot& state = stage.before;
  const int dim = stage.scene.dim();
  const auto places = node_places(state);
  const Scene scene = mixture::scene_of_part(stage.scene, Phase::solid);
  Volumes result{std::vector<std::array<double, 2>>(state.count(Place::node)),
                 std::vector<double>(state.count(Place::node))};
  std::vector<double> terms(state.count(Place::node));
  for (std::size_t p = 0; p < state.particles(); ++p) {
    const auto material = static_cast<std::size_t>(state.get(field::material).value[p]);
    const bool water = mixture::phase_of(stage.scene.materials.at(material)) == Phase::water;
    Tensor F = tensor(state.get(field::F), p, dim);
    if (dim < 3) F(2, 2) = 1.0;
    const double J = water ? state.get(field::J).value[p] : F.determinant();
    const double V = state.get(field::volume).value[p] * J;
    // det F is a sum of products of d numbers, none of which is larger than ‖F‖ᵈ; of J nothing is formed.
    const double formed =
        water ? 0.0 : stage.arithmetic.g(2.0 * dim + 6.0) * std::pow(F.norm(), dim) / std::abs(J);
    const Stencil s = stencil(scene, point(state.get(field::x), p));
    for (std::size_t n = 0; n < static_cast<std::size_t>(s.size); ++n) {
      const auto place = places.find(s.node[n]);
      if (place == places.end()) continue;
      result.volume[place->second][water ? 1 : 0] += s.w[n] * V;
      terms[place->second] += 1.0;
      result.error[place->second] +=
          V * ((stage.arithmetic.g(of_weight(dim)) + formed) * s.w[n] +
               stage.arithmetic.position * s.grad[n].lpNorm<1>() +
               weight_bend(dim) * std::pow(stage.arithmetic.position / stage.scene.grid.h, 2));
    }
  }
  for (std::size_t n = 0; n < terms.size(); ++n)
    result.error[n] += stage.arithmetic.g(terms[n]) * (result.volume[n][0] + result.volume[n][1]);
  return result;
}

double share(ReversibleTerm term, double m_s, double m_w, const std::array<double, 2>& V) {
  if (!(m_s > 0.0 && m_w > 0.0) || term == ReversibleTerm::none) return 0.0;
  if (term == ReversibleTerm::volume) return V[0] / (V[0] + V[1]);
  return (term == ReversibleTerm::mass ? m_s : m_w) / (m_s + m_w);
}

/// Whether each phase of a node has more mass than the threshold, and whether an error may decide that.
struct Wet {
  bool is = false, undecided = false;
};

std::vector<Wet> wet_nodes(const Stage& stage) {
  const double least = mixture_options(stage.scene).wet_mass;
  std::vector<Wet> result;
  for (std::size_t n = 0; n < stage.before.count(Place::node); ++n) {
    std::array<double, 2> mass{}, error{};
    std::size_t phase = 0;
    for (const std::string_view name : {field::m_i, field::m_i_w}) {
      mass[phase] = stage.before.get(name).value[n];
      error[phase] = carried_norm(stage.carried, name, n, 1) +
                     (least > 0.0 ? stage.arithmetic.g(2.0) * std::max(mass[phase], least) : 0.0);
      ++phase;
    }
    Wet wet{mass[0] > least && mass[1] > least, false};
    const bool surely_not = mass[0] + error[0] <= least || mass[1] + error[1] <= least;
    const bool surely = mass[0] - error[0] > least && mass[1] - error[1] > least;
    wet.undecided = !surely && !surely_not && (error[0] > 0.0 || error[1] > 0.0);
    result.push_back(wet);
  }
  return result;
}

double wet_slope(Softening softening) {
  return softening == Softening::none ? 0.0 : softening == Softening::linear ? 1.0 : 1.0 / 0.6;
}

}  // namespace

std::vector<FieldBound> drag_bounds(const Stage& stage) {
  const auto d = static_cast<std::size_t>(stage.scene.dim());
  const Snapshot& before = stage.before;
  const Field& p_s = before.get(field::p_star);
  const Field& p_w = before.get(field::p_star_w);
  FieldBound sand{std::string(field::p_drag), std::vector<Bound>(p_s.value.size())};
  FieldBound water{std::string(field::p_drag_w), std::vector<Bound>(p_w.value.size())};
  for (std::size_t n = 0; n < before.count(Place::node); ++n) {
    const double m_s = before.get(field::m_i).value[n];
    const double m_w = before.get(field::m_i_w).value[n];
    const bool both = m_s > 0.0 && m_w > 0.0;
    const double of_masses = both ? carried_norm(stage.carried, field::m_i, n, 1) / m_s +
                                        carried_norm(stage.carried, field::m_i_w, n, 1) / m_w
                                  : 0.0;
    const double given = carried_norm(stage.carried, field::p_star, n, stage.scene.dim()) +
                         carried_norm(stage.carried, field::p_star_w, n, stage.scene.dim());
    for (std::size_t a = 0; a < d; ++a) {
      const std::size_t i = n * d + a;
      const double at_most =
          both ? (m_w * std::abs(p_s.value[i]) + m_s * std::abs(p_w.value[i])) / (m_s + m_w) : 0.0;
      for (FieldBound* one : {&sand, &water}) {
        const double own = std::abs((one == &sand ? p_s : p_w).value[i]);
        one->bound[i].rounding = stage.arithmetic.g(16.0) * at_most + stage.arithmetic.g(1.0) * own;
        one->bound[i].underflow = 4.0 * stage.arithmetic.smallest;
        one->bound[i].carried = given + 4.0 * of_masses * at_most;
      }
    }
  }
  return {sand, water};
}

FieldBound reversible_bound(const Stage& stage, const PartStage& water) {
  const int dim = stage.scene.dim();
  const auto d = static_cast<std::size_t>(dim);
  const double h = stage.scene.grid.h;
  const Arithmetic& arithmetic = stage.arithmetic;
  const ReversibleTerm term = mixture_options(stage.scene).reversible;
  FieldBound result{std::string(field::reversible),
                    std::vector<Bound>(stage.after.get(field::reversible).value.size())};
  if (term == ReversibleTerm::none) return result;

  const Sums sums = stage.reference.sums(field::reversible);
  const Volumes there = volumes(stage);
  const auto places = node_places(stage.after);
  // As a term of p_star, and the share's six roundings and its product.
  const double roundings = of_weight(dim) + 3.0 * dim + 9.0 + 8.0;
  for (std::size_t i = 0; i < result.bound.size(); ++i) {
    const double terms = static_cast<double>(sums.terms.at(i / d));
    result.bound[i].rounding = arithmetic.g(terms + roundings) * sums.magnitude.at(i);
    result.bound[i].position = arithmetic.position * sums.slope.at(i);
    result.bound[i].underflow = (terms + 2.0) * arithmetic.smallest;
  }
  const Kernel kernel = mixture_options(stage.scene).kernel;
  const double bend = gradient_bend(kernel, dim, arithmetic.position / h) / h;
  const Stage part = water.stage();
  for (std::size_t p = 0; p < part.before.particles(); ++p) {
    const StressError stress = stress_error(part.scene, arithmetic, part.before, p);
    const double impulse = stage.dt * part.before.get(field::volume).value[p];
    const Stencil s = stencil(part.scene, point(part.before.get(field::x), p));
    for (std::size_t n = 0; n < static_cast<std::size_t>(s.size); ++n) {
      const auto place = places.find(s.node[n]);
      if (place == places.end()) continue;
      const std::size_t at = place->second;
      const double m_s = stage.before.get(field::m_i).value[at];
      const double m_w = stage.before.get(field::m_i_w).value[at];
      const double part_of_it = share(term, m_s, m_w, there.volume[at]);
      const bool both = m_s > 0.0 && m_w > 0.0;
      const double all = there.volume[at][0] + there.volume[at][1];
      const double of_share =
          term == ReversibleTerm::volume && both ? std::min(1.0, there.error[at] / all) : 0.0;
      const double grad = s.grad[n].lpNorm<1>();
      for (std::size_t a = 0; a < d; ++a) {
        Bound& bound = result.bound[at * d + a];
        bound.carried += impulse * (part_of_it * stress.error + of_share * stress.magnitude) * grad;
        bound.position += impulse * part_of_it * stress.magnitude * bend;
      }
    }
  }
  return result;
}

std::vector<FieldBound> saturation_bounds(const Stage& stage, Counters& counters) {
  const int dim = stage.scene.dim();
  const MixtureOptions& options = mixture_options(stage.scene);
  const Arithmetic& arithmetic = stage.arithmetic;
  const std::vector<Wet> wet = wet_nodes(stage);
  FieldBound nodes{std::string(field::phi_i), std::vector<Bound>(wet.size())};
  for (std::size_t n = 0; n < wet.size(); ++n) {
    if (!wet[n].undecided) continue;
    nodes.bound[n].tie = 1.0;
    counters["undecided wet node"] += 1.0;
  }

  const std::size_t particles = stage.before.particles();
  FieldBound phi{std::string(field::phi_p), std::vector<Bound>(particles)};
  FieldBound cohesion{std::string(field::c_C), std::vector<Bound>(particles)};
  const Sums sums = stage.reference.sums(field::phi_p);
  const auto places = node_places(stage.before);
  const Scene scene = mixture::scene_of_part(stage.scene, Phase::solid);
  const double dx = arithmetic.position / stage.scene.grid.h;
  for (std::size_t p = 0; p < particles; ++p) {
    const auto index = static_cast<std::size_t>(stage.before.get(field::material).value[p]);
    const Material& material = stage.scene.materials.at(index);
    const double old = stage.before.get(field::c_C).value[p];
    if (mixture::phase_of(material) == Phase::water) continue;
    Bound& bound = phi.bound[p];
    const double terms = static_cast<double>(sums.terms[p]);
    bound.rounding = arithmetic.g(terms + of_weight(dim)) * sums.magnitude[p];
    bound.position = arithmetic.position * sums.slope[p] + terms * weight_bend(dim) * dx * dx;
    bound.underflow = terms * arithmetic.smallest;
    const Stencil s = stencil(scene, point(stage.before.get(field::x_n), p));
    for (std::size_t n = 0; n < static_cast<std::size_t>(s.size); ++n)
      if (const auto place = places.find(s.node[n]); place != places.end() && wet[place->second].undecided)
        bound.tie += s.w[n];
    Bound& of_cohesion = cohesion.bound[p];
    of_cohesion.rounding = arithmetic.g(4.0) * std::max(material.cohesion, old);
    of_cohesion.underflow = 2.0 * arithmetic.smallest;
    const double slope = material.cohesion * wet_slope(options.softening);
    of_cohesion.carried = slope * (bound.rounding + bound.position + bound.underflow);
    of_cohesion.tie = slope * bound.tie;
    if (options.softening == Softening::none)
      of_cohesion.carried += carried_norm(stage.carried, field::c_C, p, 1);
  }
  return {nodes, phi, cohesion};
}

namespace {

/// Whose particle is the fastest: that of which the step follows.
void count_leader(const Stage& stage, Counters& counters) {
  double of_sand = 0.0, of_water = 0.0;
  for (std::size_t p = 0; p < stage.before.particles(); ++p) {
    const auto index = static_cast<std::size_t>(stage.before.get(field::material).value[p]);
    const bool water = mixture::phase_of(stage.scene.materials.at(index)) == Phase::water;
    double& fastest = water ? of_water : of_sand;
    fastest = std::max(fastest, point(stage.before.get(field::v), p).norm());
  }
  counters[of_water > of_sand ? "steps led by water" : "steps led by sand"] += 1.0;
}

}  // namespace

void count_coupling(const Stage& stage, Counters& counters) {
  const Snapshot& after = stage.after;
  if (stage.before.at == boundary::step_start) count_leader(stage, counters);
  if (after.at == boundary::p2g)
    for (std::size_t n = 0; n < after.count(Place::node); ++n) {
      const bool sand = after.get(field::m_i).value[n] > 0.0;
      const bool water = after.get(field::m_i_w).value[n] > 0.0;
      counters[sand && water ? "nodes of both"
               : sand        ? "nodes of sand alone"
                             : "nodes of water alone"] += 1.0;
    }
  if (after.at == boundary::forces)
    for (std::size_t n = 0; n < after.count(Place::node); ++n)
      if (point(after.get(field::reversible), n).norm() > 0.0)
        counters["nodes with the reversible term"] += 1.0;
  if (after.at == boundary::drag) {
    const MixtureOptions& options = mixture_options(stage.scene);
    for (std::size_t n = 0; n < after.count(Place::node); ++n) {
      const double m_s = after.get(field::m_i).value[n];
      const double m_w = after.get(field::m_i_w).value[n];
      const Point gone = point(after.get(field::p_star), n) - point(after.get(field::p_drag), n);
      const double smaller =
          std::min(point(after.get(field::p_star), n).norm(), point(after.get(field::p_star_w), n).norm());
      if (gone.norm() > 1e-3 * smaller) counters["nodes with drag"] += 1.0;
      if (!(m_s > 0.0 && m_w > 0.0)) continue;
      const double volume = std::pow(stage.scene.grid.h, stage.scene.dim());
      const double rate = options.drag == Drag::printed ? options.c_E * (m_s + m_w)
                                                        : options.kappa * volume * (1.0 / m_s + 1.0 / m_w);
      if (options.drag != Drag::none && rate * stage.dt >= stiff_drag) counters["stiff drag"] += 1.0;
    }
  }
  if (after.at != boundary::saturation) return;
  for (std::size_t p = 0; p < after.particles(); ++p) {
    const auto index = static_cast<std::size_t>(after.get(field::material).value[p]);
    if (mixture::phase_of(stage.scene.materials.at(index)) == Phase::water) continue;
    const double phi = after.get(field::phi_p).value[p];
    counters[phi <= 1e-12 ? "dry grains" : phi >= 1.0 - 1e-12 ? "wet grains" : "grains partly wet"] += 1.0;
  }
}

}  // namespace repose::crosscheck
