#include "validation/faults/mixture/model_coupling.h"

#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_options.h"
#include "reference/interface/methods/mixture_parts.h"
#include "validation/faults/mpm/model_stages.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace repose::faults {

namespace {

using mixture::Phase;

template <class Real>
Real scalar(const Snapshot& state, std::string_view name, std::size_t n) {
  return static_cast<Real>(state.get(name).value[n]);
}

std::unordered_map<std::int64_t, std::size_t> places(const Snapshot& state) {
  std::unordered_map<std::int64_t, std::size_t> result;
  for (std::size_t n = 0; n < state.count(Place::node); ++n) result.emplace(state.ids(Place::node)[n], n);
  return result;
}

const Material& material_of(const Scene& scene, const Snapshot& state, std::size_t p) {
  return scene.materials.at(static_cast<std::size_t>(state.get(field::material).value[p]));
}

/// What a node has of one thing of either phase.
template <class Real>
struct Pair {
  Real sand{0}, water{0};
};

template <class Real>
Real share(ReversibleTerm term, MixtureMistake mistake, const Pair<Real>& mass, const Pair<Real>& volume) {
  if (!(mass.sand > Real{0} && mass.water > Real{0})) return Real{0};
  if (mistake == MixtureMistake::term_without_share) return Real{1};
  const bool of_sand = (term != ReversibleTerm::printed) != (mistake == MixtureMistake::term_by_other_mass);
  const Pair<Real>& of = term == ReversibleTerm::volume ? volume : mass;
  return (of_sand ? of.sand : of.water) / (of.sand + of.water);
}

}  // namespace

template <class Real>
void model_reversible(const Scene& scene, MixtureMistake mistake, double dt, Snapshot& state) {
  const ReversibleTerm term = mixture_options(scene).reversible;
  if (term == ReversibleTerm::none) return;
  const Scene grid = mixture::scene_of_part(scene, Phase::water);
  const auto place = places(state);
  std::vector<Vector<Real>> force(place.size(), Vector<Real>::Zero());
  std::vector<Pair<Real>> volume(place.size());
  for (std::size_t p = 0; p < state.particles(); ++p) {
    const Material& material = material_of(scene, state, p);
    const auto near = neighbourhood<Real>(grid, Mistake::none, read_vector<double>(state.get(field::x), p));
    const bool water = mixture::phase_of(material) == Phase::water;
    const Real J = water ? scalar<Real>(state, field::J, p)
                         : read_matrix<Real>(state.get(field::F), p, scene.dim(), Real{1}).determinant();
    const Real V0 = scalar<Real>(state, field::volume, p);
    const Real gamma = static_cast<Real>(material.water_gamma);
    Real pressure =
        water ? static_cast<Real>(material.water_stiffness) * std::expm1(-gamma * std::log(J)) : Real{0};
    if (!material.water_tension) pressure = std::max(pressure, Real{0});
    const Real weight = mistake == MixtureMistake::term_without_volume   ? Real{1}
                        : mistake == MixtureMistake::term_of_rest_volume ? V0
                                                                         : V0 * J;
    for (std::size_t n = 0; n < static_cast<std::size_t>(near.size); ++n) {
      const auto at = place.find(near.node[n]);
      if (at == place.end()) continue;
      (water ? volume[at->second].water : volume[at->second].sand) += near.w[n] * V0 * J;
      force[at->second] += weight * pressure * near.grad[n];
    }
  }
  Field& R = state.get(field::reversible);
  Field& s = state.get(field::p_star);
  Field& w = state.get(field::p_star_w);
  for (std::size_t n = 0; n < force.size(); ++n) {
    const Pair<Real> mass{scalar<Real>(state, field::m_i, n), scalar<Real>(state, field::m_i_w, n)};
    const Vector<Real> impulse =
        static_cast<Real>(dt) * share<Real>(term, mistake, mass, volume[n]) * force[n];
    const Vector<Real> back = mistake == MixtureMistake::term_pushes_both ? Vector<Real>(-impulse) : impulse;
    write_vector(R, n, impulse);
    write_vector(s, n, Vector<Real>(read_vector<Real>(s, n) + impulse));
    write_vector(w, n, Vector<Real>(read_vector<Real>(w, n) - back));
  }
}

