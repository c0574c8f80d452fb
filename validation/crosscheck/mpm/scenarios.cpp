#include "validation/crosscheck/mpm/case_scenes.h"

namespace repose::crosscheck {

const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> all = [] {
    std::vector<Scenario> list;
    add_materials(list);
    add_contacts(list);
    add_places(list);
    add_sizes(list);
    add_drawn(list);
    add_implicit(list);
    add_solves(list);
    add_reach(list);
    return list;
  }();
  return all;
}

}  // namespace repose::crosscheck
