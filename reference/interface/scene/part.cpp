#include "reference/interface/scene/part.h"

#include "reference/interface/base/error.h"

#include <fmt/format.h>

namespace repose {

void BuiltPart::refuse_value(std::string_view key, const std::string& value, std::string_view allowed) const {
  if (value.empty()) throw BadInput(fmt::format("{}: {} is missing: must be {}", name_, key, allowed));
  throw BadInput(fmt::format("{}: {} = {}: must be {}", name_, key, value, allowed));
}

}  // namespace repose
