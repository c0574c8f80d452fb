#include "reference/interface/scene/key.h"

namespace repose {

std::string unit_in(std::string_view unit, int dim) {
  std::string text(unit);
  if (const auto at = text.find("m^d"); at != std::string::npos) text.replace(at, 3, dim == 2 ? "m2" : "m3");
  return text;
}

}  // namespace repose
