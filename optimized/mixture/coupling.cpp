#include "optimized/mixture/mixture_twin.h"
#include "optimized/mpm/counting.h"
#include "reference/interface/methods/mixture.h"

#include <cmath>

namespace repose::optimized {

template <class T, int dim>
void MixtureTwin<T, dim>::pair_blocks() {
  const auto& own = solid_.grid();
  partner_.resize(own.node_blocks());
  for (std::size_t n = 0; n < partner_.size(); ++n) partner_[n] = water_.grid().find_nodes(own.node_key(n));
}

/// Nodes at which both phases have mass, where they stand at p2g or forces.
template <class T, int dim>
std::uint64_t MixtureTwin<T, dim>::nodes_of_both(int at) const {
  const Buffer<T>& m_s = at == At::p2g ? solid_.nodes_.before : solid_.nodes_.star;
  const Buffer<T>& m_w = at == At::p2g ? water_.nodes_.before : water_.nodes_.star;
  std::uint64_t both = 0;
  for (std::size_t n = 0; n < partner_.size(); ++n) {
    if (partner_[n] == no_block) continue;
    const T* const s = m_s.data() + n * B::node_values;
    const T* const w = m_w.data() + partner_[n] * B::node_values;
    for (std::size_t v = 0; v < B::node_values; v += 4) both += s[v] > T{0} && w[v] > T{0} ? 1U : 0U;
  }
  return both;
}

/// s of the reversible term. @param of_sand, of_water masses or volumes, as the scene's term asks
template <class T, int dim>
T MixtureTwin<T, dim>::share_of_sand(T of_sand, T of_water) const {
  const T part = options_.reversible == ReversibleTerm::printed ? of_water : of_sand;
  const T all = of_sand + of_water;
  return all > T{0} ? part / all : T{0};
}

/// What the pressure of water gives to sand, as part of the forces.                     [Tam17 §5.3]
///
///     R = s Δt f_w,   p*_s ← p*_s + R,   p*_w ← p*_w − R
///     s = m_s/(m_s + m_w)   or   V_s/(V_s + V_w)   or, as printed, m_w/(m_s + m_w)       [ERRATA T12, T41]
///
/// Δt f_w is what the tiles of water hold. @param seen R is kept
template <class T, int dim>
void MixtureTwin<T, dim>::add_reversible(bool seen) {
  const ReversibleTerm term = options_.reversible;
  if (seen) {
    reversible_.resize(solid_.node_values());
    std::fill(reversible_.begin(), reversible_.end(), T{0});
  }
  if (term == ReversibleTerm::none) return;
  const Stopwatch watch(coupling_seconds_);
  Buffer<T> V_s, V_w;
  if (term == ReversibleTerm::volume) {
    solid_.sum_volumes(V_s);
    water_.sum_volumes(V_w);
  }
  bool finite = true;
  const std::size_t blocks = partner_.size();
  const int threads = solid_.team_.of(Part::node_block_ns * static_cast<double>(blocks));
#pragma omp parallel for schedule(dynamic, 4) num_threads(threads) reduction(&& : finite)
  for (std::size_t n = 0; n < blocks; ++n) {
    const std::size_t other = partner_[n];
    if (other == no_block) continue;
    alignas(64) T force[B::node_values];
    water_.sum_forces(other, force);
    T* const s = solid_.nodes_.star.data() + n * B::node_values;
    T* const w = water_.nodes_.star.data() + other * B::node_values;
    for (std::size_t v = 0; v < B::node_values; v += 4) {
      if (!(s[v] > T{0} && w[v] > T{0})) continue;
      const T share = term == ReversibleTerm::volume
                          ? share_of_sand(V_s[n * B::nodes + v / 4], V_w[other * B::nodes + v / 4])
                          : share_of_sand(s[v], w[v]);
      for (std::size_t c = 1; c <= dim; ++c) {
        const T R_c = share * force[v + c];
        s[v + c] += R_c;
        w[v + c] -= R_c;
        if (seen) reversible_[n * B::node_values + v + c] = R_c;
        finite = finite && std::isfinite(s[v + c]) && std::isfinite(w[v + c]);
      }
    }
  }
  if (!finite) throw solid_.stopped("the momentum of a node is not finite", -1, boundary::forces);
}

/// r, at which drag closes the difference of two velocities [1/s].                      [Tam17 Eq.20; ERRATA T11]
template <class T, int dim>
T MixtureTwin<T, dim>::drag_rate(T m_s, T m_w) const {
  if (options_.drag == Drag::printed) return static_cast<T>(options_.c_E) * (m_s + m_w);
  const auto of_volume = static_cast<T>(options_.kappa * std::pow(scene_.grid.h, dim));
  return of_volume / m_s + of_volume / m_w;
}

/// Stage 3, "drag", by backward Euler.                                                [Tam17 §3.3, §4.2; ERRATA T40]
///
///     j = r Δt/(1 + r Δt) · (m_w p*_s − m_s p*_w)/(m_s + m_w),   p_s ← p*_s − j,   p_w ← p*_w + j
///
/// No velocity is formed: a node may have nearly no mass.
template <class T, int dim>
void MixtureTwin<T, dim>::apply_drag(StepReport& report) {
  if (options_.drag == Drag::none) return;
  const Stopwatch watch(coupling_seconds_);
  const T dt = static_cast<T>(step_.dt);
  bool finite = true;
  std::uint64_t dragged = 0;
  const std::size_t blocks = partner_.size();
  const int threads = solid_.team_.of(Part::node_block_ns * static_cast<double>(blocks));
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads) reduction(&& : finite) reduction(+ : dragged)
  for (std::size_t n = 0; n < blocks; ++n) {
    if (partner_[n] == no_block) continue;
    T* const s = solid_.nodes_.star.data() + n * B::node_values;
    T* const w = water_.nodes_.star.data() + partner_[n] * B::node_values;
    for (std::size_t v = 0; v < B::node_values; v += 4) {
      if (!(s[v] > T{0} && w[v] > T{0})) continue;
      const T r_dt = drag_rate(s[v], w[v]) * dt;
      if (r_dt == T{0}) continue;
      const T closed = T{1} / (T{1} + T{1} / r_dt);  // r Δt/(1 + r Δt), also where that is infinite
      const T all = s[v] + w[v];
      const T of_sand = closed * (w[v] / all);
      const T of_water = closed * (s[v] / all);
      bool gives = false;
      for (std::size_t c = 1; c <= dim; ++c) {
        const T j = of_sand * s[v + c] - of_water * w[v + c];
        s[v + c] -= j;
        w[v + c] += j;
        gives = gives || j != T{0};
        finite = finite && std::isfinite(s[v + c]) && std::isfinite(w[v + c]);
      }
      dragged += gives ? 1U : 0U;
    }
  }
  report.counts[counter::dragged_nodes] = dragged;
  if (!finite) throw solid_.stopped("the momentum of a node is not finite", -1, boundary::drag);
}

template class MixtureTwin<float, 2>;
template class MixtureTwin<float, 3>;
template class MixtureTwin<double, 2>;
template class MixtureTwin<double, 3>;

}  // namespace repose::optimized
