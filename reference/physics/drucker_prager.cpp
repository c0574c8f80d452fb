#include "reference/physics/drucker_prager.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace repose {

template <int d>
double tip_trace(const Lame& lame, const Cone& cone) {
  if (cone.cohesion == 0.0) return 0.0;
  return cone.cohesion / (cone.alpha * (d * lame.lambda + 2.0 * lame.mu));  // [Tam17 Eq.6]
}

template <int d>
Returned<d> return_to_cone(const Vec<d>& eps_trial, const Lame& lame, const Cone& cone) {
  if (!(lame.mu > 0.0)) throw std::invalid_argument(fmt::format("shear modulus {} Pa is not > 0", lame.mu));
  if (!(cone.alpha >= 0.0)) throw std::invalid_argument(fmt::format("cone slope {} is not >= 0", cone.alpha));
  if (!(cone.cohesion >= 0.0))
    throw std::invalid_argument(fmt::format("cohesion {} Pa is not >= 0", cone.cohesion));
  if (!eps_trial.allFinite()) throw std::invalid_argument("trial strain is not finite");

  const double e_c = tip_trace<d>(lame, cone);
  const double trace = eps_trial.sum();
  const Vec<d> eps_hat = eps_trial - trace / d * Vec<d>::Ones();
  const double norm = eps_hat.norm();
  // From the tip, not as a difference of two large numbers near it.
  const double delta_gamma =
      std::isfinite(e_c)
          ? norm + (d * lame.lambda + 2.0 * lame.mu) / (2.0 * lame.mu) * (trace - e_c) * cone.alpha
          : norm - cone.cohesion / (2.0 * lame.mu);  // [Klar16 Eq.27] [Tam17 Eq.6]

  // Grains separate: the stress of the tip is left.
  if (trace > e_c) return {e_c / d * Vec<d>::Ones(), Part::tip, delta_gamma};  // [Klar16 §7.1 case II]

  // Grains stick.
  if (delta_gamma <= 0.0) return {eps_trial, Part::inside, delta_gamma};  // [Klar16 §7.1 case I]

  // Grains slide at constant volume.
  return {eps_trial - delta_gamma * eps_hat / norm, Part::surface, delta_gamma};  // [Klar16 Eq.28]
}

template <int d>
PlasticUpdate<d> return_with_memory(const Vec<d>& eps_trial, double v_c, const Material& material,
                                    const Cone& cone) {
  const Lame moduli = lame(material);
  const bool corrects = material.volume_correction;
  Vec<d> eps_s = eps_trial;
  if (corrects) eps_s += v_c / d * Vec<d>::Ones();  // [Tam17 Eq.27]
  const Returned<d> returned = return_to_cone<d>(eps_s, moduli, cone);

  PlasticUpdate<d> update{returned.eps, returned.part, 0.0, corrects ? 0.0 : v_c};
  const double e_c = tip_trace<d>(moduli, cone);
  const bool opens = eps_trial.sum() > e_c;
  switch (returned.part) {
    case Part::elastic:
    case Part::inside:
      break;
    case Part::tip:
      if (opens || material.hardening_apart == HardeningApart::opening_and_closing)
        update.delta_q = (eps_trial - returned.eps).norm();  // [Klar16 §7.3]
      if (corrects) update.v_c = eps_s.sum() - e_c;          // [Tam17 Eq.26]
      break;
    case Part::surface:
      update.delta_q = returned.delta_gamma;  // [Klar16 §7.3]
      break;
  }
  return update;
}

template double tip_trace<2>(const Lame&, const Cone&);
template double tip_trace<3>(const Lame&, const Cone&);
template Returned<2> return_to_cone<2>(const Vec<2>&, const Lame&, const Cone&);
template Returned<3> return_to_cone<3>(const Vec<3>&, const Lame&, const Cone&);
template PlasticUpdate<2> return_with_memory<2>(const Vec<2>&, double, const Material&, const Cone&);
template PlasticUpdate<3> return_with_memory<3>(const Vec<3>&, double, const Material&, const Cone&);

}  // namespace repose
