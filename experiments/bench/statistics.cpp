#include "experiments/bench/statistics.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace repose::experiments {

namespace {

double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

Spread spread_of(std::vector<double> values) {
  if (values.empty()) throw std::invalid_argument("no measurements");
  std::sort(values.begin(), values.end());
  return {.least = values.front(),
          .quartile_1 = quantile(values, 0.25),
          .median = quantile(values, 0.5),
          .quartile_3 = quantile(values, 0.75)};
}

std::vector<double> paired_ratios(const std::vector<double>& of, const std::vector<double>& to) {
  std::vector<double> ratios(std::min(of.size(), to.size()));
  for (std::size_t k = 0; k < ratios.size(); ++k) ratios[k] = of[k] / to[k];
  return ratios;
}

}  // namespace repose::experiments
