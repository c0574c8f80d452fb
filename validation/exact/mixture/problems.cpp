#include "validation/exact/mixture/problems.h"

namespace repose::exact {

const std::vector<Exact>& mixture_problems() {
  static const std::vector<Exact> all = [] {
    std::vector<Exact> list;
    for (const auto add : {add_drag, add_pressure, add_momentum, add_wetness}) add(list);
    return list;
  }();
  return all;
}

}  // namespace repose::exact