template <class Real>
void model_drag(const Scene& scene, MixtureMistake mistake, double dt, Snapshot& state) {
  const MixtureOptions& options = mixture_options(scene);
  Field& s = state.get(field::p_drag);
  Field& w = state.get(field::p_drag_w);
  s.value = state.get(field::p_star).value;
  w.value = state.get(field::p_star_w).value;
  const Real step = static_cast<Real>(dt);
  for (std::size_t n = 0; n < state.count(Place::node); ++n) {
    const Real m_s = scalar<Real>(state, field::m_i, n);
    const Real m_w = scalar<Real>(state, field::m_i_w, n);
    if (!(m_s > Real{0} && m_w > Real{0}) || options.drag == Drag::none) continue;
    // Momentum per time and difference of velocities [kg/s].
    Real D = static_cast<Real>(options.c_E) * m_s * m_w;
    if (mistake == MixtureMistake::drag_by_one_mass) D *= m_w / (m_s + m_w);
    if (options.drag == Drag::mesh_consistent) {
      D = static_cast<Real>(options.kappa);
      if (mistake != MixtureMistake::drag_without_volume)
        for (int a = 0; a < scene.dim(); ++a) D *= static_cast<Real>(scene.grid.h);
    }
    const Vector<Real> p_s = read_vector<Real>(s, n);
    const Vector<Real> p_w = read_vector<Real>(w, n);
    // m_s v_s′ + Δt D (v_s′ − v_w′) = p_s and m_w v_w′ − Δt D (v_s′ − v_w′) = p_w. Half of the difference of both, by the
    // masses, leaves v_s′ − v_w′ alone.
    const Vector<Real> before = p_s / m_s - p_w / m_w;
    const Vector<Real> after = before / (Real{1} + step * D / m_s + step * D / m_w);
    Vector<Real> gone = step * D * after;
    if (mistake == MixtureMistake::drag_forward) gone = step * D * before;
    if (mistake == MixtureMistake::drag_sign) gone = -gone;
    write_vector(s, n, Vector<Real>(p_s - gone));
    if (mistake != MixtureMistake::drag_of_sand_alone) write_vector(w, n, Vector<Real>(p_w + gone));
  }
}

template <class Real>
void model_saturation(const Scene& scene, MixtureMistake mistake, const Snapshot& before, Snapshot& state) {
  const MixtureOptions& options = mixture_options(scene);
  const Scene grid = mixture::scene_of_part(scene, Phase::solid);
  const auto place = places(state);
  const double least = mistake == MixtureMistake::wet_beyond_threshold ? 0.0 : options.wet_mass;
  for (std::size_t n = 0; n < place.size(); ++n) {
    const bool sand = state.get(field::m_i).value[n] > least;
    const bool water = state.get(field::m_i_w).value[n] > least;
    const bool wet = mistake == MixtureMistake::wet_in_the_union ? sand || water : sand && water;
    state.get(field::phi_i).value[n] = wet ? 1.0 : 0.0;
  }
  const Field& from =
      mistake == MixtureMistake::seen_from_new_place ? state.get(field::x) : before.get(field::x_n);
  for (std::size_t p = 0; p < state.particles(); ++p) {
    const Material& material = material_of(scene, state, p);
    if (mixture::phase_of(material) == Phase::water) continue;
    const auto near = neighbourhood<Real>(grid, Mistake::none, read_vector<double>(from, p));
    Real sum{0};
    for (std::size_t n = 0; n < static_cast<std::size_t>(near.size); ++n)
      if (const auto at = place.find(near.node[n]);
          at != place.end() && state.get(field::phi_i).value[at->second] == 1.0)
        sum += near.w[n];
    const Real phi = std::min(sum, Real{1});
    state.get(field::phi_p).value[p] = static_cast<double>(phi);
    if (options.softening == Softening::none || mistake == MixtureMistake::cohesion_one_step_late) continue;
    const Real dry = static_cast<Real>(
        mistake == MixtureMistake::cohesion_compounds ? before.get(field::c_C).value[p] : material.cohesion);
    Real kept = Real{1} - phi;
    if (options.softening == Softening::beyond_two_fifths) kept = std::min(Real{1}, kept / Real(0.6));
    state.get(field::c_C).value[p] = static_cast<double>(dry * kept);
  }
}

template void model_reversible<float>(const Scene&, MixtureMistake, double, Snapshot&);
template void model_reversible<double>(const Scene&, MixtureMistake, double, Snapshot&);
template void model_drag<float>(const Scene&, MixtureMistake, double, Snapshot&);
template void model_drag<double>(const Scene&, MixtureMistake, double, Snapshot&);
template void model_saturation<float>(const Scene&, MixtureMistake, const Snapshot&, Snapshot&);
template void model_saturation<double>(const Scene&, MixtureMistake, const Snapshot&, Snapshot&);

}  // namespace repose::faults
