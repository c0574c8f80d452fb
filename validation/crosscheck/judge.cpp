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

std::optional<FieldResult> none_of_one(const Judge& judge, const Arithmetic& arithmetic,
                                       const Counts& expected, const Counts& got) {
  if (!in_double(arithmetic)) return std::nullopt;
  for (std::size_t row = 0; row < judge.counts.size(); ++row)
    if (judge.counts[row].none_is_none && (expected[row] == 0) != (got[row] == 0))
      return unequal_count(judge.method.counters[row].column, expected[row], got[row]);
  return std::nullopt;
}

}  // namespace repose::crosscheck
