#pragma once

#include "validation/exact/exact.h"

#include <vector>

namespace repose::exact {

const std::vector<Exact>& mpm_problems();

// By what they are about.
void add_translation(std::vector<Exact>& all);    ///< motion through seams
void add_waves(std::vector<Exact>& all);          ///< of small amplitude
void add_slopes(std::vector<Exact>& all);         ///< the endless slope
void add_volume(std::vector<Exact>& all);         ///< what sand gains by opening and gives back
void add_semi_implicit(std::vector<Exact>& all);  ///< steps whose return to the cone waits for their end
void add_waters(std::vector<Exact>& all);         ///< water at rest
void add_columns(std::vector<Exact>& all);        ///< sand at rest, by steps of any size

}  // namespace repose::exact
