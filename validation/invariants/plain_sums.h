#pragma once

#include "validation/crosscheck/cases.h"
#include "validation/invariants/ledger.h"

#include <string_view>
#include <vector>

namespace repose::invariants {

/// The numbers of Sums, formed in another way. Absolute values of its terms are in the doc comment of field_sums().
struct PlainSums {
  std::size_t components;
  std::vector<double> magnitude, slope, terms;

  PlainSums(std::size_t elements, std::size_t components_)
      : components(components_),
        magnitude(elements * components_),
        slope(elements * components_),
        terms(elements) {}
  void add(std::size_t element, std::size_t component, double magnitude_, double slope_) {
    magnitude[element * components + component] += magnitude_;
    slope[element * components + component] += slope_;
  }
};

/// A stage of a case, by the states where it begins and where it ends.
struct StageOf {
  const crosscheck::Case& c;
  const Snapshot& before;
  const Snapshot& after;
};

/// The sums behind a field that a stage of explicit steps makes, by the table of reference/mpm/sums.h; bodies are separating
/// and no node meets two of them.
/// @param ledger holds that, and counts "nodes at bodies"
PlainSums plain_sums(const StageOf& stage, std::string_view name, Ledger& ledger);

}  // namespace repose::invariants
