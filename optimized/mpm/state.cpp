#include "optimized/law/law_row.h"
#include "optimized/mpm/fields.h"
#include "optimized/mpm/twin.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace repose::optimized {

namespace {

Law law_of(const Scene& scene) {
  if (is_water(scene)) return Law::water;
  return mpm_options(scene).energy == Energy::unilateral ? Law::unilateral : Law::hencky;
}

}  // namespace

template <class T, int dim>
Twin<T, dim>::Twin(const Scene& scene, const SolverOptions& options)
    : scene_(scene),
      asked_(options.threads, options.all_threads),
      nodes_per_axis_(mpm_options(scene).kernel == Kernel::cubic ? 4 : 3),
      affine_(mpm_options(scene).transfer == Transfer::apic),
      keep_(static_cast<T>(mpm_options(scene).transfer == Transfer::flip       ? 1.0
                           : mpm_options(scene).transfer == Transfer::flip_pic ? mpm_options(scene).flip_share
                                                                               : 0.0)),
      one_moves_both_(mpm_options(scene).motion == ParticleMotion::after_friction),
      kernels_(kernels<T, dim>(options.simd)),
      implicit_kernels_(is_water(scene) ? implicit_water_kernels<dim>(options.simd)
                                        : implicit_kernels<dim>(options.simd)),
      places_(scene),
      boundaries_(method::boundaries(method::mpm, mpm_options(scene).integrator)),
      law_(law_of(scene)) {
  particles_.order.set_periods(places_.periods());
  for (const Material& m : scene_.materials) {
    // α among them: [Klar16 Eq.31]
    const LawRow<double> in_double = law_row(m, dim, mpm_options(scene).energy);
    LawRow<T> row;
    const double* from = &in_double.two_mu;
    T* to = &row.two_mu;
    for (std::size_t v = 0; v < LawRow<T>::values; ++v) to[v] = static_cast<T>(from[v]);
    laws_.push_back(row);
    if (law_ == Law::water) waters_.push_back(water_row<T>(m));
    const auto differs = [](const auto& one, const auto& other) {
      return std::memcmp(&one, &other, sizeof(one)) != 0;
    };
    if (differs(row, laws_[0]) || (law_ == Law::water && differs(waters_.back(), waters_[0])))
      laws_apart_ = scene_.materials.size();
    const bool hardens = m.kind == MaterialKind::sand && (m.friction.h1 != 0.0 || m.friction.h3 != 0.0);
    hardening_.slope = hardening_.slope || hardens;
    hardening_.tip = hardening_.tip || (hardens && m.cohesion > 0.0);
  }
  for (const Collider& c : scene_.colliders)
    has_friction_ = has_friction_ || (c.contact != Contact::sticky && c.friction > 0.0);
}

template <class T, int dim>
std::span<const Boundary> Twin<T, dim>::boundaries() const {
  return boundaries_;
}

/// @throws std::invalid_argument if a step of the scene has no such boundary
template <class T, int dim>
int Twin<T, dim>::stage_of(Boundary boundary) const {
  if (std::find(boundaries_.begin(), boundaries_.end(), boundary) == boundaries_.end())
    throw std::invalid_argument("no boundary '" + std::string(boundary) + "'");
  return static_cast<int>(std::find(stops().begin(), stops().end(), boundary) - stops().begin());
}

template <class T, int dim>
Rounding Twin<T, dim>::rounding() const {
  // Offsets lie in [−½, ½]: half a unit in the last place of ½ is u/2, once when stored and once when moved. Positions
  // are handed out in double.
  const double unit = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2.0;
  const double largest =
      std::max(scene_.grid.domain_min.cwiseAbs().maxCoeff(), scene_.grid.domain_max().cwiseAbs().maxCoeff());
  return {.unit = unit,
          .position = scene_.grid.h * unit + largest * std::numeric_limits<double>::epsilon(),
          .strain = "hencky"};
}

template <class T, int dim>
SimulationError Twin<T, dim>::stopped(std::string_view what, std::int64_t particle, Boundary at) const {
  const std::int64_t id = particle < 0 ? -1 : id_of(static_cast<std::size_t>(particle));
  return SimulationError(what, id, step_.done, at);
}

template class Twin<float, 2>;
template class Twin<float, 3>;
template class Twin<double, 2>;
template class Twin<double, 3>;

}  // namespace repose::optimized
