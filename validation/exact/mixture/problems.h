#pragma once

#include "validation/exact/exact.h"

#include <vector>

namespace repose::exact {

const std::vector<Exact>& mixture_problems();

// By what they are about.
void add_drag(std::vector<Exact>& all);      ///< phases that slow each other down
void add_pressure(std::vector<Exact>& all);  ///< what the pressure of water gives to grains in it
void add_momentum(std::vector<Exact>& all);  ///< of both phases together
void add_wetness(std::vector<Exact>& all);   ///< saturation and the cohesion that it leaves

}  // namespace repose::exact
