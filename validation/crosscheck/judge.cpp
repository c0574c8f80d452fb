#include "validation/crosscheck/judge.h"

namespace repose::crosscheck {

const ChoiceField* Judge::choice(std::string_view field) const {
  for (const ChoiceField& one : choices)
    if (one.field == field) return &one;
  return nullptr;
}

std::size_t Judge::place_of(std::string_view name) const {
  return rank != nullptr ? rank(name) : method::rank(method, name);
}

}  // namespace repose::crosscheck
