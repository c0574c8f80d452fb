#include "reference/interface/scene/scheme.h"

#include <fmt/format.h>

#include <stdexcept>

namespace repose {

const SchemeTable& Scheme::table() const {
  if (table_ == nullptr) throw std::logic_error("the scene is of no method");
  return *table_;
}

void Scheme::refuse(std::string_view wanted) const {
  throw std::logic_error(fmt::format("the scene is of the method \"{}\", not of \"{}\"", method(), wanted));
}

}  // namespace repose
