#pragma once

#include "validation/crosscheck/cases.h"

#include <cstddef>
#include <string>

namespace repose::faults {

/// A known mistake, the case meant for it, and where it must be seen first.
struct Fault {
  std::string name;
  std::string category;     ///< in a word: what it is a mistake of
  std::size_t mistake = 0;  ///< of the method's model, > 0
  std::string scenario;
  crosscheck::Setup setup;  ///< but for its precision
  std::string stage;        ///< boundary at which it must be named
  std::string field;        ///< field that must be named
};

}  // namespace repose::faults
