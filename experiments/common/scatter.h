#pragma once

#include <span>

namespace repose::experiments {

/// Least difference of a quantity between two runs that is not the seeds' luck, at 95 %: Student's t, two-sided, for the
/// number of seeds, times √2 since both runs scatter, times the sample standard deviation.
/// @param seeds the quantity in runs that differ by their seed alone
/// @throws std::invalid_argument unless there are two to six
double least_real_difference(std::span<const double> seeds);

}  // namespace repose::experiments
