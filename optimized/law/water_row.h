#pragma once

#include "reference/interface/scene/materials.h"

#include <limits>

namespace repose::optimized {

/// One water as numbers for the lanes.
template <class T>
struct WaterRow {
  T stiffness = 0;  ///< k [Pa]
  T exponent = 0;   ///< −γ
  T least = 0;      ///< smallest pressure [Pa]: 0 of water without tension, else −∞
};

template <class T>
WaterRow<T> water_row(const Material& material) {
  return {.stiffness = static_cast<T>(material.water_stiffness),
          .exponent = static_cast<T>(-material.water_gamma),
          .least = material.water_tension ? -std::numeric_limits<T>::infinity() : T{0}};
}

}  // namespace repose::optimized
