#include "experiments/figures/judging.h"
#include "experiments/figures/measured_law.h"
#include "experiments/measured/martin_moyce/collapse.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace repose::experiments::measured {

namespace {

constexpr const char* file = "dam_break.toml";
constexpr const char* source =
    "Martin and Moyce 1952, as two others read their curves (data/measured/dam_break.toml)";

/// By straight lines between ascending places; the ends' values beyond them.
double at(const std::vector<double>& x, const std::vector<double>& y, double where) {
  const auto above = std::upper_bound(x.begin(), x.end(), where);
  if (above == x.begin()) return y.front();
  if (above == x.end()) return y.back();
  const auto n = static_cast<std::size_t>(above - x.begin());
  const double share = (where - x[n - 1]) / (x[n] - x[n - 1]);
  return y[n - 1] + share * (y[n] - y[n - 1]);
}

double of_run(const std::vector<Extent>& run, double Extent::*what, double T) {
  std::vector<double> times, values;
  for (const Extent& one : run) {
    times.push_back(one.time);
    values.push_back(one.*what);
  }
  return at(times, values, T);
}

/// Whether a run lasts as long as what was measured.
bool covers(const std::vector<Extent>& run, const Reference& measured) {
  return !run.empty() && run.back().time >= measured.T.back() &&
         run.back().time >= std::numbers::sqrt2 * measured.tau.back();
}

Number judge_misfit(const char* what, const char* release, double value, double band, std::string note) {
  return {.name = fmt::format("{}_{}_release", what, release),
          .value = value,
          .unit = "1",
          .expected = fmt::format("≤ {:.2g}", band),
          .kind = Kind::measured,
          .source = source,
          .verdict = pass_if_finite(value, value <= band),
          .note = std::move(note),
          .of_claim = true};
}

}  // namespace

Reference reference() {
  Reference result;
  const auto T = measured_series(file, "martin_moyce_front", "T"),
             Z = measured_series(file, "martin_moyce_front", "Z");
  const auto T_2 = measured_series(file, "martin_moyce_front_second", "T"),
             Z_2 = measured_series(file, "martin_moyce_front_second", "Z");
  for (std::size_t n = 0; n < T.size(); ++n) {
    if (T[n] < T_2.front() || T[n] > T_2.back()) continue;
    const double other = at(T_2, Z_2, T[n]);
    const double mean = 0.5 * (Z[n] + other);
    result.T.push_back(T[n]);
    result.Z.push_back(mean);
    result.band = std::max(result.band, std::abs(Z[n] - other) / mean);
  }
  result.tau = measured_series(file, "martin_moyce_height", "tau");
  result.H = measured_series(file, "martin_moyce_height", "H");
  return result;
}

double front_misfit(const std::vector<Extent>& run, const Reference& measured, double release) {
  double largest = 0.0;
  for (std::size_t n = 0; n < measured.T.size(); ++n)
    largest = std::max(largest,
                       std::abs(of_run(run, &Extent::front, measured.T[n] - release) / measured.Z[n] - 1.0));
  return largest;
}

double height_misfit(const std::vector<Extent>& run, const Reference& measured, double release) {
  double largest = 0.0;
  for (std::size_t n = 0; n < measured.tau.size(); ++n) {
    const double T = std::numbers::sqrt2 * measured.tau[n] - release;
    largest = std::max(largest, std::abs(of_run(run, &Extent::height, T) - measured.H[n]));
  }
  return largest;
}

double fitted_release(const std::vector<Extent>& run, const Reference& measured) {
  double best = 0.0, least = front_misfit(run, measured, 0.0);
  for (int n = 1; n <= 1000; ++n) {
    const double misfit = front_misfit(run, measured, 1e-3 * n);
    if (misfit >= least) continue;
    least = misfit;
    best = 1e-3 * n;
  }
  return best;
}

std::vector<Number> judge(const std::vector<CollapseRun>& runs, const Reference& measured, Preset preset) {
  std::vector<Number> numbers;
  const auto add = [&](Number number) {
    if (preset == Preset::smoke && number.kind != Kind::sanity)
      number = open_here(std::move(number),
                         "10 cells to the column's width: the layer behind the front is thinner than one");
    numbers.push_back(std::move(number));
  };
  const CollapseRun* const fine =
      runs.empty() || !covers(runs.back().extents, measured) ? nullptr : &runs.back();
  const double late = fine == nullptr ? not_a_number : fitted_release(fine->extents, measured);
  const auto front = [&](double release) {
    return fine == nullptr ? not_a_number : front_misfit(fine->extents, measured, release);
  };
  const auto height = [&](double release) {
    return fine == nullptr ? not_a_number : height_misfit(fine->extents, measured, release);
  };
  const std::string of_front = fmt::format(
      "largest |Z/Z_measured − 1| at {} times, T from {:g} to {:g}; allowed is the largest difference "
      "between the two readings",
      measured.T.size(), measured.T.front(), measured.T.back());
  const std::string of_height = fmt::format(
      "largest difference of heights over 2a at {} times; read once, allowed is the share by which readings "
      "of the front differ",
      measured.tau.size());
  add(judge_misfit("front", "printed", front(0.0), measured.band, of_front));
  add(judge_misfit("front", "fitted", front(late), measured.band,
                   fmt::format("{}; let go at T = {:.3f}", of_front, late)));
  add(judge_misfit("height", "printed", height(0.0), measured.band, of_height));
  add(judge_misfit("height", "fitted", height(late), measured.band,
                   fmt::format("{}; let go when the front says, at T = {:.3f}", of_height, late)));
  add({.name = "fitted_release",
       .value = late,
       .unit = "1",
       .expected = "> 0",
       .kind = Kind::measured,
       .source = source,
       .verdict = pass_if_finite(late, late > 0.0),
       .note =
           "T at which the water is let go, for the front to fit best: what opens the column takes time"});

  double change = runs.size() < 2 || fine == nullptr ? not_a_number : 0.0;
  if (change == change)
    for (const double T : measured.T)
      change = std::max(change, std::abs(of_run(runs[runs.size() - 2].extents, &Extent::front, T) /
                                             of_run(fine->extents, &Extent::front, T) -
                                         1.0));
  add({.name = "front_at_twice_the_spacing",
       .value = change,
       .unit = "1",
       .expected = fmt::format("≤ {:.2g}", measured.band),
       .kind = Kind::regression,
       .source = "what a grid changes must not be what is judged",
       .verdict = pass_if_finite(change, change <= measured.band),
       .note = "largest change of Z at the same times, over Z"});
  double off = runs.empty() ? not_a_number : 0.0;
  for (const CollapseRun& run : runs) {
    if (run.extents.empty()) throw std::invalid_argument("a run without a frame");
    off = std::max(
        {off, std::abs(run.extents.front().front - 1.0), std::abs(run.extents.front().height - 1.0)});
  }
  off = std::round(1e9 * off) / 1e9;  // what is left is rounding of a quotient
  add({.name = "column_at_the_start",
       .value = off,
       .unit = "1",
       .expected = "≤ 1e-6",
       .kind = Kind::sanity,
       .source = "the scene",
       .verdict = pass_if_finite(off, off <= 1e-6),
       .note = "largest |Z − 1| and |H/2a − 1| before anything moves: the measures see the column as it is"});
  return numbers;
}

}  // namespace repose::experiments::measured
