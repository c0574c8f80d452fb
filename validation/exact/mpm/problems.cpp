#include "validation/exact/mpm/problems.h"

namespace repose::exact {

const std::vector<Exact>& mpm_problems() {
  static const std::vector<Exact> all = [] {
    std::vector<Exact> list;
    for (const auto add :
         {add_translation, add_waves, add_slopes, add_volume, add_semi_implicit, add_waters, add_columns})
      add(list);
    return list;
  }();
  return all;
}

}  // namespace repose::exact
