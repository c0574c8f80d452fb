#pragma once

namespace repose::metrics {

/// The larger of two numbers, and not a number where either is none: std::max would pass over it, and a judgement that
/// could not be formed would count as the best there is.
inline double larger(double a, double b) { return a != a || a >= b ? a : b; }

/// The smaller of two numbers, and not a number where either is none.
inline double smaller(double a, double b) { return a != a || a <= b ? a : b; }

}  // namespace repose::metrics
