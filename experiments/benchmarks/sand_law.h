#pragma once

#include "optimized/mpm/kernels.h"

namespace repose::experiments {

/// The sand of the kernels' benchmarks: hardening and volume correction, E near 3.5·10⁵ Pa.
template <class T>
inline constexpr optimized::LawRow<T> sand_law{.two_mu = T(2.72e5),
                                               .lambda = T(2.04e5),
                                               .cone = T(3.25),
                                               .h0 = T(0.61),
                                               .h1 = T(0.157),
                                               .h2 = T(0.2),
                                               .h3 = T(0.174),
                                               .keeps_volume = T(1),
                                               .elastic = T(0),
                                               .alpha = T(0.3)};

}  // namespace repose::experiments
