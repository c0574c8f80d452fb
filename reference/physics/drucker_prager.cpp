#include "reference/physics/drucker_prager.h"

#include <fmt/format.h>

#include <stdexcept>

namespace repose {

template <int d>
Returned<d> return_to_cone(const Vec<d>& eps_trial, const Lame& lame, double alpha) {
  if (!(lame.mu > 0.0)) throw std::invalid_argument(fmt::format("shear modulus {} Pa is not > 0", lame.mu));
  if (!(alpha >= 0.0)) throw std::invalid_argument(fmt::format("cone slope {} is not >= 0", alpha));
  if (!eps_trial.allFinite()) throw std::invalid_argument("trial strain is not finite");

  const double trace = eps_trial.sum();
  const Vec<d> eps_hat = eps_trial - trace / d * Vec<d>::Ones();
  const double norm = eps_hat.norm();
  const double delta_gamma =
      norm + (d * lame.lambda + 2.0 * lame.mu) / (2.0 * lame.mu) * trace * alpha;  // [Klar16 Eq.27]

  // Grains separate: no stress is left.
  if (trace > 0.0) return {Vec<d>::Zero(), Part::tip, delta_gamma};  // [Klar16 §7.1 case II]

  // Grains stick.
  if (delta_gamma <= 0.0) return {eps_trial, Part::inside, delta_gamma};  // [Klar16 §7.1 case I]

  // Grains slide at constant volume.
  return {eps_trial - delta_gamma * eps_hat / norm, Part::surface, delta_gamma};  // [Klar16 Eq.28]
}

template <int d>
PlasticUpdate<d> return_with_memory(const Vec<d>& eps_trial, double v_c, bool volume_correction,
                                    const Lame& lame, double alpha) {
  Vec<d> eps_s = eps_trial;
  if (volume_correction) eps_s += v_c / d * Vec<d>::Ones();  // [Tam17 Eq.27]
  const Returned<d> returned = return_to_cone<d>(eps_s, lame, alpha);

  PlasticUpdate<d> update{returned.eps, returned.part, 0.0, volume_correction ? 0.0 : v_c};
  switch (returned.part) {
    case Part::elastic:
    case Part::inside:
      break;
    case Part::tip:
      update.delta_q = eps_trial.norm();                // [Klar16 §7.3]
      if (volume_correction) update.v_c = eps_s.sum();  // [Tam17 Eq.26]
      break;
    case Part::surface:
      update.delta_q = returned.delta_gamma;  // [Klar16 §7.3]
      break;
  }
  return update;
}

template Returned<2> return_to_cone<2>(const Vec<2>&, const Lame&, double);
template Returned<3> return_to_cone<3>(const Vec<3>&, const Lame&, double);
template PlasticUpdate<2> return_with_memory<2>(const Vec<2>&, double, bool, const Lame&, double);
template PlasticUpdate<3> return_with_memory<3>(const Vec<3>&, double, bool, const Lame&, double);

}  // namespace repose
