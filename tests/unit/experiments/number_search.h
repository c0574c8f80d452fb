#pragma once

#include "experiments/figures/figure.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace repose::test {

/// The number of a name; a test without it ends.
inline const experiments::Number& number(const std::vector<experiments::Number>& numbers,
                                         const std::string& name) {
  const auto found = std::find_if(numbers.begin(), numbers.end(),
                                  [&](const experiments::Number& n) { return n.name == name; });
  BOOST_TEST_REQUIRE((found != numbers.end()), name);
  return *found;
}

/// Demands a verdict and says of what.
inline void demand(const std::vector<experiments::Number>& numbers, const std::string& name,
                   experiments::Verdict verdict) {
  BOOST_TEST_CONTEXT(name) { BOOST_TEST(to_string(number(numbers, name).verdict) == to_string(verdict)); }
}

}  // namespace repose::test
